//! Classes: each rule, against exhaustive exploration, and damaged.

mod damage;
pub(crate) mod grow;
mod random;
mod rules;
mod semantics;
