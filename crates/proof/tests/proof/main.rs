//! The checker against itself, against exhaustive exploration, and against damage.

mod classes;
mod damage;
mod explain;
mod formats;
mod hostile;
mod limits;
mod rules;
mod second;
mod semantics;
mod strict;
mod support;
