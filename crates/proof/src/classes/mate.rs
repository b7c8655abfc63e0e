//! Third obligation: no position that belongs to a class is mate.

use super::stretch::Stretch;
use crate::{
    invariant::mate_on,
    limits::Budget,
    refusal::{ClassFault, Stop},
};

impl Stretch {
    /// Checks that the squares around B's king leave it a way out wherever the kings may
    /// stand with B to move. `place` is that of this class.
    /// After a move of W's king only checks count that this may have discovered.
    pub(super) fn excludes_mate(&self, place: usize, budget: &mut Budget) -> Result<(), Stop> {
        let mated = !self.winner;
        let checked = self.checked.turned();
        for (king, guards) in self.kings_from(mated, mated).rows() {
            budget.spend_work()?;
            let men = &self.men;
            let any = checked.row(king);
            mate_on(king, any, men, self.winner, self.fixed, false)
                .and_then(|()| {
                    let discovered = guards & !any;
                    mate_on(king, discovered, men, self.winner, self.fixed, true)
                })
                .map_err(|mate| ClassFault::from(mate).of(place))?;
        }
        Ok(())
    }
}
