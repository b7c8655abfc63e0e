//! Going on from whatever position a plan finds nearest to its mate.
//!
//! A rollout follows one plan and gives up when the men don't play along. Here every position
//! gets a plan of its own, and the search goes on from the one whose plan is cheapest. Moves
//! are queued by what they do for the plan, and made only when their turn comes: of thirty
//! moves few are ever looked at.
//!
//! White mates; callers mirror the board.

use std::{cmp::Reverse, collections::BinaryHeap};

use rustc_hash::FxHashSet;
use stillmate_core::{Color, Key, Move, Position, insufficient_material};

use crate::{
    budget::Meter,
    can::{ordering, plan, tree::Tree},
    verdict::StopReason,
};

/// A move that waits for its turn: what it promises, its place in line, where it is played.
type Entry = Reverse<(i32, u32)>;

/// How to search. What one way overlooks, another finds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// Positions that may be visited.
    pub(crate) limit: u64,
    /// What a ply weighs against the priority of a move, of which 8 are about a half-move
    /// nearer to the mate. Much keeps the search broad, less than nothing sends it deep.
    pub(crate) depth_weight: i32,
}

/// Searches for a mate; `None` if none was found.
pub(crate) fn search(
    position: &Position,
    way: Way,
    meter: &Meter,
) -> Result<Option<Vec<Move>>, StopReason> {
    let mut search = Search {
        depth_weight: way.depth_weight,
        tree: Tree::default(),
        seen: FxHashSet::default(),
        moves: Vec::new(),
        listed: Vec::new(),
        queue: BinaryHeap::new(),
    };
    search.seen.insert(Key::new(position));
    let mut spent = 1;
    let mut found = search.enter(*position, None);
    while found.is_none() && spent < way.limit {
        let Some(Reverse((_, place))) = search.queue.pop() else {
            break;
        };
        let (from, m) = search.moves[place as usize];
        let next = search.tree.position(from).after(m);
        if !search.seen.insert(Key::new(&next))
            || m.is_zeroing() && insufficient_material(&next, Color::White).is_some()
        {
            continue;
        }
        spent += 1;
        meter.hold(search.bytes())?;
        found = search.enter(next, Some((from, m)));
    }
    meter.spend(spent)?;
    Ok(found)
}

struct Search {
    depth_weight: i32,
    tree: Tree,
    seen: FxHashSet<Key>,
    moves: Vec<(u32, Move)>,
    listed: Vec<(i32, Move)>,
    queue: BinaryHeap<Entry>,
}

impl Search {
    /// The memory it takes. Each position is in the tree and in a set that is half full, and its
    /// moves wait in a queue.
    fn bytes(&self) -> u64 {
        let moves = self.moves.capacity() * (size_of::<(u32, Move)>() + size_of::<Entry>());
        self.tree.bytes() + (2 * self.seen.len() * size_of::<Key>() + moves) as u64
    }

    /// Adds a position and queues its moves; the line if one of them mates.
    fn enter(&mut self, position: Position, from: Option<(u32, Move)>) -> Option<Vec<Move>> {
        let place = self.tree.add(position, from);
        let mate = self.tree.mate(place);
        if mate.is_some() {
            return mate;
        }
        let plies = self.tree.plies(place) as i32;
        let (cost, plan) = plan::priced(&position)?;
        self.listed.clear();
        ordering::list(&position, &plan, plan.promoting, &mut self.listed);
        for &(score, m) in &self.listed {
            let priority = 4 * cost as i32 - 2 * score + self.depth_weight * plies;
            let entry = u32::try_from(self.moves.len()).expect("limits are far below 2^32");
            self.moves.push((place, m));
            self.queue.push(Reverse((priority, entry)));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use stillmate_proof::replay;

    use super::*;

    fn run(fen: &str, limit: u64) -> Option<Vec<Move>> {
        let meter = Meter::of_nodes(1_000_000);
        let position = Position::from_fen(fen).unwrap();
        let line = search(
            &position,
            Way {
                limit,
                depth_weight: 1,
            },
            &meter,
        )
        .unwrap();
        if let Some(line) = &line {
            replay(&position, Color::White, line).unwrap();
        }
        line
    }

    #[test]
    fn rooks_and_a_blocked_pawn_find_their_mates() {
        for fen in [
            "8/2K5/2R5/3r4/8/3k4/8/8 b - -",
            "8/8/6p1/1k4P1/2p5/1p6/1K6/8 w - -",
        ] {
            assert!(run(fen, 3_000).is_some(), "{fen}");
        }
    }

    #[test]
    fn it_ends_where_there_is_none() {
        assert_eq!(run("8/8/4k3/8/8/3KB3/8/8 b - -", 1_000), None);
        assert_eq!(run("8/8/8/8/p2p4/1pB2k1b/1K2p3/8 w - -", 1), None);
    }
}
