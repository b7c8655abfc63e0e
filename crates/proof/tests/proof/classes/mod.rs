//! Classes: each rule, against exhaustive exploration, and damaged.

pub(crate) mod damage;
pub(crate) mod grow;
mod random;
mod rules;
mod semantics;
