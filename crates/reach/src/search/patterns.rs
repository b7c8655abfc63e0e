//! Mates by a lone knight or bishop, as goals for a search.
//!
//! A single minor piece mates only in a corner, with its king near by and a man of Black's in
//! the king's own way. Those pictures are few: they are enumerated once, by the rules
//! themselves, and a position is as far from mate as the cheapest picture is from complete.
//! The numbers are estimates: they steer, and prove nothing.
//!
//! White mates; callers mirror the board.

use std::sync::LazyLock;

use shakmaty::{
    Board, CastlingMode, Chess, FromSetup, Position as _, Setup,
    attacks::{bishop_attacks, king_attacks, knight_attacks, rook_attacks},
};
use stillmate_core::{Bitboard, Color, Position, Role, Square};

/// Kinds of men that can stand in their own king's way.
const KINDS: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// Estimate of what can't be had at all.
const NEVER: u32 = 60;

/// A picture of a mate in a corner.
#[derive(Clone, Copy, Debug)]
struct Picture {
    white_king: Square,
    /// Moves of the minor piece from each square to where it can mate from.
    moves: [u8; 64],
    /// The square of the man in the way, as a place in [`Corner::ways`].
    way: usize,
    /// Whether each of [`KINDS`] will do.
    kinds: [bool; 5],
}

/// The pictures with Black's king in one corner.
#[derive(Debug)]
struct Corner {
    king: Square,
    ways: [Square; 3],
    knight: Vec<Picture>,
    bishop: Vec<Picture>,
}

static CORNERS: LazyLock<Vec<Corner>> = LazyLock::new(|| {
    Bitboard::CORNERS
        .into_iter()
        .map(Corner::enumerate)
        .collect()
});

/// King, minor and blocker as the whole board: is it mate?
fn is_mate(men: &[(Square, Color, Role)]) -> bool {
    let mut board = Board::empty();
    for &(square, color, role) in men {
        if board.piece_at(square).is_some() {
            return false;
        }
        board.set_piece_at(square, role.of(color));
    }
    let mut setup = Setup::empty();
    setup.board = board;
    setup.turn = Color::Black;
    Chess::from_setup(setup, CastlingMode::Standard).is_ok_and(|chess| chess.is_checkmate())
}

impl Corner {
    fn enumerate(king: Square) -> Corner {
        let ring = king_attacks(king);
        let near = ring
            .into_iter()
            .fold(Bitboard::EMPTY, |all, sq| all | king_attacks(sq));
        let mut squares = ring.into_iter();
        let ways = [(); 3].map(|()| squares.next().expect("a corner has three neighbours"));
        let mut corner = Corner {
            king,
            ways,
            knight: Vec::new(),
            bishop: Vec::new(),
        };
        for minor in [Role::Knight, Role::Bishop] {
            let strikes = match minor {
                Role::Knight => knight_attacks(king),
                _ => bishop_attacks(king, Bitboard::EMPTY),
            };
            for white_king in near & !ring.with(king) {
                for strike in strikes.without(white_king) {
                    for (way, &square) in ways.iter().enumerate() {
                        let kinds = KINDS.map(|role| {
                            is_mate(&[
                                (king, Color::Black, Role::King),
                                (white_king, Color::White, Role::King),
                                (strike, Color::White, minor),
                                (square, Color::Black, role),
                            ])
                        });
                        if kinds.contains(&true) {
                            let occupied = Bitboard::EMPTY.with(king).with(white_king).with(square);
                            let before = match minor {
                                Role::Knight => knight_attacks(strike),
                                _ => bishop_attacks(strike, occupied),
                            };
                            let before = before & !occupied;
                            let moves = Square::ALL.map(|from| moves_to(minor, from, before));
                            let picture = Picture {
                                white_king,
                                moves,
                                way,
                                kinds,
                            };
                            let pictures = match minor {
                                Role::Knight => &mut corner.knight,
                                _ => &mut corner.bishop,
                            };
                            add(pictures, picture);
                        }
                    }
                }
            }
        }
        corner
    }
}

/// Adds a picture; one that differs from another only in where the minor piece mates from is
/// the same picture with more ways to it.
fn add(pictures: &mut Vec<Picture>, picture: Picture) {
    let alike = |other: &&mut Picture| {
        (other.white_king, other.way, other.kinds)
            == (picture.white_king, picture.way, picture.kinds)
    };
    match pictures.iter_mut().find(alike) {
        Some(other) => {
            for (moves, more) in other.moves.iter_mut().zip(picture.moves) {
                *moves = more.min(*moves);
            }
        }
        None => pictures.push(picture),
    }
}

/// The lone minor piece that White has beside its king, if that is all it has.
pub(crate) fn lone_minor(position: &Position) -> Option<(Role, Square)> {
    let white = position.of(Color::White);
    if white.count() != 2 {
        return None;
    }
    let square = white.without(position.king(Color::White)).first()?;
    let role = position.role_at(square)?;
    matches!(role, Role::Knight | Role::Bishop).then_some((role, square))
}

