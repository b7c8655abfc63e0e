//! Playing a mate by minor pieces out, where White has nothing else.
//!
//! With few men on the board each goes its way almost undisturbed, so that the moves that
//! each side still has to make are known nearly exactly. The search follows one pattern of a
//! mate at a time, from wherever the fewest are left, and makes a move only when its turn
//! comes.
//!
//! White mates; callers mirror the board.

use std::{cell::RefCell, cmp::Reverse, collections::BinaryHeap};

use rustc_hash::FxHashSet;
use stillmate_core::{Color, Key, Move, Position, Role};

use crate::{
    budget::Meter,
    can::{
        corner_mates,
        goal::{Goal, Placement},
        minor_pairs,
        tree::Tree,
    },
    verdict::StopReason,
};

/// Positions that may be visited for each pattern.
const NODES: usize = 100;

/// Whether White has nothing but minor pieces.
pub(crate) fn only_minors(position: &Position) -> bool {
    let minors = position.with_role(Role::Knight) | position.with_role(Role::Bishop);
    let king = position.king(Color::White);
    position.of(Color::White).without(king).is_subset(minors)
}

/// Follows the nearest patterns: those by two of White's pieces, then those by each one and a
/// black man.
pub(crate) fn search(position: &Position, meter: &Meter) -> Result<Option<Vec<Move>>, StopReason> {
    SCRATCH.with_borrow_mut(|search| {
        for goal in goals(position) {
            let found = search.pursue(position, &goal);
            meter.spend(search.tree.len() as u64)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    })
}

fn goals(position: &Position) -> impl Iterator<Item = Goal> {
    let alone = [Role::Knight, Role::Bishop]
        .into_iter()
        .flat_map(move |role| {
            let men = position.pieces_of(Color::White, role).into_iter();
            men.flat_map(move |square| corner_mates::goals(position, (role, square)))
        });
    minor_pairs::goals(position).chain(alone)
}

thread_local! {
    /// Kept: a search takes less time than its allocations would.
    static SCRATCH: RefCell<Search> = RefCell::default();
}

/// A move that waits for its turn.
struct Entry {
    from: u32,
    m: Move,
    /// The men of the pattern after the move.
    placement: Placement,
}

#[derive(Default)]
struct Search {
    tree: Tree,
    seen: FxHashSet<Key>,
    entries: Vec<Entry>,
    /// Places in `entries` by cost; among equals the last is the one that went furthest.
    queue: BinaryHeap<(Reverse<u32>, u32)>,
}

impl Search {
    fn pursue(&mut self, position: &Position, goal: &Goal) -> Option<Vec<Move>> {
        self.tree.clear();
        self.seen.clear();
        self.entries.clear();
        self.queue.clear();
        self.seen.insert(Key::new(position));
        let mut found = self.enter(goal, *position, goal.placement, None);
        while found.is_none() && self.tree.len() < NODES {
            let (_, place) = self.queue.pop()?;
            let Entry { from, m, placement } = self.entries[place as usize];
            let next = self.tree.position(from).after(m);
            if self.seen.insert(Key::new(&next)) {
                found = self.enter(goal, next, placement, Some((from, m)));
            }
        }
        found
    }

    /// Adds a position and queues its moves; the line if one of them mates.
    fn enter(
        &mut self,
        goal: &Goal,
        position: Position,
        placement: Placement,
        from: Option<(u32, Move)>,
    ) -> Option<Vec<Move>> {
        let place = self.tree.add(position, from);
        let mate = self.tree.mate(place);
        if mate.is_some() {
            return mate;
        }
        let (turn, plies) = (position.turn(), self.tree.plies(place));
        position.for_each_legal_move(|m| {
            let Some(placement) = goal.after(&placement, m) else {
                return;
            };
            let cost = goal.cost(!turn, &placement) + plies;
            let entry = self.entries.len() as u32;
            self.entries.push(Entry {
                from: place,
                m,
                placement,
            });
            self.queue.push((Reverse(cost), entry));
        });
        None
    }
}

#[cfg(test)]
mod tests {
    use stillmate_proof::replay;

    use super::*;

    fn run(fen: &str) -> Option<Vec<Move>> {
        let position = Position::from_fen(fen).unwrap();
        let line = search(&position, &Meter::of_nodes(1_000)).unwrap();
        if let Some(line) = &line {
            replay(&position, Color::White, line).unwrap();
        }
        line
    }

    #[test]
    fn every_pair_mates_a_bare_king_and_one_with_men() {
        for (fen, longest) in [
            ("7N/8/8/8/8/8/1B6/K1k5 b - -", 20),
            ("8/8/8/3k4/8/8/8/KN5N w - -", 17),
            ("8/8/8/3k4/8/8/8/KB4B1 b - -", 18),
            ("8/8/8/3k4/8/2B5/8/K5N1 w - -", 17),
            ("8/2pp4/8/3k4/4p3/2B5/8/K5N1 w - -", 17),
        ] {
            let line = run(fen).unwrap_or_else(|| panic!("{fen}"));
            assert!(line.len() <= longest, "{fen}: {line:?}");
        }
    }

    #[test]
    fn a_lone_piece_mates_with_a_black_man_in_the_way() {
        for (fen, longest) in [
            ("8/8/8/8/8/nB6/k7/2K5 b - -", 28),
            ("4n3/8/8/8/8/1B6/8/2K1k3 b - -", 20),
            ("3k4/2b5/8/8/8/8/4K3/3N4 w - -", 17),
            ("2k5/4N3/1K6/6p1/8/8/8/8 b - -", 20),
            // A pawn that has to become a knight.
            ("2k5/8/8/4p3/8/2K5/8/2B5 w - -", 37),
        ] {
            let line = run(fen).unwrap_or_else(|| panic!("{fen}"));
            assert!(line.len() <= longest, "{fen}: {line:?}");
        }
    }

    #[test]
    fn bishops_of_one_colour_find_none_unless_there_is_a_black_man() {
        assert_eq!(run("8/8/8/3k4/8/4B3/5B2/K7 w - -"), None);
        assert!(run("8/5n2/8/3k4/8/4B3/5B2/K7 w - -").is_some());
    }
}
