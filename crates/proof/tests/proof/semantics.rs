//! Accepted means true: invariants against exhaustive exploration.
//!
//! The invariants are those that [`widen`] makes: no wider than the checker
//! asks for, so that anything it should ask for and doesn't shows.

use fastrand::Rng;
use stillmate_core::{Color, MaterialRule, Position};
use stillmate_proof::{Invariant, Step};

use crate::support::{
    Kind, Reach, check, check_invariant, explore, frozen, is_bare, long_run, loosen,
    random_fitting, random_position, widen,
};

/// Whether nothing can follow from a position but that `claim` is left with its king: it is no
/// mate by `claim`, and every move, if there is one, takes the last man.
fn is_over(position: &Position, claim: Color) -> bool {
    let mated = position.turn() != claim && position.is_checkmate();
    let mut moves = position.legal_moves().into_iter();
    !mated && moves.all(|m| is_bare(&position.after(m), claim))
}

/// How the questions of one run fell out.
#[derive(Debug, Default)]
struct Tally {
    /// A mate was found where no invariant is accepted.
    winnable: usize,
    /// An invariant was accepted.
    proved: usize,
    /// Of these, those confirmed by visiting all positions that play can reach.
    confirmed: usize,
    /// Random positions that fit an accepted invariant, each with all its moves.
    fitting: usize,
    /// Moves among them that castle.
    castling: usize,
    /// Promotions among them.
    promotions: usize,
    /// Moves that lead out of the invariant to where the last man must be taken.
    taken: usize,
    /// Moves that lead out of it and mate the colour that is claimed unable to.
    mated: usize,
}

/// Asks about random positions for both colours until `proved` invariants were accepted.
/// Where none is, a few positions are visited for a mate, otherwise up to `bound`.
fn cross_check(seed: u64, kind: Kind, proved: usize, bound: usize) -> Tally {
    let mut rng = Rng::with_seed(seed);
    let mut tally = Tally::default();
    while tally.proved < proved {
        let Some(position) = random_position(&mut rng, kind) else {
            continue;
        };
        for claim in Color::ALL {
            let mut start = frozen(&position);
            if rng.bool() {
                loosen(&mut rng, &mut start);
            }
            let Some(invariant) = widen(position, claim, start) else {
                let mate = matches!(explore(position, claim, 300), Reach::Mate(_));
                tally.winnable += usize::from(mate);
                continue;
            };
            tally.proved += 1;
            obligations(&mut rng, claim, position, &invariant, &mut tally);
            match explore(position, claim, bound) {
                Reach::Mate(_) => panic!("{claim} can mate from {position:?}: {invariant:?}"),
                Reach::All(reached) => {
                    tally.confirmed += 1;
                    all_fit(&mut rng, claim, &reached, &invariant);
                }
                Reach::Unknown => {}
            }
        }
    }
    println!("{kind:?}: {tally:?}");
    tally
}

/// Some of the positions reached from one that fits must all fit, until the last man is taken, or
/// must be, or the colour that is claimed unable to mate is mated.
fn all_fit(rng: &mut Rng, claim: Color, reached: &[Position], invariant: &Invariant) {
    for _ in 0..50 {
        let position = reached[rng.usize(..reached.len())];
        if !is_bare(&position, claim) && !is_over(&position, claim) {
            let verdict = check_invariant(position, claim, invariant);
            assert!(
                verdict.is_ok(),
                "{position:?}: {verdict:?} of {invariant:?}"
            );
        }
    }
}

/// Steps of the certificate about all moves from a position, counted from its end.
const BARE: usize = 1;
const FITS: usize = 2;
const MATED: usize = 3;

/// Obligations two and three on random positions that fit, reachable or not.
fn obligations(
    rng: &mut Rng,
    claim: Color,
    origin: Position,
    invariant: &Invariant,
    tally: &mut Tally,
) {
    for _ in 0..100 {
        let Some(position) = random_fitting(rng, invariant) else {
            continue;
        };
        let context = || format!("{position:?} of {origin:?}, {claim}: {invariant:?}");
        let verdict = check_invariant(position, claim, invariant);
        assert!(verdict.is_ok(), "{verdict:?}: {}", context());
        let mated = position.turn() != claim && position.is_checkmate();
        assert!(!mated, "mate: {}", context());
        // All moves in one certificate: each leads to one that fits, or takes the last man, or
        // to where nothing else can follow.
        let (mut moves, mut answers) = (Vec::new(), Vec::new());
        for m in position.legal_moves() {
            let after = position.after(m);
            tally.castling += usize::from(m.is_castle());
            tally.promotions += usize::from(m.promotion().is_some());
            if !is_bare(&position, claim) && is_bare(&after, claim) {
                moves.push((m, BARE));
            } else if !is_over(&after, claim) || check_invariant(after, claim, invariant).is_ok() {
                moves.push((m, FITS));
            } else if !after.has_legal_move() {
                moves.push((m, MATED));
                tally.mated += 1;
            } else {
                moves.push((m, MATED + 1 + answers.len()));
                answers.push(after.legal_moves());
                tally.taken += 1;
            }
        }
        // Steps refer to later ones only, so the list is turned round.
        let last = MATED + answers.len();
        let later = |step: usize| last + 1 - step;
        let mut steps = vec![Step::Moves(
            moves
                .into_iter()
                .map(|(m, step)| (m, later(step)))
                .collect(),
        )];
        for answers in answers.into_iter().rev() {
            let taking = answers.into_iter().map(|m| (m, later(BARE)));
            steps.push(Step::Moves(taking.collect()));
        }
        steps.push(Step::Terminal);
        steps.push(Step::Invariant(invariant.clone()));
        steps.push(Step::Material(MaterialRule::BareKing));
        let verdict = check(position, claim, steps);
        assert!(verdict.is_ok(), "{verdict:?}: {}", context());
        tally.fitting += 1;
    }
}

#[test]
fn what_is_accepted_of_walls_is_true() {
    let tally = cross_check(1, Kind::Wall, 200, 20_000);
    assert!(tally.confirmed > 180, "{tally:?}");
    assert!(tally.winnable > 10, "{tally:?}");
    assert!(tally.fitting > 15_000, "{tally:?}");
}

/// Most of these are about a colour with its king and at most one other man, so that nearly
/// all kinds of moves happen within accepted invariants.
#[test]
fn what_is_accepted_of_open_positions_is_true() {
    let tally = cross_check(2, Kind::Open, 200, 2_000);
    assert!(tally.fitting > 10_000, "{tally:?}");
    assert!(tally.castling > 100, "{tally:?}");
    assert!(tally.promotions > 300, "{tally:?}");
}

/// Checks that must be answered by taking the last man, and mates of the colour that can't mate.
#[test]
fn what_is_accepted_of_cages_is_true() {
    let tally = cross_check(3, Kind::Cage, 60, 2_000);
    assert!(tally.fitting > 2_000, "{tally:?}");
    assert!(tally.taken > 50 && tally.mated > 50, "{tally:?}");
}

/// The same for many more positions; `PROVED` sets how many invariants of each kind.
#[test]
#[ignore = "runs for minutes"]
fn what_is_accepted_is_true_at_length() {
    let (wanted, seed) = long_run("PROVED", 20_000);
    cross_check(seed, Kind::Wall, wanted, 50_000);
    cross_check(seed, Kind::Open, wanted, 2_000);
    cross_check(seed, Kind::Cage, wanted, 2_000);
}
