//! First obligation: reversible moves don't lead out of a class.

use shakmaty::attacks;
use stillmate_core::Color;

use super::{pairs::too_near, stretch::Stretch};
use crate::refusal::ClassFault;

impl Stretch {
    /// Checks that no man but a pawn gets to a square that isn't its own without taking, and
    /// that the kings' steps, and every change of the side to move, lead to pairs of the class.
    pub(super) fn stays(&self) -> Result<(), ClassFault> {
        self.men_stay()?;
        Color::ALL
            .into_iter()
            .try_for_each(|color| self.kings_stay(color))
    }

    fn men_stay(&self) -> Result<(), ClassFault> {
        let men = self.men.iter().enumerate();
        // One of unknown kind, listed as a pawn, is at home everywhere.
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
        // A king that waits hasn't moved.
        let same = if color == self.winner {
            &self.checked
        } else {
            &next
        };
        // Whether a man of this colour may have a move that is neither a capture nor a pawn's.
        let waits = self
            .of(color)
            .any(|(_, man)| man.may_stand().more_than_one());
        for (from, others) in self.kings_from(color, color).rows() {
            let steps = attacks::king_attacks(from) & !self.fixed & !self.certain[!color];
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
