//! Finding helpmates.
//!
//! | module | its thought |
//! |---|---|
//! | [`plan`] | where Black's king could be mated, and what has to come there |
//! | [`scripted`] | the moves that a plan scripts, without generating the others |
//! | [`rollout`] | play one plan out, greedily, with hardly any search |
//! | [`mate_in_one`] | mates in one move |
//! | [`ordering`] | what a move does for a plan |
//! | [`lazy`] | lazy best-first search, each position with a plan of its own |
//! | [`goal`] | a goal configuration: which men have to come where |
//! | [`corner_mates`] | goals in which a lone minor piece mates in a corner |
//! | [`minor_pairs`] | goals in which two minor pieces mate |
//! | [`minors`] | search for these goals |
//! | [`patterns`] | mating patterns of a pawn structure, and how far the men are from them |
//! | [`shorten`] | make a line short |
//! | [`tree`] | the positions that a search has been to, and the lines that led there |
//!
//! White is the intended winner; callers mirror the board. Both sides want the mate, so a
//! line is a path, not a tree.

pub(crate) mod corner_mates;
pub(crate) mod goal;
pub(crate) mod lazy;
pub(crate) mod mate_in_one;
pub(crate) mod minor_pairs;
pub(crate) mod minors;
pub(crate) mod ordering;
pub(crate) mod patterns;
pub(crate) mod plan;
pub(crate) mod rollout;
pub(crate) mod scripted;
pub(crate) mod shorten;
pub(crate) mod tree;
