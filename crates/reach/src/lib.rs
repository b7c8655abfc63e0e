//! What can still happen: decides whether a colour can still give checkmate.
//!
//! The way in is [`Analyzer`].

mod analyzer;
mod classes;
mod closure;
mod counts;
mod dead;
mod forced;
mod ladder;
mod mate;
mod meter;
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
mod table;
mod wall;

pub use analyzer::{
    Analyzer, Budget, Effort, Finding, Helpmates, Length, Limits, Line, Method, Report, Shortest,
    Verdict,
};
pub use counts::{Counts, RungCount};
pub use reason::Case;