/// How far a position in which White has a lone minor piece is from mate, in quarter moves.
pub(crate) fn estimate(position: &Position, minor: Role, square: Square) -> u32 {
    // The side that is ahead waits for free.
    let cost = |white: u32, black: u32| 4 * white.max(black) + white.min(black);
    let white_king = position.king(Color::White);
    let black_king = position.king(Color::Black);
    let men = Blockers::new(position);
    let mut best = 8 * NEVER;
    let mut corners: [&Corner; 4] = std::array::from_fn(|i| &CORNERS[i]);
    corners.sort_by_key(|corner| black_king.distance(corner.king));
    for corner in corners {
        let home = black_king.distance(corner.king);
        if cost(0, home) >= best {
            break;
        }
        let pictures = if minor == Role::Knight {
            &corner.knight
        } else {
            &corner.bishop
        };
        let mut ways = [None; 3];
        for picture in pictures {
            let white = white_king.distance(picture.white_king)
                + u32::from(picture.moves[usize::from(square)]);
            if cost(white, home) >= best {
                continue;
            }
            let moves =
                ways[picture.way].get_or_insert_with(|| men.moves(corner.ways[picture.way]));
            let fits = picture.kinds.iter().zip(moves).filter(|(fits, _)| **fits);
            let blocker = fits.map(|(_, moves)| *moves).min().unwrap_or(NEVER);
            best = best.min(cost(white, home + blocker));
        }
    }
    best
}

/// Moves of a minor piece to the nearest of `goals`, on an empty board.
fn moves_to(minor: Role, from: Square, goals: Bitboard) -> u8 {
    if goals.contains(from) {
        return 0;
    }
    if minor == Role::Bishop {
        return if bishop_attacks(from, Bitboard::EMPTY).intersects(goals) {
            1
        } else if goals.intersects(Bitboard::LIGHT_SQUARES) == from.is_light() {
            2
        } else {
            NEVER as u8
        };
    }
    let mut reached = Bitboard::from_square(from);
    for moves in 1..6 {
        reached = reached
            .into_iter()
            .fold(reached, |all, sq| all | knight_attacks(sq));
        if reached.intersects(goals) {
            return moves;
        }
    }
    6
}

/// Black's men that may come to stand in their king's way.
struct Blockers<'a> {
    position: &'a Position,
    /// The pawn that promotes soonest: its last square and its moves to get there.
    promotion: Option<(Square, u32)>,
}

impl<'a> Blockers<'a> {
    fn new(position: &'a Position) -> Blockers<'a> {
        let occupied = position.occupied();
        let pawns = position.men_of(Color::Black, Role::Pawn);
        let promotion = pawns
            .into_iter()
            .map(|pawn| {
                let below = Bitboard((1_u64 << u32::from(pawn)) - 1);
                let way = below & Bitboard::from_file(pawn.file());
                let obstacles = (way & occupied).count() as u32;
                let last = Square::from_coords(pawn.file(), stillmate_core::Rank::First);
                (last, u32::from(pawn.rank()) + 2 * obstacles)
            })
            .min_by_key(|&(_, moves)| moves);
        Blockers {
            position,
            promotion,
        }
    }

    /// Moves until a man of each of [`KINDS`] stands on `square`.
    fn moves(&self, square: Square) -> [u32; 5] {
        std::array::from_fn(|kind| {
            let steps = |from| u32::from(STEPS[kind][usize::from(from)][usize::from(square)]);
            let own = self.position.men_of(Color::Black, KINDS[kind]);
            let near = own.into_iter().map(steps).min().unwrap_or(NEVER);
            match self.promotion {
                Some((last, moves)) if KINDS[kind] != Role::Pawn => near.min(moves + steps(last)),
                _ => near,
            }
        })
    }
}

/// Moves of a black man of each of [`KINDS`] from one square to another on an empty board.
static STEPS: LazyLock<[[[u8; 64]; 64]; 5]> = LazyLock::new(|| {
    KINDS.map(|kind| Square::ALL.map(|from| Square::ALL.map(|to| steps(kind, from, to))))
});

fn steps(kind: Role, from: Square, to: Square) -> u8 {
    if from == to {
        return 0;
    }
    let sees = |attacks: Bitboard| attacks.contains(to);
    match kind {
        Role::Pawn => {
            if from.file() == to.file() && from.rank() > to.rank() {
                (u32::from(from.rank()) - u32::from(to.rank())) as u8
            } else {
                NEVER as u8
            }
        }
        Role::Knight | Role::Bishop => moves_to(kind, from, to.into()),
        Role::Rook => 2 - u8::from(sees(rook_attacks(from, Bitboard::EMPTY))),
        Role::Queen | Role::King => {
            let lines = rook_attacks(from, Bitboard::EMPTY) | bishop_attacks(from, Bitboard::EMPTY);
            2 - u8::from(sees(lines))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate_of(fen: &str) -> u32 {
        let position = Position::from_fen(fen).unwrap();
        let (role, square) = lone_minor(&position).unwrap();
        estimate(&position, role, square)
    }

    #[test]
    fn every_corner_has_pictures_of_both_kinds() {
        for corner in CORNERS.iter() {
            assert!(!corner.knight.is_empty() && !corner.bishop.is_empty());
        }
    }

    #[test]
    fn a_mate_in_one_is_near_and_a_bare_blockade_is_far() {
        let near = estimate_of("k1K5/p7/8/1N6/8/8/8/8 w - -");
        assert_eq!(near, 0);
        assert!(estimate_of("8/8/4k3/8/3p4/8/8/KN6 w - -") > 20);
    }
}
