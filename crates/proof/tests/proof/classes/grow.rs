//! Making *classes* steps for the tests: nothing is in them that the checker doesn't ask for.
//!
//! Whatever it forgets to ask for is missing, and the tests can find a move that leads out.

use shakmaty::attacks;
use stillmate_core::{Bitboard, Color, Position, Role, Square};
use stillmate_proof::{
    Certificate, Class, ClassFault, Invariant, IrreversibleMove, Kings, Limits, Man, Refusal, Step,
    StepFault, verify,
};

use crate::support::mend;

/// A *classes* step in the making, with the invariants that it names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Proof {
    pub(crate) claim: Color,
    pub(crate) classes: Vec<Class>,
    pub(crate) exits: Vec<Invariant>,
}

/// Where to give up: at this many classes and invariants, or steps of one class.
const MOST_CLASSES: usize = 60;
const MOST_FAULTS: usize = 2_000;

/// A proof by classes that `claim` can't mate from `position`, if there is a small one. What
/// irreversible moves lead to gets an invariant where `use_invariant` says so and there is one.
pub(crate) fn grow(
    position: &Position,
    claim: Color,
    mut use_invariant: impl FnMut() -> bool,
) -> Option<Proof> {
    if position.castling().any() || position.ep_square().is_some() {
        return None;
    }
    let root = close(position, claim, single(position, claim))?;
    let mut proof = Proof {
        claim,
        classes: vec![root],
        exits: Vec::new(),
    };
    while proof.classes.len() + proof.exits.len() < MOST_CLASSES {
        let (class, event) = match proof.check(position) {
            Ok(()) => return Some(proof),
            Err(refusal) => uncovered(&refusal)?,
        };
        let entry = after(&proof.classes[class], claim, event)?;
        let exit = use_invariant().then(|| widen(position, claim, loose(&entry, claim)));
        match exit.flatten() {
            Some(exit) => {
                assert!(
                    !proof.exits.contains(&exit),
                    "{event} not covered by {proof:?}"
                );
                proof.exits.push(exit);
            }
            None => {
                let class = close(position, claim, entry)?;
                assert!(
                    !proof.classes.contains(&class),
                    "{event} not covered by {proof:?}"
                );
                proof.classes.push(class);
            }
        }
    }
    None
}

/// The class and its event that the certificate was refused for; `None` if for a mate.
fn uncovered(refusal: &Refusal) -> Option<(usize, IrreversibleMove)> {
    match refusal {
        Refusal::Rejected {
            step: 0,
            fault: StepFault::Class { class, fault },
        } => match fault {
            ClassFault::Uncovered(event) => Some((*class, *event)),
            ClassFault::Mate(_) => None,
            fault => panic!("{fault}"),
        },
        refusal => panic!("{refusal}"),
    }
}

/// Adds to a class what the checker finds missing; `None` if a mate may be in it or it is too
/// large.
fn close(position: &Position, claim: Color, class: Class) -> Option<Class> {
    let mut proof = Proof {
        claim,
        classes: vec![class],
        exits: Vec::new(),
    };
    for _ in 0..MOST_FAULTS {
        let fault = match proof.check(position) {
            Err(Refusal::Rejected {
                fault: StepFault::Class { fault, .. },
                ..
            }) => fault,
            // It isn't the class of the position.
            Ok(()) | Err(_) => return proof.classes.pop(),
        };
        let class = &mut proof.classes[0];
        let before = class.clone();
        match fault {
            ClassFault::Leaves { man, to, .. } => class.men[man].squares.add(to),
            ClassFault::Steps {
                king,
                from,
                to,
                other,
            } => {
                let set = if from == to {
                    Set::plain(claim, !king)
                } else {
                    Set::after(claim, king)
                };
                add(class, claim, set, to, other);
            }
            ClassFault::Uncovered(_) => return proof.classes.pop(),
            ClassFault::Mate(_) => return None,
            fault => panic!("{fault}"),
        }
        assert_ne!(*class, before, "{fault}");
    }
    None
}

/// Adds to an invariant what the checker finds missing; `None` if it can't be mended.
fn widen(position: &Position, claim: Color, mut invariant: Invariant) -> Option<Invariant> {
    let closed = Step::Closed {
        positions: 0,
        exits: vec![1],
    };
    loop {
        let steps = vec![closed.clone(), Step::Invariant(invariant.clone())];
        let certificate = Certificate {
            position: *position,
            claim,
            steps,
        };
        match verify(&certificate, &Limits::default()) {
            Err(Refusal::Rejected {
                step: 1,
                fault: StepFault::Invariant(fault),
            }) => {
                if !mend(&mut invariant, fault) {
                    return None;
                }
            }
            // There is nothing wrong with the exit.
            _ => return Some(invariant),
        }
    }
}

