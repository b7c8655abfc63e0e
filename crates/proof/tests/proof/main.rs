//! The checker against itself, against exhaustive exploration, and against damage.

mod classes;
mod rules;
mod semantics;
mod support;
