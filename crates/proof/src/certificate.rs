//! The language of proofs that a colour can never mate.

use serde::{Deserialize, Serialize};
use stillmate_core::{Bitboard, Color, MaterialRule, Move, Piece, Position, Square};

use crate::format::fields;

/// A proof that `claim` can't checkmate from `position` by any series of legal moves.
///
/// The proof is a list of steps. The first is about `position` itself; a step names others
/// by their place in the list, always later ones, so that no argument rests on itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The position the claim is about.
    pub position: Position,
    /// The colour that can't mate.
    pub claim: Color,
    /// The argument, first step first; never empty in an accepted certificate.
    pub steps: Vec<Step>,
}

/// One argument about one position (or, used as an exit, about every position that fits).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The side to move has no legal move, and it isn't mate by the claiming colour.
    Terminal,
    /// The men on the board don't suffice, and the position isn't mate already.
    Material(MaterialRule),
    /// The position isn't mate by the claiming colour, and each legal move, all of them
    /// listed once, leads to a position that the step with the given number proves.
    Moves(Vec<(Move, usize)>),
    /// Of all positions that play can reach from here none is mate by the claiming colour.
    /// The checker explores them itself and doesn't go beyond positions whose men don't
    /// suffice or that fit one of the invariants named in `exits`.
    Closed {
        /// How many positions the exploration visits at most, this one included.
        positions: u64,
        /// Numbers of [`Step::Invariant`]s.
        exits: Vec<usize>,
    },
    /// The position fits an invariant that play never leaves and in which there is no mate.
    Invariant(Invariant),
}

/// A description of positions in terms of where each man may ever stand.
///
/// A position fits if each of its men can be assigned to a different [`Man`] that allows it,
/// all men without assignment may be lost, every pair in `opposed` is in order, and castling
/// rights and the en passant square are within what is granted here.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invariant {
    /// Every man that may be on the board.
    pub men: Vec<Man>,
    /// Pairs (white pawn, black pawn) by their place in `men` that share a file for ever,
    /// the white one on the lower rank.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opposed: Vec<(usize, usize)>,
    /// Squares of rooks that may still castle.
    #[serde(
        default,
        skip_serializing_if = "fields::squares::is_empty",
        with = "fields::squares"
    )]
    pub castling: Bitboard,
    /// The en passant square, if a capture there is possible at once.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "fields::square"
    )]
    pub en_passant: Option<Square>,
}

/// What may ever become of one man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Man {
    /// Its colour and, unless it `promotes`, its kind.
    #[serde(with = "fields::piece")]
    pub piece: Piece,
    /// The squares it may ever stand on (not counting those after a promotion).
    #[serde(with = "fields::squares")]
    pub squares: Bitboard,
    /// Whether it may be captured.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
    /// Whether it is a pawn that may promote; it is then any piece, anywhere.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub promotes: bool,
}
