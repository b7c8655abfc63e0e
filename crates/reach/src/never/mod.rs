//! Proofs that White can't mate, without a search through positions.
//!
//! | module | its thought |
//! |---|---|
//! | [`wall`] | kings and pawns, and no pawn ever moves |
//! | [`relaxation`] | where each man may ever stand; no mate fits |
//! | [`classes`] | the same between two irreversible moves, with the kings' relation |
//! | [`mate_test`] | whether a mate fits where each man may stand |
//! | [`pruner`] | these proofs as a test that a search puts to the positions it enters |
//! | [`throttle`] | how often such a test is worth its time |
//!
//! White is the intended winner; callers mirror the board.

pub(crate) mod classes;
pub(crate) mod mate_test;
pub(crate) mod pruner;
pub(crate) mod relaxation;
pub(crate) mod throttle;
pub(crate) mod wall;
