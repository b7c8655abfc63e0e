//! Geometry of the board: what a man attacks from a square or from any of several, and what
//! kings reach.

use shakmaty::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks, rook_attacks,
};
use stillmate_core::{Bitboard, Color, Position, Role, Square};

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_AB: u64 = !0x0303_0303_0303_0303;
const NOT_H: u64 = !0x8080_8080_8080_8080;
const NOT_GH: u64 = !0xC0C0_C0C0_C0C0_C0C0;

/// With so few squares it's quicker to look each up than to shift all of them.
const FEW: usize = 4;

/// All squares that a man attacks from one of `squares` (for a pawn: its captures).
pub(crate) fn attacks_from_any(
    role: Role,
    color: Color,
    squares: Bitboard,
    occupied: Bitboard,
) -> Bitboard {
    if role != Role::Pawn && squares.count() <= FEW {
        let attacks = squares
            .into_iter()
            .map(|square| attacks_from(role, color, square, occupied));
        return attacks.fold(Bitboard::EMPTY, |all, attacks| all | attacks);
    }
    let (from, free) = (squares.0, !occupied.0);
    Bitboard(match role {
        Role::Pawn => match color {
            Color::White => (from << 9 & NOT_A) | (from << 7 & NOT_H),
            Color::Black => (from >> 7 & NOT_A) | (from >> 9 & NOT_H),
        },
        Role::Knight => knight(from),
        Role::Bishop => diagonal(from, free),
        Role::Rook => straight(from, free),
        Role::Queen => diagonal(from, free) | straight(from, free),
        Role::King => king(from),
    })
}

/// Squares that a man attacks from `square` (for a pawn: its captures).
pub(crate) fn attacks_from(
    role: Role,
    color: Color,
    square: Square,
    occupied: Bitboard,
) -> Bitboard {
    match role {
        Role::Pawn => pawn_attacks(color, square),
        Role::Knight => knight_attacks(square),
        Role::Bishop => bishop_attacks(square, occupied),
        Role::Rook => rook_attacks(square, occupied),
        Role::Queen => queen_attacks(square, occupied),
        Role::King => king_attacks(square),
    }
}

/// All squares that `color`'s men, without the king, attack, through the other king.
pub(crate) fn attacked(position: &Position, color: Color) -> Bitboard {
    let occupied = position.occupied().without(position.king(!color));
    let men = position.of(color);
    let queens = position.with_role(Role::Queen);
    let pawns = men & position.with_role(Role::Pawn);
    let mut all = attacks_from_any(Role::Pawn, color, pawns, occupied);
    for square in men & position.with_role(Role::Knight) {
        all |= knight_attacks(square);
    }
    for square in men & (position.with_role(Role::Bishop) | queens) {
        all |= bishop_attacks(square, occupied);
    }
    for square in men & (position.with_role(Role::Rook) | queens) {
        all |= rook_attacks(square, occupied);
    }
    all
}

/// The squares next to those of `squares`.
pub(crate) fn neighbours(squares: Bitboard) -> Bitboard {
    Bitboard(king(squares.0))
}

/// The squares of `squares` and all next to them.
pub(crate) fn dilate(squares: Bitboard) -> Bitboard {
    squares | neighbours(squares)
}

/// The squares of `start` and those that king moves over `open` squares lead to.
pub(crate) fn flood(start: Bitboard, open: Bitboard) -> Bitboard {
    let mut all = start;
    loop {
        let next = all | neighbours(all) & open;
        if next == all {
            return all;
        }
        all = next;
    }
}

const fn king(from: u64) -> u64 {
    let beside = (from << 1 & NOT_A) | (from >> 1 & NOT_H);
    let row = from | beside;
    beside | row << 8 | row >> 8
}

const fn knight(from: u64) -> u64 {
    let one = (from << 1 & NOT_A) | (from >> 1 & NOT_H);
    let two = (from << 2 & NOT_AB) | (from >> 2 & NOT_GH);
    one << 16 | one >> 16 | two << 8 | two >> 8
}

const fn straight(from: u64, free: u64) -> u64 {
    up::<8>(from, free, !0)
        | down::<8>(from, free, !0)
        | up::<1>(from, free, NOT_A)
        | down::<1>(from, free, NOT_H)
}

const fn diagonal(from: u64, free: u64) -> u64 {
    up::<9>(from, free, NOT_A)
        | down::<9>(from, free, NOT_H)
        | up::<7>(from, free, NOT_H)
        | down::<7>(from, free, NOT_A)
}

/// Along one direction over `free` squares and on to the next, in steps of one, two and four
/// squares at once; `on_board` are the squares that a step may lead to without leaving the
/// board at its edge.
const fn up<const STEP: u32>(mut from: u64, free: u64, on_board: u64) -> u64 {
    let mut free = free & on_board;
    from |= free & from << STEP;
    free &= free << STEP;
    from |= free & from << (2 * STEP);
    free &= free << (2 * STEP);
    from |= free & from << (4 * STEP);
    from << STEP & on_board
}

/// The same towards a1.
const fn down<const STEP: u32>(mut from: u64, free: u64, on_board: u64) -> u64 {
    let mut free = free & on_board;
    from |= free & from >> STEP;
    free &= free >> STEP;
    from |= free & from >> (2 * STEP);
    free &= free >> (2 * STEP);
    from |= free & from >> (4 * STEP);
    from >> STEP & on_board
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_at_once_is_the_same_as_one_by_one() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..20_000 {
            let sparse = rng.u64(..) & rng.u64(..);
            let squares = Bitboard(if rng.bool() {
                sparse & rng.u64(..)
            } else {
                sparse
            });
            let occupied = Bitboard(rng.u64(..) & rng.u64(..));
            for role in Role::ALL {
                for color in Color::ALL {
                    let one_by_one = squares.into_iter().fold(Bitboard::EMPTY, |all, square| {
                        all | attacks_from(role, color, square, occupied)
                    });
                    assert_eq!(
                        attacks_from_any(role, color, squares, occupied),
                        one_by_one,
                        "{role:?} on {squares:?} with {occupied:?}"
                    );
                }
            }
        }
    }
}
