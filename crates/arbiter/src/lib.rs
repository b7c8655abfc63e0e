//! What the Laws of Chess say of a game: how it ended by itself, what could be claimed, what
//! a fallen flag means, and whether the recorded result is right.
//!
//! A game is judged by the FIDE Laws of Chess of its day; articles are numbered as in those of
//! 2023. `docs/laws.md` says how each is read, and since when it is in force.
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
//! | `laws` | which rules were in force on a day |
//! | `termination` | how a game ended by its record |
//! | `wordings` | what the words of records mean: a table |
//! | `adjudicate`, `judge` | the recorded result beside the Laws |
//! | `seventy_five` | whether a mate comes before the seventy-five-move rule |
//! | [`live`] | games that are still being played |
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
mod laws;
pub mod live;
pub mod pgn;
mod position;
mod record;
mod seventy_five;
mod termination;
mod wordings;

pub use adjudicate::{Adjudication, Basis, FlagEvidence, ResultVerdict};
pub use arbiter::{Arbiter, GameReport};
pub use claims::{Claim, Ground};
pub use death::Death;
pub use ends::{EndRule, GameEnd};
pub use flags::{FlagFall, Reason, Rules};
pub use laws::{Day, Laws, LawsOf};
pub use pgn::Outcome;
pub use position::{Article, PositionLaws};
pub use record::GameRecord;
pub use seventy_five::{InTime, Mates, in_time, is_settled, lasts};
pub use termination::{Statement, Termination};
