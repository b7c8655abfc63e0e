//! Sets of positions that are to be covered, and covering them.

use stillmate_core::{Bitboard, Color, Position, Role, Square};

use super::{pairs::Pairs, stretch::Stretch};
use crate::{certificate::Man, limits::Remaining, matching::Matching, refusal::Limit};

/// All positions with these men, each on one of its squares, with this side to move, one of
/// these pairs of kings, no castling right and no en passant capture.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The men without the kings; those marked as promoting are of unknown kind.
    pub(super) men: Vec<Man>,
    pub(super) turn: Color,
    /// The squares of W's king and of B's.
    pub(super) kings: Pairs,
    /// What check may be given to B, if that is to move.
    pub(super) check: Check,
}

/// What check B may be in, with B to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// Any: the last move was of a man of W's that isn't the king.
    Any,
    /// Only one that W's king has discovered; or whether it is mate has been asked already.
    Discovered,
}

impl Outcome {
    /// A single position, which is no mate; `None` if it has a castling right or an en passant
    /// capture.
    pub(super) fn at(position: &Position, winner: Color) -> Option<Outcome> {
        if position.castling().any() || position.ep_square().is_some() {
            return None;
        }
        let men = position.men();
        let men = men.filter(|(_, piece)| piece.role != Role::King);
        let mut kings = Pairs::NONE;
        kings.add(position.king(winner), position.king(!winner).into());
        Some(Outcome {
            men: men
                .map(|(square, piece)| Man::known(piece, square.into()))
                .collect(),
            turn: position.turn(),
            kings,
            check: Check::Discovered,
        })
    }

    /// Whether two men have the same square and no other, so that there is no such position.
    pub(super) fn is_impossible(&self) -> bool {
        let mut fixed = self.men.iter().filter_map(Man::fixed_square);
        let mut taken = Bitboard::EMPTY;
        !fixed.all(|square| taken.insert(square))
    }

    /// Whether `winner` can't mate for want of men, in these positions or any that follows.
    pub(super) fn is_insufficient(&self, winner: Color) -> bool {
        let (own, other): (Vec<&Man>, Vec<&Man>) =
            self.men.iter().partition(|man| man.piece.color == winner);
        let are = |men: &[&Man], role: Role| men.iter().all(|man| man.piece.role == role);
        // Men of unknown kind are listed as pawns, with which no rule holds but the first.
        let spoils = |man: &Man| matches!(man.piece.role, Role::Knight | Role::Pawn);
        let bishops = self.men.iter().filter(|man| man.piece.role == Role::Bishop);
        let trodden = bishops.fold(Bitboard::EMPTY, |squares, man| squares | man.squares);
        let one_colour =
            trodden.is_subset(Bitboard::DARK_SQUARES) || trodden.is_subset(Bitboard::LIGHT_SQUARES);
        own.is_empty()
            || own.len() == 1 && are(&own, Role::Knight) && are(&other, Role::Queen)
            || are(&own, Role::Bishop) && one_colour && !self.men.iter().any(spoils)
    }

    /// The men, and the kings on all squares of theirs.
    pub(super) fn with_kings(&self, winner: Color) -> Vec<Man> {
        let kings = [
            Man::known(Role::King.of(winner), self.kings.firsts()),
            Man::known(Role::King.of(!winner), self.kings.turned().firsts()),
        ];
        self.men.iter().copied().chain(kings).collect()
    }
}

impl Stretch {
    /// Whether all positions of `outcome` belong to this class, told by the men and kings as
    /// they are listed.
    pub(super) fn includes(
        &self,
        outcome: &Outcome,
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        let kings = if outcome.turn != self.winner && outcome.check == Check::Any {
            &self.checked
        } else {
            &self.kings[outcome.turn]
        };
        remaining.spend_work(Square::ALL.len())?;
        if self.men.len() != outcome.men.len() || !outcome.kings.is_subset(kings) {
            return Ok(false);
        }
        remaining.spend_work(self.men.len() * self.men.len())?;
        let mut candidates = [0; 64];
        for (places, narrow) in candidates.iter_mut().zip(&outcome.men) {
            for (place, wide) in self.men.iter().enumerate() {
                *places |= u64::from(wide.includes(narrow)) << place;
            }
        }
        let all = (1 << outcome.men.len()) - 1;
        let mut matching = Matching::new();
        let included = matching.cover(0, all, &candidates);
        remaining.spend_work(matching.work())?;
        Ok(included)
    }
}
