//! Numbering the positions of a class without gaps between symmetrical ones.
//!
//! A number is made, from the most significant part down, of the side to move, the pair of
//! kings and, for each kind of man, the set of squares where its men stand. The board is
//! turned and reflected until the stronger king is on one of ten squares (without pawns: eight
//! symmetries) or on the left half (with pawns: two).

use std::{ops::Range, sync::LazyLock};

use arrayvec::ArrayVec;
use stillmate_core::{Bitboard, Color, Piece, Position, Role, Square};

use super::class::{Class, MEN};

/// A symmetry of the board: bit 0 exchanges left and right, then bit 1 top and bottom, then
/// bit 2 reflects in the diagonal from a1 to h8.
type Symmetry = usize;

const REFLECT: Symmetry = 4;

/// Where each symmetry takes each square.
const IMAGE: [[u8; 64]; 8] = {
    let mut image = [[0; 64]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut square = 0;
        while square < 64 {
            let mut to = square;
            if symmetry & 1 != 0 {
                to ^= 7;
            }
            if symmetry & 2 != 0 {
                to ^= 56;
            }
            if symmetry & REFLECT != 0 {
                to = (to & 7) << 3 | to >> 3;
            }
            image[symmetry][square] = to as u8;
            square += 1;
        }
        symmetry += 1;
    }
    image
};

