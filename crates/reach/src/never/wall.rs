//! Walls: pawns that ram each other, and kings that can't get at them.
//!
//! There are kings and pawns only. No pawn can be pushed, since a pawn stands before it, and
//! none attacks another or may take en passant. So they stay as long as no king takes one, and
//! what they attack is barred to the other side's king for as long. If neither king, going
//! wherever that lets it, ever comes next to a pawn that it may take, nothing but the kings
//! ever moves: each step keeps the pawns, and the pawns keep the next step where it is.
//! And if Black's king is never attacked by a pawn, it's never in check. FIDE Laws 5.2.2 has the
//! draw; the sets are those that the [relaxation](crate::never::relaxation) finds, at a tenth of
//! the time.
//!
//! White is the intended winner; callers mirror the board.

use stillmate_core::{Bitboard, Color, Piece, Position, Role};
use stillmate_proof::{Invariant, Man};

use crate::{features, geometry::attacks_from_any};

/// Where the kings may ever stand beside a wall.
#[derive(Debug)]
pub(crate) struct Wall {
    white_king: Bitboard,
    black_king: Bitboard,
}

/// White's claim "never" for `position`, if its pawns are a wall.
pub(crate) fn prove(position: &Position) -> Option<Wall> {
    if !features::is_pawn_ending(position) || position.ep_square().is_some() {
        return None;
    }
    let men = |color| position.pieces_of(color, Role::Pawn);
    let (white, black) = (men(Color::White), men(Color::Black));
    let attacks = |color| attacks_from_any(Role::Pawn, color, men(color), Bitboard::EMPTY);
    let (by_white, by_black) = (attacks(Color::White), attacks(Color::Black));
    let pawns = white | black;
    let rammed = (white.shift(8) | black.shift(-8)).is_subset(pawns);
    if !rammed || by_white.intersects(black) {
        return None;
    }
    let king = |color| Bitboard::from_square(position.king(color));
    let white_king = ways(king(Color::White), white | by_black, black)?;
    let black_king = ways(king(Color::Black), black | by_white, white)?;
    (!black_king.intersects(by_white)).then_some(Wall {
        white_king,
        black_king,
    })
}

/// All squares that a king may ever come to around `barred`; `None` if one of `prey` is among
/// them.
fn ways(king: Bitboard, barred: Bitboard, prey: Bitboard) -> Option<Bitboard> {
    let (mut all, mut last) = (king, Bitboard::EMPTY);
    while all != last {
        last = all;
        all |= attacks_from_any(Role::King, Color::White, all, Bitboard::EMPTY) & !barred;
        if all.intersects(prey) {
            return None;
        }
    }
    Some(all)
}

impl Wall {
    /// The sets as evidence, with White as the claiming colour.
    pub(crate) fn invariant(&self, position: &Position) -> Invariant {
        let man = |(square, piece): (_, Piece)| Man {
            piece,
            squares: match (piece.role, piece.color) {
                (Role::King, Color::White) => self.white_king,
                (Role::King, Color::Black) => self.black_king,
                _ => Bitboard::from_square(square),
            },
            lost: false,
            promotes: false,
        };
        Invariant {
            men: position.pieces().map(man).collect(),
            opposed: Vec::new(),
            castling: Bitboard::EMPTY,
            en_passant: None,
        }
    }
}
