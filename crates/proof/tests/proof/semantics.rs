//! Accepted means true: invariants against exhaustive exploration.
//!
//! The invariants are those that [`widen`] makes: no wider than the checker
//! asks for, so that anything it should ask for and doesn't shows.

use fastrand::Rng;
use stillmate_core::{Color, MaterialRule, Position, insufficient_material};
use stillmate_proof::{Invariant, Step};

use crate::support::{
    Reach, check, check_invariant, explore, frozen, is_bare, random_fitting, random_position, widen,
};

/// How the questions of one run fell out. Colours without enough men aren't asked
/// about.
#[derive(Debug, Default)]
struct Tally {
    /// A mate was found.
    winnable: usize,
    /// An invariant was accepted.
    proved: usize,
    /// Of these, those confirmed by visiting all positions that play can reach.
    confirmed: usize,
    /// Random positions that fit an accepted invariant, each with all its moves.
    fitting: usize,
}

/// Asks about random positions for both colours until `proved` invariants were accepted.
/// Where none is, at most `small` positions are visited for a mate, otherwise `large`.
fn cross_check(seed: u64, proved: usize, small: usize, large: usize) -> Tally {
    let mut rng = Rng::with_seed(seed);
    let mut tally = Tally::default();
    while tally.proved < proved {
        let Some(position) = random_position(&mut rng) else {
            continue;
        };
        for claim in Color::ALL {
            if insufficient_material(&position, claim).is_some() {
                continue;
            }
            let Some(invariant) = widen(position, claim, frozen(&position)) else {
                let mate = matches!(explore(position, claim, small), Reach::Mate(_));
                tally.winnable += usize::from(mate);
                continue;
            };
            tally.proved += 1;
            tally.fitting += obligations(&mut rng, claim, position, &invariant, 100);
            match explore(position, claim, large) {
                Reach::Mate(_) => panic!("{claim} can mate from {position:?}: {invariant:?}"),
                Reach::All(reached) => {
                    tally.confirmed += 1;
                    all_fit(&mut rng, claim, &reached, &invariant);
                }
                Reach::Unknown => {}
            }
        }
    }
    tally
}

/// Some of the positions reached from one that fits must all fit, up to a bare king.
fn all_fit(rng: &mut Rng, claim: Color, reached: &[Position], invariant: &Invariant) {
    for _ in 0..50 {
        let position = reached[rng.usize(..reached.len())];
        if !is_bare(&position, claim) {
            let verdict = check_invariant(position, claim, invariant);
            assert!(
                verdict.is_ok(),
                "{position:?}: {verdict:?} of {invariant:?}"
            );
        }
    }
}

/// Obligations two and three on random positions that fit, reachable or not; how many there
/// were.
fn obligations(
    rng: &mut Rng,
    claim: Color,
    origin: Position,
    invariant: &Invariant,
    draws: usize,
) -> usize {
    let mut fitting = 0;
    for _ in 0..draws {
        let Some(position) = random_fitting(rng, invariant) else {
            continue;
        };
        fitting += 1;
        let context = || format!("{position:?} of {origin:?}, {claim}: {invariant:?}");
        let verdict = check_invariant(position, claim, invariant);
        assert!(verdict.is_ok(), "{verdict:?}: {}", context());
        let mated = position.turn() != claim && position.is_checkmate();
        assert!(!mated, "mate: {}", context());
        let bare = Step::Material(MaterialRule::BareKing);
        let moves = position.legal_moves().into_iter();
        let after = moves.map(|m| (m, 1 + usize::from(is_bare(&position.after(m), claim))));
        let steps = vec![
            Step::Moves(after.collect()),
            Step::Invariant(invariant.clone()),
            bare,
        ];
        let verdict = check(position, claim, steps);
        assert!(verdict.is_ok(), "{verdict:?}: {}", context());
    }
    fitting
}

#[test]
fn accepted_invariants_are_true() {
    let tally = cross_check(1, 300, 500, 20_000);
    println!("{tally:?}");
    assert!(tally.confirmed > 250, "{tally:?}");
    assert!(tally.winnable > 10, "{tally:?}");
    assert!(tally.fitting > 20_000, "{tally:?}");
}
