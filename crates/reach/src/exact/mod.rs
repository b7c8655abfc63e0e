//! Searches that end in a mate or in a proof that there is none.
//!
//! | module | its thought |
//! |---|---|
//! | [`proof_tree`] | every line is followed to its end |
//! | [`explore`] | alternating open lists: several choices of what to expand, in turn |
//! | [`rows`] | exact search over sets of positions that differ in where one man stands |
//! | [`enumerate`] | every position, level by level, in parallel |
//! | [`visited`], [`chunks`] | the set of positions that a search has met, and lists that grow without moving |
//!
//! White is the intended winner; callers mirror the board.

pub(crate) mod chunks;
pub(crate) mod enumerate;
pub(crate) mod explore;
pub(crate) mod proof_tree;
pub(crate) mod rows;
pub(crate) mod visited;
