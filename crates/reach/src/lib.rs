//! What can still happen: decides whether a colour can still give checkmate.
//!
//! The way in is [`Analyzer`].

mod analyzer;
mod reason;
pub mod retro;

pub use analyzer::{Analyzer, Budget, Effort, Finding, Limits, Line, Method, Report, Verdict};
pub use reason::Case;
