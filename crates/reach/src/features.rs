//! What a position looks like at a glance: cheap tests of whether a method is worth its time.
//!
//! Nothing here proves anything.

use stillmate_core::{Bitboard, Color, Position, Rank, Role, Square};

use crate::geometry::{attacks_from, attacks_from_any};

/// Less moves than these are few.
const FEW: usize = 10;
/// And less than these are hardly any.
const HARDLY_ANY: usize = 3;

/// Whether no queen or rook of `color` attacks more than two squares that its own men leave free.
pub(crate) fn is_caged(position: &Position, color: Color) -> bool {
    let (own, occupied) = (position.of(color), position.occupied());
    [Role::Queen, Role::Rook].into_iter().all(|role| {
        let mut men = position.pieces_of(color, role).into_iter();
        men.all(|square| (attacks_from(role, color, square, occupied) & !own).count() <= 2)
    })
}

/// Whether one side has few moves, its king's not counted, or is in check.
pub(crate) fn is_narrow(position: &Position) -> bool {
    let few = |color| has_few_moves(position, color, FEW);
    position.checkers().any() || Color::ALL.into_iter().any(few)
}

/// Whether one side has a piece at most and hardly any moves, its king's not counted, or is in
/// check.
pub(crate) fn is_cramped(position: &Position) -> bool {
    let light = position.with_role(Role::Pawn) | position.with_role(Role::King);
    let cramped = |color| {
        let pieces = position.of(color) & !light;
        !pieces.more_than_one() && has_few_moves(position, color, HARDLY_ANY)
    };
    position.checkers().any() || Color::ALL.into_iter().any(cramped)
}

/// Pinned men are taken to have none.
fn has_few_moves(position: &Position, color: Color, few: usize) -> bool {
    let (own, occupied) = (position.of(color), position.occupied());
    let free = !position.pinned(color);
    let pawns = position.pieces_of(color, Role::Pawn);
    let mut moves = (pawns.shift(color.fold_wb(8, -8)) & !occupied).count();
    for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
        for square in position.pieces_of(color, role) & free {
            if moves >= few {
                return false;
            }
            moves += (attacks_from(role, color, square, occupied) & !own).count();
        }
    }
    moves < few
}

/// Whether a white pawn has a way to the last rank that no black pawn bars for good: pushes
/// past other men, which may leave, and captures of the black men that stand there.
pub(crate) fn has_free_pawn(position: &Position) -> bool {
    let pawns = position.pieces_of(Color::White, Role::Pawn);
    let blocking_pawns = position.pieces_of(Color::Black, Role::Pawn);
    let to_capture = position.of(Color::Black) & !position.with_role(Role::King);
    let mut rank = Bitboard::from_rank(Rank::Eighth);
    while rank.any() {
        // Where they are taken from: the squares that black pawns attack from there.
        let from = attacks_from_any(Role::Pawn, Color::Black, rank & to_capture, Bitboard::EMPTY);
        rank = (rank & !blocking_pawns).shift(-8) | from;
        if rank.intersects(pawns) {
            return true;
        }
    }
    false
}

/// Squares that a piece which roams may come to, at least, while the pawns stay.
const ROOM: usize = 12;

/// Whether two pieces or more, kings apart, may come to many squares while the pawns stay.
pub(crate) fn has_roaming_pieces(position: &Position) -> bool {
    let pawns = position.with_role(Role::Pawn);
    let roams = |role: Role, square: Square| {
        let mut all = Bitboard::from_square(square);
        loop {
            // Both colours go the same ways.
            let next = all | attacks_from_any(role, Color::White, all, pawns) & !pawns;
            if next == all || next.count() >= ROOM {
                return next.count() >= ROOM;
            }
            all = next;
        }
    };
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter();
    let roaming = roles.flat_map(|role| {
        let men = position.with_role(role).into_iter();
        men.filter(move |&square| roams(role, square))
    });
    roaming.take(2).count() == 2
}

