//! Each rule where it just fires, and a twin that must be rejected.

use stillmate_core::{Bitboard, Color, Role, Square};
use stillmate_proof::{
    Accepted, Class, ClassFault, IrreversibleMove, Limit, Limits, Man, PossibleMate, Refusal, Step,
    StepFault, verify,
};

use super::grow::{Proof, Set, after, grow, pairs, single};
use crate::support::{Reach, certificate, check, explore, position};

use Color::{Black, White};

/// A position, a colour that can't mate, the number of classes that show it, and a near miss:
/// one man or step away, and the colour can mate.
const CASES: [(&str, Color, usize, &str); 11] = [
    // A bishop that sees nothing but its own pawns, and its twin of the other colour.
    (
        "k1b5/1p1p4/1P1P4/B7/8/8/8/K7 w - -",
        White,
        4,
        "k1b5/1p1p4/1P1P4/8/B7/8/8/K7 w - -",
    ),
    (
        "5bk1/4p1p1/4P1P1/7K/8/8/8/8 w - -",
        White,
        2,
        "5bk1/4p1p1/3P2P1/7K/8/8/8/8 w - -",
    ),
    (
        "8/7p/k4p1P/5p1K/5Pp1/6P1/6P1/8 w - -",
        Black,
        4,
        "8/7p/k4p1P/5p1K/5Pp1/6P1/7P/8 w - -",
    ),
    (
        "1kb5/1p1p4/1P1P2p1/6p1/6Pb/6p1/6P1/7K w - -",
        Black,
        4,
        "1kb5/1p1p4/1P1P2p1/6p1/6Pb/6p1/7P/7K w - -",
    ),
    (
        "8/8/8/7p/8/p1p2k2/PpP4P/1K6 b - -",
        Black,
        9,
        "8/8/8/7p/8/p1p2k2/PpP3P1/1K6 b - -",
    ),
    (
        "8/1p6/kPp5/p1P5/2P5/P7/3K4/8 b - -",
        Black,
        3,
        "8/1p6/kPp5/p1P5/2P5/1P6/3K4/8 b - -",
    ),
    (
        "1K6/1p6/kPp5/2P5/p1P5/P7/8/8 w - -",
        Black,
        2,
        "1K6/1p6/kPp5/2P5/p1P5/8/8/8 w - -",
    ),
    (
        "8/6p1/pp4P1/1p4PK/kp4P1/1p4PP/1P6/8 w - -",
        Black,
        4,
        "8/6p1/pp4P1/1p4PK/kp4P1/1p4PP/8/8 w - -",
    ),
    (
        "k7/1p6/1Pp5/n1P5/N1p5/1pPp4/1P1P4/K1B5 w - -",
        Black,
        2,
        "k7/1p6/1Pp5/n1P5/N1p5/1pPp4/1P1P4/K7 w - -",
    ),
    (
        "BbK1kb2/b1p1p1p1/1pP1P1P1/1P6/8/1B6/8/1B2b2B b - -",
        Black,
        2,
        "BbK1kb2/b1p1p1p1/1pP1P1P1/1P6/8/1B6/8/1B1b3B b - -",
    ),
    (
        "8/4k3/p1p1p1p1/P1P1P1P1/2p1p1p1/P1P1P1P1/4K3/8 w - -",
        Black,
        16,
        "8/4k3/p1p1p1p1/P1P1P1P1/2p1p1p1/1PP1P1P1/4K3/8 w - -",
    ),
];

fn proof(fen: &str, claim: Color) -> Proof {
    grow(&position(fen), claim, || false).unwrap_or_else(|| panic!("no proof for {fen}"))
}

/// What is wrong with the class of the first step.
fn fault(result: Result<(), Refusal>) -> (usize, ClassFault) {
    match result {
        Err(Refusal::Rejected {
            step: 0,
            fault: StepFault::Class { class, fault },
        }) => (class, fault),
        other => panic!("{other:?}"),
    }
}

#[test]
fn positions_are_proved_and_near_misses_are_not() {
    for (fen, claim, classes, twin) in CASES {
        let proof = proof(fen, claim);
        assert_eq!(proof.classes.len(), classes, "{claim} in {fen}");
        let twin = position(twin);
        assert!(
            grow(&twin, claim, || false).is_none(),
            "{claim} in {twin:?}"
        );
        assert!(
            matches!(explore(twin, claim, 50_000), Reach::Mate(_)),
            "{claim} in {twin:?}"
        );
        // The classes of a position are no proof for another.
        assert!(proof.check(&twin).is_err(), "{claim} in {twin:?}");
    }
}

