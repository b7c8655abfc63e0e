//! What chess is, and nothing about searching it: positions, legal moves and their
//! retractions, exact keys, material rules, and FEN and EPD text.
//!
//! ```
//! use stillmate_core::Position;
//!
//! let position: Position = "7k/8/5K2/6Q1/8/8/8/8 w - -".parse()?;
//! let mates = |m: &stillmate_core::Move| position.after(*m).is_checkmate();
//! let moves = position.legal_moves();
//! let mate = moves.iter().find(|m| mates(m)).expect("the queen mates");
//! assert_eq!(mate.uci(), "g5g7");
//! assert!(position.after(*mate).predecessors().contains(&position));
//! # Ok::<(), stillmate_core::PositionError>(())
//! ```
//!
//! # Map
//!
//! | module | its thought | start with |
//! |---|---|---|
//! | `position` | a position that can be played on: pieces, turn, rights, en passant | [`Position`] |
//! | `moves` | legal moves, and playing them | [`Position::legal_moves`], [`Move`] |
//! | `retract` | moves taken back: every position before this one | [`Position::predecessors`] |
//! | `key` | the exact identity of a position, in 32 bytes | [`Key`] |
//! | `material` | colours that can never mate, by the pieces alone | [`insufficient_material`] |
//! | [`text`] | FEN and EPD, what is wrong with a bad line, what is odd about a good one | [`text::Record`] |
//!
//! Squares, colours, roles and bitboards are [`shakmaty`]'s, and so are the attack tables. The
//! move generator is this crate's own, made for searches that visit millions of positions, and
//! is tested against shakmaty's.

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
