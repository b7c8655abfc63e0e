//! Third obligation: no position that belongs to a class is mate.

use super::stretch::Stretch;
use crate::{
    invariant::{discovered_mate_on, mate_on},
    limits::Budget,
    refusal::{ClassFault, Stop},
};

impl Stretch {
    /// Checks that the squares around B's king leave it a way out wherever the kings may
    /// stand with B to move. `place` is that of this class.
    pub(super) fn excludes_mate(&self, place: usize, budget: &mut Budget) -> Result<(), Stop> {
        let fault = |king, (man, from, guard)| {
            let fault = ClassFault::Mate {
                king,
                man,
                from,
                guard,
            };
            Err(fault.of(place).into())
        };
        for (king, guards) in self.arrived.turned().rows() {
            budget.spend_work()?;
            if let Some(mate) = mate_on(king, guards, &self.men, self.winner, self.fixed) {
                return fault(king, mate);
            }
        }
        for (king, guards) in self.after_king.turned().rows() {
            for guard in guards {
                budget.spend_work()?;
                let mate = discovered_mate_on(king, guard, &self.men, self.winner, self.fixed);
                if let Some(mate) = mate {
                    return fault(king, mate);
                }
            }
        }
        Ok(())
    }
}