/// Whether there are only kings and pawns.
pub(crate) fn is_pawn_ending(position: &Position) -> bool {
    let men: Bitboard = position.with_role(Role::Pawn) | position.with_role(Role::King);
    position.occupied().is_subset(men)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::can::plan::cheapest_promotion;

    fn at(fen: &str) -> Position {
        Position::from_fen(fen).expect("a position")
    }

    #[test]
    fn a_cage_has_two_free_squares_at_most() {
        assert!(is_caged(
            &at("4k3/8/8/8/8/P7/PP6/RK6 w - - 0 1"),
            Color::White
        ));
        assert!(!is_caged(
            &at("4k3/8/8/8/8/8/1P6/RK6 w - - 0 1"),
            Color::White
        ));
        assert!(is_caged(
            &at("4k3/8/8/8/8/8/1P6/RK6 w - - 0 1"),
            Color::Black
        ));
    }

    #[test]
    fn pinned_men_and_checks_make_it_narrow() {
        // The rook could go to thirteen squares, were the queen not behind it.
        let pinned = "4Q3/5r2/1P4k1/8/8/7Q/6PK/8 b - - 0 1";
        assert!(is_narrow(&at(pinned)));
        let free = "1Q6/5r2/1P4k1/8/8/7Q/6PK/8 b - - 0 1";
        assert!(!is_narrow(&at(free)));
        let check = "1Q6/5r2/1P4k1/7Q/8/8/6PK/8 b - - 0 1";
        assert!(is_narrow(&at(check)));
    }

    #[test]
    fn hardly_any_moves_make_it_cramped() {
        assert!(is_cramped(&at("8/8/p6k/P7/8/8/8/R5K1 b - - 0 1")));
        assert!(!is_cramped(&at("8/8/p5nk/P7/8/8/8/R5K1 b - - 0 1")));
    }

    /// The planner's own way to the same answer.
    #[test]
    fn a_pawn_is_free_when_a_plan_can_run_it() {
        let mut free = 0;
        for number in 0..4_000 {
            let mut rng = fastrand::Rng::with_seed(number);
            let mut squares: Vec<u32> = (0..64).collect();
            rng.shuffle(&mut squares);
            let men = squares.iter().take(rng.usize(3..14)).enumerate();
            let men = men.map(|(i, &square)| {
                let role = match i {
                    0 | 1 => Role::King,
                    _ if (8..56).contains(&square) && rng.bool() => Role::Pawn,
                    _ => Role::Knight,
                };
                let color = if i < 2 {
                    Color::from_white(i == 0)
                } else {
                    Color::from_white(rng.bool())
                };
                (role.of(color), Bitboard::from_square(Square::new(square)))
            });
            let men: Vec<_> = men.collect();
            let Some(position) = Position::from_pieces(men, Color::White) else {
                continue;
            };
            let runs = cheapest_promotion(&position, |_| None).is_some();
            assert_eq!(has_free_pawn(&position), runs, "{}", position.fen());
            free += usize::from(runs);
        }
        assert!(free > 100);
    }

    #[test]
    fn bishops_roam_unless_pawns_shut_them_in() {
        let maze = "BbK1kb2/b1p1p1p1/1pP1P1P1/1P6/5b2/8/8/1B2b2B b - - 0 1";
        assert!(has_roaming_pieces(&at(maze)));
        let stuck = "1k6/1P1p1p1p/BP6/1P5p/8/8/3P1P1P/5K2 w - - 0 1";
        assert!(!has_roaming_pieces(&at(stuck)));
        let one = "8/1p2k3/bPp5/BpP1B1K1/1P6/8/1P6/8 w - - 0 1";
        assert!(!has_roaming_pieces(&at(one)));
    }

    #[test]
    fn pawn_endings_have_no_pieces() {
        assert!(is_pawn_ending(&at("4k3/2p5/8/8/8/8/P7/4K3 w - - 0 1")));
        assert!(!is_pawn_ending(&at("4k3/2p5/8/8/8/8/B7/4K3 w - - 0 1")));
    }
}
