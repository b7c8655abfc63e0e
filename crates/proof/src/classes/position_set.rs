//! Sets of positions, and whether a class includes one.

use stillmate_core::{Bitboard, Color, Position, Role, Square};

use super::{king_pairs::KingPairs, reversible_class::ReversibleClass};
use crate::{certificate::Man, limits::Remaining, matching::Matching, refusal::Limit};

/// All positions with these men, each on one of its squares, this side to move, one of these pairs
/// of kings, no castling right and no en passant capture.
#[derive(Debug)]
pub(super) struct PositionSet {
    /// The men without the kings. Those marked as `promotes` are of unknown kind.
    pub(super) men: Vec<Man>,
    pub(super) turn: Color,
    /// The squares of W's king and of B's.
    pub(super) kings: KingPairs,
    /// Which checks B may be in, if it is to move.
    pub(super) checks: Checks,
}

/// Which checks B may be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checks {
    /// Any check: a man of W other than the king has just moved.
    Any,
    /// Only those that W's king has discovered, or none that is mate.
    Discovered,
}

impl PositionSet {
    /// A single position, which isn't mate. `None` if it has a castling right or an en passant
    /// capture.
    pub(super) fn at(position: &Position, winner: Color) -> Option<PositionSet> {
        if position.castling().any() || position.ep_square().is_some() {
            return None;
        }
        let men = position.pieces();
        let men = men.filter(|(_, piece)| piece.role != Role::King);
        let mut kings = KingPairs::NONE;
        kings.add(position.king(winner), position.king(!winner).into());
        Some(PositionSet {
            men: men
                .map(|(square, piece)| Man::known(piece, square.into()))
                .collect(),
            turn: position.turn(),
            kings,
            checks: Checks::Discovered,
        })
    }

    /// Whether two men have the same square and no other, so that there is no such position.
    pub(super) fn is_impossible(&self) -> bool {
        let mut fixed = self.men.iter().filter_map(Man::fixed_square);
        let mut taken = Bitboard::EMPTY;
        !fixed.all(|square| taken.insert(square))
    }

    /// Whether `winner` doesn't have the men to mate in these positions or any that follows.
    pub(super) fn is_insufficient(&self, winner: Color) -> bool {
        let (own, other): (Vec<&Man>, Vec<&Man>) =
            self.men.iter().partition(|man| man.piece.color == winner);
        let are = |men: &[&Man], role: Role| men.iter().all(|man| man.piece.role == role);
        // Men of unknown kind are listed as pawns, which only the first rule allows.
        let spoils = |man: &Man| matches!(man.piece.role, Role::Knight | Role::Pawn);
        let bishops = self.men.iter().filter(|man| man.piece.role == Role::Bishop);
        let of_bishops = bishops.fold(Bitboard::EMPTY, |squares, man| squares | man.squares);
        let one_colour = of_bishops.is_subset(Bitboard::DARK_SQUARES)
            || of_bishops.is_subset(Bitboard::LIGHT_SQUARES);
        own.is_empty()
            || own.len() == 1 && are(&own, Role::Knight) && are(&other, Role::Queen)
            || are(&own, Role::Bishop) && one_colour && !self.men.iter().any(spoils)
    }

    /// The men, with the kings on all their squares.
    pub(super) fn with_kings(&self, winner: Color) -> Vec<Man> {
        let kings = [
            Man::known(Role::King.of(winner), self.kings.firsts()),
            Man::known(Role::King.of(!winner), self.kings.turned().firsts()),
        ];
        self.men.iter().copied().chain(kings).collect()
    }
}

impl ReversibleClass {
    /// Whether all `positions` belong to this class, as far as the lists of men and kings tell.
    pub(super) fn includes(
        &self,
        positions: &PositionSet,
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        let kings = if positions.turn != self.winner && positions.checks == Checks::Any {
            &self.checked
        } else {
            &self.kings[positions.turn]
        };
        remaining.spend_work(Square::ALL.len())?;
        if self.men.len() != positions.men.len() || !positions.kings.is_subset(kings) {
            return Ok(false);
        }
        remaining.spend_work(self.men.len() * self.men.len())?;
        let mut candidates = [0; 64];
        for (places, narrow) in candidates.iter_mut().zip(&positions.men) {
            for (place, wide) in self.men.iter().enumerate() {
                *places |= u64::from(wide.includes(narrow)) << place;
            }
        }
        let all = (1 << positions.men.len()) - 1;
        let mut matching = Matching::new();
        let included = matching.cover(0, all, &candidates);
        remaining.spend_work(matching.work())?;
        Ok(included)
    }
}
