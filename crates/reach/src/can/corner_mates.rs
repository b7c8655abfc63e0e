//! Mates by a lone knight or bishop, as goals for a search.
//!
//! A single minor piece mates only in a corner, with its king near by and a man of Black's in
//! the king's own way. Those patterns are few: they are enumerated once, by the rules
//! themselves, and a position is as far from mate as the cheapest pattern is from complete.
//! The numbers are estimates: they steer, and prove nothing.
//!
//! White mates; callers mirror the board.

use std::sync::LazyLock;

use shakmaty::{
    Board, CastlingMode, Chess, FromSetup, Position as _, Setup,
    attacks::{bishop_attacks, king_attacks, knight_attacks, rook_attacks},
};
use stillmate_core::{Bitboard, Color, Position, Rank, Role, Square};

use crate::can::goal::{Cheapest, Goal, Moves, Placement};

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

/// Patterns that are kept of one position for each of its minor pieces.
const MOST_GOALS: usize = 6;

/// A pattern of a mate in a corner.
#[derive(Clone, Copy, Debug)]
struct Pattern {
    white_king: Square,
    /// Moves of the minor piece from each square to where it can mate from.
    moves: [u8; 64],
    /// The square of the man in the way, as a place in [`Corner::ways`].
    way: usize,
    /// Whether each of [`KINDS`] will do.
    kinds: [bool; 5],
}

/// The patterns with Black's king in one corner.
#[derive(Debug)]
struct Corner {
    king: Square,
    ways: [Square; 3],
    knight: Vec<Pattern>,
    bishop: Vec<Pattern>,
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
                            // From these squares it would be giving check already.
                            let before = before & !occupied & !strikes;
                            if before.is_empty() {
                                continue;
                            }
                            let moves = Square::ALL.map(|from| moves_to(minor, from, before));
                            let pattern = Pattern {
                                white_king,
                                moves,
                                way,
                                kinds,
                            };
                            let patterns = match minor {
                                Role::Knight => &mut corner.knight,
                                _ => &mut corner.bishop,
                            };
                            add(patterns, pattern);
                        }
                    }
                }
            }
        }
        corner
    }
}

