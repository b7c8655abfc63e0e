//! Every way of giving mate, one or two moves away: no argument gets past it.
//!
//! The mates come first, drawn at random, and the positions before them by taking moves back,
//! so that castling, promotion, capture in passing and discovery mate as often as is wanted.
//! Of each such position it is known that the colour can mate. Whatever is put together
//! against it, with the checker itself as the guide, has to be refused.

use std::collections::BTreeMap;

use fastrand::Rng;
use stillmate_core::{Bitboard, Color, MaterialRule, Move, Position, Rank, Role, Square};
use stillmate_proof::{
    Class, ClassFault, Invariant, InvariantFault, Limits, PossibleMate, Refusal, Step, StepFault,
    verify,
};

use crate::{
    classes::grow::{self, Proof, Set, grow},
    support::{certificate, check_invariant, frozen, long_run, loosen, mend},
};

/// A random mate given by White: Black's king, men around it, and a few more.
fn random_mate(rng: &mut Rng) -> Option<Position> {
    let mut men: Vec<(Square, Color, Role)> = Vec::new();
    let mut put = |square: Square, color, role| {
        let pawn_on_edge = role == Role::Pawn && Bitboard::BACKRANKS.contains(square);
        let free = men.iter().all(|&(taken, ..)| taken != square);
        (free && !pawn_on_edge).then(|| men.push((square, color, role)))
    };
    let any = |rng: &mut Rng| Square::new(rng.u32(..64));
    let king = match rng.u8(..8) {
        // Just castled: the rook's file is the king's.
        0 => {
            let (own, rook) = if rng.bool() {
                (Square::G1, Square::F1)
            } else {
                (Square::C1, Square::D1)
            };
            put(own, Color::White, Role::King)?;
            put(rook, Color::White, Role::Rook)?;
            Square::from_coords(rook.file(), Rank::new(rng.u32(2..8)))
        }
        _ => {
            put(any(rng), Color::White, Role::King)?;
            any(rng)
        }
    };
    put(king, Color::Black, Role::King)?;
    let around = shakmaty::attacks::king_attacks(king);
    for square in around {
        if rng.u8(..3) == 0 {
            let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook];
            put(square, Color::Black, rng.choice(roles)?);
        }
    }
    for _ in 0..rng.u8(1..6) {
        let roles = [
            Role::Pawn,
            Role::Pawn,
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
        ];
        put(any(rng), Color::White, rng.choice(roles)?);
    }
    let men = men
        .iter()
        .map(|&(square, color, role)| (role.of(color), square.into()));
    let position = Position::from_pieces(men, Color::Black)?;
    position.is_checkmate().then_some(position)
}

/// How `m`, which leads from `before` to a mate, gives it.
fn way(before: &Position, m: Move) -> &'static str {
    let mate = before.after(m);
    let checkers = mate.checkers();
    if m.is_castle() {
        "castling"
    } else if m.is_en_passant() {
        "capture in passing"
    } else if let Some(role) = m.promotion() {
        match role {
            Role::Queen => "queening",
            Role::Rook => "promotion to a rook",
            Role::Bishop => "promotion to a bishop",
            _ => "promotion to a knight",
        }
    } else if m.role() == Role::King {
        "discovery by the king"
    } else if checkers.more_than_one() {
        "double check"
    } else if !checkers.contains(m.to()) {
        "discovery"
    } else {
        match m.role() {
            Role::Pawn if m.from().distance(m.to()) == 2 => "double step",
            Role::Pawn => "pawn",
            Role::Knight => "knight",
            Role::Bishop => "bishop",
            Role::Rook => "rook",
            _ => "queen",
        }
    }
}

const WAYS: usize = 15;

