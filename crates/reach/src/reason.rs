//! Why, in the user's terms: the rows of the case table.

use stillmate_core::Position;

use crate::Verdict;

/// A row of the case table of dead positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Case {
    /// Bare kings.
    BareKings = 1,
    /// Bishops of one square colour against a bare king.
    BishopsAgainstKing = 2,
    /// One knight against a bare king.
    KnightAgainstKing = 3,
    /// Bishops on both sides, all on one square colour.
    BishopsAgainstBishops = 4,
    /// Every line of play ends, and always in stalemate.
    Stalemate = 5,
    /// Play can go on for ever without a capture or pawn move.
    Locked = 6,
    /// Every line is forced into a position of the rows above.
    Forced = 7,
    /// Somebody can still mate, or has just mated.
    Alive = 8,
}

impl Case {
    /// The number of the row, 1 to 8.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// The row that fits `position` with these verdicts for White and Black, if it is decided.
pub(crate) fn case(_position: &Position, white: &Verdict, black: &Verdict) -> Option<Case> {
    if matches!(white, Verdict::Winnable(_)) || matches!(black, Verdict::Winnable(_)) {
        return Some(Case::Alive);
    }
    None
}
