//! What counts as proof, and checking it: the trusted base.
//!
//! A verdict is worth what its evidence is worth. "Can mate" is a [line](replay) of legal
//! moves; "can never mate" is a [`Certificate`]. Both are checked here with shakmaty's own
//! rules and attack tables and nothing that the search uses, without parallelism and in
//! code short enough to read in one sitting. `docs/certificates.md` says why an accepted
//! certificate implies its claim.

mod certificate;
mod line;

pub use certificate::{Certificate, Class, Invariant, Kings, Man, Step};
pub use line::{LineError, replay};
