//! Where rooks and queens get to from many squares at once.
//!
//! Sets are filled in all directions by parallel prefix steps, the method of Kogge and Stone
//! that the chess programming wiki describes for bitboards: the time doesn't depend on how
//! many squares there are.

use stillmate_core::{Bitboard, File};

/// Squares that rooks on `from` see through `empty` squares.
pub(crate) fn rook(from: Bitboard, empty: Bitboard) -> Bitboard {
    slide(from, empty, 8, Bitboard::EMPTY)
        | slide(from, empty, -8, Bitboard::EMPTY)
        | slide(from, empty, 1, Bitboard::from_file(File::A))
        | slide(from, empty, -1, Bitboard::from_file(File::H))
}

/// Squares that queens on `from` see through `empty` squares.
pub(crate) fn queen(from: Bitboard, empty: Bitboard) -> Bitboard {
    rook(from, empty)
        | slide(from, empty, 9, Bitboard::from_file(File::A))
        | slide(from, empty, -7, Bitboard::from_file(File::A))
        | slide(from, empty, 7, Bitboard::from_file(File::H))
        | slide(from, empty, -9, Bitboard::from_file(File::H))
}

/// Squares seen in one direction, whose steps never arrive on the file `edge`.
#[inline]
fn slide(from: Bitboard, empty: Bitboard, step: i32, edge: Bitboard) -> Bitboard {
    let mut all = from;
    let mut way = empty & !edge;
    all |= way & all.shift(step);
    way &= way.shift(step);
    all |= way & all.shift(2 * step);
    way &= way.shift(2 * step);
    all |= way & all.shift(4 * step);
    all.shift(step) & !edge
}

#[cfg(test)]
mod tests {
    use shakmaty::attacks::{queen_attacks, rook_attacks};
    use stillmate_core::Square;

    use super::*;

    #[test]
    fn one_square_sees_what_a_man_on_it_sees() {
        let mut noise = 7_u64;
        for square in Square::ALL {
            for _ in 0..100 {
                noise = noise
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let occupied = Bitboard(noise & noise.rotate_left(23));
                let from = square.into();
                assert_eq!(rook(from, !occupied), rook_attacks(square, occupied));
                assert_eq!(queen(from, !occupied), queen_attacks(square, occupied));
            }
        }
    }

    #[test]
    fn many_squares_see_what_each_of_them_sees() {
        let occupied = Bitboard(0x0042_1800_2418_0081);
        let from = Bitboard(0x0000_8001_0000_4200);
        let each = |all, square| all | queen_attacks(square, occupied);
        assert_eq!(
            queen(from, !occupied),
            from.into_iter().fold(Bitboard::EMPTY, each)
        );
    }
}
