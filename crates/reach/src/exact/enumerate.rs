//! Exact enumeration: every position that play can reach, each visited once.
//!
//! Levels of a breadth-first search, expanded in parallel. An emptied frontier with nothing
//! cut proves "never"; the first level with a mate gives a shortest line (up to the exits).
//! VisitedSet positions are kept as exact keys: a hash in their place would sooner or later
//! take a new position for an old one and call "never" what isn't.
//!
//! White is the intended winner; callers mirror the board.

use std::{
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use arrayvec::ArrayVec;
use rayon::prelude::*;
use stillmate_core::{Color, Key, Move, Position, insufficient_material};
use stillmate_proof::Step;

use super::{
    chunks::Chunks,
    visited::{self, VisitedSet},
};
use crate::{budget::Meter, settled::Settled, verdict::StopReason};

/// Parts of the visited set, each with a lock of its own.
const SHARDS: usize = 64;

/// Positions of a shard that are expanded together.
const TOGETHER: usize = 128;

/// Frontiers smaller than this are expanded on one thread: sharing costs more than it saves.
const SHARE_FROM: usize = 512;

/// The memory that a visited position takes: its key and its room in the set, which has 1.5 to
/// 2.25 slots for each and, while a shard grows, those before. A constant, so that the number of
/// positions for which the memory suffices doesn't depend on the threads.
const POSITION: u64 = (2 * size_of::<Key>() + 5 * size_of::<u64>()) as u64 / 2;

/// Visits everything that play can reach from `position`, on the threads of the current
/// rayon pool.
///
/// The answer, and the line, are the same whatever the number of threads: of the mates on a
/// level, and of the positions that lead to it, the one with the least key is taken.
pub(crate) fn enumerate(position: &Position, meter: &Meter) -> Result<Settled, StopReason> {
    let reached = Reached::new();
    reached.insert(Key::new(position));
    let mut levels: Vec<Vec<Portion>> = Vec::new();
    let mut begins = [0; SHARDS];
    let visited = AtomicU64::new(1);
    loop {
        let ends = reached.ends();
        let level = portions(&begins, &ends);
        begins = ends;
        let size = level.iter().map(|portion| portion.places.len()).sum();
        if size == 0 {
            return Ok(Settled::Never(vec![Step::Closed {
                positions: visited.into_inner(),
                exits: Vec::new(),
            }]));
        }
        let left = meter.left();
        let mates = each(&level, size, |portion| {
            let (mate, added) = reached.expand(portion, meter)?;
            let visited = visited.fetch_add(added, Ordering::Relaxed) + added;
            meter.hold(visited * POSITION)?;
            Ok(mate)
        });
        levels.push(level);
        match mates {
            Ok(mates) => {
                if let Some(mate) = mates.into_iter().flatten().min() {
                    return Ok(Settled::Can(reached.trace_back(&levels, mate)));
                }
            }
            // Where both run out on a level, it must not depend on the threads which is told.
            Err(StopReason::Memory) if reached.expandable(&levels[levels.len() - 1]) > left => {
                return Err(StopReason::Nodes);
            }
            Err(stopped) => return Err(stopped),
        }
    }
}

/// Positions of a level that are worked on together: a shard, and their places in it.
struct Portion {
    shard: usize,
    places: Range<u32>,
}

/// What lies between these places of the shards, in portions.
fn portions(begins: &[u32; SHARDS], ends: &[u32; SHARDS]) -> Vec<Portion> {
    let mut portions = Vec::new();
    for (shard, (&begin, &end)) in begins.iter().zip(ends).enumerate() {
        for first in (begin..end).step_by(TOGETHER) {
            portions.push(Portion {
                shard,
                places: first..end.min(first + TOGETHER as u32),
            });
        }
    }
    portions
}

/// Does `work` on every portion of a level of so many positions, and gives the results in the
/// order of the portions.
fn each<R: Send>(
    level: &[Portion],
    size: usize,
    work: impl Fn(&Portion) -> Result<R, StopReason> + Send + Sync,
) -> Result<Vec<R>, StopReason> {
    if size < SHARE_FROM {
        level.iter().map(work).collect()
    } else {
        level.par_iter().map(work).collect()
    }
}

/// Whether nothing that follows can be White's mate.
fn is_barren(position: &Position) -> bool {
    insufficient_material(position, Color::White).is_some()
}

fn is_mate(position: &Position) -> bool {
    position.turn() == Color::Black && position.is_checkmate()
}

/// All positions that have been reached. Those of a level follow each other in each shard.
struct Reached(Vec<Mutex<Shard>>);

struct Shard {
    keys: Chunks<Key>,
    set: VisitedSet,
}

impl Reached {
    fn new() -> Reached {
        let shard = || Shard {
            keys: Chunks::new(),
            set: VisitedSet::new(),
        };
        Reached((0..SHARDS).map(|_| Mutex::new(shard())).collect())
    }

    /// What a shard holds when its turn comes; nothing panics while a lock is held.
    fn with<R>(&self, shard: usize, work: impl FnOnce(&mut Shard) -> R) -> R {
        let mut shard = self.0[shard].lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut shard)
    }

    /// Adds a position; whether it is new.
    fn insert(&self, key: Key) -> bool {
        let hash = visited::hash(&key.planes());
        let shard = hash as usize % SHARDS;
        self.with(shard, |Shard { keys, set }| {
            let place = keys.len() as u32;
            set.reserve(1, u64::MAX)
                .expect("the memory of all shards is counted by the caller");
            let found = set.insert(hash, place, |at| keys[at as usize] == key);
            if found.is_ok() {
                keys.push(key);
            }
            found.is_ok()
        })
    }

    /// Where the shards end.
    fn ends(&self) -> [u32; SHARDS] {
        std::array::from_fn(|shard| self.with(shard, |shard| shard.keys.len() as u32))
    }

    fn keys(&self, portion: &Portion) -> ArrayVec<Key, TOGETHER> {
        self.with(portion.shard, |shard| {
            let places = portion.places.clone();
            places.map(|at| shard.keys[at as usize]).collect()
        })
    }

    /// Reaches what follows from some positions. The mate with the least key, and how many
    /// positions are new.
    fn expand(&self, portion: &Portion, meter: &Meter) -> Result<(Option<Key>, u64), StopReason> {
        let (mut mate, mut added): (Option<Key>, _) = (None, 0);
        for key in self.keys(portion) {
            let position = key.position();
            if is_barren(&position) {
                continue;
            }
            meter.spend(1)?;
            position.for_each_legal_move(|m| {
                let next = position.after(m);
                let key = Key::new(&next);
                if is_mate(&next) {
                    mate = Some(mate.map_or(key, |least| least.min(key)));
                } else {
                    added += u64::from(self.insert(key));
                }
            });
        }
        Ok((mate, added))
    }

    /// How many positions of a level are expanded.
    fn expandable(&self, level: &[Portion]) -> u64 {
        let keys = level.iter().flat_map(|portion| self.keys(portion));
        keys.filter(|key| !is_barren(&key.position())).count() as u64
    }

    /// The moves from the root to `target`, which stands on the level after the last of `levels`.
    fn trace_back(&self, levels: &[Vec<Portion>], target: Key) -> Vec<Move> {
        let mut line = Vec::with_capacity(levels.len());
        let mut target = target;
        for level in levels.iter().rev() {
            let leads = |key: &Key| {
                let position = key.position();
                let mut moves = position.legal_moves().into_iter();
                moves.find(|m| Key::new(&position.after(*m)) == target)
            };
            let from = |portion: &Portion| {
                let keys = self.keys(portion).into_iter();
                Ok(keys.filter_map(|key| Some((key, leads(&key)?))).min())
            };
            let steps = each(level, usize::MAX, from).into_iter().flatten();
            let (key, m) = steps
                .flatten()
                .min()
                .expect("every position of a level comes from the one before");
            line.push(m);
            target = key;
        }
        line.reverse();
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(fen: &str, nodes: u64) -> Result<Settled, StopReason> {
        enumerate(&Position::from_fen(fen).unwrap(), &Meter::of_nodes(nodes))
    }

    #[test]
    fn finds_a_shortest_line() {
        // Back rank: one ply.
        let Ok(Settled::Can(line)) = run("6k1/5ppp/8/8/8/8/8/R5K1 w - -", 100_000) else {
            panic!()
        };
        assert_eq!(line.len(), 1);
    }

    #[test]
    fn an_exhausted_position_is_never_and_its_twin_is_not() {
        let locked = "8/8/3k1p1p/2p1pPpP/1pP1P1P1/pP1B4/P3K3/8 w - -";
        let Ok(Settled::Never(steps)) = run(locked, 1_000_000) else {
            panic!("not settled");
        };
        assert!(matches!(steps[..], [Step::Closed { positions, .. }] if positions > 1000));
        let loose = "8/8/3k1p1p/2p1pPp1/1pP1P1PP/pP1B4/P3K3/8 w - -";
        assert!(!matches!(run(loose, 200_000), Ok(Settled::Never(_))));
    }

    #[test]
    fn a_cut_run_is_no_proof() {
        let locked = "8/8/3k1p1p/2p1pPpP/1pP1P1P1/pP1B4/P3K3/8 w - -";
        assert!(run(locked, 100).is_err());
    }

    #[test]
    fn the_answer_does_not_depend_on_the_threads() {
        let fen = "k1K5/p7/8/1N6/8/8/8/8 w - -";
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| run(fen, 1_000_000).unwrap())
        };
        assert_eq!(with(1), with(4));
    }
}
