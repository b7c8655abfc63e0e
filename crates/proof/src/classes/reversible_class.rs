//! One class: it is well formed, and what follows from it at once.

use stillmate_core::{Bitboard, ByColor, Color};

use super::king_pairs::{KingPairs, too_near};
use crate::{
    certificate::{Class, Man},
    invariant::certainly_attacked_by,
    refusal::ClassFault,
};

/// A well-formed class with the sets in which its obligations are stated.
pub(super) struct ReversibleClass {
    /// W, the colour that is claimed unable to mate.
    pub(super) winner: Color,
    /// The men without the kings. Those of unknown kind are marked as `promotes` and have no
    /// squares here: they may stand anywhere.
    pub(super) men: Vec<Man>,
    /// For each side to move, the squares of W's king and of B's.
    pub(super) kings: ByColor<KingPairs>,
    /// The pairs with B to move after a move of any man of W.
    pub(super) checked: KingPairs,
    /// The squares that are always occupied, each by the same man or king.
    pub(super) fixed: Bitboard,
    /// The squares that the given colour attacks in every position, without its king.
    pub(super) certainly_attacked: ByColor<Bitboard>,
}

impl ReversibleClass {
    pub(super) fn new(class: &Class, winner: Color) -> Result<ReversibleClass, ClassFault> {
        check_form(class, winner)?;
        let unknown = |man: &Man| Man {
            squares: Bitboard::EMPTY,
            ..*man
        };
        let men: Vec<_> = class
            .men
            .iter()
            .map(|man| if man.promotes { unknown(man) } else { *man })
            .collect();
        let checked = KingPairs::new(class.kings.other_to_move);
        let kings = ByColor {
            white: KingPairs::new(class.kings.claim_to_move),
            black: checked.union(&KingPairs::new(class.kings.after_king)),
        };
        let all = kings.white.union(&kings.black);
        let stands = [all.firsts(), all.turned().firsts()];
        let fixed = men.iter().filter_map(Man::fixed_square);
        let fixed = fixed.chain(stands.into_iter().filter_map(Bitboard::single_square));
        let may_occupy = men.iter().map(Man::may_stand).chain(stands);
        let may_occupy = may_occupy.fold(Bitboard::EMPTY, Bitboard::with);
        Ok(ReversibleClass {
            winner,
            kings: if winner.is_white() {
                kings
            } else {
                kings.into_swapped()
            },
            checked,
            fixed: fixed.collect(),
            certainly_attacked: certainly_attacked_by(&men, may_occupy),
            men,
        })
    }

    /// With `turn` to move, the squares of `color`'s king and of the other king.
    pub(super) fn kings_from(&self, color: Color, turn: Color) -> KingPairs {
        if color == self.winner {
            self.kings[turn].clone()
        } else {
            self.kings[turn].turned()
        }
    }

    /// The men of `color`, each with its place in the list.
    pub(super) fn of(&self, color: Color) -> impl Iterator<Item = (usize, &Man)> {
        let men = self.men.iter().enumerate();
        men.filter(move |(_, man)| man.piece.color == color)
    }
}

fn check_form(class: &Class, winner: Color) -> Result<(), ClassFault> {
    // With the kings, no more men than squares.
    if class.men.len() > 62 {
        return Err(ClassFault::Crowd);
    }
    for (place, man) in class.men.iter().enumerate() {
        let makes_sense = if man.promotes {
            man.is_pawn() && man.piece.color != winner
        } else if man.is_pawn() {
            let square = man.squares.single_square();
            square.is_some_and(|square| !Bitboard::BACKRANKS.contains(square))
        } else {
            !man.is_king()
        };
        if man.lost || !makes_sense {
            return Err(ClassFault::Man(place));
        }
    }
    let kings = &class.kings;
    for rows in [kings.claim_to_move, kings.other_to_move, kings.after_king] {
        for (claim, others) in KingPairs::new(rows).rows() {
            if let Some(other) = (others & too_near(claim)).first() {
                return Err(ClassFault::Kings { claim, other });
            }
        }
    }
    Ok(())
}
