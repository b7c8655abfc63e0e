//! Games as text: from bytes to moves on the board.
//!
//! Whatever is wrong with a file is told with its line and ply, so the text is read here and
//! not by a reader that passes over what it doesn't understand. Real files are forgiven what
//! does no harm: numbers and blank lines anywhere, zeros for castling, dashes of any length,
//! long moves, glyphs, Latin-1 names.
//!
//! | module | its thought |
//! |---|---|
//! | `chunks` | a stream of any length in chunks of whole games |
//! | `section` | where games begin |
//! | `lex` | tokens |
//! | `san` | what a written move means on the board |
//! | `game` | a game: tags, moves, positions, result |
//! | `fault` | what can be wrong with it |

mod chunks;
mod fault;
mod game;
mod lex;
mod san;
mod section;

pub use chunks::{Chunk, Chunks, LARGEST};
pub use fault::{PgnFault, PgnFaultKind, PgnNote};
pub use game::{Game, Games, Outcome, Tags};
