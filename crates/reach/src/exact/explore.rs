//! Exact exploration: what looks best, and every pawn structure in turn.
//!
//! Positions with the same pawns and material (a [`Signature`]) share a *bucket*. Within one, play
//! is reversible and the positions are few, mostly some thousands. A single estimate gets lost in them while the way
//! to the mate leads through a capture elsewhere, and what one choice overlooks another finds.
//! So the choice rotates:
//!
//! - the position with the best estimate of all;
//! - the one with the best estimate in the bucket whose turn it is;
//! - the one nearest to a pattern of a mate, each pattern in its turn ([`PatternSet`]);
//! - the *oldest* one in the bucket whose turn it is, which misleads least; every second
//!   time a bucket's turn comes the sooner the nearer its pawns are to a promotion.
//!
//! A position that an irreversible move leads to is first put to the static proofs and dropped
//! if dead. If it lives and White has become strong there, a rollout tries to finish, so that
//! an ordinary win at the end of a long chain of captures needs no search. When no position is
//! left, that is a proof of "never".
//!
//! White is the intended winner; callers mirror the board.

use std::{cmp::Reverse, collections::BinaryHeap};

use rustc_hash::FxHashMap;
use shakmaty::attacks::king_attacks;
use stillmate_core::{Color, Key, Move, Position, Role, insufficient_material};

use crate::{
    budget::Meter,
    can::{corner_mates, patterns::PatternSet, plan, rollout, tree::trail},
    exact::{
        chunks::Chunks,
        visited::{self, VisitedSet},
    },
    features,
    never::pruner::Pruner,
    settled::Settled,
    signature::Signature,
    verdict::StopReason,
};

/// Explores from `position`, expanding at most `limit` positions.
pub(crate) fn explore(
    position: &Position,
    limit: usize,
    meter: &Meter,
) -> Result<Option<Settled>, StopReason> {
    let mut explorer = Explorer {
        nodes: Chunks::new(),
        seen: VisitedSet::new(),
        buckets: Vec::new(),
        by_signature: FxHashMap::default(),
        active: Vec::new(),
        due: Queue::new(),
        best: Queue::new(),
        pruner: Pruner::new(meter.keeps_evidence()),
        open: 0,
        expanded: 0,
        rolled: 0,
        pattern_sets: Vec::new(),
        selectors: Vec::new(),
        held: 0,
    };
    explorer.run(position, limit, meter)
}

/// Positions by estimate, the oldest first among equals.
type Queue = BinaryHeap<Entry>;
type Entry = Reverse<(u32, u32)>;

/// Adds to a queue; the memory by which it grows.
fn queue(queue: &mut Queue, entry: Entry) -> u64 {
    let before = bytes(queue);
    queue.push(entry);
    bytes(queue) - before
}

fn bytes(queue: &Queue) -> u64 {
    (queue.capacity() * size_of::<Entry>()) as u64
}

struct Node {
    key: Key,
    parent: u32,
    by: Option<Move>,
    /// Its place in [`Explorer::buckets`].
    bucket: u32,
    plies: u16,
    expanded: bool,
}

/// The positions of one signature that wait to be expanded.
#[derive(Default)]
struct Bucket {
    /// As they were met; those before `next` have been expanded.
    waiting: Vec<u32>,
    next: usize,
    best: Queue,
    /// Positions by which irreversible moves have entered.
    entries: u32,
    /// Whether it is among [`Explorer::active`].
    queued: bool,
    expanded: u32,
    generated: bool,
    /// What its pawns still cost White.
    outlook: u32,
    /// When it was last due, if it isn't among [`Explorer::due`] any more.
    due: Option<u32>,
    /// Its patterns, by their place in [`Explorer::pattern_sets`].
    patterns: Option<u32>,
}

