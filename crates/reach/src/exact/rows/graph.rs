//! The rows of the structure that is being closed.

use std::collections::VecDeque;

use stillmate_core::{Bitboard, Color};

use super::placement::Placement;

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
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    /// The upper half of a hash, and one more than the node's number; 0 is empty. A power of two
    /// of them.
    slots: Vec<u64>,
    /// Rows that wait to be added together.
    pending: Vec<Pending>,
    waiting: VecDeque<u32>,
    logs: Vec<Log>,
    expansions: Vec<Expansion>,
}

const fn side(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

/// Slots of an empty graph.
const FEW: usize = 64;

impl Graph {
    /// Forgets all, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.slots.clear();
        self.slots.resize(FEW, 0);
        self.waiting.clear();
        self.logs.clear();
        self.expansions.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes held, about.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.slots.capacity() * size_of::<u64>()
            + self.logs.capacity() * size_of::<Log>()
            + self.expansions.capacity() * size_of::<Expansion>()
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

    /// Adds the rows that were deferred. What is read for each is read at once: memory, which is
    /// slow for large graphs, answers all of them at the same time.
    pub(super) fn flush(&mut self) {
        let mask = self.slots.len() - 1;
        let mut read = 0;
        for row in &self.pending {
            read ^= self.slots[row.hash as usize & mask];
        }
        for row in &self.pending {
            let entry = self.slots[row.hash as usize & mask];
            if entry != 0 && entry >> 32 == row.hash >> 32 {
                read ^= self.nodes[entry as u32 as usize - 1].placement.0[0];
            }
        }
        std::hint::black_box(read);
        let mut pending = std::mem::take(&mut self.pending);
        for row in pending.drain(..) {
            self.add_hashed(row);
        }
        self.pending = pending;
    }

    /// Adds a row; the squares that are new.
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

    /// The number of a placement that is known, or the empty slot for it.
    fn find(&self, placement: Placement, hash: u64) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                return Err(slot);
            }
            let number = entry as u32 - 1;
            if entry >> 32 == hash >> 32 && self.nodes[number as usize].placement == placement {
                return Ok(number);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The number of a placement, new or not.
    fn find_or_insert(&mut self, placement: Placement, hash: u64) -> u32 {
        if self.nodes.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = match self.find(placement, hash) {
            Ok(number) => return number,
            Err(slot) => slot,
        };
        let number = u32::try_from(self.nodes.len()).expect("limits are far below 2^32");
        self.slots[slot] = hash >> 32 << 32 | u64::from(number + 1);
        self.nodes.push(Node {
            placement,
            seen: [Bitboard::EMPTY; 2],
            todo: [Bitboard::EMPTY; 2],
            last_log: NONE,
            queued: false,
        });
        number
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(FEW);
        self.slots.clear();
        self.slots.resize(size, 0);
        let mask = size - 1;
        for (number, node) in self.nodes.iter().enumerate() {
            let hash = node.placement.hash();
            let mut slot = hash as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = hash >> 32 << 32 | (number as u64 + 1);
        }
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
        let number = self.find(placement, placement.hash()).ok()?;
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
