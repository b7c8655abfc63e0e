//! Steps that prove more than one position.

use stillmate_core::Position;

use crate::{classes::Family, invariant::Frame, limits::Budget, refusal::Limit};

/// What has been proved, once, of all positions that a step describes: no mate can follow
/// from them.
pub(crate) enum Exit<'c> {
    /// The positions that fit an invariant.
    Invariant(Frame<'c>),
    /// The positions that belong to one of some classes.
    Classes(Family),
}

impl Exit<'_> {
    /// Whether this is known of `position`, which may be any but a mate by W.
    ///
    /// # Errors
    ///
    /// A limit, when it takes too long to tell.
    pub(crate) fn covers(&self, position: &Position, budget: &mut Budget) -> Result<bool, Limit> {
        match self {
            Exit::Invariant(frame) => frame.fits(position, budget),
            Exit::Classes(family) => family.has(position, budget),
        }
    }
}
