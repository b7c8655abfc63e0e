//! One class: that it makes sense, and what follows from it at once.

use stillmate_core::{Bitboard, ByColor, Color};

use super::pairs::{Pairs, too_near};
use crate::{
    certificate::{Class, Man},
    invariant::certain_attacks,
    refusal::ClassFault,
};

/// A well-formed class with the sets that its obligations are stated in.
pub(super) struct Stretch {
    /// The colour claimed unable to mate: W.
    pub(super) winner: Color,
    /// The men without the kings. Those of unknown kind have no squares here: what says where
    /// they may stand is their mark.
    pub(super) men: Vec<Man>,
    /// For either side to move, the squares of W's king and of B's.
    pub(super) kings: ByColor<Pairs>,
    /// Those pairs with B to move in which W may just have moved another man than its king.
    pub(super) checked: Pairs,
    /// Squares that are always occupied, each by the same man or king.
    pub(super) fixed: Bitboard,
    /// Squares that the given colour attacks in every position, not counting its king.
    pub(super) certain: ByColor<Bitboard>,
}

impl Stretch {
    pub(super) fn new(class: &Class, winner: Color) -> Result<Stretch, ClassFault> {
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
        let checked = Pairs::new(class.kings.other_to_move);
        let kings = ByColor {
            white: Pairs::new(class.kings.claim_to_move),
            black: checked.union(&Pairs::new(class.kings.after_king)),
        };
        let all = kings.white.union(&kings.black);
        let stands = [all.firsts(), all.turned().firsts()];
        let fixed = men.iter().filter_map(Man::fixed_square);
        let fixed = fixed.chain(stands.into_iter().filter_map(Bitboard::single_square));
        let may = men.iter().map(Man::may_stand).chain(stands);
        let may = may.fold(Bitboard::EMPTY, Bitboard::with);
        Ok(Stretch {
            winner,
            kings: if winner.is_white() {
                kings
            } else {
                kings.into_swapped()
            },
            checked,
            fixed: fixed.collect(),
            certain: certain_attacks(&men, may),
            men,
        })
    }

    /// The squares of `color`'s king and of the other with `turn` to move.
    pub(super) fn kings_from(&self, color: Color, turn: Color) -> Pairs {
        if color == self.winner {
            self.kings[turn].clone()
        } else {
            self.kings[turn].turned()
        }
    }

    /// The men of `color`, by their place in the list.
    pub(super) fn of(&self, color: Color) -> impl Iterator<Item = (usize, &Man)> {
        let men = self.men.iter().enumerate();
        men.filter(move |(_, man)| man.piece.color == color)
    }
}

fn check_form(class: &Class, winner: Color) -> Result<(), ClassFault> {
    // With the kings not more than the board has squares.
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
        for (claim, others) in Pairs::new(rows).rows() {
            if let Some(other) = (others & too_near(claim)).first() {
                return Err(ClassFault::Kings { claim, other });
            }
        }
    }
    Ok(())
}
