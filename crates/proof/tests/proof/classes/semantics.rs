//! Accepted means true: classes against exhaustive exploration.

use fastrand::Rng;
use stillmate_core::{Color, Move, Piece, Position, Role, Square, insufficient_material};
use stillmate_proof::{Class, Invariant, Man, Step, replay};

use super::{
    grow::{Proof, Set, grow, pairs},
    random::{changed_position, random_fitting, random_position},
};
use crate::support::{Reach, check, explore};

/// How the questions of one run fell out. Colours without enough men aren't asked about.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// A mate was found.
    winnable: usize,
    /// Classes were accepted, and in how many there are several, and exits.
    proved: usize,
    several: usize,
    exits: usize,
    /// Of all, those confirmed by visiting all positions that play can reach.
    confirmed: usize,
    /// Random positions that belong to a class, reachable or not, each with all its moves;
    /// and of these the irreversible ones. (Proofs with promotions or en passant captures are
    /// so rare that other tests see to these.)
    fitting: usize,
    captures: usize,
    pawn_moves: usize,
}

/// Asks about random positions for both colours until `proved` proofs were accepted.
fn cross_check(seed: u64, proved: usize, bound: usize) -> Tally {
    let mut rng = Rng::with_seed(seed);
    let mut tally = Tally::default();
    while tally.proved < proved {
        let drawn = if rng.u8(..3) == 0 {
            random_position(&mut rng)
        } else {
            changed_position(&mut rng)
        };
        let Some(position) = drawn else {
            continue;
        };
        for claim in Color::ALL {
            if insufficient_material(&position, claim).is_some() {
                continue;
            }
            // Proofs are tried on some of those that are plainly winnable, too.
            if rng.u8(..8) != 0 && matches!(explore(position, claim, 200), Reach::Mate(_)) {
                continue;
            }
            let invariants = rng.u8(..4);
            let Some(proof) = grow(&position, claim, || rng.u8(..4) < invariants) else {
                let mate = matches!(explore(position, claim, 500), Reach::Mate(_));
                tally.winnable += usize::from(mate);
                continue;
            };
            tally.proved += 1;
            tally.several += usize::from(proof.classes.len() > 1);
            tally.exits += usize::from(!proof.exits.is_empty());
            match explore(position, claim, bound) {
                Reach::Mate(_) => panic!("{claim} can mate from {position:?}: {proof:?}"),
                Reach::All(reached) => {
                    tally.confirmed += 1;
                    for _ in 0..50 {
                        let reached = &reached[rng.usize(..reached.len())];
                        assert!(has(&proof, reached), "{reached:?} is not in {proof:?}");
                    }
                }
                Reach::Unknown => {}
            }
            for _ in 0..50 {
                obligations(&mut rng, &proof, &mut tally);
            }
        }
    }
    tally
}

/// Whether a position, which is no mate, belongs to one of the classes or fits an invariant of a
/// proof, or has too few men or an en passant capture.
pub(super) fn has(proof: &Proof, position: &Position) -> bool {
    has_in(proof, position, &Set::ALL)
}

/// The same with the kings in one of these sets.
fn has_in(proof: &Proof, position: &Position, sets: &[Set]) -> bool {
    let fits = |invariant: &Invariant| {
        let steps = vec![Step::Invariant(invariant.clone())];
        check(*position, proof.claim, steps).is_ok()
    };
    position.ep_square().is_some()
        || insufficient_material(position, proof.claim).is_some()
        || proof
            .classes
            .iter()
            .any(|class| belongs(class, proof.claim, position, sets))
        || proof.exits.iter().any(fits)
}

/// The sets in which the kings may be found after `m`.
fn sets_after(m: Move) -> &'static [Set] {
    if m.role() == Role::King {
        &Set::ALL
    } else {
        &[Set::ClaimToMove, Set::OtherToMove]
    }
}

/// Whether `position` belongs to a class, told by trying all assignments.
fn belongs(class: &Class, claim: Color, position: &Position, sets: &[Set]) -> bool {
    let kings = (position.king(claim), position.king(!claim));
    let is_it = |(set, own, other): (Set, Square, Square)| {
        set.turn(claim) == position.turn() && (own, other) == kings && sets.contains(&set)
    };
    let men = position
        .pieces()
        .filter(|(_, piece)| piece.role != Role::King);
    let men: Vec<_> = men.collect();
    men.len() == class.men.len() && pairs(class).into_iter().any(is_it) && assign(&men, &class.men)
}

/// Whether the men on the board can be different ones of those listed.
fn assign(board: &[(Square, Piece)], listed: &[Man]) -> bool {
    let Some((&(square, piece), board)) = board.split_first() else {
        return true;
    };
    (0..listed.len()).any(|place| {
        let man = listed[place];
        let may_be = if man.promotes {
            piece.color == man.piece.color && piece.role != Role::Pawn
        } else {
            piece == man.piece && man.squares.contains(square)
        };
        let mut others = listed.to_vec();
        others.remove(place);
        may_be && assign(board, &others)
    })
}

/// The obligations on a random position that belongs to a class, reachable or not.
pub(super) fn obligations(rng: &mut Rng, proof: &Proof, tally: &mut Tally) {
    let Some(position) = random_fitting(rng, proof) else {
        return;
    };
    tally.fitting += 1;
    let claim = proof.claim;
    assert!(has(proof, &position), "{position:?} belongs to {proof:?}");
    if replay(&position, claim, &[]).is_ok() {
        // No move leads to it.
        let plain = &[Set::OtherToMove];
        let mut classes = proof.classes.iter();
        let one = classes.any(|class| belongs(class, claim, &position, plain));
        assert!(!one, "{position:?}: mate in {proof:?}");
        return;
    }
    for m in position.legal_moves() {
        let after = position.after(m);
        assert!(
            replay(&after, claim, &[]).is_err(),
            "{m} in {position:?}: mate in {proof:?}"
        );
        assert!(
            has_in(proof, &after, sets_after(m)),
            "{m} leads from {position:?} out of {proof:?}"
        );
        tally.captures += usize::from(m.capture().is_some());
        tally.pawn_moves += usize::from(m.role() == Role::Pawn);
        for reply in after.legal_moves() {
            // What follows a double step that may be taken in passing is in the classes again.
            if after.ep_square().is_some() {
                let end = after.after(reply);
                assert!(
                    has_in(proof, &end, sets_after(reply)),
                    "{m} {reply} leads from {position:?} out of {proof:?}"
                );
            }
        }
    }
}

#[test]
fn what_is_accepted_is_true() {
    let tally = cross_check(1, 400, 20_000);
    assert!(tally.confirmed > 350 && tally.winnable > 5, "{tally:?}");
    assert!(tally.several > 300 && tally.exits > 50, "{tally:?}");
    assert!(tally.fitting > 10_000, "{tally:?}");
    assert!(
        tally.captures > 200 && tally.pawn_moves > 2_000,
        "{tally:?}"
    );
}

/// The same for many more positions; `PROVED` sets how many proofs.
#[test]
#[ignore = "runs for minutes"]
fn what_is_accepted_is_true_at_length() {
    let wanted = std::env::var("PROVED").map_or(20_000, |text| text.parse().expect("a number"));
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    println!("{:?}", cross_check(seed, wanted, 50_000));
}