#[test]
fn mirrored_proofs_are_proofs() {
    for (fen, claim, ..) in CASES {
        let certificate = certificate(position(fen), claim, proof(fen, claim).steps());
        let mirrored = certificate.mirrored();
        assert_ne!(mirrored, certificate);
        assert_eq!(mirrored.mirrored(), certificate);
        let check = |certificate| {
            let accepted = verify(certificate, &Limits::default()).expect("a proof");
            // The order in which squares are looked at is another.
            Accepted {
                work: 0,
                ..accepted
            }
        };
        assert_eq!(check(&mirrored), check(&certificate));
    }
}

#[test]
fn every_part_is_needed() {
    for (fen, claim, ..) in CASES {
        let (position, whole) = (position(fen), proof(fen, claim));
        assert!(whole.check(&position).is_ok());
        for place in 0..whole.classes.len() {
            let class = &whole.classes[place];
            let mut without = whole.clone();
            without.classes.remove(place);
            assert!(
                without.check(&position).is_err(),
                "{fen} without class {place}"
            );
            let all = pairs(class);
            for &(set, own, other) in &all {
                // What W may do otherwise it may do with its king.
                if set == Set::AfterKing && all.contains(&(Set::OtherToMove, own, other)) {
                    continue;
                }
                let mut less = whole.clone();
                set.rows(&mut less.classes[place])[own as usize].discard(other);
                let verdict = less.check(&position);
                assert!(
                    verdict.is_err(),
                    "{fen}, class {place} without {own} {other}, {set:?}"
                );
            }
            for (i, man) in class.men.iter().enumerate() {
                for square in man.squares {
                    let mut less = whole.clone();
                    less.classes[place].men[i].squares.discard(square);
                    let verdict = less.check(&position);
                    assert!(
                        verdict.is_err(),
                        "{fen}, class {place}, man {i} without {square}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_position_belongs_to_the_first_class() {
    let fen = "8/7p/k4p1P/5p1K/5Pp1/6P1/6P1/8 w - -";
    let mut proof = proof(fen, White);
    let belongs = |proof: &Proof, fen: &str| match proof.check(&position(fen)) {
        Ok(()) => true,
        Err(Refusal::Rejected {
            step: 0,
            fault: StepFault::DoesNotBelong,
        }) => false,
        other => panic!("{other:?}"),
    };
    assert!(belongs(&proof, fen));
    // Another pair of kings, also with the other side to move.
    assert!(belongs(&proof, "8/7p/5p1P/k4p1K/5Pp1/6P1/6P1/8 w - -"));
    assert!(belongs(&proof, "8/7p/5p1P/k4p1K/5Pp1/6P1/6P1/8 b - -"));
    assert!(!belongs(&proof, "8/7p/k4p1P/5p2/5Pp1/3K2P1/6P1/8 w - -"));
    // A pawn elsewhere, one less, one more, one of the other colour.
    for other in [
        "8/7p/k4p1P/5p1K/5Pp1/8/6PP/8 w - -",
        "8/7p/k4p1P/5p1K/5Pp1/6P1/8/8 w - -",
        "8/7p/k4p1P/5p1K/5Pp1/6P1/P5P1/8 w - -",
        "8/7p/k4p1P/5p1K/5Pp1/6P1/6p1/8 w - -",
        "8/7p/k4p1P/5p1K/5Pp1/6P1/6N1/8 w - -",
    ] {
        assert!(!belongs(&proof, other), "{other}");
    }
    proof.classes.swap(0, 1);
    assert!(!belongs(&proof, fen));
    proof.classes.clear();
    assert!(!belongs(&proof, fen));
}

/// A class of the men on the board, pawns on their squares and the others anywhere, with all
/// pairs of kings that there are. Reversible moves don't lead out of it.
fn free(fen: &str, claim: Color) -> Proof {
    let mut class = single(&position(fen), claim);
    for man in class
        .men
        .iter_mut()
        .filter(|man| man.piece.role != Role::Pawn)
    {
        man.squares = Bitboard::FULL;
    }
    for own in Square::ALL {
        let apart = |other: &Square| own.distance(*other) > 1;
        let others: Bitboard = Square::ALL.into_iter().filter(apart).collect();
        class.kings.claim_to_move[own as usize] = others;
        class.kings.other_to_move[own as usize] = others;
    }
    Proof {
        claim,
        classes: vec![class],
        exits: Vec::new(),
    }
}

fn unknown(color: Color) -> Man {
    Man {
        piece: Role::Pawn.of(color),
        squares: Bitboard::FULL,
        lost: false,
        promotes: true,
    }
}

#[test]
fn castling_rights_belong_to_no_class() {
    // White has nothing but a king, so that there is nothing else to prove.
    let proof = free("r3k3/8/8/8/8/8/8/4K3 b - -", White);
    assert_eq!(proof.check(&position("r3k3/8/8/8/8/8/8/4K3 b - -")), Ok(()));
    let verdict = proof.check(&position("r3k3/8/8/8/8/8/8/4K3 b q -"));
    assert_eq!(fault_of(verdict), StepFault::DoesNotBelong);
}

#[test]
fn en_passant_captures_belong_to_no_class() {
    let proof = proof("8/7p/k4p1P/5p1K/5Pp1/6P1/6P1/8 w - -", White);
    let fen = "8/7p/k4p1P/5p1K/5Pp1/6P1/6P1/8 b - ";
    assert_eq!(proof.check(&position(&format!("{fen}-"))), Ok(()));
    let verdict = proof.check(&position(&format!("{fen}f3")));
    assert_eq!(fault_of(verdict), StepFault::DoesNotBelong);
}

#[test]
fn a_man_of_unknown_kind_is_an_officer_of_its_colour() {
    let mut proof = free("4k3/8/8/8/8/8/8/4K3 w - -", White);
    proof.classes[0].men.push(unknown(Black));
    for man in "qrbn".chars() {
        let fen = format!("4k3/8/8/8/3{man}4/8/8/4K3 w - -");
        assert_eq!(proof.check(&position(&fen)), Ok(()), "{fen}");
    }
    for man in "pPQ1".chars() {
        let fen = format!("4k3/8/8/8/3{man}4/8/8/4K3 w - -");
        let verdict = proof.check(&position(&fen));
        assert_eq!(fault_of(verdict), StepFault::DoesNotBelong, "{fen}");
    }
}

#[test]
fn every_man_on_the_board_is_another_one_of_the_class() {
    let mut proof = free("4k3/8/8/8/2bb4/8/8/4K3 w - -", White);
    let colours = [Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES];
    for (man, squares) in proof.classes[0].men.iter_mut().zip(colours) {
        man.squares = squares;
    }
    for fen in [
        "4k3/8/8/8/2bb4/8/8/4K3 w - -",
        "b3k2b/8/8/8/8/8/8/4K3 w - -",
    ] {
        assert_eq!(proof.check(&position(fen)), Ok(()), "{fen}");
    }
    for fen in [
        "4k3/8/8/2b5/3b4/8/8/4K3 w - -",
        "4k3/8/8/8/2b1b3/8/8/4K3 w - -",
    ] {
        assert_eq!(
            fault_of(proof.check(&position(fen))),
            StepFault::DoesNotBelong,
            "{fen}"
        );
    }
}

fn fault_of(result: Result<(), Refusal>) -> StepFault {
    match result {
        Err(Refusal::Rejected { step: 0, fault }) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn malformed_classes_are_refused() {
    let fen = "8/7p/k4p1P/5p1K/5Pp1/6P1/6P1/8 w - -";
    let whole = proof(fen, White);
    let changed = |change: &dyn Fn(&mut Class)| {
        let mut proof = whole.clone();
        change(&mut proof.classes[1]);
        fault(proof.check(&position(fen)))
    };
    let last = whole.classes[1].men.len() - 1;
    let man = |change: &dyn Fn(&mut Man)| changed(&|class| change(&mut class.men[last]));
    let no_man = (1, ClassFault::Man(last));
    assert_eq!(man(&|man| man.lost = true), no_man);
    assert_eq!(man(&|man| man.piece.role = Role::King), no_man);
    assert_eq!(man(&|man| man.squares.add(Square::A4)), no_man);
    assert_eq!(man(&|man| man.squares = Bitboard::EMPTY), no_man);
    assert_eq!(man(&|man| man.squares = Square::A8.into()), no_man);
    assert_eq!(man(&|man| *man = unknown(White)), no_man);
    let queen = |man: &mut Man| (man.piece, man.promotes) = (Role::Queen.of(Black), true);
    assert_eq!(man(&queen), no_man);
    let crowd = |class: &mut Class| class.men = vec![unknown(Black); 63];
    assert_eq!(changed(&crowd), (1, ClassFault::Crowd));
    for (own, other) in [(Square::A1, Square::A1), (Square::A1, Square::B2)] {
        for set in Set::ALL {
            let near = |class: &mut Class| set.rows(class)[own as usize].add(other);
            let fault = ClassFault::Kings { claim: own, other };
            assert_eq!(changed(&near), (1, fault), "{set:?}");
        }
    }
}

#[test]
fn a_side_may_wait_if_it_has_a_man_to_move() {
    // Black is in zugzwang: the king can't move, so the pawn must.
    let fen = "8/1p6/kPp5/p1P5/2P5/P7/3K4/8 b - -";
    let mut proof = Proof {
        claim: White,
        classes: vec![single(&position(fen), White)],
        exits: Vec::new(),
    };
    let pawn = proof.classes[0]
        .men
        .iter()
        .position(|man| man.squares.contains(Square::A5));
    let push = IrreversibleMove::Pawn {
        man: pawn.unwrap(),
        to: Square::A4,
        victim: None,
    };
    let verdict = proof.check(&position(fen));
    assert_eq!(fault(verdict), (0, ClassFault::Uncovered(push)));
    proof.classes[0].men.push(unknown(Black));
    let wait = ClassFault::Steps {
        king: Black,
        from: Square::A6,
        to: Square::A6,
        other: Square::D2,
    };
    assert_eq!(fault(proof.check(&position(fen))), (0, wait));
}

#[test]
fn kings_step_wherever_nothing_guards_for_certain() {
    // On b3 a pawn always guards a2; a bishop may have gone, and who knows what another is.
    let pawn = free("7k/8/8/8/8/1p6/1P6/K7 w - -", White);
    let bishop = free("7k/8/8/8/8/1b6/1P6/K7 w - -", White);
    let mut nobody_knows = bishop.clone();
    nobody_knows.classes[0].men[1] = unknown(Black);
    // A knight that never moves guards a2 from b4, unless it can be taken there.
    let knight = |squares| {
        let mut proof = free("7k/8/8/8/1n6/8/1P6/K7 w - -", White);
        proof.classes[0].men[1].squares = squares;
        proof
    };
    let steps_to_a2 = |mut proof: Proof| {
        Set::OtherToMove.rows(&mut proof.classes[0])[Square::A2 as usize].discard(Square::H8);
        let verdict = proof.check(&position("7k/8/8/8/8/8/8/K7 w - -"));
        matches!(
            fault(verdict),
            (0, ClassFault::Steps { to: Square::A2, .. })
        )
    };
    assert!(!steps_to_a2(pawn));
    assert!(steps_to_a2(bishop));
    assert!(steps_to_a2(nobody_knows));
    assert!(steps_to_a2(knight(Bitboard::FULL)));
}

/// Every event of the first class that the checker wants to be covered, in its order: each is
/// given a class of its own, and nothing is wrong with the first when one of these is reached.
fn demanded(mut proof: Proof) -> Vec<IrreversibleMove> {
    let position = position("4k3/8/8/8/8/8/8/4K3 w - -");
    let mut events = Vec::new();
    loop {
        match proof.check(&position) {
            Err(Refusal::Rejected {
                fault:
                    StepFault::Class {
                        class: 0,
                        fault: ClassFault::Uncovered(event),
                    },
                ..
            }) => {
                events.push(event);
                match after(&proof.classes[0], proof.claim, event) {
                    Some(class) => proof.classes.push(class),
                    None => return events,
                }
            }
            Err(Refusal::Rejected {
                fault: StepFault::DoesNotBelong | StepFault::Class { class: 1.., .. },
                ..
            }) => return events,
            other => panic!("{other:?}"),
        }
    }
}

/// The place of the man on `square` in the class of a position.
fn place(fen: &str, square: Square) -> usize {
    let position = position(fen);
    let mut men = position
        .pieces()
        .filter(|(_, piece)| piece.role != Role::King);
    men.position(|(at, _)| at == square).unwrap()
}

#[test]
fn captures_are_covered() {
    let fen = "4k3/8/8/4p3/8/8/8/N3K3 w - -";
    let push = |man, to| IrreversibleMove::Pawn {
        man,
        to,
        victim: None,
    };
    // Without its knight White has nothing left, and the knight alone can't mate: of the
    // captures none needs a class.
    let pawn = place(fen, Square::E5);
    assert_eq!(demanded(free(fen, White)), [push(pawn, Square::E4)]);
    // With another pawn there the knight isn't alone.
    let fen = "4k3/8/8/4p1p1/8/8/8/N3K3 w - -";
    let man = place(fen, Square::A1);
    let pawns = [Square::E5, Square::G5].map(|square| place(fen, square));
    let takes = pawns.map(|victim| IrreversibleMove::Takes { man, victim });
    let pushes = [push(pawns[0], Square::E4), push(pawns[1], Square::G4)];
    let king = White;
    let king_takes = pawns.map(|victim| IrreversibleMove::KingTakes { king, victim });
    let expected = [takes, pushes, king_takes].concat();
    assert_eq!(demanded(free(fen, White)), expected);
}

#[test]
fn pawn_moves_are_covered() {
    let fen = "4k3/8/8/8/3p4/8/P3P3/4K3 w - -";
    let [a2, e2, d4] = [Square::A2, Square::E2, Square::D4].map(|square| place(fen, square));
    let pawn = |man, to| IrreversibleMove::Pawn {
        man,
        to,
        victim: None,
    };
    let takes = |king, victim| IrreversibleMove::KingTakes { king, victim };
    let passing = IrreversibleMove::EnPassant {
        man: e2,
        to: Square::E4,
        taker: d4,
        passed: Square::E3,
    };
    let expected = vec![
        pawn(a2, Square::A3),
        pawn(a2, Square::A4),
        pawn(e2, Square::E3),
        pawn(e2, Square::E4),
        passing,
        pawn(d4, Square::D3),
        takes(White, d4),
        takes(Black, a2),
        takes(Black, e2),
    ];
    assert_eq!(demanded(free(fen, White)), expected);
    // Blocked, out of reach, and taking each other.
    let fen = "4k3/8/8/8/4p3/P3P3/3P4/4K3 w - -";
    let [d2, a3, e4] = [Square::D2, Square::A3, Square::E4].map(|square| place(fen, square));
    let events = demanded(free(fen, White));
    let pushes: Vec<_> = events
        .into_iter()
        .filter(|event| !matches!(event, IrreversibleMove::KingTakes { .. }))
        .collect();
    let passing = IrreversibleMove::EnPassant {
        man: d2,
        to: Square::D4,
        taker: e4,
        passed: Square::D3,
    };
    let expected = [
        pawn(d2, Square::D3),
        pawn(d2, Square::D4),
        passing,
        pawn(a3, Square::A4),
    ];
    assert_eq!(pushes, expected);
}

#[test]
fn promotions_are_covered_for_one_colour_only() {
    let promotion = |fen, from, to| IrreversibleMove::Pawn {
        man: place(fen, from),
        to,
        victim: None,
    };
    let fen = "4k3/8/8/8/8/P7/7p/4K3 w - -";
    let events = demanded(free(fen, White));
    assert!(
        events.contains(&promotion(fen, Square::H2, Square::H1)),
        "{events:?}"
    );
    assert!(events.len() > 2, "it goes on after that: {events:?}");
    // No class can have the man of White's.
    let fen = "4k3/P7/8/8/8/8/7p/4K3 w - -";
    let events = demanded(free(fen, White));
    let refused = promotion(fen, Square::A7, Square::A8);
    assert_eq!(events.last(), Some(&refused), "{events:?}");
    let mut proof = free(fen, White);
    proof.classes.push(proof.classes[0].clone());
    proof.classes[1].men[place(fen, Square::A7)] = unknown(White);
    let pawn = place(fen, Square::A7);
    assert_eq!(
        fault(proof.check(&position(fen))),
        (1, ClassFault::Man(pawn))
    );
}

#[test]
fn mates_are_excluded() {
    // A pawn on a7 may shut in the king on a8; one on e5 never is in a king's way.
    let verdict = |fen| fault(free(fen, White).check(&position(fen))).1;
    let smothered = verdict("4k3/p7/8/8/8/8/8/N3K3 w - -");
    assert!(
        matches!(
            smothered,
            ClassFault::Mate(PossibleMate {
                king: Square::A8,
                ..
            })
        ),
        "{smothered}"
    );
    let none = verdict("4k3/8/8/4p3/8/8/8/N3K3 w - -");
    assert!(matches!(none, ClassFault::Uncovered(_)), "{none}");
    let rook = verdict("4k3/8/8/8/8/8/8/R3K3 w - -");
    assert!(matches!(rook, ClassFault::Mate(_)), "{rook}");
    // Only with Black to move and the kings near each other can a rook mate.
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - -";
    let mut proof = free(fen, White);
    let rows = Set::OtherToMove.rows(&mut proof.classes[0]);
    for own in Square::ALL {
        rows[own as usize] = rows[own as usize]
            .into_iter()
            .filter(|&other| own.distance(other) > 3)
            .collect();
    }
    // What is wrong now is that the kings may get nearer; mates are asked for after that.
    let (_, found) = fault(proof.check(&position(fen)));
    assert!(matches!(found, ClassFault::Steps { .. }), "{found}");
}

/// Black's king on a3 is shut in by its pawns, which can't move, and White's king on b1: with
/// Black to move nothing can happen any more.
fn shut_in(fen: &str, set: Set) -> Proof {
    let mut class = single(&position(fen), White);
    class.kings.claim_to_move = [Bitboard::EMPTY; 64];
    class.kings.other_to_move = [Bitboard::EMPTY; 64];
    set.rows(&mut class)[Square::B1 as usize].add(Square::A3);
    Proof {
        claim: White,
        classes: vec![class],
        exits: Vec::new(),
    }
}

#[test]
fn a_mate_on_the_board_is_refused_however_it_came_about() {
    let fen = "8/8/8/8/pp6/kp6/1P6/1K6 b - -";
    let direct = fault(shut_in(fen, Set::OtherToMove).check(&position(fen)));
    assert!(matches!(direct, (0, ClassFault::Mate(_))), "{direct:?}");
    // The class is right: White's king can't have given this check. But it's there.
    let verdict = shut_in(fen, Set::AfterKing).check(&position(fen));
    assert!(matches!(fault_of(verdict), StepFault::Mate { .. }));
    let stale = "8/8/8/8/pp6/kp6/1p6/1K6 b - -";
    let mut proof = shut_in(stale, Set::AfterKing);
    assert_eq!(proof.check(&position(stale)), Ok(()));
    // Where it belongs to is another question.
    proof.classes[0].kings.after_king = [Bitboard::EMPTY; 64];
    assert_eq!(
        fault_of(proof.check(&position(stale))),
        StepFault::DoesNotBelong
    );
}

#[test]
fn a_king_mates_by_discovery() {
    // The bishop may stand anywhere; on c1 it checks if the king has just left b2 for b1.
    let mate = |fen, set| {
        let mut proof = shut_in(fen, set);
        let mut men = proof.classes[0].men.iter_mut();
        let bishop = men.find(|man| man.piece.role == Role::Bishop).unwrap();
        bishop.squares = Bitboard::DARK_SQUARES;
        match fault(proof.check(&position(fen))).1 {
            ClassFault::Mate(PossibleMate { from, .. }) => Some(from),
            _ => None,
        }
    };
    let open = "8/8/8/8/pp6/kp6/8/1KB5 b - -";
    assert_eq!(mate(open, Set::AfterKing), Some(Square::C1));
    assert!(mate(open, Set::OtherToMove).is_some());
    // A pawn that always stands on b2 shuts the line. Its own check isn't the king's doing.
    let shut = "8/8/8/8/pp6/kp6/1P6/1KB5 b - -";
    assert_eq!(mate(shut, Set::AfterKing), None);
    assert_eq!(mate(shut, Set::OtherToMove), Some(Square::B2));
}

#[test]
fn exits_are_later_invariants() {
    let position = position("2k5/2p1p1p1/p1P1P1P1/P1p4K/8/8/2P5/8 w - -");
    let proof = grow(&position, White, || true).unwrap();
    assert!(!proof.exits.is_empty() && proof.check(&position).is_ok());
    let with_exits = |new: Vec<usize>, more: Vec<Step>| {
        let mut steps = proof.steps();
        let Step::Classes { exits, .. } = &mut steps[0] else {
            panic!("{steps:?}")
        };
        *exits = new;
        steps.extend(more);
        check(position, White, steps)
    };
    let all: Vec<_> = (1..=proof.exits.len()).collect();
    let end = proof.exits.len() + 1;
    assert!(with_exits(all.clone(), Vec::new()).is_ok());
    let uncovered = with_exits(all[1..].to_vec(), Vec::new());
    assert!(matches!(
        fault(uncovered.map(drop)),
        (_, ClassFault::Uncovered(_))
    ));
    for wrong in [0, end] {
        let verdict = with_exits([all.clone(), vec![wrong]].concat(), Vec::new());
        assert_eq!(fault_of(verdict.map(drop)), StepFault::Reference(wrong));
    }
    let other_classes = Step::Classes {
        classes: proof.classes.clone(),
        exits: all.iter().map(|exit| exit + end).collect(),
    };
    for step in [Step::Terminal, other_classes] {
        let mut more = vec![step];
        more.extend(proof.exits.iter().cloned().map(Step::Invariant));
        let verdict = with_exits([all.clone(), vec![end]].concat(), more);
        let refusal = Refusal::Rejected {
            step: end,
            fault: StepFault::NotALemma,
        };
        assert_eq!(verdict, Err(refusal));
    }
}

#[test]
fn closed_steps_stop_at_classes() {
    let fen = "8/7p/k4p1P/5p1K/5Pp1/6P1/6P1/8 w - -";
    let (position, proof) = (position(fen), proof(fen, White));
    let closed = |positions, exits| Step::Closed { positions, exits };
    let check = |first| {
        let mut steps = vec![first];
        steps.extend(proof.steps());
        check(position, White, steps)
    };
    let accepted = check(closed(1, vec![1])).expect("a proof");
    let expected = Accepted {
        claims: 1,
        invariants: 0,
        classes: proof.classes.len(),
        positions: 1,
        ..accepted
    };
    assert_eq!(accepted, expected);
    assert_eq!(
        fault_of(check(closed(1, Vec::new())).map(drop)),
        StepFault::Positions(1)
    );
    // What has the same pawns and as many men doesn't belong to them for that.
    let (fen, claim, _, twin) = CASES[0];
    let mut steps = vec![closed(50_000, vec![1])];
    steps.extend(self::proof(fen, claim).steps());
    let verdict = crate::support::check(crate::support::position(twin), claim, steps);
    assert!(matches!(
        fault_of(verdict.map(drop)),
        StepFault::Mate { .. }
    ));
    // Classes that prove nothing are no exit, even if nothing is covered by them.
    let mut steps = vec![closed(1_000_000, vec![1])];
    steps.extend(proof.steps());
    let Step::Classes { classes, .. } = &mut steps[1] else {
        panic!("{steps:?}")
    };
    classes.pop();
    let verdict = crate::support::check(position, White, steps);
    assert!(
        matches!(verdict, Err(Refusal::Rejected { step: 1, .. })),
        "{verdict:?}"
    );
}

#[test]
fn limits_end_the_check() {
    let fen = "8/7p/k4p1P/5p1K/5Pp1/6P1/6P1/8 w - -";
    let certificate = certificate(position(fen), White, proof(fen, White).steps());
    let check = |limits| verify(&certificate, &limits).map(drop);
    let unchecked = |limit| Err(Refusal::Unchecked { step: 0, limit });
    let classes = |classes| Limits {
        classes,
        ..Limits::default()
    };
    assert_eq!(check(classes(4)), Ok(()));
    assert_eq!(check(classes(3)), unchecked(Limit::Classes));
    let work = |work| Limits {
        work,
        ..Limits::default()
    };
    assert_eq!(check(work(1_000_000)), Ok(()));
    assert_eq!(check(work(20)), unchecked(Limit::Work));
}