impl Bucket {
    /// Takes the position that has waited longest.
    fn oldest(&mut self, nodes: &mut Chunks<Node>) -> Option<u32> {
        while let Some(&index) = self.waiting.get(self.next) {
            self.next += 1;
            let node = &mut nodes[index as usize];
            if !node.expanded {
                node.expanded = true;
                return Some(index);
            }
        }
        None
    }
}

/// Takes the first position of a queue that hasn't been expanded by another choice.
fn pop(nodes: &mut Chunks<Node>, queue: &mut Queue) -> Option<u32> {
    loop {
        let Reverse((_, index)) = queue.pop()?;
        let node = &mut nodes[index as usize];
        if !node.expanded {
            node.expanded = true;
            return Some(index);
        }
    }
}

/// Which position of a bucket.
#[derive(Clone, Copy)]
enum Choice {
    Best,
    Oldest,
}

struct Explorer {
    /// All positions seen, those that were dropped included.
    nodes: Chunks<Node>,
    seen: VisitedSet,
    buckets: Vec<Bucket>,
    by_signature: FxHashMap<Signature, u32>,
    /// Structures with something left.
    active: Vec<u32>,
    /// Structures by when they are due.
    due: Queue,
    best: Queue,
    /// The patterns of a bucket, and where their queues begin in `selectors`.
    pattern_sets: Vec<(PatternSet, usize)>,
    /// Positions by their distance from one pattern.
    selectors: Vec<Queue>,
    /// What is proved dead; expansion doesn't go beyond it.
    pruner: Pruner,
    /// Positions that wait to be expanded.
    open: usize,
    expanded: usize,
    /// Positions visited by rollouts.
    rolled: u64,
    /// Memory of everything but the positions, the set of them and what is proved dead.
    held: u64,
}

/// Memory of a bucket, but for its queues: itself, its place by signature, and its entries
/// among those that are active and due.
const BUCKET: u64 =
    (size_of::<Bucket>() + 2 * size_of::<(Signature, u32)>() + 2 * size_of::<Entry>()) as u64;

/// Expansions in a bucket before patterns are generated for it.
const PATTERNS_FROM: u32 = 100;
/// Expansions that pay for the patterns of one bucket.
const EXPANSIONS_PER_SET: usize = 500;

/// Positions that rollouts may visit before anything has been expanded.
const ROLLED_AHEAD: u64 = 1_000;
/// Expansions that pay for one position of a rollout.
const EXPANSIONS_PER_ROLLED: u64 = 4;

impl Explorer {
    fn run(
        &mut self,
        position: &Position,
        limit: usize,
        meter: &Meter,
    ) -> Result<Option<Settled>, StopReason> {
        let root = self.bucket(position);
        let key = Key::new(position);
        self.make_room(1, meter)?;
        let hash = visited::hash(&key.planes());
        let _ = self
            .seen
            .insert(hash, 0, |_| unreachable!("nothing is there yet"));
        self.add(key, 0, None, root);
        self.wait(0, position);
        let mut round = 0;
        let mut selector = 0;
        for turn in 0..limit {
            if self.open == 0 {
                let pruner = std::mem::take(&mut self.pruner);
                return Ok(Some(Settled::Never(pruner.closed(self.nodes.len() as u64))));
            }
            let chosen = match turn % 8 {
                1 | 5 => self.in_turn(&mut round, Choice::Best),
                2 | 6 => self.by_pattern(&mut selector),
                3 => self.in_turn(&mut round, Choice::Oldest),
                7 => self.by_share(),
                _ => None,
            };
            let next = chosen.or_else(|| pop(&mut self.nodes, &mut self.best));
            let index = next.expect("every open position is queued by its estimate");
            self.open -= 1;
            self.expanded += 1;
            meter.spend(1)?;
            if let Some(line) = self.expand(index, meter)? {
                return Ok(Some(Settled::Can(line)));
            }
        }
        Ok(None)
    }

