//! Safety: no position of a class is mate.

use super::reversible_class::ReversibleClass;
use crate::{
    invariant::find_mate,
    limits::Remaining,
    refusal::{ClassFault, StepError},
};

impl ReversibleClass {
    /// Checks that B's king has a way out wherever the kings stand with B to move. After a move of
    /// W's king, only checks count that this move may have discovered. `place` is that of this class.
    pub(super) fn check_safety(
        &self,
        place: usize,
        remaining: &mut Remaining,
    ) -> Result<(), StepError> {
        let mated = !self.winner;
        let checked = self.checked.turned();
        for (king, guards) in self.kings_from(mated, mated).rows() {
            let any = checked.row(king);
            for (guards, discovered) in [(any, false), (guards & !any, true)] {
                let (men, fixed) = (&self.men, self.fixed);
                let mate = find_mate(king, guards, men, self.winner, fixed, discovered, remaining)?;
                mate.map_or(Ok(()), |mate| Err(ClassFault::from(mate).of(place)))?;
            }
        }
        Ok(())
    }
}
