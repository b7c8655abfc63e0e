//! Classes: each rule, against exhaustive exploration, and damaged.

mod damage;
mod grow;
mod random;
mod rules;
mod semantics;
