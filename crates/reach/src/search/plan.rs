//! Plans: where Black's king could be mated, and what has to come there.
//!
//! A plan is a picture of the mate: Black's king on a *target* square at the edge, a queen
//! beside it on the *contact* square, guarded (or a rook on the edge with the kings in
//! opposition), and how many moves each side needs to get there as the men stand now. The
//! numbers are estimates: they order the attempts and steer the moves, and prove nothing.
//!
//! White mates; callers mirror the board.

use arrayvec::ArrayVec;
use shakmaty::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks, rook_attacks,
};
use stillmate_core::{Bitboard, Color, File, Position, Rank, Role, Square};

/// Distance of a square that can't be reached.
pub(crate) const FAR: u8 = 100;

/// Number of king moves from each square to the nearest goal; [`FAR`] where there is no way.
pub(crate) type Distances = [u8; 64];

/// The man that is to mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Striker {
    /// A queen, on the board or to come from the pawn.
    Queen,
    /// A rook, with the kings in opposition.
    Rook,
    /// Minor pieces, with the king close by.
    Minor,
}

/// A picture of the mate and the way there.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) striker: Striker,
    /// Where Black's king is to stand.
    pub(crate) target: Square,
    /// Where the queen is to mate from (for other strikers: the square opposite the target).
    pub(crate) contact: Square,
    /// Moves of Black's king to the target.
    pub(crate) black: Distances,
    /// Moves of White's king to where it helps; all zero when another man helps already.
    pub(crate) white: Distances,
    /// The pawn that is to become the queen, while there is none.
    pub(crate) runner: Option<Square>,
}

/// A plan before its distances are spelled out.
#[derive(Clone, Copy, Debug)]
struct Sketch {
    cost: u32,
    target: Square,
    contact: Square,
    guarded: bool,
}

/// Most plans that are kept.
const MOST_PLANS: usize = 8;

/// The cheapest plans for White, best first.
pub(crate) fn plans(position: &Position) -> ArrayVec<Plan, MOST_PLANS> {
    let view = View::new(position);
    let mut sketches: ArrayVec<Sketch, 128> = ArrayVec::new();
    for target in EDGE {
        if view.black[usize::from(target)] >= FAR {
            continue;
        }
        for contact in contacts(target) {
            if let Some(sketch) = view.sketch(target, contact) {
                let _ = sketches.try_push(sketch);
            }
        }
    }
    sketches.sort_unstable_by_key(|s| (s.cost, u32::from(s.target), u32::from(s.contact)));
    sketches
        .iter()
        .take(MOST_PLANS)
        .map(|s| view.plan(s))
        .collect()
}

/// What the plans have in common: how far everything is from everywhere.
struct View<'a> {
    position: &'a Position,
    striker: Striker,
    /// Distances *from* Black's king.
    black: Distances,
    /// Distances *from* White's king.
    white: Distances,
    black_barred: Bitboard,
    white_barred: Bitboard,
    /// The cheapest pawn to promote and its cost in moves.
    runner: Option<(Square, u32)>,
}

