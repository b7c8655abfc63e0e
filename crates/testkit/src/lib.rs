//! What the tests of several crates need, so that each of it exists once.
//!
//! | module | its thought |
//! |---|---|
//! | [`set_up`] | pieces put on a board one by one |
//! | [`generate`] | random positions near the border between "can" and "can never" |
//! | [`walk`] | random play, and starts from which it passes through everything special |
//! | [`every`] | all positions of some pieces |
//! | [`explorer`] | the plainest oracle: what play can reach, by shakmaty's rules alone |
//! | [`labels`] | files of labelled positions, read as EPD |
//!
//! It depends on nothing but `stillmate-core` and shakmaty, so every crate's tests may use it,
//! and an oracle in it shares nothing with the engine or the checker.

pub mod every;
pub mod explorer;
pub mod generate;
pub mod labels;
pub mod set_up;
pub mod walk;

use stillmate_core::Position;

/// The position of a FEN that a test names.
///
/// # Panics
///
/// If it isn't one.
#[track_caller]
pub fn position(fen: &str) -> Position {
    match Position::from_fen(fen) {
        Ok(position) => position,
        Err(error) => panic!("{fen}: {error}"),
    }
}
