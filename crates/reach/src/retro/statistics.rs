//! Counting what is in a table.

use rayon::prelude::*;
use stillmate_core::{Color, Position};

use super::{
    class::Class,
    table::{Distance, Table},
};

/// What a class contains, by the side to move.
///
/// Positions are counted as on a real board, each of the symmetrical ones by itself, with the
/// stronger side as White; those with castling rights or an en passant square are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// The class.
    pub class: Class,
    /// With White, the stronger side, to move.
    pub strong: SideToMove,
    /// With Black, the weaker side, to move.
    pub weak: SideToMove,
}

/// The positions of a class with one side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SideToMove {
    /// All legal positions: the side not to move isn't in check.
    pub positions: u64,
    /// The side to move is mated.
    pub mates: u64,
    /// The side to move has no move and isn't in check.
    pub stalemates: u64,
    /// Neither side can ever mate.
    pub dead: u64,
    /// How it stands with White's mates.
    pub white: Mates,
    /// How it stands with Black's mates.
    pub black: Mates,
}

/// The mates by one colour.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mates {
    /// Positions from which there is none.
    pub never: u64,
    /// The longest distance, and the first position by number that has it.
    pub longest: Option<(u16, Example)>,
}

/// A position with its number, which makes the first example the same on every run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    number: usize,
    /// The position, with the stronger side as White.
    pub position: Position,
}

impl Mates {
    fn add(&mut self, distance: Distance, example: Example, images: u64) {
        match distance {
            Distance::Never => self.never += images,
            Distance::Plies(plies) => self.lengthen(plies, example),
        }
    }

    fn lengthen(&mut self, plies: u16, example: Example) {
        let is_longer = self.longest.is_none_or(|(longest, first)| {
            plies > longest || plies == longest && example.number < first.number
        });
        if is_longer {
            self.longest = Some((plies, example));
        }
    }

    fn merge(&mut self, other: Mates) {
        self.never += other.never;
        if let Some((plies, example)) = other.longest {
            self.lengthen(plies, example);
        }
    }
}

impl SideToMove {
    fn merge(&mut self, other: SideToMove) {
        self.positions += other.positions;
        self.mates += other.mates;
        self.stalemates += other.stalemates;
        self.dead += other.dead;
        self.white.merge(other.white);
        self.black.merge(other.black);
    }

    fn add(&mut self, table: &Table, number: usize, position: Position) {
        let images = table.indexing.images(&position);
        let example = Example { number, position };
        let [white, black] =
            [Color::White, Color::Black].map(|winner| table.of_number(number, winner));
        self.positions += images;
        self.white.add(white, example, images);
        self.black.add(black, example, images);
        if white == Distance::Plies(0) || black == Distance::Plies(0) {
            self.mates += images;
        }
        if white == Distance::Never && black == Distance::Never {
            self.dead += images;
            if position.is_stalemate() {
                self.stalemates += images;
            }
        }
    }
}

impl Table {
    /// Counts everything.
    pub(super) fn statistics(&self) -> Statistics {
        let empty = || [SideToMove::default(), SideToMove::default()];
        let [strong, weak] = (0..self.indexing.size())
            .into_par_iter()
            .fold(empty, |mut sides, number| {
                if let Some(position) = self.indexing.position(number) {
                    sides[position.turn().fold_wb(0, 1)].add(self, number, position);
                }
                sides
            })
            .reduce(empty, |mut sides, other| {
                for (side, other) in sides.iter_mut().zip(other) {
                    side.merge(other);
                }
                sides
            });
        Statistics {
            class: self.class,
            strong,
            weak,
        }
    }
}
