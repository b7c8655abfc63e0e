//! Initiation: a position fits the invariant.

use stillmate_core::{Bitboard, ByColor, Color, Position, Rank, Role, Square};

use super::InductiveInvariant;
use crate::{
    certificate::Man,
    limits::Remaining,
    matching::{Matching, bits},
    refusal::Limit,
};

/// For each man on the board, by its place among them, the set of men of the invariant that it may
/// be.
pub(super) type Candidates = [u64; 64];

impl InductiveInvariant<'_> {
    /// Whether `position` fits: its men can be assigned to different men of the invariant so
    /// that all conditions hold at once.
    ///
    /// # Errors
    ///
    /// [`Limit::Work`].
    pub(crate) fn fits(
        &self,
        position: &Position,
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        // This settles most cases.
        remaining.spend_work(Role::ALL.len())?;
        let in_place = |color, role| {
            let men = position.pieces_of(color, role);
            men.is_subset(self.places[color][role])
        };
        let mut kinds = Role::ALL.into_iter();
        if !kinds.all(|role| Color::ALL.into_iter().all(|color| in_place(color, role)))
            || !position.castling().is_subset(self.invariant.castling)
        {
            return Ok(false);
        }
        // A pawn that can be captured en passant has just made its double step, so both squares
        // must be its own.
        let granted = self.invariant.en_passant;
        let passed = position
            .ep_square()
            .filter(|&passed| granted != Some(passed));
        let men = position.pieces().map(|(square, piece)| {
            let origin = passed.filter(|&passed| Some(square) == in_front(passed));
            let squares = Bitboard::from_iter(origin.and_then(behind)).with(square);
            (square, Man::known(piece, squares))
        });
        self.can_be_assigned(&men.collect::<Vec<_>>(), remaining)
    }

    /// Whether every position fits that has exactly `men` (with the kings), each on one of its
    /// squares, and neither castling rights nor an en passant square. Pawns have one square. Men
    /// marked as `promotes` are of unknown kind.
    ///
    /// # Errors
    ///
    /// As [`InductiveInvariant::fits`].
    pub(crate) fn includes(&self, men: &[Man], remaining: &mut Remaining) -> Result<bool, Limit> {
        // Only the squares of pawns matter.
        let square = |man: &Man| man.squares.first().unwrap_or(Square::A1);
        let men: Vec<_> = men.iter().map(|man| (square(man), *man)).collect();
        self.can_be_assigned(&men, remaining)
    }

    /// Whether men that stand on these squares (or, unless they are opposed pawns, on any of their
    /// own) can be assigned to different men of the invariant.
    fn can_be_assigned(
        &self,
        men: &[(Square, Man)],
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        remaining.spend_work(20 + men.len() * self.invariant.men.len())?;
        let mut candidates = [0; 64];
        for (entry, (_, man)) in candidates.iter_mut().zip(men) {
            let wide = self.men().filter(|(_, wide)| wide.includes(man));
            *entry = wide.fold(0, |set, (place, _)| set | 1 << place);
            if *entry == 0 {
                return Ok(false);
            }
        }
        // The order of opposed pawns seldom matters.
        if !self.is_complete(&candidates, men.len(), remaining)? {
            return Ok(false);
        }
        let squares: Vec<_> = men.iter().map(|&(square, _)| square).collect();
        self.tell_apart(&squares, &candidates, remaining)
    }

    /// Whether a position with these pawns and so many men (with the kings) may fit. The answer
    /// is quick, and rarely `true` for a position that doesn't fit.
    ///
    /// # Errors
    ///
    /// [`Limit::Work`].
    pub(crate) fn allows(
        &self,
        pawns: ByColor<Bitboard>,
        men: usize,
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        remaining.spend_work(20 + self.invariant.men.len())?;
        let staying = self.men().filter(|(_, man)| !man.lost);
        let range = staying.count()..=self.invariant.men.len();
        let mut listed = self.men().filter(|(_, man)| man.is_pawn());
        let none_missing =
            listed.all(|(_, man)| man.lost || man.squares.intersects(pawns[man.piece.color]));
        let in_place = |color: Color| pawns[color].is_subset(self.places[color].pawn);
        Ok(range.contains(&men) && none_missing && Color::ALL.into_iter().all(in_place))
    }

    /// Whether each man on the board can be a different one of its candidates so that every man
    /// that can't be captured is among them.
    pub(super) fn is_complete(
        &self,
        candidates: &Candidates,
        men: usize,
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        let mut places = [0; 64];
        for (place, set) in candidates.iter().enumerate() {
            bits(*set).for_each(|man| places[man] |= 1 << place);
        }
        let staying = self.men().filter(|(_, man)| !man.lost);
        let staying = staying.fold(0, |set, (place, _)| set | 1 << place);
        let on_board = 1_u64.checked_shl(men as u32).unwrap_or(0).wrapping_sub(1);
        // First the men that must be on the board; they keep partners in the second step.
        let mut matching = Matching::new();
        let complete =
            matching.cover(1, staying, &places) && matching.cover(0, on_board, candidates);
        remaining.spend_work(self.invariant.men.len() + matching.work())?;
        Ok(complete)
    }
}

/// Where the pawn that has passed `square` stands.
fn in_front(square: Square) -> Option<Square> {
    square.offset(if square.rank() == Rank::Third { 8 } else { -8 })
}

/// Where the pawn that has passed `square` came from.
fn behind(square: Square) -> Option<Square> {
    square.offset(if square.rank() == Rank::Third { -8 } else { 8 })
}
