//! Damaged certificates: none is accepted unless it proves a true claim.

use fastrand::Rng;
use stillmate_core::{Bitboard, Color, Position, Role, Square};
use stillmate_proof::{Certificate, Class, Invariant, Limits, Step, verify};

use super::{
    grow::{Proof, Set, grow, pairs},
    random::{LOCKED, changed},
    semantics::{Tally, has, obligations},
};
use crate::support::{Reach, certificate, explore, position};

/// A proof of a claim about a position.
#[derive(Clone, PartialEq)]
pub(crate) struct Case {
    position: Position,
    proof: Proof,
}

impl Case {
    pub(crate) fn certificate(&self) -> Certificate {
        certificate(self.position, self.proof.claim, self.proof.steps())
    }
}

pub(crate) fn cases(rng: &mut Rng) -> Vec<Case> {
    let mut cases = Vec::new();
    for fen in LOCKED {
        for claim in Color::ALL {
            for invariants in [0, 2] {
                let position = position(fen);
                let proof = grow(&position, claim, || rng.u8(..4) < invariants);
                cases.extend(proof.map(|proof| Case { position, proof }));
            }
        }
    }
    cases
}

fn any_square(rng: &mut Rng) -> Square {
    Square::new(rng.u32(..64))
}

/// Changes something; `None` if there is nothing to be changed in the way drawn.
pub(crate) fn damage(rng: &mut Rng, case: &mut Case) -> Option<()> {
    let proof = &mut case.proof;
    match rng.u8(..12) {
        0 => case.position = changed(rng, &case.position)?,
        1 => proof.claim = !proof.claim,
        2 => {
            let gone = rng.usize(..proof.classes.len());
            proof.classes.remove(gone);
        }
        3 => {
            let other = rng.usize(..proof.classes.len());
            proof.classes.swap(0, other);
        }
        4 => {
            let gone = rng.usize(..proof.exits.len().max(1));
            (gone < proof.exits.len()).then(|| proof.exits.remove(gone))?;
        }
        5 => spoil_invariant(rng, proof.exits.last_mut()?)?,
        _ => {
            let place = rng.usize(..proof.classes.len());
            spoil_class(rng, &mut proof.classes[place])?;
        }
    }
    Some(())
}

fn spoil_invariant(rng: &mut Rng, invariant: &mut Invariant) -> Option<()> {
    let square = any_square(rng);
    let place = rng.usize(..invariant.men.len());
    let man = &mut invariant.men[place];
    match rng.u8(..5) {
        0 => man.squares.discard(rng.choice(man.squares)?),
        1 => man.squares.add(square),
        2 => man.lost = !man.lost,
        3 => man.promotes = !man.promotes,
        _ => drop(invariant.opposed.pop()?),
    }
    Some(())
}

fn spoil_class(rng: &mut Rng, class: &mut Class) -> Option<()> {
    let square = any_square(rng);
    let place = rng.usize(..class.men.len());
    let man = &mut class.men[place];
    match rng.u8(..13) {
        0 => man.squares.discard(rng.choice(man.squares)?),
        1 => man.squares.add(square),
        2 => man.squares = rng.choice(man.squares)?.into(),
        3 => man.squares = square.into(),
        4 => man.promotes = !man.promotes,
        5 => man.lost = true,
        6 => man.piece.color = !man.piece.color,
        7 => man.piece.role = rng.choice(Role::ALL)?,
        8 => drop(class.men.remove(place)),
        9 => {
            let copy = *man;
            class.men.push(copy);
        }
        10 => {
            let (set, own, other) = rng.choice(pairs(class))?;
            set.rows(class)[own as usize].discard(other);
        }
        11 => {
            let set = rng.choice(Set::ALL)?;
            set.rows(class)[any_square(rng) as usize].add(square);
        }
        _ => {
            let kings = &mut class.kings;
            let other = match rng.u8(..2) {
                0 => &mut kings.claim_to_move,
                _ => &mut kings.after_king,
            };
            std::mem::swap(other, &mut kings.other_to_move);
        }
    }
    Some(())
}

/// Checks what was accepted after damage: the claim must be true, and the proof one.
fn confirm(rng: &mut Rng, case: &Case) {
    let Case { position, proof } = case;
    let context = || format!("{} in {position:?} by {proof:?}", proof.claim);
    match explore(*position, proof.claim, 5_000) {
        Reach::Mate(_) => panic!("can mate: {}", context()),
        Reach::All(reached) => {
            for _ in 0..20 {
                let reached = &reached[rng.usize(..reached.len())];
                assert!(has(proof, reached), "{reached:?} is missing: {}", context());
            }
        }
        Reach::Unknown => {}
    }
    for _ in 0..10 {
        obligations(rng, proof, &mut Tally::default());
    }
}

#[test]
fn damaged_proofs_are_refused_or_proofs_still() {
    let mut rng = Rng::with_seed(3);
    let cases = cases(&mut rng);
    let (mut rejected, mut accepted, mut moved) = (0, 0, 0);
    while rejected < 10_000 {
        let whole = &cases[rng.usize(..cases.len())];
        let mut case = whole.clone();
        if damage(&mut rng, &mut case).is_none() || case == *whole {
            continue;
        }
        if case.proof.check(&case.position).is_err() {
            rejected += 1;
            continue;
        }
        accepted += 1;
        moved += usize::from(case.position != whole.position);
        confirm(&mut rng, &case);
    }
    // Accepted are kings that stand elsewhere in the same class, classes that another one
    // stands in for, and invariants that are a little wider.
    assert!(
        accepted > 50 && moved > 20,
        "{accepted} accepted, {moved} of them moved"
    );
}

/// Every proof as one of every other position.
#[test]
fn proofs_of_other_positions_are_refused() {
    let mut rng = Rng::with_seed(4);
    let cases = cases(&mut rng);
    for case in &cases {
        for other in &cases {
            if other.position != case.position {
                let verdict = case.proof.check(&other.position);
                assert!(
                    verdict.is_err(),
                    "{:?} for {:?}",
                    case.position,
                    other.position
                );
            }
        }
    }
}

/// Steps at random places, references at random: the checker has to end, without a panic.
#[test]
fn nonsense_is_refused() {
    let mut rng = Rng::with_seed(5);
    let cases = cases(&mut rng);
    let limits = Limits {
        positions: 2_000,
        work: 20_000,
        classes: 100,
        ..Limits::default()
    };
    let mut accepted = 0;
    for _ in 0..3_000 {
        let (first, second) = (rng.choice(&cases).unwrap(), rng.choice(&cases).unwrap());
        let mut steps = [first.proof.steps(), second.proof.steps()].concat();
        rng.shuffle(&mut steps);
        let count = steps.len();
        for step in &mut steps {
            if let Step::Classes { classes, exits } = step {
                exits
                    .iter_mut()
                    .for_each(|exit| *exit = rng.usize(..count + 1));
                let class = &mut classes[0];
                class.men[0].squares = Bitboard(rng.u64(..));
                if rng.u8(..8) == 0 {
                    class.kings.claim_to_move = [Bitboard(rng.u64(..)); 64];
                }
            }
        }
        let exits = (0..rng.usize(..4))
            .map(|_| rng.usize(..count + 2))
            .collect();
        let positions = rng.u64(..2_000);
        steps.insert(0, Step::Closed { positions, exits });
        let certificate = Certificate {
            position: first.position,
            claim: first.proof.claim,
            steps,
        };
        accepted += usize::from(verify(&certificate, &limits).is_ok());
    }
    // The claims are true, and exploration alone proves some of them.
    assert!(accepted < 1_000, "{accepted}");
}
