//! Moves taken back, against moves made: P is a predecessor of Q exactly when Q is a
//! successor of P.

use std::collections::HashSet;

use fastrand::Rng;
use stillmate_core::{Color, Position, Role, Square};
use stillmate_testkit::{generate::scattered, position, walk};

/// Positions of random games and scattered ones, until `count` were seen.
fn for_random_positions(seed: u64, count: usize, mut look: impl FnMut(&Position)) {
    let mut rng = Rng::with_seed(seed);
    let mut seen = 0;
    while seen < count {
        for start in walk::STARTS {
            for position in walk::game(&mut rng, position(start), 60) {
                look(&position);
                seen += 1;
            }
            for position in (0..20).filter_map(|_| scattered(&mut rng)) {
                look(&position);
                seen += 1;
                for variant in position.en_passant_variants() {
                    look(&variant);
                }
            }
        }
    }
}

/// What the pairs looked at had in them, so that the test can't pass by seeing too little.
#[derive(Default, Debug)]
struct Seen {
    pairs: usize,
    captures: usize,
    promotions: usize,
    en_passant: usize,
    castling: usize,
    rights_lost: usize,
}

impl Seen {
    fn note(&mut self, before: &Position, m: stillmate_core::Move, after: &Position) {
        self.pairs += 1;
        self.captures += usize::from(m.capture().is_some());
        self.promotions += usize::from(m.promotion().is_some());
        self.en_passant += usize::from(m.is_en_passant());
        self.castling += usize::from(m.is_castle());
        self.rights_lost += usize::from(before.castling() != after.castling());
    }

    fn assert_at_least(&self, pairs: usize) {
        let least = [
            self.captures,
            self.promotions,
            self.en_passant,
            self.castling,
            self.rights_lost,
        ]
        .into_iter()
        .min();
        assert!(
            self.pairs >= pairs && least >= Some(pairs / 4000),
            "{self:?}"
        );
    }
}

/// For random P, P is among the predecessors of each of its successors.
fn check_successors(seed: u64, positions: usize, pairs: usize) {
    let mut seen = Seen::default();
    for_random_positions(seed, positions, |before| {
        for m in before.legal_moves() {
            let after = before.after(m);
            assert!(
                after.predecessors().contains(before),
                "{m} leads from {before:?} to {after:?} and isn't found back"
            );
            seen.note(before, m, &after);
        }
    });
    seen.assert_at_least(pairs);
}

/// For random Q, each P among its predecessors is a position, comes once and has a move to Q.
fn check_predecessors(seed: u64, positions: usize, pairs: usize) {
    let mut seen = Seen::default();
    for_random_positions(seed, positions, |after| {
        let found = after.predecessors();
        let distinct: HashSet<Position> = found.iter().copied().collect();
        assert_eq!(
            distinct.len(),
            found.len(),
            "{after:?} has a predecessor twice"
        );
        for before in &found {
            assert_eq!(
                Position::from_setup(&before.to_setup()).as_ref(),
                Ok(before),
                "before {after:?}"
            );
            let moves = before.legal_moves();
            let m = moves.into_iter().find(|&m| before.after(m) == *after);
            let m = m.unwrap_or_else(|| panic!("no move from {before:?} to {after:?}"));
            seen.note(before, m, after);
        }
        let quiet: HashSet<Position> = found
            .iter()
            .copied()
            .filter(|before| {
                before.ep_square().is_none()
                    && before.castling() == after.castling()
                    && Role::ALL
                        .into_iter()
                        .all(|role| before.with_role(role).count() == after.with_role(role).count())
            })
            .collect();
        let mut listed = HashSet::new();
        after.quiet_predecessors(&mut |before| assert!(listed.insert(before), "{before:?} twice"));
        assert_eq!(listed, quiet, "quiet predecessors of {after:?}");
    });
    seen.assert_at_least(pairs);
}

#[test]
fn every_successor_leads_back() {
    check_successors(1, 6_000, 100_000);
}

#[test]
fn every_predecessor_leads_here() {
    check_predecessors(2, 6_000, 600_000);
}

#[test]
#[ignore = "15 s: eleven million pairs"]
fn successors_and_predecessors_agree_over_millions_of_pairs() {
    check_successors(3, 100_000, 1_000_000);
    check_predecessors(4, 100_000, 10_000_000);
}

fn fens(positions: impl IntoIterator<Item = Position>) -> Vec<String> {
    let mut fens: Vec<String> = positions.into_iter().map(|p| p.fen()).collect();
    fens.sort();
    fens
}

#[test]
fn castling_is_taken_back_only_where_the_king_may_pass() {
    let with_rights_from_e1 = |fen| {
        let after = Position::from_fen(fen).unwrap();
        fens(after.predecessors().into_iter().filter(|before| {
            before.king(Color::White) == Square::E1
                && before.castling().any()
                && before.occupied().count() == after.occupied().count()
        }))
    };
    assert_eq!(
        with_rights_from_e1("k7/8/8/8/8/8/8/5RK1 b - -"),
        [
            "k7/8/8/8/8/8/8/4K1R1 w K - 0 1",
            "k7/8/8/8/8/8/8/4K2R w K - 0 1",
            "k7/8/8/8/8/8/8/4KR2 w K - 0 1"
        ]
    );
    // The rook looks through f7 at f1.
    assert!(with_rights_from_e1("k4r2/8/8/8/8/8/8/5RK1 b - -").is_empty());
}

#[test]
fn a_position_with_an_en_passant_square_has_one_last_move() {
    let after = Position::from_fen("4k3/8/8/8/3pP3/8/8/4K3 b - e3").unwrap();
    assert_eq!(
        fens(after.predecessors()),
        ["4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"]
    );
}

#[test]
fn variants_are_the_double_steps_that_can_be_answered() {
    // Black's b, d and f pawns may have come by a double step, though not over the knight.
    // White's pawn on c5 could take on b6 and d6; the one on g5 is pinned.
    let position = Position::from_fen("4k1r1/1n6/8/ppPp1pP1/8/8/8/6K1 w - -").unwrap();
    let passed: Vec<_> = position
        .en_passant_variants()
        .filter_map(|variant| variant.ep_square())
        .collect();
    assert_eq!(passed, [Square::D6]);
}
