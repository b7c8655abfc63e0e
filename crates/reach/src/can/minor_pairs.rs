//! Mates by two minor pieces that need none of Black's men, and which of them are nearest.
//!
//! With their king, two minor pieces mate on the edge only, and in few ways: all are generated
//! once. A *pattern* is the board one move before the mate. White's king and one piece, the
//! *guard*, are where they stay; the other piece, the *striker*, is where it can mate from; and
//! Black's king has just come to the *target* by one of the *entries*. White's men leave these
//! alone while they stand ready: else Black's king might be left waiting outside.
//!
//! The numbers are estimates: they steer, and prove nothing. White mates; callers mirror the
//! board.

use std::sync::LazyLock;

use arrayvec::ArrayVec;
use shakmaty::attacks::{bishop_attacks, king_attacks, knight_attacks};
use stillmate_core::{Bitboard, Color, File, Position, Role, Square};

use crate::{
    can::goal::{self, Cheapest, FAR, Goal, Moves, Placement},
    geometry::attacks_from,
};

/// Patterns that are kept of one position.
const MOST_GOALS: usize = 6;

/// Pieces that are thought of: more than there are but in freak positions.
const MOST_PIECES: usize = 6;

const MINORS: [Role; 2] = [Role::Knight, Role::Bishop];

#[derive(Clone, Copy, Debug)]
struct Pattern {
    white_king: Square,
    guard: Square,
    /// Where the striker can mate from.
    strike: Bitboard,
    entries: Bitboard,
}

/// The patterns with one target, by the places of guard and striker in [`MINORS`].
#[derive(Debug)]
struct Target {
    square: Square,
    patterns: [[Vec<Pattern>; 2]; 2],
}

static TARGETS: LazyLock<Vec<Target>> = LazyLock::new(|| {
    let edge = Bitboard::BACKRANKS | Bitboard::from_file(File::A) | Bitboard::from_file(File::H);
    let generate = |square| Target {
        square,
        patterns: MINORS.map(|guard| MINORS.map(|striker| generate(square, guard, striker))),
    };
    edge.into_iter().map(generate).collect()
});

fn generate(target: Square, guard: Role, striker: Role) -> Vec<Pattern> {
    let ring = king_attacks(target);
    let near = ring
        .into_iter()
        .fold(Bitboard::EMPTY, |all, square| all | king_attacks(square));
    let mut patterns = Vec::new();
    for white_king in near & !ring.with(target) {
        let kings = Bitboard::from_square(white_king).with(target);
        for placement in !kings {
            let checks = attacks_from(guard, Color::White, placement, kings);
            if !checks.contains(target) {
                let still = Still {
                    target,
                    white_king,
                    guard: (guard, placement),
                };
                patterns.extend(still.complete(striker));
            }
        }
    }
    patterns
}

/// A pattern without its striker.
struct Still {
    target: Square,
    white_king: Square,
    guard: (Role, Square),
}

impl Still {
    /// The pattern with every place from which a striker of this role mates, if there is one.
    fn complete(&self, striker: Role) -> Option<Pattern> {
        let ring = king_attacks(self.target);
        let ready = Bitboard::from_square(self.white_king)
            .with(self.guard.1)
            .with(self.target);
        let strikes = |from, men| attacks_from(striker, Color::White, from, men);
        let mut pattern = Pattern {
            white_king: self.white_king,
            guard: self.guard.1,
            strike: Bitboard::EMPTY,
            entries: Bitboard::EMPTY,
        };
        for check in strikes(self.target, ready) & !ready {
            if !ring.is_subset(self.held(striker, check)) {
                continue;
            }
            let before = strikes(check, ready) & !ready;
            for from in before & !strikes(self.target, ready) {
                let entries = ring & !ready.with(from) & !self.held(striker, from);
                if entries.any() {
                    pattern.strike |= from;
                    pattern.entries |= entries;
                }
            }
        }
        pattern.strike.any().then_some(pattern)
    }

