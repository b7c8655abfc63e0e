//! What can still happen: decides whether a colour can still give checkmate.
//!
//! The way in is [`Analyzer`].

mod analyzer;
mod budget;
mod chunks;
mod classes;
mod closure;
mod dead;
mod forced;
mod ladder;
mod mate;
mod reason;
mod relax;
pub mod retro;
#[doc(hidden)]
pub mod rungs;
mod search;
mod shape;
mod shortest;
mod signature;
mod spread;
mod statistics;
mod verdict;
mod visited;
mod wall;

pub use analyzer::{Analyzer, quick_unwinnable};
pub use reason::Case;
pub use statistics::{LadderStatistics, RungStatistics};
pub use verdict::{Budget, Effort, Finding, Line, Method, Report, Shortest, StopReason, Verdict};
