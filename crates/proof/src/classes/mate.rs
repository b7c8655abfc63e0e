//! Third obligation: no position that belongs to a class is mate.

use super::stretch::Stretch;
use crate::{
    invariant::find_mate,
    limits::Remaining,
    refusal::{ClassFault, Stop},
};

impl Stretch {
    /// Checks that the squares around B's king leave it a way out wherever the kings may
    /// stand with B to move. `place` is that of this class.
    /// After a move of W's king only checks count that this may have discovered.
    pub(super) fn excludes_mate(
        &self,
        place: usize,
        remaining: &mut Remaining,
    ) -> Result<(), Stop> {
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
