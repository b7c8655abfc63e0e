//! First obligation: whether a position fits.

use stillmate_core::{Bitboard, ByColor, Color, Position, Rank, Square};

use super::Frame;
use crate::{
    certificate::Man,
    limits::Budget,
    matching::{Matching, bits},
    refusal::Limit,
};

/// For every man on the board, by its place among them, the men of the invariant that it may
/// be, as a bit set.
type Candidates = [u64; 64];

impl Frame<'_> {
    /// Whether `position` fits: its men can be assigned to different men of the invariant so
    /// that all conditions hold at once.
    ///
    /// # Errors
    ///
    /// [`Limit::Work`] when there are too many ways to tell opposed pawns apart.
    pub(crate) fn fits(&self, position: &Position, budget: &mut Budget) -> Result<bool, Limit> {
        if !position.castling().is_subset(self.invariant.castling) {
            budget.spend_work()?;
            return Ok(false);
        }
        // A pawn that can be taken en passant has just made its double step: it must be one that
        // may stand on either square.
        let granted = self.invariant.en_passant;
        let passed = position
            .ep_square()
            .filter(|&passed| granted != Some(passed));
        let men = position.men().map(|(square, piece)| {
            let origin = passed.filter(|&passed| Some(square) == in_front(passed));
            let squares = Bitboard::from_iter(origin.and_then(behind)).with(square);
            (square, Man::known(piece, squares))
        });
        self.holds(&men.collect::<Vec<_>>(), budget)
    }

    /// Whether every position fits that has exactly `men`, kings among them, each on one of
    /// its squares (pawns have one), without castling rights and en passant square. Men marked
    /// as promoting are of unknown kind.
    ///
    /// # Errors
    ///
    /// As [`Frame::fits`].
    pub(crate) fn includes(&self, men: &[Man], budget: &mut Budget) -> Result<bool, Limit> {
        // Only the squares of pawns are asked for.
        let square = |man: &Man| man.squares.first().unwrap_or(Square::A1);
        let men: Vec<_> = men.iter().map(|man| (square(man), *man)).collect();
        self.holds(&men, budget)
    }

    /// Whether men that stand on these squares or, unless they are opposed pawns, on any of
    /// their own can be assigned to different men of the invariant.
    fn holds(&self, men: &[(Square, Man)], budget: &mut Budget) -> Result<bool, Limit> {
        budget.spend_work()?;
        let mut candidates = [0; 64];
        for (entry, (_, man)) in candidates.iter_mut().zip(men) {
            let wide = self.men().filter(|(_, wide)| wide.includes(man));
            *entry = wide.fold(0, |set, (place, _)| set | 1 << place);
            if *entry == 0 {
                return Ok(false);
            }
        }
        // Mostly settles it before there is anything to tell apart.
        let complete = self.is_complete(&candidates, men.len());
        if !complete || self.invariant.opposed.is_empty() {
            return Ok(complete);
        }
        self.tell_apart(men, &candidates, &mut Vec::new(), budget)
    }

    /// Whether a position with these pawns and so many men, kings included, may fit: a quick
    /// answer that is seldom `true` for those that don't.
    pub(crate) fn allows(&self, pawns: ByColor<Bitboard>, men: usize) -> bool {
        let staying = self.men().filter(|(_, man)| !man.lost);
        let range = staying.count()..=self.invariant.men.len();
        let mut places = ByColor::<Bitboard>::default();
        let mut listed = self.men().filter(|(_, man)| man.is_pawn());
        let none_missing = listed.all(|(_, man)| {
            places[man.piece.color] |= man.squares;
            man.lost || man.squares.intersects(pawns[man.piece.color])
        });
        let in_place = |color| pawns[color].is_subset(places[color]);
        range.contains(&men) && none_missing && Color::ALL.into_iter().all(in_place)
    }

    /// Whether every man on the board can be a different one of its candidates such that no
    /// man that is never lost is left over.
    fn is_complete(&self, candidates: &Candidates, men: usize) -> bool {
        let mut places = [0; 64];
        for (place, set) in candidates.iter().enumerate() {
            bits(*set).for_each(|man| places[man] |= 1 << place);
        }
        let staying = self.men().filter(|(_, man)| !man.lost);
        let staying = staying.fold(0, |set, (place, _)| set | 1 << place);
        let on_board = 1_u64.checked_shl(men as u32).unwrap_or(0).wrapping_sub(1);
        // First those that must not be left over; they keep partners in the second step.
        let mut matching = Matching::new();
        matching.cover(1, staying, &places) && matching.cover(0, on_board, candidates)
    }

    /// Whether the men of the opposed pairs can be told apart so that every pair is in order
    /// and the assignment can be completed. `chosen` has the squares of the men of the first
    /// pairs, white and black in turn, or nothing for one that is lost.
    fn tell_apart(
        &self,
        men: &[(Square, Man)],
        candidates: &Candidates,
        chosen: &mut Vec<Option<Square>>,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        let pair = self.invariant.opposed.get(chosen.len() / 2);
        let Some(&(white, black)) = pair else {
            return Ok(self.is_complete(candidates, men.len()));
        };
        let is_black = chosen.len() % 2 == 1;
        let man = if is_black { black } else { white };
        // The square of this pair's white pawn, if it is chosen and on the board.
        let below = chosen.last().copied().flatten().filter(|_| is_black);
        let on_board = men.iter().map(|&(square, _)| Some(square));
        let missing = self.invariant.men[man].lost.then_some(None);
        for (place, square) in on_board.chain(missing).enumerate() {
            let in_order = below.zip(square).is_none_or(|(a, b)| a.rank() < b.rank());
            let may_be = square.is_none() || candidates[place] >> man & 1 == 1;
            if !may_be || !in_order {
                continue;
            }
            budget.spend_work()?;
            let mut narrowed = candidates.map(|set| set & !(1 << man));
            if square.is_some() {
                narrowed[place] = 1 << man;
            }
            chosen.push(square);
            if self.tell_apart(men, &narrowed, chosen, budget)? {
                return Ok(true);
            }
            chosen.pop();
        }
        Ok(false)
    }
}

/// Where the pawn stands that has passed `square`.
fn in_front(square: Square) -> Option<Square> {
    square.offset(if square.rank() == Rank::Third { 8 } else { -8 })
}

/// Where the pawn came from that has passed `square`.
fn behind(square: Square) -> Option<Square> {
    square.offset(if square.rank() == Rank::Third { -8 } else { 8 })
}
