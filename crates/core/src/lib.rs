//! What chess is, and nothing about searching it.
//!
//! | module | its thought |
//! |---|---|
//! | [`position`](Position) | a position that play can be in: men, turn, rights, en passant |
//! | [`moves`](Move) | legal moves and playing them |
//! | [`key`](Key) | the exact identity of a position, in 32 bytes |
//! | [`material`](insufficient_material) | colours that can never mate, by their men alone |
//! | [`retract`](Position::predecessors) | moves taken back: every position before this one |
//! | [`text`] | FEN and EPD, and what is wrong with a bad line |
//!
//! The rules themselves come from [`shakmaty`]: its attack tables are used here, and
//! the move generator of this crate, which is made for searches that visit millions of
//! positions, is tested against it.

#![forbid(unsafe_code)]

mod key;
mod material;
mod moves;
mod position;
mod retract;
pub mod text;

pub use key::Key;
pub use material::{MaterialRule, insufficient_material};
pub use moves::{Move, MoveList};
pub use position::{Position, PositionError};
pub use shakmaty::{Bitboard, ByColor, Color, File, Piece, Rank, Role, Square};

/// A colour's name: `White` or `Black`.
pub const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
