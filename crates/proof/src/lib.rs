//! What counts as proof, and how it is checked.
//!
//! A verdict is worth as much as its evidence. The evidence for "can mate" is a line of legal moves,
//! which [`replay`] checks; that for "can never mate" is a [`Certificate`], which [`verify`] checks.
//! The code is short enough to read in one sitting and uses one thread. `docs/certificates.md` says
//! why an accepted certificate implies its claim.
//!
//! # What is trusted
//!
//! - This crate without `format` (but for the position and the claim that it reads) and `explain`.
//! - `stillmate-core`, in part: the types [`Position`](stillmate_core::Position) and
//!   [`Move`](stillmate_core::Move), their conversions from and to shakmaty's, the exact
//!   [`Key`](stillmate_core::Key) of a position, and the FEN reader, which is shakmaty's with checks
//!   around it. The engine uses these, too.
//! - `shakmaty`: legal moves and what they lead to, check, rules of material, attack tables, FEN.
//!
//! Nothing else is shared with the engine. In particular, the move generator of `stillmate-core` and
//! everything in `stillmate-reach` are not used here.
//!
//! | module | its thought |
//! |---|---|
//! | `certificate` | what a certificate says |
//! | `verify` | the check: going through its steps |
//! | `closed` | visiting all positions that play can reach |
//! | `invariant` | what makes a description of positions an inductive invariant |
//! | `classes` | what makes a list of reversible classes a proof |
//! | `lemmas` | invariants and classes as exits of other steps |
//! | `rules` | questions to shakmaty about one position |
//! | `matching` | pairing men one to one |
//! | `limits`, `refusal` | what a check may cost, and why a certificate isn't accepted |
//! | `format` | certificates as JSON and as bytes |
//! | `explain` | certificates in words |
//! | `line` | replaying helpmates |

#![forbid(unsafe_code)]

mod certificate;
mod classes;
mod closed;
mod explain;
mod format;
mod invariant;
mod lemmas;
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
pub use refusal::{
    ClassFault, InvariantFault, IrreversibleMove, Limit, PossibleMate, Refusal, StepFault,
};
pub use verify::{Accepted, verify};
