//! Best-first search: expand whatever position looks nearest to a mate, and each pawn structure
//! in its turn.
//!
//! Every move is made and its position estimated at once, where the guided search queues moves
//! by what they promise. That is dear, and finds what promises overlook: the ways of a few
//! minor pieces. When nothing is left to expand, that is a proof.
//!
//! White mates; callers mirror the board.

use std::{cmp::Reverse, collections::BinaryHeap};

use rustc_hash::{FxHashMap, FxHashSet};
use stillmate_core::{Color, Key, Move, Position, insufficient_material};
use stillmate_proof::Step;

use crate::{
    budget::Meter,
    search::{patterns, plan, tree::Tree},
    signature::Signature,
    verdict::StopReason,
};

/// How a search has ended.
#[derive(Debug)]
pub(crate) enum Ended {
    /// With a mate.
    Mate(Vec<Move>),
    /// With nothing left to expand: the steps of a proof.
    Never(Vec<Step>),
    /// Its own limit of expanded positions was reached.
    Limit,
}

/// Searches from `position`, expanding at most `limit` positions.
pub(crate) fn search(
    position: &Position,
    limit: usize,
    meter: &Meter,
) -> Result<Ended, StopReason> {
    let mut search = Search::default();
    search.seen.insert(Key::new(position));
    search.add(position, None);
    let mut round = 0;
    for turn in 0..limit {
        let next = if turn % 2 == 0 {
            Search::pop(&mut search.expanded, &mut search.best)
        } else {
            search.best_in_turn(&mut round)
        };
        let Some(index) = next else {
            return Ok(Ended::Never(vec![Step::Closed {
                positions: search.seen.len() as u64,
                exits: Vec::new(),
            }]));
        };
        meter.spend(1)?;
        meter.hold(search.bytes())?;
        if let Some(line) = search.expand(index) {
            return Ok(Ended::Mate(line));
        }
    }
    Ok(Ended::Limit)
}

/// Positions by estimate, the oldest first among equals.
type Queue = BinaryHeap<Reverse<(u32, u32)>>;

#[derive(Default)]
struct Search {
    tree: Tree,
    /// Whether each position of the tree has been expanded.
    expanded: Vec<bool>,
    seen: FxHashSet<Key>,
    best: Queue,
    /// The place of each signature in `rounds`.
    signatures: FxHashMap<Signature, usize>,
    rounds: Vec<Queue>,
}

impl Search {
    /// The memory it takes. Each position is in the tree, in a set that is half full, and in two
    /// queues.
    fn bytes(&self) -> u64 {
        let entries = 2 * self.best.capacity() * size_of::<Reverse<(u32, u32)>>();
        self.tree.bytes() + (2 * self.seen.len() * size_of::<Key>() + entries) as u64
    }

    fn add(&mut self, position: &Position, from: Option<(u32, Move)>) {
        let place = self.tree.add(*position, from);
        self.expanded.push(false);
        let plies = self.tree.plies(place);
        let entry = Reverse((estimate(position) * 4 + plies, place));
        self.best.push(entry);
        let fresh = self.rounds.len();
        let signature = Signature::new(position);
        let round = *self.signatures.entry(signature).or_insert(fresh);
        if round == fresh {
            self.rounds.push(Queue::new());
        }
        self.rounds[round].push(entry);
    }

    fn pop(expanded: &mut [bool], queue: &mut Queue) -> Option<u32> {
        loop {
            let Reverse((_, index)) = queue.pop()?;
            if !std::mem::replace(&mut expanded[index as usize], true) {
                return Some(index);
            }
        }
    }

    /// The best position of the next signature that has one.
    fn best_in_turn(&mut self, round: &mut usize) -> Option<u32> {
        for _ in 0..self.rounds.len() {
            *round = (*round + 1) % self.rounds.len();
            if let Some(index) = Search::pop(&mut self.expanded, &mut self.rounds[*round]) {
                return Some(index);
            }
        }
        None
    }

    /// Adds what follows from a position; the line if that is a mate.
    fn expand(&mut self, index: u32) -> Option<Vec<Move>> {
        let position = *self.tree.position(index);
        for &m in &position.legal_moves() {
            let next = position.after(m);
            if !self.seen.insert(Key::new(&next)) {
                continue;
            }
            if next.turn() == Color::Black && next.checkers().any() && !next.has_legal_move() {
                let mut line = self.tree.line(index);
                line.push(m);
                return Some(line);
            }
            if !m.is_zeroing() || insufficient_material(&next, Color::White).is_none() {
                self.add(&next, Some((index, m)));
            }
        }
        None
    }
}

/// Roughly how far from a mate the position is, in quarter moves. Not admissible.
fn estimate(position: &Position) -> u32 {
    const NO_PLAN: u32 = 60;
    match patterns::lone_minor(position) {
        Some(minor) => patterns::estimate(position, minor),
        None => plan::estimate(position).map_or(NO_PLAN, |cost| cost as u32),
    }
}
