//! What can still happen: decides whether a colour can still give checkmate.
//!
//! The way in is [`Analyzer`].

mod analyzer;
mod budget;
mod can;
mod exact;
mod features;
mod geometry;
mod ladder;
mod never;
mod reason;
pub mod retro;
#[doc(hidden)]
pub mod rungs;
mod settled;
mod shortest;
mod signature;
mod statistics;
mod verdict;

pub use analyzer::{Analyzer, quick_unwinnable};
pub use reason::Case;
pub use statistics::{LadderStatistics, RungStatistics};
pub use verdict::{
    Budget, Effort, Finding, Helpmates, Length, Line, Method, Report, Shortest, StopReason, Verdict,
};
