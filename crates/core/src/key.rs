//! The exact identity of a position, for visited sets and tables.

use shakmaty::{Bitboard, Color};

use crate::position::Position;

/// A position in 32 bytes, exactly: equal keys are equal positions, and the position can be
/// read back. A hash in its place would now and then take two positions for one, and a proof
/// of "never" that rests on it would be no proof.
///
/// ```
/// use stillmate_core::{Key, Position};
///
/// let position: Position = "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6".parse()?;
/// assert_eq!(Key::new(&position).position(), position);
/// # Ok::<(), stillmate_core::PositionError>(())
/// ```
///
/// Four bit planes over the board. Three hold the role: 0 none, 1 pawn, 2 knight, 3 bishop,
/// 4 rook, 5 queen, 6 king, 7 a rook that may castle. The fourth marks Black's pieces and the
/// en passant square, which is empty; it is inverted when Black is to move. At least half of
/// the board is empty and at most one empty square is marked, so the inversion can be seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Key([u64; 4]);

impl Key {
    /// The key of `position`.
    #[inline]
    pub fn new(position: &Position) -> Key {
        let [pawn, knight, bishop, rook, queen, king] = position.roles.map(u64::from);
        let castling = u64::from(position.castling);
        let mut black = u64::from(position.of(Color::Black));
        if let Some(passed) = position.ep {
            black |= 1 << u32::from(passed);
        }
        if position.turn == Color::Black {
            black = !black;
        }
        Key([
            pawn | bishop | queen | castling,
            knight | bishop | king | castling,
            rook | queen | king,
            black,
        ])
    }

    /// The position with this key.
    pub fn position(&self) -> Position {
        let [a, b, c, marks] = self.0;
        let occupied = a | b | c;
        let turned = (marks & !occupied).count_ones() > 1;
        let marks = if turned { !marks } else { marks };
        let castling = a & b & c;
        let roles = [
            a & !b & !c,
            !a & b & !c,
            a & b & !c,
            !a & !b & c | castling,
            a & !b & c,
            !a & b & c,
        ];
        Position {
            roles: roles.map(Bitboard),
            colors: [Bitboard(occupied & !marks), Bitboard(occupied & marks)],
            castling: Bitboard(castling),
            ep: Bitboard(marks & !occupied).first(),
            turn: Color::from_white(!turned),
        }
    }

    /// The four bit planes, to store or to hash.
    pub const fn planes(&self) -> [u64; 4] {
        self.0
    }

    /// The key with these bit planes, which must come from [`Key::planes`]: from others,
    /// [`Key::position`] makes a meaningless position.
    pub const fn from_planes(planes: [u64; 4]) -> Key {
        Key(planes)
    }
}
