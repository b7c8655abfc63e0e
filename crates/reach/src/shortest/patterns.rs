//! Mating patterns, and which of them can still be completed.
//!
//! A pattern says of some men what they are and where they stand in the end, so that these men
//! alone are a mate. All that fit into a length are listed once ([`generate`](super::generate));
//! the search carries those that are still possible from move to move.

use std::ops::Range;

use stillmate_core::{Color, Move, Position};

use super::{
    men::{ANYWHERE, Change, Distances, MOST, Man, Men, Place, Row},
    search::Pruner,
};

/// A list of patterns, a column for each man.
#[derive(Default)]
pub(super) struct Patterns {
    /// What each pattern asks of a man; [`ANYWHERE`] if it takes no part.
    columns: [Vec<Place>; MOST],
    len: usize,
}

impl Patterns {
    /// Adds the pattern in which these men stand on these places.
    pub(super) fn push(&mut self, men: impl Iterator<Item = (Man, Place)>) {
        for column in &mut self.columns {
            column.push(ANYWHERE);
        }
        for (man, place) in men {
            self.columns[man][self.len] = place;
        }
        self.len += 1;
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }
}

/// A pattern that may still be completed, with the moves that it needs of either side.
#[derive(Clone, Copy)]
struct Entry {
    pattern: u32,
    white: u8,
    black: u8,
}

/// Patterns that are possible at a node: a stretch of the stack.
#[derive(Clone)]
pub(super) struct Possible {
    entries: Range<usize>,
    men: Men,
}

/// Cuts what no pattern of the list can be completed from.
pub(super) struct Completion<'a> {
    patterns: &'a Patterns,
    distances: &'a Distances,
    stack: Vec<Entry>,
    work: u64,
}

/// Looking at so many entries is as much work as generating a state of a pattern.
const ENTRIES_OF_A_STEP: u64 = 64;

impl<'a> Completion<'a> {
    pub(super) fn new(patterns: &'a Patterns, distances: &'a Distances) -> Completion<'a> {
        Completion {
            patterns,
            distances,
            stack: Vec::new(),
            work: 0,
        }
    }

    /// The patterns that fit into `plies` at the root.
    pub(super) fn root(&mut self, position: &Position, plies: u16) -> Possible {
        let men = Men::of(position);
        let mut sums = vec![[0_u8; 2]; self.patterns.len];
        for (man, (_, piece)) in position.pieces().enumerate() {
            let row = self.distances.from(piece.color, men.place(man));
            let side = piece.color.fold_wb(0, 1);
            for (sums, &place) in sums.iter_mut().zip(&self.patterns.columns[man]) {
                sums[side] = sums[side].saturating_add(row[usize::from(place)]);
            }
        }
        let (white, black) = moves_left(position.turn(), plies);
        let fits = |sums: &[u8; 2]| u16::from(sums[0]) <= white && u16::from(sums[1]) <= black;
        let fitting = sums.iter().enumerate().filter(|(_, sums)| fits(sums));
        self.stack.clear();
        self.stack.extend(fitting.map(|(pattern, sums)| Entry {
            pattern: pattern as u32,
            white: sums[0],
            black: sums[1],
        }));
        Possible {
            entries: 0..self.stack.len(),
            men,
        }
    }

    /// Calls `keep` with the entries of `node` that `change`, made by `color`, leaves possible
    /// when that side has `left` moves more, until it answers `false`.
    #[inline]
    fn narrow(
        &mut self,
        node: &Possible,
        change: &Change,
        color: Color,
        left: u16,
        mut keep: impl FnMut(&mut Vec<Entry>, Entry) -> bool,
    ) {
        // When White has made its last move, men may stand where they check from.
        let mask = if color == Color::White && left == 0 {
            511
        } else {
            1023
        };
        let rows = |man: Man| -> (&[Place], &Row, &Row) {
            let (before, after) = (node.men.place(man), change.men.place(man));
            let from = |place| self.distances.from(color, place);
            (&self.patterns.columns[man], from(before), from(after))
        };
        let (column, before, after) = rows(change.moved);
        let rook = change.castled.map(rows);
        let taken = change.taken.map(|man| &self.patterns.columns[man][..]);
        let left = left.min(u16::from(u8::MAX - 1)) as u8;
        let mut seen = 0;
        for index in node.entries.clone() {
            seen += 1;
            let mut entry = self.stack[index];
            let pattern = entry.pattern as usize;
            if taken.is_some_and(|taken| taken[pattern] != ANYWHERE) {
                continue;
            }
            let needed = match color {
                Color::White => &mut entry.white,
                Color::Black => &mut entry.black,
            };
            let place = usize::from(column[pattern]);
            *needed = (*needed - before[place & 1023]).saturating_add(after[place & mask]);
            if let Some((column, before, after)) = rook {
                let place = usize::from(column[pattern]);
                *needed = needed
                    .saturating_sub(before[place & 1023])
                    .saturating_add(after[place & mask]);
            }
            if *needed <= left && !keep(&mut self.stack, entry) {
                break;
            }
        }
        self.work += 1 + seen / ENTRIES_OF_A_STEP;
    }
}

/// The moves that White and Black have in `plies`.
pub(super) fn moves_left(turn: Color, plies: u16) -> (u16, u16) {
    let (first, second) = (plies.div_ceil(2), plies / 2);
    turn.fold_wb((first, second), (second, first))
}

impl Pruner for Completion<'_> {
    type Node = Possible;

    fn after(
        &mut self,
        position: &Position,
        node: &Possible,
        m: Move,
        left: u16,
    ) -> Option<Possible> {
        let color = position.turn();
        let change = node.men.change(color, m);
        // The other side moves next.
        let own = left / 2;
        let start = self.stack.len();
        let mut any = false;
        self.narrow(node, &change, color, own, |stack, entry| {
            any = true;
            // After the last move it is enough that there is one.
            if left > 0 {
                stack.push(entry);
            }
            left > 0
        });
        any.then_some(Possible {
            entries: start..self.stack.len(),
            men: change.men,
        })
    }

    fn leave(&mut self, node: &Possible) {
        self.stack.truncate(node.entries.start);
    }

    fn work(&self) -> u64 {
        self.work
    }
}
