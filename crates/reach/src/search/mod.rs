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

use stillmate_core::Move;

/// The moves that lead to the position numbered `place`; `by` tells the last one and the number
/// of the position before it, and nothing of the first position.
fn trail(mut place: u32, by: impl Fn(u32) -> Option<(Move, u32)>) -> Vec<Move> {
    let mut line = Vec::new();
    while let Some((m, before)) = by(place) {
        line.push(m);
        place = before;
    }
    line.reverse();
    line
}