impl Proof {
    /// The step, and the invariants after it.
    pub(crate) fn steps(&self) -> Vec<Step> {
        let exits = (1..=self.exits.len()).collect();
        let classes = self.classes.clone();
        let mut steps = vec![Step::Classes { classes, exits }];
        steps.extend(self.exits.iter().cloned().map(Step::Invariant));
        steps
    }

    pub(crate) fn check(&self, position: &Position) -> Result<(), Refusal> {
        let certificate = Certificate {
            position: *position,
            claim: self.claim,
            steps: self.steps(),
        };
        verify(&certificate, &Limits::default()).map(drop)
    }
}

/// One of the three sets of pairs of kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    ClaimToMove,
    OtherToMove,
    AfterKing,
}

impl Set {
    pub(crate) const ALL: [Set; 3] = [Set::ClaimToMove, Set::OtherToMove, Set::AfterKing];

    /// The set of a position with `turn` to move after another move than that of a king.
    pub(crate) fn plain(claim: Color, turn: Color) -> Set {
        if turn == claim {
            Set::ClaimToMove
        } else {
            Set::OtherToMove
        }
    }

    /// The set of a position after a move of this king.
    pub(crate) fn after(claim: Color, king: Color) -> Set {
        if king == claim {
            Set::AfterKing
        } else {
            Set::ClaimToMove
        }
    }

    pub(crate) fn turn(self, claim: Color) -> Color {
        if self == Set::ClaimToMove {
            claim
        } else {
            !claim
        }
    }

    fn of(self, class: &Class) -> &[Bitboard; 64] {
        match self {
            Set::ClaimToMove => &class.kings.claim_to_move,
            Set::OtherToMove => &class.kings.other_to_move,
            Set::AfterKing => &class.kings.after_king,
        }
    }

    pub(crate) fn rows(self, class: &mut Class) -> &mut [Bitboard; 64] {
        match self {
            Set::ClaimToMove => &mut class.kings.claim_to_move,
            Set::OtherToMove => &mut class.kings.other_to_move,
            Set::AfterKing => &mut class.kings.after_king,
        }
    }
}

/// Adds a pair, given the square of the king that has just moved or might have first.
pub(crate) fn add(class: &mut Class, claim: Color, set: Set, moved: Square, other: Square) {
    let (own, other) = if set.turn(claim) == claim {
        (other, moved)
    } else {
        (moved, other)
    };
    set.rows(class)[own as usize].add(other);
}

fn without_pairs(men: Vec<Man>) -> Class {
    let kings = Kings {
        claim_to_move: [Bitboard::EMPTY; 64],
        other_to_move: [Bitboard::EMPTY; 64],
        after_king: [Bitboard::EMPTY; 64],
    };
    Class {
        men,
        kings: Box::new(kings),
    }
}

pub(crate) fn single(position: &Position, claim: Color) -> Class {
    let men = position
        .pieces()
        .filter(|(_, piece)| piece.role != Role::King);
    let men = men.map(|(square, piece)| Man {
        piece,
        squares: square.into(),
        lost: false,
        promotes: false,
    });
    let mut class = without_pairs(men.collect());
    let rows = Set::plain(claim, position.turn()).rows(&mut class);
    rows[position.king(claim) as usize].add(position.king(!claim));
    class
}

/// Every pair of a class, with the set that it is in.
pub(crate) fn pairs(class: &Class) -> Vec<(Set, Square, Square)> {
    let mut pairs = Vec::new();
    for set in Set::ALL {
        for (own, others) in Square::ALL.into_iter().zip(set.of(class)) {
            pairs.extend(others.into_iter().map(|other| (set, own, other)));
        }
    }
    pairs
}

/// The squares on which a man or king stands in every position of a class.
fn fixed(class: &Class) -> Bitboard {
    let pairs = pairs(class);
    let own: Bitboard = pairs.iter().map(|&(_, own, _)| own).collect();
    let other: Bitboard = pairs.iter().map(|&(_, _, other)| other).collect();
    let sets = class.men.iter().map(|man| man.squares).chain([own, other]);
    sets.filter_map(Bitboard::single_square).collect()
}

