//! What the Laws of Chess say of a game: how it ended by itself, what could be claimed, what
//! a fallen flag means, and whether the recorded result is right.
//!
//! The articles are those of the FIDE Laws of Chess in force since 2023; `docs/laws.md` says
//! how each is read. They are applied to games of any age.
//!
//! | module | its thought |
//! |---|---|
//! | [`pgn`] | games as text: from bytes to moves on the board |
//! | `record` | moves and positions, and how often each has been on the board |
//! | `ends` | rules that end a game by themselves |
//! | `death` | from when on a game was dead |
//! | `claims` | draws that the player to move could have claimed |
//! | `flags` | what a fallen flag means, by FIDE or US Chess |
//! | `position` | what applies to a position whose game is not known |
//! | `forced` | mates that can't be prevented |
//! | `termination` | how a game ended by its record |
//! | `adjudicate`, `judge` | the recorded result beside the Laws |
//! | `seventy_five` | whether a mate comes before the seventy-five-move rule |
//! | `arbiter` | all of it together: [`Arbiter`] |

#![forbid(unsafe_code)]

mod adjudicate;
mod arbiter;
mod claims;
mod death;
mod ends;
mod flags;
mod forced;
mod judge;
pub mod pgn;
mod position;
mod record;
mod seventy_five;
mod termination;

pub use adjudicate::{Adjudication, Basis, FlagEvidence, ResultVerdict};
pub use arbiter::{Arbiter, GameReport};
pub use claims::{Claim, Ground};
pub use death::Death;
pub use ends::{EndRule, GameEnd};
pub use flags::{FlagFall, Reason, Rules};
pub use pgn::Outcome;
pub use position::{Article, PositionLaws};
pub use record::GameRecord;
pub use seventy_five::{InTime, Mates, in_time, is_settled, lasts};
pub use termination::Termination;
