//! What every method answers with.

use stillmate_core::Move;
use stillmate_proof::Step;

/// The question is settled, White being the intended winner. Methods that leave it open answer
/// with `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// A line that mates.
    Can(Vec<Move>),
    /// The steps of a proof; none where the evidence isn't wanted.
    Never(Vec<Step>),
}