    /// What White attacks with the striker on `square`, through Black's king.
    fn held(&self, striker: Role, square: Square) -> Bitboard {
        let (role, guard) = self.guard;
        let men = Bitboard::from_square(self.white_king)
            .with(guard)
            .with(square);
        king_attacks(self.white_king)
            | attacks_from(role, Color::White, guard, men)
            | attacks_from(striker, Color::White, square, men)
    }
}

/// The squares that minor pieces of a kind reach with 0, 1, 2, … moves, on an empty board.
struct Reach(ArrayVec<Bitboard, 7>);

impl Reach {
    fn new(role: Role, from: Bitboard) -> Reach {
        let mut rings = ArrayVec::new();
        let (mut ring, mut left) = (from, !from);
        while ring.any() && !rings.is_full() {
            rings.push(ring);
            let next = ring.into_iter().fold(Bitboard::EMPTY, |all, square| {
                all | match role {
                    Role::Knight => knight_attacks(square),
                    _ => bishop_attacks(square, Bitboard::EMPTY),
                }
            });
            ring = next & left;
            left &= !ring;
        }
        Reach(rings)
    }

    fn moves(&self, goals: Bitboard) -> u32 {
        let moves = self.0.iter().position(|ring| ring.intersects(goals));
        moves.map_or(u32::from(FAR), |moves| moves as u32)
    }

    fn table(&self) -> Moves {
        let mut table = [FAR; 64];
        for (ring, moves) in self.0.iter().zip(0..) {
            for square in *ring {
                table[usize::from(square)] = moves;
            }
        }
        table
    }
}

/// Moves of Black's king to a target by one of `entries`. It can't wait on the target: it has to
/// leave and come again.
fn way_in(from: Square, entries: Bitboard) -> u32 {
    let ways = entries.into_iter().map(|entry| from.distance(entry));
    1 + ways.min().unwrap_or(0)
}

/// One of White's pieces.
struct Piece {
    /// Its place in [`MINORS`].
    kind: usize,
    square: Square,
    reach: Reach,
}

/// A pattern with the pieces that are to be its guard and striker.
#[derive(Clone, Copy)]
struct Sketch {
    target: Square,
    pieces: [(Role, Square); 2],
    pattern: Pattern,
}

impl Sketch {
    fn goal(&self, kings: [Square; 2]) -> Goal {
        let [guard, striker] = self.pieces;
        let Pattern {
            white_king,
            guard: stays,
            strike,
            entries,
        } = self.pattern;
        let mut home = Square::ALL.map(|from| way_in(from, entries) as u8);
        home[usize::from(self.target)] = 0;
        Goal {
            placement: Placement {
                men: [kings[0], striker.1, kings[1], guard.1],
                promoted: false,
            },
            moves: [
                Square::ALL.map(|from| from.distance(white_king) as u8),
                Reach::new(striker.0, strike).table(),
                home,
                Reach::new(guard.0, stays.into()).table(),
            ],
            fourth: Color::White,
            promotion: None,
            last: (2, self.target),
        }
    }
}

/// The patterns that a position is nearest to, the nearest first.
pub(crate) fn goals(position: &Position) -> impl Iterator<Item = Goal> {
    let kings = Color::ALL.map(|color| position.king(color));
    let pieces: ArrayVec<Piece, MOST_PIECES> = (0..MINORS.len())
        .flat_map(|kind| {
            let men = position.pieces_of(Color::White, MINORS[kind]).into_iter();
            men.map(move |square| Piece {
                kind,
                square,
                reach: Reach::new(MINORS[kind], square.into()),
            })
        })
        .take(MOST_PIECES)
        .collect();
    let mut nearest = Nearest {
        turn: position.turn(),
        kings,
        best: Cheapest::new(),
    };
    for target in TARGETS.iter() {
        for guard in &pieces {
            for striker in &pieces {
                if guard.square != striker.square {
                    nearest.offer(target, guard, striker);
                }
            }
        }
    }
    let best = nearest.best.in_order();
    best.map(move |sketch| sketch.goal(kings))
}

/// The nearest patterns so far.
struct Nearest {
    turn: Color,
    kings: [Square; 2],
    best: Cheapest<Sketch, MOST_GOALS>,
}