/// Adds a pattern; one that differs from another only in where the minor piece mates from is
/// the same pattern with more ways to it.
fn add(patterns: &mut Vec<Pattern>, pattern: Pattern) {
    let alike = |other: &&mut Pattern| {
        (other.white_king, other.way, other.kinds)
            == (pattern.white_king, pattern.way, pattern.kinds)
    };
    match patterns.iter_mut().find(alike) {
        Some(other) => {
            for (moves, more) in other.moves.iter_mut().zip(pattern.moves) {
                *moves = more.min(*moves);
            }
        }
        None => patterns.push(pattern),
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

/// A pattern as the goal of a position: what has to come where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CornerMate {
    /// An estimate in quarter moves.
    pub(crate) cost: u32,
    pub(crate) corner: Square,
    pub(crate) white_king: Square,
    /// Moves of the minor piece from each square to where it can mate from.
    pub(crate) moves: &'static [u8; 64],
    /// Where a black man has to stand in its king's way.
    pub(crate) way: Square,
    /// The man that is to stand there; a pawn may have to promote first.
    pub(crate) blocker: Square,
    /// Whether it has to promote.
    promotes: bool,
    /// Which of [`KINDS`] will do.
    kinds: [bool; 5],
}

/// The nearest patterns of a position in which White has a lone minor piece. `home` and `walk`
/// are the moves that Black's and White's king need to a square.
fn cheapest<const N: usize>(
    position: &Position,
    (minor, square): (Role, Square),
    home: impl Fn(Square) -> Option<usize>,
    walk: impl Fn(Square) -> Option<usize>,
) -> Cheapest<CornerMate, N> {
    // The side that is ahead waits for free.
    let cost = |white: u32, black: u32| 4 * white.max(black) + white.min(black);
    let men = Blockers::new(position);
    let mut best = Cheapest::new();
    let mut corners: [(u32, &Corner); 4] = std::array::from_fn(|i| {
        let corner = &CORNERS[i];
        let moves = home(corner.king).map_or(NEVER, |moves| moves as u32);
        (moves, corner)
    });
    corners.sort_by_key(|&(home, _)| home);
    for (home, corner) in corners {
        if home >= NEVER || cost(0, home) >= best.bound() {
            break;
        }
        let patterns = if minor == Role::Knight {
            &corner.knight
        } else {
            &corner.bishop
        };
        let mut ways = [None; 3];
        for pattern in patterns {
            let moves = u32::from(pattern.moves[usize::from(square)]);
            let Some(walk) = walk(pattern.white_king) else {
                continue;
            };
            let white = walk as u32 + moves;
            if moves >= NEVER || cost(white, home) >= best.bound() {
                continue;
            }
            let way = corner.ways[pattern.way];
            let men = ways[pattern.way].get_or_insert_with(|| men.moves(way));
            let fits = pattern.kinds.iter().zip(men).filter(|(fits, _)| **fits);
            let Some((moves, man)) = fits.map(|(_, man)| *man).min_by_key(|man| man.0) else {
                continue;
            };
            let cost = cost(white, home + moves);
            if moves < NEVER {
                let goal = CornerMate {
                    cost,
                    corner: corner.king,
                    white_king: pattern.white_king,
                    moves: &pattern.moves,
                    way,
                    blocker: man.square,
                    promotes: man.promotes,
                    kinds: pattern.kinds,
                };
                best.keep(cost, goal);
            }
        }
    }
    best
}

/// The nearest patterns by distances on an empty board.
fn at_a_glance<const N: usize>(
    position: &Position,
    minor: (Role, Square),
) -> Cheapest<CornerMate, N> {
    let white = position.king(Color::White);
    let black = position.king(Color::Black);
    cheapest(
        position,
        minor,
        |square| Some(black.distance(square) as usize),
        |square| Some(white.distance(square) as usize),
    )
}

/// How far a position in which White has a lone minor piece is from mate, in quarter moves.
pub(crate) fn estimate(position: &Position, minor: (Role, Square)) -> u32 {
    let mut goals = at_a_glance::<1>(position, minor).in_order();
    goals.next().map_or(8 * NEVER, |goal| goal.cost)
}

/// The patterns that a minor piece is nearest to, the nearest first.
pub(crate) fn goals(position: &Position, minor: (Role, Square)) -> impl Iterator<Item = Goal> {
    let goals = at_a_glance::<MOST_GOALS>(position, minor).in_order();
    goals.map(move |goal| goal.goal(position, minor.1))
}

impl CornerMate {
    /// What it asks of the men of `position`, of which `minor` is the piece that mates.
    fn goal(&self, position: &Position, minor: Square) -> Goal {
        let to = |goal: Square| Square::ALL.map(|from| from.distance(goal) as u8);
        let blocker = position.role_at(self.blocker).unwrap_or(Role::Pawn);
        let (moves, promotion) = if self.promotes {
            self.promotion()
        } else {
            (self.blocking(blocker), None)
        };
        Goal {
            placement: Placement {
                men: [
                    position.king(Color::White),
                    minor,
                    position.king(Color::Black),
                    self.blocker,
                ],
                promoted: false,
            },
            moves: [to(self.white_king), *self.moves, to(self.corner), moves],
            fourth: Color::Black,
            promotion,
            // If White were ready before, Black's king would be shut in without a move.
            last: (3, self.way),
        }
    }

    /// Moves of a black man of this role to the square that it is to block.
    fn blocking(&self, role: Role) -> Moves {
        let kind = KINDS.iter().position(|&kind| kind == role).unwrap_or(0);
        Square::ALL.map(|from| to_way(kind, from, self.way) as u8)
    }

    /// The moves that a pawn needs before and after it promotes, and what it becomes.
    fn promotion(&self) -> (Moves, Option<(Role, Moves)>) {
        let last = |pawn: Square| Square::from_coords(pawn.file(), Rank::First);
        let officers = KINDS.into_iter().zip(self.kinds).skip(1);
        let fits = officers.filter(|(_, fits)| *fits).map(|(role, _)| role);
        let soonest = fits.min_by_key(|&role| self.blocking(role)[usize::from(last(self.blocker))]);
        let role = soonest.unwrap_or(Role::Queen);
        let after = self.blocking(role);
        let before = Square::ALL.map(|pawn| u8::from(pawn.rank()) + after[usize::from(last(pawn))]);
        (before, Some((role, after)))
    }
}

/// Moves of a black man of a kind from one square to another on an empty board.
fn to_way(kind: usize, from: Square, way: Square) -> u32 {
    u32::from(STEPS[kind][usize::from(from)][usize::from(way)])
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

/// A man that may come to stand in its king's way.
#[derive(Clone, Copy)]
struct Man {
    square: Square,
    promotes: bool,
}

/// Black's men that may come to stand in their king's way.
struct Blockers<'a> {
    position: &'a Position,
    /// The pawn that promotes soonest: where it is, its last square, its moves to get there.
    promotion: Option<(Square, Square, u32)>,
}

impl<'a> Blockers<'a> {
    fn new(position: &'a Position) -> Blockers<'a> {
        let occupied = position.occupied();
        let pawns = position.pieces_of(Color::Black, Role::Pawn);
        let promotion = pawns
            .into_iter()
            .map(|pawn| {
                let below = Bitboard((1_u64 << u32::from(pawn)) - 1);
                let way = below & Bitboard::from_file(pawn.file());
                let obstacles = (way & occupied).count() as u32;
                let last = Square::from_coords(pawn.file(), stillmate_core::Rank::First);
                (pawn, last, u32::from(pawn.rank()) + 2 * obstacles)
            })
            .min_by_key(|&(_, _, moves)| moves);
        Blockers {
            position,
            promotion,
        }
    }

    /// Moves until a man of each of [`KINDS`] stands on `square`, and which.
    fn moves(&self, square: Square) -> [(u32, Man); 5] {
        std::array::from_fn(|kind| {
            let own = self.position.pieces_of(Color::Black, KINDS[kind]);
            let own = own.into_iter().map(|from| {
                let man = Man {
                    square: from,
                    promotes: false,
                };
                (to_way(kind, from, square), man)
            });
            let promotion =
                self.promotion
                    .filter(|_| KINDS[kind] != Role::Pawn)
                    .map(|(pawn, last, moves)| {
                        let man = Man {
                            square: pawn,
                            promotes: true,
                        };
                        (moves + to_way(kind, last, square), man)
                    });
            let nobody = Man {
                square,
                promotes: false,
            };
            own.chain(promotion)
                .min_by_key(|man| man.0)
                .unwrap_or((NEVER, nobody))
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
        estimate(&position, lone_minor(&position).unwrap())
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
