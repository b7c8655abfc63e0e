//! What counts as proof, and checking it: the trusted base.
//!
//! A verdict is worth what its evidence is worth. "Can mate" is a [line](replay) of legal
//! moves; "can never mate" is a [`Certificate`], which [`verify`] checks. Both are checked
//! with shakmaty's own rules and attack tables and nothing that the search uses, without
//! parallelism and in code short enough to read in one sitting. `docs/certificates.md` says
//! why an accepted certificate implies its claim.
//!
//! | module | its thought |
//! |---|---|
//! | `certificate` | what a certificate says |
//! | `verify` | going through its steps |
//! | `closed` | exploring all that play can reach |
//! | `invariant` | what makes a description of positions a proof |
//! | `classes` | what makes a list of them one, with the irreversible moves between |
//! | `exit` | steps that prove more than one position |
//! | `rules`, `matching` | what these ask about one position, and pairing one to one |
//! | `limits`, `refusal` | how much may be spent, and why a certificate isn't accepted |
//! | `format` | certificates as JSON and as bytes |
//! | `explain` | certificates in words |
//! | `line` | replaying helpmates |

#![forbid(unsafe_code)]

mod certificate;
mod classes;
mod closed;
mod exit;
mod explain;
mod format;
mod invariant;
mod limits;
mod line;
mod matching;
mod refusal;
mod rules;
mod verify;

pub use certificate::{Certificate, Class, Invariant, Kings, Man, Step};
pub use explain::{explain, explain_first};
pub use format::{BatchReader, BatchWriter, FormatError};
pub use limits::Limits;
pub use line::{LineError, replay};
pub use refusal::{ClassFault, Event, Fault, InvariantFault, Limit, Mate, Refusal};
pub use verify::{Accepted, verify};
