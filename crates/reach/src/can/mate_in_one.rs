//! Mates in one move, without generating the others.
//!
//! White mates; callers mirror the board.

use shakmaty::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use stillmate_core::{Bitboard, Color, Move, Position, Role, Square};

use crate::geometry::{attacked, attacks_from};

/// With more flight squares than these, no single move takes them all.
const MOST_FLIGHTS: usize = 4;

/// A move of White's that mates, if it checks by itself; mates by discovery, castling and en
/// passant are left to others.
pub(crate) fn mate(position: &Position) -> Option<Move> {
    let king = position.king(Color::Black);
    let white = position.of(Color::White);
    let occupied = position.occupied();
    let bare = occupied.without(king);
    let ring = king_attacks(king) & !position.of(Color::Black);
    let held = attacked(position, Color::White) | king_attacks(position.king(Color::White));
    let open = ring & !held;
    if open.count() > MOST_FLIGHTS {
        return None;
    }
    let diagonal = bishop_attacks(king, occupied);
    let straight = rook_attacks(king, occupied);
    let mates = |role, promoted: Option<Role>, from: Square, to: Square| {
        let lines = bare.without(from);
        let held = attacks_from(promoted.unwrap_or(role), Color::White, to, lines);
        if !open.without(to).is_subset(held) {
            return None;
        }
        if ring.contains(to) {
            let guards = position.attackers(to, Color::White, lines);
            if guards.without(from).is_empty() {
                return None;
            }
        }
        let m = position.move_of(role, from, to, promoted);
        let next = position.after(m);
        let mate = next.is_safe_after() && next.checkers().any() && !next.has_legal_move();
        mate.then_some(m)
    };
    let pieces = [
        (Role::Queen, diagonal | straight),
        (Role::Rook, straight),
        (Role::Bishop, diagonal),
        (Role::Knight, knight_attacks(king)),
    ];
    for (role, checks) in pieces {
        for from in position.pieces_of(Color::White, role) {
            let targets = attacks_from(role, Color::White, from, occupied) & checks & !white;
            if let Some(m) = targets
                .into_iter()
                .find_map(|to| mates(role, None, from, to))
            {
                return Some(m);
            }
        }
    }
    pawns(position, occupied).find_map(|(from, to)| {
        if Bitboard::BACKRANKS.contains(to) {
            let role = if knight_attacks(king).contains(to) {
                Role::Knight
            } else if (diagonal | straight).contains(to) {
                Role::Queen
            } else {
                return None;
            };
            return mates(Role::Pawn, Some(role), from, to);
        }
        let checks = pawn_attacks(Color::Black, king).contains(to);
        checks.then(|| mates(Role::Pawn, None, from, to)).flatten()
    })
}

/// The moves of White's pawns, as far as they can matter: not by two squares.
fn pawns(position: &Position, occupied: Bitboard) -> impl Iterator<Item = (Square, Square)> {
    let black = position.of(Color::Black);
    let pawns = position.pieces_of(Color::White, Role::Pawn);
    pawns.into_iter().flat_map(move |from| {
        let push = Bitboard::from_square(Square::new(u32::from(from) + 8)) & !occupied;
        let targets = push | pawn_attacks(Color::White, from) & black;
        targets.into_iter().map(move |to| (from, to))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mate_in(fen: &str) -> Option<String> {
        mate(&Position::from_fen(fen).unwrap()).map(Move::uci)
    }

    #[test]
    fn every_kind_of_man_mates() {
        for (fen, uci) in [
            ("7k/8/6K1/8/8/8/8/1Q6 w - -", "b1b8"),
            ("6k1/5ppp/8/8/8/8/8/R5K1 w - -", "a1a8"),
            ("7k/5K1p/8/8/8/8/8/2B5 w - -", "c1b2"),
            ("6rk/6pp/8/6N1/8/8/8/6K1 w - -", "g5f7"),
            ("7k/5K1p/6P1/8/8/8/8/8 w - -", "g6g7"),
            ("6k1/3P1ppp/8/8/8/8/8/6K1 w - -", "d7d8q"),
            ("6br/5Ppk/6pp/8/8/8/8/K7 w - -", "f7f8n"),
        ] {
            assert_eq!(mate_in(fen).as_deref(), Some(uci), "{fen}");
        }
    }

    #[test]
    fn a_flight_a_taker_and_a_pin_prevent_it() {
        for fen in [
            "6k1/5pp1/7p/8/8/8/8/R5K1 w - -",
            "1r4k1/5ppp/8/8/8/8/8/R5K1 w - -",
            "6k1/5ppp/8/8/8/8/8/r2R2K1 w - -",
        ] {
            assert_eq!(mate_in(fen), None, "{fen}");
        }
    }
}
