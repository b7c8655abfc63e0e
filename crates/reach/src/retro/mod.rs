//! Retrograde tables: for every position of few men, how far the nearest helpmate is.
//!
//! They know nothing of the search and share none of its arguments, so that they can check it,
//! and they end its lines. `docs/tables.md` says what is in them and how it was made.
//!
//! | file | its thought |
//! |---|---|
//! | `class` | which men are on the board |
//! | `index` | numbering positions up to symmetry |
//! | `table` | the distances of one class |
//! | `codes` | where they are: in memory or in a file |
//! | `build` | finding them, backwards from the mates |
//! | `statistics` | counting them |
//! | `solutions` | counting the helpmates of each position |
//! | `file` | keeping them |
//! | `tables` | the way in: [`Tables`] |

mod build;
mod class;
mod codes;
mod file;
mod index;
mod solutions;
mod statistics;
mod table;
mod tables;

pub use build::{OnProgress, Progress};
pub use class::{Class, ClassError};
pub use file::{Fault, TableError};
pub use index::{Indexing, MOST_MEN};
pub use solutions::{MOST_COUNTED, OfLength, Solutions};
pub use statistics::{Example, Mates, SideToMove, Statistics};
pub use table::Distance;
pub use tables::Tables;