/// Puts together arguments that `claim` can't mate from `position`, where it can; how many.
fn attempts(rng: &mut Rng, position: Position, claim: Color) -> usize {
    let mut refused = 0;
    let limits = Limits {
        positions: 2_000,
        work: 20_000,
        ..Limits::default()
    };
    let mut attempt = |steps: Vec<Step>| {
        let made = certificate(position, claim, steps);
        let verdict = verify(&made, &limits);
        assert!(verdict.is_err(), "accepted: {made:?}");
        refused += 1;
    };
    for rule in [
        MaterialRule::BareKing,
        MaterialRule::KnightAgainstQueens,
        MaterialRule::BishopsOfOneColour,
    ] {
        attempt(vec![Step::Material(rule)]);
    }
    let mut start = frozen(&position);
    if rng.bool() {
        loosen(rng, &mut start);
    }
    for invariant in invariants(rng, position, claim, start) {
        attempt(vec![Step::Invariant(invariant.clone())]);
        let exits = vec![1];
        let positions = 2_000;
        let closed = Step::Closed { positions, exits };
        attempt(vec![closed, Step::Invariant(invariant.clone())]);
        // All moves, each to what may hold there.
        let mut steps = vec![
            Step::Moves(Vec::new()),
            Step::Terminal,
            Step::Material(MaterialRule::BareKing),
            Step::Closed {
                positions: 300,
                exits: vec![4],
            },
            Step::Invariant(invariant),
        ];
        let moves = position.legal_moves().into_iter();
        let fitting = |m: Move| {
            let holds = |step: &usize| {
                let after = position.after(m);
                let tail = match &steps[*step] {
                    Step::Closed { .. } => vec![
                        Step::Closed {
                            positions: 300,
                            exits: vec![1],
                        },
                        steps[4].clone(),
                    ],
                    other => vec![other.clone()],
                };
                verify(&certificate(after, claim, tail), &limits).is_ok()
            };
            (m, (1..5).find(holds).unwrap_or(rng.usize(1..5)))
        };
        let moves: Vec<_> = moves.map(fitting).collect();
        steps[0] = Step::Moves(moves);
        attempt(steps);
    }
    let few = rng.u8(..4);
    let by_classes = grow(&position, claim, || rng.u8(..4) < few);
    assert!(
        by_classes.is_none(),
        "{claim} in {position:?}: {by_classes:?}"
    );
    refused + 1 + carve(rng, position, claim)
}

/// Grows classes as the checker asks, but where it finds the mate, or asks for what might lead
/// there, leaves out what would; how many such lists were refused.
fn carve(rng: &mut Rng, position: Position, claim: Color) -> usize {
    if position.castling().any() || position.ep_square().is_some() {
        return 0;
    }
    let mut proof = Proof {
        claim,
        classes: vec![grow::single(&position, claim)],
        exits: Vec::new(),
    };
    for refused in 0..MOST_LISTS {
        let (place, fault) = match proof.check(&position) {
            Ok(()) => panic!("accepted: {claim} in {position:?}: {proof:?}"),
            Err(Refusal::Rejected {
                fault: StepFault::Class { class, fault },
                ..
            }) => (class, fault),
            Err(_) => return refused,
        };
        let class = &mut proof.classes[place];
        match fault {
            ClassFault::Leaves { man, to, .. } => class.men[man].squares.add(to),
            ClassFault::Steps {
                king,
                from,
                to,
                other,
            } if rng.u8(..3) != 0 => {
                let set = if from == to {
                    Set::plain(claim, !king)
                } else {
                    Set::after(claim, king)
                };
                grow::add(class, claim, set, to, other);
            }
            ClassFault::Steps {
                king, from, other, ..
            } => {
                let (own, mated) = if king == claim {
                    (from, other)
                } else {
                    (other, from)
                };
                leave_out(class, claim, king, own, mated);
            }
            ClassFault::Mate(PossibleMate { man, from, .. }) if rng.u8(..4) == 0 => {
                class.men[man].squares.discard(from);
            }
            ClassFault::Mate(PossibleMate { king, guard, .. }) => {
                leave_out(class, claim, !claim, guard, king);
            }
            ClassFault::Uncovered(event) => {
                let Some(next) = grow::after(class, claim, event) else {
                    return refused + 1;
                };
                if proof.classes.contains(&next) || proof.classes.len() > 20 {
                    return refused + 1;
                }
                proof.classes.push(next);
            }
            _ => return refused + 1,
        }
    }
    MOST_LISTS
}