impl Nearest {
    /// Offers all patterns of one target with these pieces.
    fn offer(&mut self, target: &Target, guard: &Piece, striker: &Piece) {
        let [white_king, black_king] = self.kings;
        let home = target.square.distance(black_king);
        if goal::cost(self.turn, 0, home) >= self.best.bound() {
            return;
        }
        for &pattern in &target.patterns[guard.kind][striker.kind] {
            let walk = pattern.white_king.distance(white_king);
            let walk = walk + guard.reach.moves(pattern.guard.into());
            if goal::cost(self.turn, walk, home) >= self.best.bound() {
                continue;
            }
            let white = walk + striker.reach.moves(pattern.strike);
            let black = way_in(black_king, pattern.entries);
            let sketch = Sketch {
                target: target.square,
                pieces: [guard, striker].map(|man| (MINORS[man.kind], man.square)),
                pattern,
            };
            self.best.keep(goal::cost(self.turn, white, black), sketch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The board of a pattern with Black's king and the striker where they are put.
    fn board(
        pattern: &Pattern,
        roles: [Role; 2],
        king: Square,
        striker: Square,
        turn: Color,
    ) -> Position {
        let men = [
            (Color::White.king(), pattern.white_king),
            (roles[0].of(Color::White), pattern.guard),
            (roles[1].of(Color::White), striker),
            (Color::Black.king(), king),
        ];
        Position::from_pieces(men.map(|(man, square)| (man, square.into())), turn)
            .expect("a position")
    }

    fn mates(position: &Position) -> bool {
        position.legal_moves().iter().any(|&m| {
            let next = position.after(m);
            next.checkers().any() && !next.has_legal_move()
        })
    }

    #[test]
    fn every_picture_is_a_move_before_mate_and_can_be_entered() {
        let mut strikes = 0;
        for target in TARGETS.iter() {
            for (guard, by_striker) in MINORS.into_iter().zip(&target.patterns) {
                for (striker, patterns) in MINORS.into_iter().zip(by_striker) {
                    for pattern in patterns {
                        let roles = [guard, striker];
                        for from in pattern.strike {
                            let board = |king, turn| board(pattern, roles, king, from, turn);
                            assert!(mates(&board(target.square, Color::White)), "{pattern:?}");
                            let enters = |&entry: &Square| {
                                entry != from && {
                                    let before = board(entry, Color::Black);
                                    let moves = before.legal_moves();
                                    before.checkers().is_empty()
                                        && moves.iter().any(|m| m.to() == target.square)
                                }
                            };
                            let mut entries = pattern.entries.into_iter();
                            assert!(entries.any(|entry| enters(&entry)), "{pattern:?}");
                            strikes += 1;
                        }
                    }
                }
            }
        }
        assert!(strikes > 0);
    }

    #[test]
    fn every_pair_has_pictures_and_symmetrical_squares_have_as_many() {
        for (guard, striker) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let count = |square: Square| {
                let target = TARGETS.iter().find(|target| target.square == square);
                target.expect("on the edge").patterns[guard][striker].len()
            };
            let mut all = 0;
            for square in Bitboard::from_rank(stillmate_core::Rank::First) {
                let images = [square, square.flip_vertical(), square.flip_diagonal()].map(count);
                assert_eq!(images, [images[0]; 3], "{square}");
                all += images[0];
            }
            // A knight that mates beside a waiting bishop leaves Black's king no way in.
            assert_eq!(all == 0, (guard, striker) == (1, 0));
        }
    }

    #[test]
    fn the_nearest_picture_comes_first_and_bishops_of_one_colour_have_none() {
        let costs = |fen: &str| -> Vec<u32> {
            let position = Position::from_fen(fen).unwrap();
            let cost = |goal: Goal| goal.cost(position.turn(), &goal.placement);
            goals(&position).map(cost).collect()
        };
        let near = costs("7k/8/5K2/5B2/5B2/8/8/8 w - -");
        let far = costs("7k/8/8/8/8/8/8/KB4B1 w - -");
        assert!(near[0] < far[0], "{near:?} {far:?}");
        assert!(costs("8/8/8/3k4/8/4B3/5B2/K7 w - -").is_empty());
    }
}
