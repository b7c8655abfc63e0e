//! The relation between the kings of a class.

use stillmate_core::{Bitboard, Color, Square};

/// Kings and side to move: for each square of White's king the squares of Black's, with White
/// to move, with Black to move, and with Black to move after a move of White's king, which
/// can't have given a check of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kings(pub(super) [[Bitboard; 64]; 3]);

pub(super) const WHITE: usize = 0;
pub(super) const BLACK: usize = 1;
pub(super) const AFTER_KING: usize = 2;

pub(super) const fn side(color: Color) -> usize {
    match color {
        Color::White => WHITE,
        Color::Black => BLACK,
    }
}

impl Kings {
    pub(super) fn empty() -> Box<Kings> {
        Box::new(Kings([[Bitboard::EMPTY; 64]; 3]))
    }

    /// With `color` to move and White's king on `white`, the squares of Black's.
    pub(super) fn row(&self, color: Color, white: Square) -> Bitboard {
        let at = usize::from(white);
        match color {
            Color::White => self.0[WHITE][at],
            Color::Black => self.0[BLACK][at] | self.0[AFTER_KING][at],
        }
    }

    /// The kings after `mover` has made an irreversible move with another man, to `target` if
    /// that is known.
    pub(super) fn after(&self, mover: Color, target: Option<Square>) -> Box<Kings> {
        let mut next = Kings::empty();
        let bar = target.map_or(Bitboard::EMPTY, Bitboard::from_square);
        for square in Square::ALL
            .into_iter()
            .filter(|square| !bar.contains(*square))
        {
            next.0[side(!mover)][usize::from(square)] = self.row(mover, square) & !bar;
        }
        next
    }

    pub(super) fn add(&mut self, other: &Kings) {
        let pairs = self.0.iter_mut().flatten().zip(other.0.iter().flatten());
        for (row, more) in pairs {
            *row |= *more;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().flatten().all(|row| row.is_empty())
    }

    pub(super) fn is_subset(&self, other: &Kings) -> bool {
        let pairs = self.0.iter().flatten().zip(other.0.iter().flatten());
        pairs.into_iter().all(|(a, b)| a.is_subset(*b))
    }

    /// All squares of `color`'s king.
    pub(super) fn squares(&self, color: Color) -> Bitboard {
        match color {
            Color::White => {
                let standing =
                    |square: &Square| self.0.iter().any(|rows| rows[usize::from(*square)].any());
                Square::ALL.into_iter().filter(standing).collect()
            }
            Color::Black => self
                .0
                .iter()
                .flatten()
                .fold(Bitboard::EMPTY, |all, row| all | *row),
        }
    }
}