/// What `event` leads to, told by going through all squares; `None` if a pawn of the claiming
/// colour promotes.
pub(crate) fn after(class: &Class, claim: Color, event: IrreversibleMove) -> Option<Class> {
    let fixed = fixed(class);
    let mut men = class.men.clone();
    let (mover, arrival, passed, gone) = match event {
        IrreversibleMove::Takes { man, victim } => {
            let hunter = men[man];
            let all = hunter.squares.into_iter();
            let attacked = all.fold(Bitboard::EMPTY, |all, from| {
                all | attacks::attacks(from, hunter.piece, fixed)
            });
            let victims = men[victim].squares;
            if !hunter.promotes {
                men[man].squares = attacked & victims;
            }
            let arrival = if hunter.promotes {
                victims
            } else {
                attacked & victims
            };
            (hunter.piece.color, arrival, None, Some(victim))
        }
        IrreversibleMove::Pawn { man, to, victim } => {
            let color = men[man].piece.color;
            men[man].squares = to.into();
            if Bitboard::BACKRANKS.contains(to) {
                if color == claim {
                    return None;
                }
                men[man].promotes = true;
                men[man].squares = Bitboard::FULL;
            }
            (color, to.into(), None, victim)
        }
        IrreversibleMove::EnPassant {
            man,
            to,
            taker,
            passed,
        } => {
            men[taker].squares = passed.into();
            (men[man].piece.color, to.into(), Some(passed), Some(man))
        }
        IrreversibleMove::KingTakes { king, victim } => {
            return Some(king_takes(class, claim, king, victim));
        }
    };
    if let Some(gone) = gone {
        men.remove(gone);
    }
    let mut entry = without_pairs(men);
    let barred = if arrival.count() == 1 {
        arrival
    } else {
        Bitboard::EMPTY
    };
    let barred = passed.map_or(barred, |passed| barred.with(passed));
    let turn = if passed.is_some() { mover } else { !mover };
    for (set, own, other) in pairs(class) {
        let fits = set.turn(claim) == mover;
        if fits && !barred.contains(own) && !barred.contains(other) {
            Set::plain(claim, turn).rows(&mut entry)[own as usize].add(other);
        }
    }
    Some(entry)
}

/// After a king has taken a man on one of the squares that nothing guards for certain.
fn king_takes(class: &Class, claim: Color, king: Color, victim: usize) -> Class {
    let mut may = class
        .men
        .iter()
        .fold(Bitboard::EMPTY, |all, man| all | man.squares);
    for (_, own, other) in pairs(class) {
        may = may.with(own).with(other);
    }
    let is_guarded = |to| {
        let mut guards = class
            .men
            .iter()
            .filter(|man| man.piece.color != king && !man.promotes);
        guards.any(|man| {
            let mut from = man.squares.into_iter();
            from.all(|from| attacks::attacks(from, man.piece, may).contains(to))
        })
    };
    let mut men = class.men.clone();
    let targets = men.remove(victim).squares;
    let targets: Bitboard = targets.into_iter().filter(|&to| !is_guarded(to)).collect();
    let mut entry = without_pairs(men);
    for (set, own, other) in pairs(class) {
        let (from, still) = if king == claim {
            (own, other)
        } else {
            (other, own)
        };
        if set.turn(claim) != king {
            continue;
        }
        for to in attacks::king_attacks(from) & targets {
            if to != still && !attacks::king_attacks(still).contains(to) {
                add(&mut entry, claim, Set::after(claim, king), to, still);
            }
        }
    }
    entry
}

/// An invariant to be widened, for the positions of a class.
fn loose(class: &Class, claim: Color) -> Invariant {
    let mut kings = [Bitboard::EMPTY; 2];
    for (_, own, other) in pairs(class) {
        kings[0].add(own);
        kings[1].add(other);
    }
    let man = |piece, squares, promotes| Man {
        piece,
        squares,
        lost: promotes,
        promotes,
    };
    let men = class.men.iter().map(|listed| {
        let squares = if listed.promotes {
            Bitboard::EMPTY
        } else {
            listed.squares
        };
        man(listed.piece, squares, listed.promotes)
    });
    let kings = [
        man(Role::King.of(claim), kings[0], false),
        man(Role::King.of(!claim), kings[1], false),
    ];
    let mut invariant = Invariant {
        men: men.chain(kings).collect(),
        ..Invariant::default()
    };
    let pawns = |color| {
        let men = invariant.men.iter().enumerate();
        men.filter(move |(_, man)| man.piece == Role::Pawn.of(color) && !man.promotes)
    };
    let mut opposed = Vec::new();
    for (white, lower) in pawns(Color::White) {
        for (black, upper) in pawns(Color::Black) {
            if let (Some(lower), Some(upper)) = (lower.squares.first(), upper.squares.first())
                && lower.file() == upper.file()
                && lower.rank() < upper.rank()
            {
                opposed.push((white, black));
            }
        }
    }
    invariant.opposed = opposed;
    invariant
}