/// `CHOOSE[n][k]`: in how many ways k of n squares can be chosen.
const CHOOSE: [[u32; 4]; 65] = {
    let mut choose = [[0; 4]; 65];
    let mut n = 0;
    while n <= 64 {
        choose[n][0] = 1;
        let mut k = 1;
        while k < 4 && n > 0 {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// Tables are made for at most this many men, kings included.
pub const MOST_MEN: usize = 5;

/// The pairs of squares for two kings, up to symmetry.
struct Kings {
    /// Stronger and weaker king.
    pairs: Vec<(Square, Square)>,
    /// By both kings' squares: the number of the pair and the symmetry that takes it there.
    numbers: Vec<(u16, u8)>,
    /// From this number on, both kings stand on the long diagonal, so that reflecting in it
    /// changes only the other men.
    diagonal: usize,
}

/// Without pawns: 462 pairs.
static EIGHTFOLD: LazyLock<Kings> = LazyLock::new(|| Kings::new(0..8));

/// With pawns: 1,806 pairs.
static TWOFOLD: LazyLock<Kings> = LazyLock::new(|| Kings::new(0..2));

impl Kings {
    fn new(symmetries: Range<Symmetry>) -> Kings {
        let apart = |&(one, other): &(Square, Square)| one.distance(other) > 1;
        let all = || {
            Square::ALL
                .into_iter()
                .flat_map(|one| Square::ALL.map(|other| (one, other)))
        };
        let image = |(one, other): (Square, Square), symmetry: Symmetry| {
            (
                IMAGE[symmetry][one as usize],
                IMAGE[symmetry][other as usize],
            )
        };
        let canonical = |pair| {
            symmetries
                .clone()
                .map(|symmetry| (image(pair, symmetry), symmetry))
                .min()
        };
        let reflects = symmetries.len() > REFLECT;
        let on_diagonal =
            |&pair: &(Square, Square)| reflects && image(pair, 0) == image(pair, REFLECT);

        let mut pairs: Vec<(Square, Square)> = all()
            .filter(apart)
            .filter(|&pair| canonical(pair).is_some_and(|(least, _)| least == image(pair, 0)))
            .collect();
        pairs.sort_by_key(|pair| (on_diagonal(pair), *pair));
        let diagonal = pairs.partition_point(|pair| !on_diagonal(pair));
        let mut by_squares = vec![0; 64 * 64];
        for (number, &pair) in pairs.iter().enumerate() {
            by_squares[slot(pair)] = number as u16;
        }
        let numbers = all()
            .map(|pair| {
                let (one, other, symmetry) = canonical(pair)
                    .map_or((0, 0, 0), |((one, other), symmetry)| (one, other, symmetry));
                (
                    by_squares[usize::from(one) * 64 + usize::from(other)],
                    symmetry as u8,
                )
            })
            .collect();
        Kings {
            pairs,
            numbers,
            diagonal,
        }
    }
}

fn slot((one, other): (Square, Square)) -> usize {
    one as usize * 64 + other as usize
}

/// All men of one kind.
struct Group {
    piece: Piece,
    /// The first square where they can stand: a1, or a2 for pawns.
    first: u32,
    /// The sets of squares where they can stand, by number.
    boards: Vec<Bitboard>,
}

impl Group {
    fn new(piece: Piece, count: usize) -> Group {
        let (first, squares) = if piece.role == Role::Pawn {
            (8, 48)
        } else {
            (0, 64)
        };
        let mut boards = Vec::with_capacity(CHOOSE[squares][count] as usize);
        let mut set: u64 = (1 << count) - 1;
        for _ in 0..CHOOSE[squares][count] {
            boards.push(Bitboard(set << first));
            // The next larger number with as many bits.
            let lowest = set & set.wrapping_neg();
            let carried = set.wrapping_add(lowest);
            set = carried | ((set ^ carried) / lowest) >> 2;
        }
        Group {
            piece,
            first,
            boards,
        }
    }

    /// The number of the set of squares where the men of `position` stand after `symmetry`.
    #[inline]
    fn number(&self, position: &Position, symmetry: Symmetry) -> usize {
        let image = &IMAGE[symmetry];
        let men = position.pieces_of(self.piece.color, self.piece.role);
        if let Some(square) = men.single_square() {
            return (u32::from(image[square as usize]) - self.first) as usize;
        }
        let images: Bitboard = men
            .into_iter()
            .map(|square| Square::new(image[square as usize].into()))
            .collect();
        let number: u32 = images
            .into_iter()
            .zip(1..)
            .map(|(square, nth)| CHOOSE[(square as u32 - self.first) as usize][nth])
            .sum();
        number as usize
    }
}

/// A numbering of all positions of a class without castling rights and en passant squares,
/// with the stronger side as White and up to symmetry.
pub struct Indexing {
    kings: &'static Kings,
    groups: ArrayVec<Group, MOST_MEN>,
    /// Numbers for each side to move.
    per_side: usize,
}

impl Indexing {
    /// The numbering of `class`; `None` if it has more than [`MOST_MEN`] men.
    pub fn new(class: Class) -> Option<Indexing> {
        if class.men() > MOST_MEN {
            return None;
        }
        let kings = if class.has_pawns() {
            &TWOFOLD
        } else {
            &EIGHTFOLD
        };
        let groups: ArrayVec<Group, MOST_MEN> = Color::ALL
            .into_iter()
            .flat_map(|color| MEN.map(|role| Piece { color, role }))
            .filter_map(|piece| {
                let count = class.count(piece.color, piece.role);
                (count > 0).then(|| Group::new(piece, count))
            })
            .collect();
        let per_side = groups
            .iter()
            .fold(kings.pairs.len(), |size, group| size * group.boards.len());
        Some(Indexing {
            kings,
            groups,
            per_side,
        })
    }

    /// One more than the largest number. Some numbers belong to no position.
    pub fn size(&self) -> usize {
        2 * self.per_side
    }

    /// The number of `position`, which must be of the class, with the stronger side as White;
    /// symmetrical positions have the same number. Castling rights and the en passant square
    /// don't count.
    #[inline]
    pub fn number(&self, position: &Position) -> usize {
        let kings = (position.king(Color::White), position.king(Color::Black));
        let (pair, symmetry) = self.kings.numbers[slot(kings)];
        let (pair, symmetry) = (usize::from(pair), usize::from(symmetry));
        let number_by = |symmetry| {
            self.groups.iter().fold(pair, |number, group| {
                number * group.boards.len() + group.number(position, symmetry)
            })
        };
        let mut number = number_by(symmetry);
        if pair >= self.kings.diagonal {
            number = number.min(number_by(symmetry ^ REFLECT));
        }
        number + position.turn().fold_wb(0, self.per_side)
    }

    /// The position with this number; `None` if it is no position's: men share a square, the
    /// side not to move is in check, or the position has another number by symmetry.
    #[inline]
    pub fn position(&self, number: usize) -> Option<Position> {
        let turn = Color::from_white(number < self.per_side);
        let mut rest = number % self.per_side;
        let mut men = ArrayVec::<(Piece, Bitboard), { MOST_MEN }>::new();
        for group in self.groups.iter().rev() {
            let size = group.boards.len();
            men.push((group.piece, group.boards[rest % size]));
            rest /= size;
        }
        let (white, black) = self.kings.pairs[rest];
        men.push((
            Piece {
                color: Color::White,
                role: Role::King,
            },
            white.into(),
        ));
        men.push((
            Piece {
                color: Color::Black,
                role: Role::King,
            },
            black.into(),
        ));
        Position::from_pieces(men, turn)
            .filter(|position| rest < self.kings.diagonal || self.number(position) == number)
    }

    /// How many different positions the symmetries make of the one with this number.
    pub fn images(&self, position: &Position) -> u64 {
        let kings = (position.king(Color::White), position.king(Color::Black));
        let (pair, symmetry) = self.kings.numbers[slot(kings)];
        let symmetry = usize::from(symmetry);
        if self.kings.diagonal == self.kings.pairs.len() {
            return 2;
        }
        let is_its_own_reflection = usize::from(pair) >= self.kings.diagonal
            && self.groups.iter().all(|group| {
                group.number(position, symmetry) == group.number(position, symmetry ^ REFLECT)
            });
        if is_its_own_reflection { 4 } else { 8 }
    }
}
