//! What can still happen: decides whether a colour can still give checkmate.
//!
//! The way in is [`Analyzer`].

mod analyzer;
mod can;
mod counts;
mod exact;
mod features;
mod geometry;
mod ladder;
mod meter;
mod never;
mod reason;
pub mod retro;
#[doc(hidden)]
pub mod rungs;
mod settled;
mod shortest;
mod signature;

pub use analyzer::{
    Analyzer, Budget, Effort, Finding, Limits, Line, Method, Report, Shortest, Verdict,
};
pub use counts::{Counts, RungCount};
pub use reason::Case;