    /// The best or the oldest position of the next bucket that has one.
    fn in_turn(&mut self, round: &mut usize, choice: Choice) -> Option<u32> {
        while !self.active.is_empty() {
            *round += 1;
            if *round >= self.active.len() {
                *round = 0;
            }
            let bucket = &mut self.buckets[self.active[*round] as usize];
            let found = match choice {
                Choice::Best => pop(&mut self.nodes, &mut bucket.best),
                Choice::Oldest => bucket.oldest(&mut self.nodes),
            };
            if found.is_some() {
                return found;
            }
            bucket.queued = false;
            self.held -= bytes(&bucket.best);
            bucket.best = Queue::new();
            self.active.swap_remove(*round);
        }
        None
    }

    /// The oldest position of the bucket that has had least of its share: the better the
    /// outlook, the larger the share.
    fn by_share(&mut self) -> Option<u32> {
        while let Some(Reverse((due, place))) = self.due.pop() {
            let bucket = &mut self.buckets[place as usize];
            if let Some(index) = bucket.oldest(&mut self.nodes) {
                self.due.push(Reverse((due + 4, place)));
                return Some(index);
            }
            bucket.due = Some(due);
        }
        None
    }

    /// The next pattern's best position.
    fn by_pattern(&mut self, selector: &mut usize) -> Option<u32> {
        for _ in 0..self.selectors.len() {
            *selector = (*selector + 1) % self.selectors.len();
            let found = pop(&mut self.nodes, &mut self.selectors[*selector]);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Generates patterns for a bucket in which the search has been for long.
    fn generate(&mut self, place: u32) {
        if self.expanded < EXPANSIONS_PER_SET * (self.pattern_sets.len() + 1) {
            return;
        }
        let bucket = &mut self.buckets[place as usize];
        bucket.generated = true;
        let first = self.nodes[bucket.waiting[0] as usize].key.position();
        let patterns = PatternSet::new(&first);
        if patterns.len() == 0 {
            return;
        }
        bucket.patterns = Some(self.pattern_sets.len() as u32);
        let first = self.selectors.len();
        self.selectors
            .resize_with(first + patterns.len(), Queue::new);
        self.held += patterns.bytes();
        self.pattern_sets.push((patterns, first));
        let waiting = bucket.waiting.clone();
        for index in waiting {
            if !self.nodes[index as usize].expanded {
                let position = self.nodes[index as usize].key.position();
                self.look(index, &position);
            }
        }
    }

    /// Queues a position by its distance from the patterns of its bucket.
    fn look(&mut self, index: u32, position: &Position) {
        let node = &self.nodes[index as usize];
        if let Some(place) = self.buckets[node.bucket as usize].patterns {
            let (patterns, first) = &self.pattern_sets[place as usize];
            for pattern in 0..patterns.len() {
                if let Some(cost) = patterns.distance(pattern, position) {
                    let entry = Reverse((cost + u32::from(node.plies), index));
                    self.held += queue(&mut self.selectors[first + pattern], entry);
                }
            }
        }
    }

    /// The place of a bucket, new or not.
    fn bucket(&mut self, position: &Position) -> u32 {
        let fresh = self.buckets.len() as u32;
        let signature = Signature::new(position);
        let place = *self.by_signature.entry(signature).or_insert(fresh);
        if place == fresh {
            let outlook = outlook(position);
            self.held += BUCKET;
            self.buckets.push(Bucket {
                outlook,
                due: Some(outlook),
                ..Bucket::default()
            });
        }
        place
    }

    /// Notes a position that was seen for the first time.
    fn add(&mut self, key: Key, parent: u32, by: Option<Move>, bucket: u32) -> u32 {
        let index = u32::try_from(self.nodes.len()).expect("limits are far below 2^32");
        let plies = match by {
            Some(_) => self.nodes[parent as usize].plies.saturating_add(1),
            None => 0,
        };
        self.nodes.push(Node {
            key,
            parent,
            by,
            bucket,
            plies,
            expanded: false,
        });
        index
    }

    /// Queues a position to be expanded.
    fn wait(&mut self, index: u32, position: &Position) {
        let node = &self.nodes[index as usize];
        let bucket = node.bucket;
        let there = &mut self.buckets[bucket as usize];
        let cost = 4 * estimate(position, there.outlook) + u32::from(node.plies);
        let entry = Reverse((cost, index));
        self.held += queue(&mut self.best, entry) + queue(&mut there.best, entry);
        let before = there.waiting.capacity();
        there.waiting.push(index);
        self.held += ((there.waiting.capacity() - before) * size_of::<u32>()) as u64;
        if let Some(due) = there.due.take() {
            self.due.push(Reverse((due, bucket)));
        }
        if !there.queued {
            there.queued = true;
            self.active.push(bucket);
        }
        self.open += 1;
        self.look(index, position);
    }

    /// Makes room for so many positions, if the memory allows it.
    fn make_room(&mut self, positions: usize, meter: &Meter) -> Result<(), StopReason> {
        let rest = self.nodes.bytes() + self.pruner.bytes() + self.held;
        meter.hold(rest + self.seen.bytes())?;
        let memory = meter.memory() - rest - self.seen.bytes();
        self.seen.reserve(positions, memory)
    }

    /// Adds what follows from a position; the line if that leads to a mate.
    fn expand(&mut self, index: u32, meter: &Meter) -> Result<Option<Vec<Move>>, StopReason> {
        self.pruner.note_expansion();
        let position = self.nodes[index as usize].key.position();
        let bucket = self.nodes[index as usize].bucket;
        let here = &mut self.buckets[bucket as usize];
        here.expanded += 1;
        if !here.generated && here.expanded >= PATTERNS_FROM {
            self.generate(bucket);
        }
        let moves = position.legal_moves();
        let children = moves.into_iter().map(|m| {
            let next = position.after(m);
            let key = Key::new(&next);
            (m, next, key, visited::hash(&key.planes()))
        });
        let children: Vec<_> = children.collect();
        self.make_room(children.len(), meter)?;
        let hashes = children.iter().map(|(_, _, _, hash)| *hash);
        let nodes = &self.nodes;
        self.seen
            .fetch(hashes, |at| nodes[at as usize].key.planes()[0]);
        for (m, next, key, hash) in children {
            let fresh = self.nodes.len() as u32;
            let nodes = &self.nodes;
            let found = self
                .seen
                .insert(hash, fresh, |at| nodes[at as usize].key == key);
            if found.is_err() {
                continue;
            }
            if next.turn() == Color::Black && next.checkers().any() && !next.has_legal_move() {
                let mut line = self.line(index);
                line.push(m);
                return Ok(Some(line));
            }
            if !m.is_zeroing() {
                self.add(key, index, Some(m), bucket);
                self.wait(fresh, &next);
                continue;
            }
            let entered = self.bucket(&next);
            self.add(key, index, Some(m), entered);
            let bucket = &mut self.buckets[entered as usize];
            bucket.entries += 1;
            let tried = bucket.entries.is_power_of_two();
            if insufficient_material(&next, Color::White).is_some() || self.pruner.proves(&next) {
                continue;
            }
            self.wait(fresh, &next);
            if tried && let Some(mut rest) = self.finish(&next, meter)? {
                let mut line = self.line(fresh);
                line.append(&mut rest);
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// A rollout, where White looks strong.
    fn finish(
        &mut self,
        position: &Position,
        meter: &Meter,
    ) -> Result<Option<Vec<Move>>, StopReason> {
        let heavy = position.with_role(Role::Queen) | position.with_role(Role::Rook);
        if !position.of(Color::White).intersects(heavy) && !features::has_free_pawn(position) {
            return Ok(None);
        }
        if self.rolled > ROLLED_AHEAD + self.expanded as u64 / EXPANSIONS_PER_ROLLED {
            return Ok(None);
        }
        let before = meter.nodes();
        let found = rollout::first(position, meter)?;
        self.rolled += meter.nodes() - before;
        Ok(found)
    }

    /// The moves that lead to a position.
    fn line(&self, index: u32) -> Vec<Move> {
        trail(index, |at| {
            let node = &self.nodes[at as usize];
            node.by.map(|m| (m, node.parent))
        })
    }
}

/// Roughly how far from a mate the position is, in quarter moves. Not admissible, and cheap.
fn estimate(position: &Position, outlook: u32) -> u32 {
    if let Some(minor) = corner_mates::lone_minor(position) {
        return corner_mates::estimate(position, minor);
    }
    let (white, black) = (position.king(Color::White), position.king(Color::Black));
    let file = u32::from(black.file()).min(7 - u32::from(black.file()));
    let rank = u32::from(black.rank()).min(7 - u32::from(black.rank()));
    let (black_moves, white_moves) = (file.min(rank), white.distance(black).saturating_sub(2));
    let estimate = 4 * black_moves.max(white_moves) + black_moves.min(white_moves) + outlook;
    let occupied = position.occupied().without(black);
    let flights = king_attacks(black) & !position.of(Color::Black);
    let open = flights
        .into_iter()
        .filter(|&square| {
            position
                .attackers(square, Color::White, occupied)
                .is_empty()
        })
        .count();
    estimate + 2 * u32::try_from(open).unwrap_or(0)
}

/// What the pawns of a bucket still cost White before it is strong, in quarter moves.
fn outlook(position: &Position) -> u32 {
    let men = |role| position.pieces_of(Color::White, role);
    if men(Role::Queen).any() || men(Role::Rook).any() || men(Role::Pawn).is_empty() {
        return 0;
    }
    match plan::cheapest_promotion(position, |_| None) {
        Some(promoting) => 6 + 3 * u32::try_from(promoting.moves).unwrap_or(24),
        None => {
            let blocking_pawns = position.pieces_of(Color::Black, Role::Pawn).into_iter();
            let white = position.king(Color::White);
            40 + 3 * blocking_pawns
                .map(|square| white.distance(square))
                .min()
                .unwrap_or(7)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(fen: &str, limit: usize) -> Option<Settled> {
        let meter = Meter::of_nodes(u64::MAX);
        let position = Position::from_fen(fen).unwrap();
        let ended = explore(&position, limit, &meter).unwrap();
        if let Some(Settled::Can(line)) = &ended {
            let end = line.iter().fold(position, |at, m| {
                assert!(at.legal_moves().contains(m), "{m} in {}", at.fen());
                at.after(*m)
            });
            assert!(end.is_checkmate() && end.turn() == Color::Black);
        }
        ended
    }

    #[test]
    fn bishops_find_their_way_through_mazes() {
        // White's bishop needs two black ones beside the king, in the far corner.
        for fen in [
            "k7/1b6/2b5/3b4/4b3/1pB2b2/pP4b1/K6b w - -",
            "8/8/1b6/3Bk2B/8/4p1p1/4P1P1/5BRK b - -",
            "8/B6b/5B1k/7b/p1p1pBp1/P1P1P1P1/4K3/8 b - -",
        ] {
            assert!(matches!(run(fen, 50_000), Some(Settled::Can(_))), "{fen}");
        }
    }

    #[test]
    fn an_exhausted_position_is_never_and_its_twin_is_not() {
        let locked = "8/8/3k1p1p/2p1pPpP/1pP1P1P1/pP1B4/P3K3/8 w - -";
        assert!(matches!(run(locked, 1_000_000), Some(Settled::Never(_))));
        let loose = "8/8/3k1p1p/2p1pPp1/1pP1P1PP/pP1B4/P3K3/8 w - -";
        assert!(matches!(run(loose, 200_000), Some(Settled::Can(_))));
    }

    #[test]
    fn a_cut_run_is_no_proof() {
        let locked = "8/8/3k1p1p/2p1pPpP/1pP1P1P1/pP1B4/P3K3/8 w - -";
        assert_eq!(run(locked, 1), None);
    }
}
