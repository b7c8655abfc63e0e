//! FEN and EPD text, and what is wrong with a bad line.
//!
//! [`Record::parse`] reads a line: the four fields of a position, the two counters of a FEN
//! or the operations of an EPD, or both. Whether the position is sound is for shakmaty to
//! say; the code here reads the text around it and explains [`TextFault`]s in words that tell
//! what would be right.
//!
//! | module | its thought |
//! |---|---|
//! | `fault` | everything that can be wrong, or odd, in words |
//! | `fen` | the fields of a position |
//! | `epd` | a line: fields, counters, operations |
//! | `hint` | what was perhaps meant by a line that is no position |

mod epd;
mod fault;
mod fen;
mod hint;

pub use epd::{Operation, Record, quoted};
pub use fault::{Note, TextError, TextFault};
pub use fen::Leniency;
pub use hint::Hint;
