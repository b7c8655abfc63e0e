//! What the Laws of Chess say of a game: how it ended by itself, what could be claimed, what
//! a fallen flag means, and whether the recorded result is right.
//!
//! The articles are those of the FIDE Laws of Chess in force since 2023; `docs/laws.md` says
//! how each is read. They are applied to games of any age.
//!
//! | module | its thought |
//! |---|---|
//! | [`pgn`] | games as text: from bytes to moves on the board |
//! | `score` | moves and positions, and how often each has been on the board |
//! | `ends` | rules that end a game by themselves |
//! | `death` | from when on a game was dead |
//! | `claims` | draws that the player to move could have claimed |
//! | `flags` | what a fallen flag means, by FIDE or US Chess |
//! | `forced` | mates that can't be prevented |
//! | `closing` | how a game ended by its record |
//! | `adjudicate`, `judge` | the recorded result beside the Laws |
//! | `seventy_five` | whether a mate comes before the seventy-five-move rule |
//! | `desk` | all of it together: [`Arbiter`] |

#![forbid(unsafe_code)]

mod adjudicate;
mod claims;
mod closing;
mod death;
mod desk;
mod ends;
mod flags;
mod forced;
mod judge;
pub mod pgn;
mod score;
mod seventy_five;

pub use adjudicate::{Adjudication, Basis, Told, Verdict};
pub use claims::{Claim, Ground};
pub use closing::Closing;
pub use death::Death;
pub use desk::{Arbiter, GameReport};
pub use ends::{End, Rule};
pub use flags::{FlagFall, Reason, Rules};
pub use pgn::Outcome;
pub use score::Score;
pub use seventy_five::{InTime, Mates, in_time, is_settled, lasts};
use stillmate_core::Color;

/// A colour's name.
const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
