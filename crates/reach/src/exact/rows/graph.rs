//! The rows of the structure that is being closed.

use std::collections::VecDeque;

use stillmate_core::{Bitboard, Color};

use super::placement::Placement;
use crate::{
    exact::{chunks::Chunks, visited::VisitedSet},
    verdict::StopReason,
};

/// Number of a node or log entry that isn't there.
pub(super) const NONE: u32 = u32::MAX;

/// A placement of all men but the row man, with the row of each side to move.
#[derive(Clone, Copy, Debug)]
struct Node {
    placement: Placement,
    seen: [Bitboard; 2],
    todo: [Bitboard; 2],
    last_log: u32,
    queued: bool,
}

/// Squares that became known of a node.
#[derive(Clone, Copy, Debug)]
struct Log {
    /// The log entry before, of the same node.
    before: u32,
    source: Source,
    turn: Color,
    new: Bitboard,
}

/// Where a row comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// The structure was entered by the entry of this number.
    Entry(u32),
    /// A move from the expansion of this number.
    Expansion(u32),
}

/// A row from which moves were made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expansion {
    pub(super) node: u32,
    pub(super) turn: Color,
    pub(super) row: Bitboard,
}

/// A row that is to be added.
#[derive(Clone, Copy, Debug)]
struct Pending {
    placement: Placement,
    hash: u64,
    turn: Color,
    row: Bitboard,
    source: Source,
}

/// Nodes by their numbers, found by placement, and the order in which they wait.
pub(super) struct Graph {
    nodes: Chunks<Node>,
    /// The numbers of the nodes by their placements.
    numbers: VisitedSet,
    /// Rows that wait to be added together.
    pending: Vec<Pending>,
    waiting: VecDeque<u32>,
    logs: Chunks<Log>,
    expansions: Chunks<Expansion>,
}

const fn side(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

impl Graph {
    pub(super) fn new() -> Graph {
        Graph {
            nodes: Chunks::new(),
            numbers: VisitedSet::new(),
            pending: Vec::new(),
            waiting: VecDeque::new(),
            logs: Chunks::new(),
            expansions: Chunks::new(),
        }
    }

    /// Forgets all, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.numbers.clear();
        self.waiting.clear();
        self.logs.clear();
        self.expansions.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The memory it takes.
    pub(super) fn bytes(&self) -> u64 {
        let pending = self.pending.capacity() * size_of::<Pending>();
        let waiting = self.waiting.capacity() * size_of::<u32>();
        let lists = self.nodes.bytes() + self.logs.bytes() + self.expansions.bytes();
        lists + self.numbers.bytes() + (pending + waiting) as u64
    }

    /// Makes room for the rows that were deferred and so many others, which may take `memory` bytes
    /// more while the graph grows.
    pub(super) fn reserve(&mut self, rows: usize, memory: u64) -> Result<(), StopReason> {
        self.numbers.reserve(self.pending.len() + rows, memory)
    }

    pub(super) fn placement(&self, node: u32) -> Placement {
        self.nodes[node as usize].placement
    }

    /// All rows that are known: placement, side to move, squares.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Placement, Color, Bitboard)> + '_ {
        self.nodes.iter().flat_map(|node| {
            [Color::White, Color::Black].map(|turn| (node.placement, turn, node.seen[side(turn)]))
        })
    }

    /// Adds a row when the next [`Graph::flush`] comes.
    pub(super) fn defer(
        &mut self,
        placement: Placement,
        turn: Color,
        row: Bitboard,
        source: Source,
    ) {
        self.pending.push(Pending {
            placement,
            hash: placement.hash(),
            turn,
            row,
            source,
        });
    }

    /// Adds the rows that were deferred; room must have been made.
    pub(super) fn flush(&mut self) {
        let hashes = self.pending.iter().map(|row| row.hash);
        let nodes = &self.nodes;
        self.numbers
            .fetch(hashes, |at| nodes[at as usize].placement.0[0]);
        let mut pending = std::mem::take(&mut self.pending);
        for row in pending.drain(..) {
            self.add_hashed(row);
        }
        self.pending = pending;
    }

    /// Adds a row; the squares that are new. Room must have been made.
    pub(super) fn add(
        &mut self,
        placement: Placement,
        turn: Color,
        row: Bitboard,
        source: Source,
    ) -> Bitboard {
        self.add_hashed(Pending {
            placement,
            hash: placement.hash(),
            turn,
            row,
            source,
        })
    }

    fn add_hashed(&mut self, pending: Pending) -> Bitboard {
        let Pending {
            turn, row, source, ..
        } = pending;
        let number = self.find_or_insert(pending.placement, pending.hash);
        let node = &mut self.nodes[number as usize];
        let new = row & !node.seen[side(turn)];
        if new.is_empty() {
            return new;
        }
        node.seen[side(turn)] |= new;
        node.todo[side(turn)] |= new;
        self.logs.push(Log {
            before: node.last_log,
            source,
            turn,
            new,
        });
        node.last_log = self.logs.len() as u32 - 1;
        if !node.queued {
            node.queued = true;
            self.waiting.push_back(number);
        }
        new
    }

    /// The number of a placement, new or not.
    fn find_or_insert(&mut self, placement: Placement, hash: u64) -> u32 {
        let number = u32::try_from(self.nodes.len()).expect("limits are far below 2^32");
        let nodes = &self.nodes;
        let is = |at: u32| nodes[at as usize].placement == placement;
        if let Err(number) = self.numbers.insert(hash, number, is) {
            return number;
        }
        self.nodes.push(Node {
            placement,
            seen: [Bitboard::EMPTY; 2],
            todo: [Bitboard::EMPTY; 2],
            last_log: NONE,
            queued: false,
        });
        number
    }

    /// Takes the node that has waited longest, with what is to be expanded of it for White and
    /// Black to move.
    pub(super) fn next(&mut self) -> Option<(u32, [Bitboard; 2])> {
        let number = self.waiting.pop_front()?;
        let node = &mut self.nodes[number as usize];
        node.queued = false;
        Some((number, std::mem::take(&mut node.todo)))
    }

    /// Notes an expansion; where its moves come from.
    pub(super) fn expand(&mut self, expansion: Expansion) -> Source {
        self.expansions.push(expansion);
        Source::Expansion(self.expansions.len() as u32 - 1)
    }

    pub(super) fn expansion(&self, number: u32) -> Expansion {
        self.expansions[number as usize]
    }

    /// The expansion that was noted last.
    pub(super) fn last_expansion(&self) -> Expansion {
        *self.expansions.last().expect("there has been one")
    }

    /// Where a square of a node's row comes from.
    pub(super) fn source(
        &self,
        placement: Placement,
        turn: Color,
        square: Bitboard,
    ) -> Option<Source> {
        let is = |at: u32| self.nodes[at as usize].placement == placement;
        let number = self.numbers.get(placement.hash(), is)?;
        let mut at = self.nodes[number as usize].last_log;
        while at != NONE {
            let log = &self.logs[at as usize];
            if log.turn == turn && log.new.intersects(square) {
                return Some(log.source);
            }
            at = log.before;
        }
        None
    }
}
