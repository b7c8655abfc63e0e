//! Best-first search: expand whatever position looks nearest to a mate, and keep trying every
//! pawn structure.
//!
//! A single estimate gets lost in king walks inside one structure while the way to the mate
//! leads through a capture elsewhere. So half of the expansions take the best position of
//! all, the other half goes round the *signatures* (pawns and material), taking the best
//! position of each in turn. Positions that follow an irreversible move are first put to the
//! static proofs and dropped if dead; when nothing is left, that is itself a proof.
//!
//! White mates; callers mirror the board.

use std::{cmp::Reverse, collections::BinaryHeap};

use rustc_hash::{FxHashMap, FxHashSet};
use shakmaty::attacks::king_attacks;
use stillmate_core::{Color, Key, Move, Position, Role, Square, insufficient_material};
use stillmate_proof::Step;

use crate::{
    dead::Dead,
    meter::{Meter, Stopped},
    search::{patterns, plan},
    signature::Signature,
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

/// How to search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// Where to draw Black's king; `None` is to whatever edge is near.
    pub(crate) corner: Option<Square>,
    /// Positions that may be expanded.
    pub(crate) limit: usize,
    /// Whether to put positions to the static proofs.
    pub(crate) prune: bool,
}

/// Searches from `position`.
pub(crate) fn search(position: &Position, way: Way, meter: &Meter<'_>) -> Result<Ended, Stopped> {
    let mut search = Search {
        way,
        nodes: Vec::new(),
        seen: FxHashSet::default(),
        best: Queue::new(),
        signatures: FxHashMap::default(),
        rounds: Vec::new(),
        dead: Dead::new(meter.keeps_evidence()),
    };
    search.add(position, None);
    let mut round = 0;
    for turn in 0..way.limit {
        let next = if turn % 2 == 0 {
            search.best_of_all()
        } else {
            search.best_in_turn(&mut round)
        };
        let Some(index) = next else {
            return Ok(Ended::Never(search.proof()));
        };
        meter.spend(1)?;
        if let Some(line) = search.expand(index) {
            return Ok(Ended::Mate(line));
        }
    }
    Ok(Ended::Limit)
}

/// Positions by estimate, the oldest first among equals.
type Queue = BinaryHeap<Reverse<(u32, u32)>>;

struct Node {
    key: Key,
    parent: u32,
    by: Option<Move>,
    plies: u32,
    expanded: bool,
}

struct Search {
    way: Way,
    nodes: Vec<Node>,
    seen: FxHashSet<Key>,
    best: Queue,
    /// The place of each signature in `rounds`.
    signatures: FxHashMap<Signature, usize>,
    rounds: Vec<Queue>,
    /// What is proved dead; expansion doesn't go beyond it.
    dead: Dead,
}

impl Search {
    fn add(&mut self, position: &Position, from: Option<(u32, Move)>) {
        let place = u32::try_from(self.nodes.len()).expect("limits are far below 2^32");
        let key = Key::new(position);
        let (parent, by, plies) = match from {
            Some((parent, m)) => (parent, Some(m), self.nodes[parent as usize].plies + 1),
            None => {
                self.seen.insert(key);
                (0, None, 0)
            }
        };
        self.nodes.push(Node {
            key,
            parent,
            by,
            plies,
            expanded: false,
        });
        let entry = Reverse((estimate(position, self.way.corner) * 4 + plies, place));
        self.best.push(entry);
        let fresh = self.rounds.len();
        let round = *self
            .signatures
            .entry(Signature::new(position))
            .or_insert(fresh);
        if round == fresh {
            self.rounds.push(Queue::new());
        }
        self.rounds[round].push(entry);
    }

    fn pop(nodes: &mut [Node], queue: &mut Queue) -> Option<u32> {
        loop {
            let Reverse((_, index)) = queue.pop()?;
            let node = &mut nodes[index as usize];
            if !node.expanded {
                node.expanded = true;
                return Some(index);
            }
        }
    }

    fn best_of_all(&mut self) -> Option<u32> {
        Search::pop(&mut self.nodes, &mut self.best)
    }

    /// The best position of the next signature that has one.
    fn best_in_turn(&mut self, round: &mut usize) -> Option<u32> {
        for _ in 0..self.rounds.len() {
            *round = (*round + 1) % self.rounds.len();
            if let Some(index) = Search::pop(&mut self.nodes, &mut self.rounds[*round]) {
                return Some(index);
            }
        }
        None
    }

    /// Adds what follows from a position; the line if that is a mate.
    fn expand(&mut self, index: u32) -> Option<Vec<Move>> {
        self.dead.note_expansion();
        let position = self.nodes[index as usize].key.position();
        for &m in &position.legal_moves() {
            let next = position.after(m);
            if !self.seen.insert(Key::new(&next)) {
                continue;
            }
            if next.turn() == Color::Black && next.checkers().any() && !next.has_legal_move() {
                let mut line = self.line(index);
                line.push(m);
                return Some(line);
            }
            if m.is_zeroing()
                && (insufficient_material(&next, Color::White).is_some()
                    || self.way.prune && self.dead.proves(&next))
            {
                continue;
            }
            self.add(&next, Some((index, m)));
        }
        None
    }

    fn line(&self, mut index: u32) -> Vec<Move> {
        let mut line = Vec::new();
        while let Some(m) = self.nodes[index as usize].by {
            line.push(m);
            index = self.nodes[index as usize].parent;
        }
        line.reverse();
        line
    }

    /// Nothing is left: every position seen was expanded, or dropped for a reason.
    fn proof(self) -> Vec<Step> {
        self.dead.closed(self.seen.len() as u64)
    }
}

fn apart(a: Square, b: Square) -> u32 {
    a.distance(b)
}

/// Roughly how far from a mate the position is, in quarter moves. Not admissible.
fn estimate(position: &Position, corner: Option<Square>) -> u32 {
    if let Some(minor) = patterns::lone_minor(position) {
        return patterns::estimate(position, minor);
    }
    if corner.is_none() {
        let cost = plan::estimate(position).unwrap_or(60);
        return cost as u32;
    }
    let (white, black) = (position.king(Color::White), position.king(Color::Black));
    let (black_moves, white_moves) = match corner {
        Some(corner) => (apart(black, corner), apart(white, corner).saturating_sub(2)),
        None => {
            let file = u32::from(black.file()).min(7 - u32::from(black.file()));
            let rank = u32::from(black.rank()).min(7 - u32::from(black.rank()));
            (file.min(rank), apart(white, black).saturating_sub(2))
        }
    };
    let mut estimate = 4 * black_moves.max(white_moves) + black_moves.min(white_moves);
    let men = |role| position.men_of(Color::White, role);
    if men(Role::Queen).is_empty() && men(Role::Rook).is_empty() {
        if let Some(runner) = plan::cheapest_runner(position, |_| None) {
            estimate += 6 + 3 * u32::try_from(runner.moves).unwrap_or(24);
        } else if men(Role::Pawn).any() {
            let rams = position.men_of(Color::Black, Role::Pawn);
            let near = rams
                .into_iter()
                .map(|sq| apart(white, sq))
                .min()
                .unwrap_or(7);
            estimate += 40 + 3 * near;
        }
    }
    let occupied = position.occupied().without(black);
    let flights = king_attacks(black) & !position.of(Color::Black);
    let open = flights
        .into_iter()
        .filter(|&sq| position.attackers(sq, Color::White, occupied).is_empty())
        .count();
    estimate + 2 * u32::try_from(open).unwrap_or(0)
}