impl<'a> View<'a> {
    fn new(position: &'a Position) -> View<'a> {
        let (white, black) = (position.of(Color::White), position.of(Color::Black));
        let black_king = position.king(Color::Black);
        let white_king = position.king(Color::White);
        // Men that may move out of the way are no walls; pawns stay for long.
        let pawns = position.with_role(Role::Pawn);
        let black_barred =
            black & pawns | attacked_by(position, Color::White) | white.without(white_king);
        let white_barred = white & pawns | attacked_by(position, Color::Black);
        let heavy = position.men_of(Color::White, Role::Queen);
        let runner = if heavy.any() {
            None
        } else {
            cheapest_runner(position)
        };
        let striker = if heavy.any() || runner.is_some() {
            Striker::Queen
        } else if position.men_of(Color::White, Role::Rook).any() {
            Striker::Rook
        } else {
            Striker::Minor
        };
        View {
            position,
            striker,
            black: spread(black_king.into(), black_barred),
            white: spread(white_king.into(), white_barred),
            black_barred,
            white_barred,
            runner,
        }
    }

    fn sketch(&self, target: Square, contact: Square) -> Option<Sketch> {
        let black_moves = u32::from(self.black[usize::from(target)]);
        let (guarded, support) = match self.striker {
            Striker::Queen => {
                if self
                    .position
                    .men_of(Color::Black, Role::Pawn)
                    .contains(contact)
                    && self.runner.is_some()
                {
                    return None;
                }
                self.guard(target, contact)
            }
            Striker::Rook | Striker::Minor => {
                (false, nearest(&self.white, opposite(target, self.striker)))
            }
        };
        if support >= u32::from(FAR) {
            return None;
        }
        let strike = match self.striker {
            Striker::Queen => match self.runner {
                Some((_, moves)) => moves + 2,
                None => 2,
            },
            Striker::Rook => 2,
            Striker::Minor => 6,
        };
        let white_moves = support + strike;
        // The side that is ahead waits for free: what counts is the slower one.
        let mut cost = 4 * white_moves.max(black_moves) + white_moves + black_moves;
        // A man of Black's that could take on the contact square has to go first.
        let takers = self
            .position
            .attackers(contact, Color::Black, self.position.occupied())
            .without(self.position.king(Color::Black));
        cost += 6 * u32::try_from(takers.count()).unwrap_or(0);
        if self
            .position
            .of(Color::Black)
            .without(self.position.king(Color::Black))
            .contains(target)
        {
            cost += 6;
        }
        Some(Sketch {
            cost,
            target,
            contact,
            guarded,
        })
    }

    /// Whether some man other than king and queen guards the contact square already, and the
    /// king's moves to guard it otherwise.
    fn guard(&self, target: Square, contact: Square) -> (bool, u32) {
        let guards = self
            .position
            .attackers(contact, Color::White, self.position.occupied())
            & !self.position.with_role(Role::King)
            & !self.position.with_role(Role::Queen);
        let guards = match self.runner {
            Some((runner, _)) => guards.without(runner),
            None => guards,
        };
        if guards.any() {
            return (true, 0);
        }
        let stands = king_attacks(contact) & !king_attacks(target);
        (false, nearest(&self.white, stands.without(target)))
    }

    fn plan(&self, sketch: &Sketch) -> Plan {
        let black = spread(
            sketch.target.into(),
            self.black_barred.without(sketch.target),
        );
        let white = if sketch.guarded {
            [0; 64]
        } else {
            let goal = match self.striker {
                Striker::Queen => (king_attacks(sketch.contact) & !king_attacks(sketch.target))
                    .without(sketch.target),
                _ => opposite(sketch.target, self.striker),
            };
            spread(goal & !self.white_barred, self.white_barred)
        };
        Plan {
            striker: self.striker,
            target: sketch.target,
            contact: sketch.contact,
            black,
            white,
            runner: self.runner.map(|(square, _)| square),
        }
    }
}

/// Edge squares, corners first.
const EDGE: [Square; 28] = {
    use Square::{
        A1, A2, A3, A4, A5, A6, A7, A8, B1, B8, C1, C8, D1, D8, E1, E8, F1, F8, G1, G8, H1, H2, H3,
        H4, H5, H6, H7, H8,
    };
    [
        A1, A8, H1, H8, B1, C1, D1, E1, F1, G1, B8, C8, D8, E8, F8, G8, A2, A3, A4, A5, A6, A7, H2,
        H3, H4, H5, H6, H7,
    ]
};

/// Squares from which a guarded queen mates a king on the edge square `target`: the one
/// towards the middle, and in a corner also its two neighbours on the edge.
fn contacts(target: Square) -> Bitboard {
    let ring = king_attacks(target);
    let corner = Bitboard::CORNERS.contains(target);
    if corner {
        return ring;
    }
    let (file, rank) = (target.file(), target.rank());
    match (file, rank) {
        (File::A | File::H, _) => ring & Bitboard::from_rank(rank),
        (_, _) => ring & Bitboard::from_file(file),
    }
}

/// Where White's king helps a rook or minor pieces to mate on `target`.
fn opposite(target: Square, striker: Striker) -> Bitboard {
    let ring = king_attacks(target);
    let around = king_ring(ring) & !ring & !Bitboard::from_square(target);
    if striker == Striker::Rook {
        if Bitboard::CORNERS.contains(target) {
            // In opposition along either edge, or a knight's move away.
            return around & (knight_attacks(target) | straight_two(target));
        }
        let edge = edge_of(target);
        return straight_two(target) & !edge;
    }
    around
}

fn king_ring(squares: Bitboard) -> Bitboard {
    squares
        .into_iter()
        .fold(Bitboard::EMPTY, |all, sq| all | king_attacks(sq))
}

fn straight_two(target: Square) -> Bitboard {
    let lines = Bitboard::from_file(target.file()) | Bitboard::from_rank(target.rank());
    let ring = king_attacks(target);
    king_ring(ring) & !ring & lines & !Bitboard::from_square(target)
}

/// The line of the board's edge that `target` stands on.
fn edge_of(target: Square) -> Bitboard {
    match (target.file(), target.rank()) {
        (File::A | File::H, _) => Bitboard::from_file(target.file()),
        (_, Rank::First | Rank::Eighth) => Bitboard::from_rank(target.rank()),
        _ => Bitboard::EMPTY,
    }
}

fn nearest(distances: &Distances, squares: Bitboard) -> u32 {
    squares
        .into_iter()
        .map(|sq| u32::from(distances[usize::from(sq)]))
        .min()
        .unwrap_or(FAR.into())
}

/// King moves from the nearest of `from` to every square, around `barred`.
pub(crate) fn spread(from: Bitboard, barred: Bitboard) -> Distances {
    let mut distances = [FAR; 64];
    let mut seen = from;
    let mut layer = from;
    let mut moves = 0;
    while layer.any() {
        for square in layer {
            distances[usize::from(square)] = moves;
        }
        layer = grow(layer) & !seen & !barred;
        seen |= layer;
        moves += 1;
    }
    distances
}

/// The squares of `layer` and all next to them.
fn grow(layer: Bitboard) -> Bitboard {
    let sides = layer
        | (layer & !Bitboard::from_file(File::H)).shift(1)
        | (layer & !Bitboard::from_file(File::A)).shift(-1);
    sides | sides.shift(8) | sides.shift(-8)
}

/// All squares that the men of `color` attack, the king's own included.
pub(crate) fn attacked_by(position: &Position, color: Color) -> Bitboard {
    let occupied = position.occupied().without(position.king(!color));
    let men = position.of(color);
    let queens = position.with_role(Role::Queen);
    let mut all = king_attacks(position.king(color));
    for square in men & position.with_role(Role::Pawn) {
        all |= pawn_attacks(color, square);
    }
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

/// The white pawn that promotes soonest, and its cost in moves: pushes, and some moves for
/// every man in its way; captures of black men that stand ready shorten the way around.
pub(crate) fn cheapest_runner(position: &Position) -> Option<(Square, u32)> {
    let black = position
        .of(Color::Black)
        .without(position.king(Color::Black));
    let black_pawns = position.men_of(Color::Black, Role::Pawn);
    let white = position.of(Color::White);
    let mut ahead = [0_u32; 64];
    for rank in (1..7).rev() {
        for file in 0..8 {
            let square = Square::from_coords(File::new(file), Rank::new(rank));
            let index = usize::from(square);
            let front = index + 8;
            let toll = |sq: usize| {
                let square = Square::new(u32::try_from(sq).unwrap_or(0));
                if black_pawns.contains(square) {
                    24
                } else if black.contains(square) || white.contains(square) {
                    2
                } else {
                    0
                }
            };
            let mut best = 1 + toll(front) + ahead[front];
            if rank == 1 {
                best = best.min(1 + toll(front) + toll(front + 8) + ahead[front + 8]);
            }
            for target in pawn_attacks(Color::White, square) & black {
                best = best.min(1 + ahead[usize::from(target)]);
            }
            ahead[index] = best;
        }
    }
    let pawns = position.men_of(Color::White, Role::Pawn);
    pawns
        .into_iter()
        .map(|square| (square, ahead[usize::from(square)]))
        .filter(|&(_, cost)| cost < 24)
        .min_by_key(|&(square, cost)| (cost, u32::from(square)))
}

/// Squares from which a queen attacks `square`.
pub(crate) fn queen_sees(square: Square, occupied: Bitboard) -> Bitboard {
    queen_attacks(square, occupied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_go_around_walls() {
        let wall = Bitboard::from_rank(Rank::Fourth).without(Square::H4);
        let distances = spread(Square::A1.into(), wall);
        assert_eq!(distances[usize::from(Square::H4)], 7);
        assert_eq!(distances[usize::from(Square::A5)], 14);
        assert_eq!(distances[usize::from(Square::A4)], FAR);
    }

    #[test]
    fn a_queen_mates_from_the_contact_square() {
        let position = Position::from_fen("4k3/8/4K3/8/8/8/8/Q7 w - -").unwrap();
        let plans = plans(&position);
        assert_eq!((plans[0].striker, plans[0].runner), (Striker::Queen, None));
        assert_eq!(plans[0].black[usize::from(Square::E8)], 0);
    }

    #[test]
    fn a_free_pawn_is_the_runner_and_a_rammed_one_is_not() {
        let free = Position::from_fen("4k3/8/8/3p4/3P4/6P1/8/4K3 w - -").unwrap();
        assert_eq!(plans(&free)[0].runner, Some(Square::G3));
        let rammed = Position::from_fen("4k3/8/8/3p4/3P4/8/8/4K3 w - -").unwrap();
        assert!(plans(&rammed).iter().all(|plan| plan.runner.is_none()));
    }
}
