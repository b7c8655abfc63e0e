//! The exact identity of a position, for visited sets and tables.

use shakmaty::{Bitboard, Color, Rank, Role, Square};

use crate::position::{Position, color_index, role_index};

/// A position in 32 bytes, exactly: equal keys are equal positions and the position can be
/// read back. A hash of fixed length in its place would now and then take two positions for
/// one, and a proof of "never" that rests on it would be no proof.
///
/// Every square has a four-bit code, stored as four bit planes: 0 empty, 1-6 White's men,
/// 7-12 Black's, 13 a rook that may castle, 14 a pawn that may be taken en passant (the rank
/// tells the colour of both), 15 Black's king with Black to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Key([u64; 4]);

const CASTLING_ROOK: u32 = 13;
const EN_PASSANT_PAWN: u32 = 14;
const KING_TO_MOVE: u32 = 15;

const fn man_code(color: Color, role: Role) -> u32 {
    1 + 6 * color_index(color) as u32 + role_index(role) as u32
}

/// The pawn that stands in front of the en passant square.
fn en_passant_pawn(passed: Square) -> Square {
    let rank = if passed.rank() == Rank::Third {
        Rank::Fourth
    } else {
        Rank::Fifth
    };
    Square::from_coords(passed.file(), rank)
}

impl Key {
    /// The key of `position`.
    pub fn new(position: &Position) -> Key {
        let mut planes = [0; 4];
        let mut set = |squares: Bitboard, code: u32| {
            for (bit, plane) in planes.iter_mut().enumerate() {
                let bits = u64::from(squares);
                *plane = if code >> bit & 1 == 1 {
                    *plane | bits
                } else {
                    *plane & !bits
                };
            }
        };
        for color in Color::ALL {
            for role in Role::ALL {
                set(position.men_of(color, role), man_code(color, role));
            }
        }
        set(position.castling, CASTLING_ROOK);
        if let Some(passed) = position.ep {
            set(en_passant_pawn(passed).into(), EN_PASSANT_PAWN);
        }
        if position.turn == Color::Black {
            set(position.men_of(Color::Black, Role::King), KING_TO_MOVE);
        }
        Key(planes)
    }

    /// The position with this key.
    pub fn position(&self) -> Position {
        let squares = |code: u32| {
            let mut all = !0_u64;
            for (bit, plane) in self.0.iter().enumerate() {
                all &= if code >> bit & 1 == 1 {
                    *plane
                } else {
                    !*plane
                };
            }
            Bitboard(all)
        };
        let mut position = Position {
            roles: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            castling: squares(CASTLING_ROOK),
            ep: None,
            turn: Color::White,
        };
        let mut add = |men: Bitboard, color: Color, role: Role| {
            position.roles[role_index(role)] |= men;
            position.colors[color_index(color)] |= men;
        };
        for color in Color::ALL {
            for role in Role::ALL {
                add(squares(man_code(color, role)), color, role);
            }
            let home = Position::rights_of_home(color);
            add(squares(CASTLING_ROOK) & home, color, Role::Rook);
        }
        let to_move = squares(KING_TO_MOVE);
        add(to_move, Color::Black, Role::King);
        let passing = squares(EN_PASSANT_PAWN);
        if let Some(pawn) = passing.first() {
            let white = pawn.rank() == Rank::Fourth;
            add(passing, Color::from_white(white), Role::Pawn);
            let rank = if white { Rank::Third } else { Rank::Sixth };
            position.ep = Some(Square::from_coords(pawn.file(), rank));
        }
        if to_move.any() {
            position.turn = Color::Black;
        }
        position
    }

    /// The four bit planes, to store or to hash.
    pub const fn planes(&self) -> [u64; 4] {
        self.0
    }

    /// The key with these bit planes; [`Key::position`] of planes that are no key of a
    /// position gives a position of no meaning.
    pub const fn from_planes(planes: [u64; 4]) -> Key {
        Key(planes)
    }
}
