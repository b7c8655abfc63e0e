//! One class's distances.

use stillmate_core::{Color, Position};

use super::{class::Class, codes::Codes, index::Indexing};

/// How far the nearest helpmate is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Distance {
    /// Plies until the mate, both sides helping; 0 when it is on the board.
    Plies(u16),
    /// No series of legal moves ends with this mate.
    Never,
}

impl Distance {
    /// The distance from one ply earlier.
    pub(super) fn earlier(self) -> Distance {
        match self {
            Distance::Plies(plies) => Distance::Plies(plies + 1),
            Distance::Never => Distance::Never,
        }
    }
}

/// What a table says of a number, in a byte: [`NO_POSITION`], 1 + the distance in plies, or
/// [`NEVER`]. Smaller codes of positions are nearer mates.
pub(super) type Code = u8;

/// The number belongs to no position.
pub(super) const NO_POSITION: Code = 0;

/// The code of a position that is mate.
pub(super) const MATE: Code = 1;

/// No helpmate.
pub(super) const NEVER: Code = 255;

/// The distance that a code of a position stands for.
pub(super) fn distance(code: Code) -> Distance {
    if code == NEVER {
        Distance::Never
    } else {
        Distance::Plies(u16::from(code) - u16::from(MATE))
    }
}

/// The distances to mate of every position of a class, for either winner.
pub(super) struct Table {
    pub(super) class: Class,
    pub(super) indexing: Indexing,
    /// A code for each number, by winner, the stronger side as White. None where nobody can
    /// ever mate.
    pub(super) planes: [Option<Codes>; 2],
}

impl Table {
    /// The distance for a position of this class that has neither castling rights nor an en
    /// passant square. Colours are as they are on the board.
    pub(super) fn distance(&self, position: &Position, winner: Color) -> Distance {
        if self.class.is_turned(position) {
            self.of_number(self.indexing.number(&position.mirrored()), !winner)
        } else {
            self.of_number(self.indexing.number(position), winner)
        }
    }

    /// The longest distance of a mate by `winner`; `None` if there is no mate.
    pub(super) fn farthest(&self, winner: Color) -> Option<u16> {
        let plane = self.planes[winner.fold_wb(0, 1)].as_ref()?;
        let codes = plane.iter().copied();
        let farthest = codes.filter(|code| (MATE..NEVER).contains(code)).max()?;
        Some(u16::from(farthest - MATE))
    }

    /// Whether the position with this number is `plies` from a mate by `winner`.
    pub(super) fn is_at(&self, number: usize, winner: Color, plies: u16) -> bool {
        self.planes[winner.fold_wb(0, 1)]
            .as_ref()
            .is_some_and(|plane| u16::from(plane[number]) == plies + u16::from(MATE))
    }

    /// The distance for the position with this number, whose stronger side is White.
    pub(super) fn of_number(&self, number: usize, winner: Color) -> Distance {
        match &self.planes[winner.fold_wb(0, 1)] {
            Some(plane) => distance(plane[number]),
            None => Distance::Never,
        }
    }
}
