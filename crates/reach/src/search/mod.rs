//! Finding helpmates.
//!
//! | module | its thought |
//! |---|---|
//! | [`plan`] | where Black's king could be mated, and what has to come there |
//! | [`express`] | the moves that a plan dictates, without generating the others |
//! | [`rollout`] | play one plan out, greedily, with hardly any search |
//! | [`scan`] | mates in one move |
//! | [`score`] | what a move does for a plan |
//! | [`guided`] | go on from whatever position a plan finds nearest to its mate |
//! | [`patterns`] | how far a lone minor piece is from mating in a corner |
//! | [`pictures`] | how far the men are from a mate with whatever pieces there are |
//! | [`best_first`] | expand whatever position looks nearest to a mate |
//! | [`explore`] | explore to the end, by several choices in turn |
//! | [`pairs`] | mates by two minor pieces, and which is nearest |
//! | [`aim`] | such a picture as a goal: which men have to come where |
//! | [`minors`] | play these pictures out |
//! | [`tidy`] | make a line short |
//! | [`tree`] | the positions that a search has been to, and the lines that led there |
//!
//! White is the intended winner; callers mirror the board. Both sides want the mate, so a
//! line is a path, not a tree.

pub(crate) mod aim;
pub(crate) mod best_first;
pub(crate) mod explore;
pub(crate) mod express;
pub(crate) mod guided;
pub(crate) mod minors;
pub(crate) mod pairs;
pub(crate) mod patterns;
pub(crate) mod pictures;
pub(crate) mod plan;
pub(crate) mod rollout;
pub(crate) mod scan;
pub(crate) mod score;
pub(crate) mod tidy;
pub(crate) mod tree;
