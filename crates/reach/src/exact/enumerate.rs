//! Exact enumeration: every position that play can reach, each visited once.
//!
//! Levels of a breadth-first search, expanded in parallel. An emptied frontier with nothing
//! cut proves "never"; the first level with a mate gives a shortest line (up to the exits).
//! Visited positions are kept as exact keys: a hash in their place would sooner or later
//! take a new position for an old one and call "never" what isn't.
//!
//! White is the intended winner; callers mirror the board.

use std::sync::atomic::{AtomicBool, Ordering};

use dashmap::DashSet;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;
use stillmate_core::{Color, Key, Move, Position, insufficient_material};
use stillmate_proof::Step;

use crate::{budget::Meter, settled::Settled, verdict::StopReason};

/// Frontiers smaller than this are expanded on one thread: sharing costs more than it saves.
const SHARE_FROM: usize = 512;

/// Visits everything that play can reach from `position`, on the threads of the current
/// rayon pool.
///
/// The answer, and the line, are the same whatever the number of threads: levels are sorted,
/// and the line is traced back through the first predecessor in that order.
pub(crate) fn enumerate(position: &Position, meter: &Meter) -> Result<Settled, StopReason> {
    let visited: DashSet<Key, FxBuildHasher> = DashSet::default();
    let root = Key::new(position);
    visited.insert(root);
    let mut levels = vec![vec![root]];
    loop {
        let frontier = levels.last().expect("at least the root's level");
        if frontier.is_empty() {
            return Ok(Settled::Never(vec![Step::Closed {
                positions: visited.len() as u64,
                exits: Vec::new(),
            }]));
        }
        let mut level = expand(frontier, &visited, meter)?;
        if frontier.len() >= SHARE_FROM {
            level.keys.par_sort_unstable();
        } else {
            level.keys.sort_unstable();
        }
        if level.mates {
            let mate = level.keys.iter().find(|key| is_mate(&key.position()));
            let mate = *mate.expect("a mate was seen on this level");
            return Ok(Settled::Can(trace_back(&levels, mate)));
        }
        levels.push(level.keys);
    }
}

#[derive(Default)]
struct Level {
    keys: Vec<Key>,
    mates: bool,
}

fn is_mate(position: &Position) -> bool {
    position.turn() == Color::Black && position.is_checkmate()
}

fn expand(
    frontier: &[Key],
    visited: &DashSet<Key, FxBuildHasher>,
    meter: &Meter,
) -> Result<Level, StopReason> {
    let mates = AtomicBool::new(false);
    let one = |key: &Key, keys: &mut Vec<Key>| -> Result<(), StopReason> {
        let position = key.position();
        meter.spend(1)?;
        position.for_each_legal_move(|m| {
            let next = position.after(m);
            let barren = m.is_zeroing() && insufficient_material(&next, Color::White).is_some();
            let mate = is_mate(&next);
            let key = Key::new(&next);
            if visited.insert(key) && (mate || !barren) {
                mates.fetch_or(mate, Ordering::Relaxed);
                keys.push(key);
            }
        });
        Ok(())
    };
    let keys = if frontier.len() < SHARE_FROM {
        let mut keys = Vec::new();
        for key in frontier {
            one(key, &mut keys)?;
        }
        keys
    } else {
        let parts: Result<Vec<Vec<Key>>, StopReason> = frontier
            .par_chunks(SHARE_FROM / 4)
            .map(|chunk| {
                let mut keys = Vec::new();
                chunk.iter().try_for_each(|key| one(key, &mut keys))?;
                Ok(keys)
            })
            .collect();
        parts?.concat()
    };
    Ok(Level {
        keys,
        mates: mates.into_inner(),
    })
}

/// The moves from the root to `target`, which stands on the level after the last of `levels`.
fn trace_back(levels: &[Vec<Key>], target: Key) -> Vec<Move> {
    let mut line = Vec::with_capacity(levels.len());
    let mut target = target;
    for level in levels.iter().rev() {
        let step = level.par_iter().find_map_first(|key| {
            let position = key.position();
            let leads = |m: &Move| Key::new(&position.after(*m)) == target;
            position
                .legal_moves()
                .into_iter()
                .find(leads)
                .map(|m| (*key, m))
        });
        let (key, m) = step.expect("every position of a level comes from the one before");
        line.push(m);
        target = key;
    }
    line.reverse();
    line
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
        assert!(matches!(run(locked, 1_000_000), Ok(Settled::Never(_))));
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