/// How many lists of classes are tried for one position.
const MOST_LISTS: usize = 150;

/// Takes a pair of kings out of a class, with this side to move.
fn leave_out(class: &mut Class, claim: Color, turn: Color, own: Square, other: Square) {
    for set in Set::ALL {
        if set.turn(claim) == turn {
            set.rows(class)[own as usize].discard(other);
        }
    }
}

/// How many descriptions of one position are tried.
const MOST_INVARIANTS: usize = 6;

/// Descriptions of `position`: the one that the checker asks for, until it finds the mate in
/// it, and such as begin with that and then leave out something that the mate needs.
fn invariants(
    rng: &mut Rng,
    position: Position,
    claim: Color,
    mut invariant: Invariant,
) -> Vec<Invariant> {
    let mut made = Vec::new();
    for _ in 0..2_000 {
        let fault = match check_invariant(position, claim, &invariant) {
            Err(Refusal::Rejected {
                fault: StepFault::Invariant(fault),
                ..
            }) => fault,
            Err(_) => break,
            Ok(_) => panic!("accepted: {claim} in {position:?}: {invariant:?}"),
        };
        if mend(&mut invariant, fault) {
            continue;
        }
        made.push(invariant.clone());
        if made.len() > MOST_INVARIANTS {
            break;
        }
        match fault {
            InvariantFault::Mate(PossibleMate {
                king, man, from, ..
            }) => match rng.u8(..5) {
                0 => invariant.men[man].squares.discard(from),
                1 => {
                    let mut men = invariant.men.iter_mut();
                    let mated = men.find(|man| man.piece == Role::King.of(!claim));
                    mated.expect("a king").squares.discard(king);
                }
                2 => {
                    invariant.men.remove(man);
                    invariant.opposed.clear();
                }
                3 => invariant.castling = Bitboard::EMPTY,
                _ => invariant.en_passant = None,
            },
            // A pawn that may promote and must not.
            InvariantFault::Promotes(man) => {
                let man = &mut invariant.men[man];
                let last = claim.fold_wb(Rank::Seventh, Rank::Second);
                man.promotes = false;
                man.squares &= !Bitboard::from_rank(last);
            }
            _ => break,
        }
    }
    made
}

/// Goes through mates until there were `wanted` of each way; what was refused, by the way.
fn run(seed: u64, wanted: usize) -> BTreeMap<&'static str, (usize, usize)> {
    let mut rng = Rng::with_seed(seed);
    let mut tallies: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let enough = |tallies: &BTreeMap<_, (usize, usize)>| {
        tallies.len() == WAYS && tallies.values().all(|&(positions, _)| positions >= wanted)
    };
    while !enough(&tallies) {
        let Some(mate) = random_mate(&mut rng) else {
            continue;
        };
        for before in mate.predecessors() {
            let mates = before
                .legal_moves()
                .into_iter()
                .filter(|&m| before.after(m) == mate);
            let Some(m) = mates.into_iter().next() else {
                panic!("{before:?} does not lead to {mate:?}");
            };
            let tally = tallies.entry(way(&before, m)).or_default();
            if tally.0 >= wanted {
                continue;
            }
            // Half of them a move of the other side earlier.
            let earlier = if rng.bool() {
                rng.choice(before.predecessors())
            } else {
                None
            };
            let start = earlier.unwrap_or(before);
            let (start, claim) = if rng.bool() {
                (start.mirrored(), Color::Black)
            } else {
                (start, Color::White)
            };
            tally.0 += 1;
            tally.1 += attempts(&mut rng, start, claim);
        }
    }
    tallies
}

#[test]
fn nothing_hides_a_mate() {
    let tallies = run(1, 6);
    println!("{tallies:?}");
    let all: usize = tallies.values().map(|&(_, refused)| refused).sum();
    assert!(all > 9_000, "{tallies:?}");
}

/// The same for many more; `MATES` sets how many of each way of giving mate.
#[test]
#[ignore = "runs for minutes"]
fn nothing_hides_a_mate_at_length() {
    let (wanted, seed) = long_run("MATES", 1_000);
    println!("{:?}", run(seed, wanted));
}
