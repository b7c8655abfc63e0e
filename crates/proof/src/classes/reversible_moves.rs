//! Consecution of reversible moves: they don't lead out of a class.

use shakmaty::attacks;
use stillmate_core::Color;

use super::{king_pairs::too_near, reversible_class::ReversibleClass};
use crate::refusal::ClassFault;

impl ReversibleClass {
    /// Checks that pieces stay on their own squares unless they capture, and that the kings' steps,
    /// and the moves of other men while the kings stay, lead to pairs of the class.
    pub(super) fn check_reversible_moves(&self) -> Result<(), ClassFault> {
        self.pieces_stay()?;
        Color::ALL
            .into_iter()
            .try_for_each(|color| self.kings_stay(color))
    }

    fn pieces_stay(&self) -> Result<(), ClassFault> {
        let men = self.men.iter().enumerate();
        // A man of unknown kind, listed as a pawn, may stand anywhere.
        for (place, man) in men.filter(|(_, man)| !man.is_pawn()) {
            for from in man.squares {
                let free = attacks::attacks(from, man.piece, self.fixed) & !self.fixed;
                if let Some(to) = (free & !man.squares).first() {
                    let man = place;
                    return Err(ClassFault::Leaves { man, from, to });
                }
            }
        }
        Ok(())
    }

    fn kings_stay(&self, color: Color) -> Result<(), ClassFault> {
        let next = self.kings_from(color, !color);
        // Here another man than the king moves.
        let same = if color == self.winner {
            &self.checked
        } else {
            &next
        };
        // Whether any man of this colour may have a reversible move.
        let waits = self
            .of(color)
            .any(|(_, man)| man.may_stand().more_than_one());
        for (from, others) in self.kings_from(color, color).rows() {
            let steps =
                attacks::king_attacks(from) & !self.fixed & !self.certainly_attacked[!color];
            let steps = steps.into_iter().map(|to| (to, others & !too_near(to)));
            let steps = steps.map(|(to, others)| (to, others & !next.row(to)));
            let wait = (from, others & !same.row(from));
            for (to, missing) in steps.chain(waits.then_some(wait)) {
                if let Some(other) = missing.first() {
                    return Err(ClassFault::Steps {
                        king: color,
                        from,
                        to,
                        other,
                    });
                }
            }
        }
        Ok(())
    }
}
