//! The real binary, from outside.
//!
//! The positions are decided by mate, stalemate or bare material, so that these tests are
//! about the command line and not about the engine.

mod bad_input;
mod batch;
mod budgets;
mod check;
mod docs;
#[cfg(unix)]
mod early_ends;
mod expect;
mod files;
mod formats;
mod game;
mod help;
#[cfg(unix)]
mod outputs;
mod packed;
mod problem;
mod proofs;
mod run;
mod schemas;
mod shortest;
mod table;
mod watch;
