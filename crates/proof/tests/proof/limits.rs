//! What a check may cost: work and memory are counted wherever they are spent. Counts are
//! compared, and not times.

use shakmaty::attacks;
use stillmate_core::{Bitboard, Color, File, Role, Square};
use stillmate_proof::{
    Accepted, Certificate, Class, FormatError, Invariant, Kings, Limit, Limits, Man, Refusal, Step,
    verify,
};

use crate::support::{certificate, position};

const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - -";

fn with_work(work: u64) -> Limits {
    Limits {
        work,
        ..Limits::default()
    }
}

fn with_memory(memory: usize) -> Limits {
    Limits {
        memory,
        ..Limits::default()
    }
}

/// Work that a certificate takes which is accepted, or the least with which it is rejected.
fn work(certificate: &Certificate) -> u64 {
    let at_limit = |work| {
        let verdict = verify(certificate, &with_work(work));
        matches!(
            verdict,
            Err(Refusal::Unchecked {
                limit: Limit::Work,
                ..
            })
        )
    };
    let (mut low, mut high) = (0, Limits::default().work);
    assert!(!at_limit(high), "beyond the default limit");
    while low < high {
        let middle = low.midpoint(high);
        if at_limit(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

fn on(piece: Role, color: Color, squares: Bitboard) -> Man {
    Man {
        piece: piece.of(color),
        squares,
        lost: false,
        promotes: false,
    }
}

/// Both kings and some men more, all of which may be captured and stand on any of `squares`.
fn roaming(role: Role, color: Color, count: usize, squares: Bitboard) -> Invariant {
    let kings = Color::ALL.map(|color| on(Role::King, color, Bitboard::FULL));
    let man = Man {
        lost: true,
        ..on(role, color, squares)
    };
    Invariant {
        men: kings.into_iter().chain(vec![man; count]).collect(),
        ..Invariant::default()
    }
}

/// A *closed* step for White that names so many invariants, all alike.
fn exits(count: usize, invariant: &Invariant) -> Certificate {
    let mut steps = vec![Step::Closed {
        positions: 1,
        exits: (1..=count).collect(),
    }];
    steps.resize(1 + count, Step::Invariant(invariant.clone()));
    certificate(position(KINGS), Color::White, steps)
}

#[test]
fn work_is_counted_to_the_last() {
    let certificate = exits(3, &roaming(Role::Queen, Color::Black, 20, Bitboard::FULL));
    let accepted = verify(&certificate, &Limits::default()).expect("a proof");
    assert_eq!(work(&certificate), accepted.work);
    let verdict = verify(&certificate, &with_work(accepted.work));
    assert_eq!(verdict, Ok(accepted));
}

/// What is asked of each man on each of its squares is counted for each.
#[test]
fn invariants_cost_what_is_listed_in_them() {
    for (role, color, squares) in [
        (Role::Queen, Color::Black, Bitboard::FULL),
        (Role::Bishop, Color::White, Bitboard::DARK_SQUARES),
    ] {
        let cost = |exits_count, men, squares| {
            let certificate = exits(exits_count, &roaming(role, color, men, squares));
            work(&certificate)
        };
        let one = cost(1, 60, squares);
        let listed = 60 * squares.count() as u64;
        assert!(one > 2 * listed, "{one} for {listed}");
        // Twice as many steps cost twice as much; half of the men half.
        let two = cost(2, 60, squares) - one;
        assert!(
            10 * two > 9 * one && two < one + one / 10,
            "{one} and {two}"
        );
        let half = cost(1, 30, squares);
        assert!(
            10 * half > 3 * one && 10 * half < 7 * one,
            "{half} of {one}"
        );
    }
    // Ten thousand of them, which are ten megabytes, are within the default limit.
    let queens = roaming(Role::Queen, Color::Black, 62, Bitboard::FULL);
    assert!(10_000 * work(&exits(1, &queens)) < Limits::default().work);
}

/// Each king's square is asked for mates by each man, and each pair of kings if only a
/// discovered check counts.
#[test]
fn classes_cost_what_is_listed_in_them() {
    let dark = Bitboard::DARK_SQUARES;
    let apart = |square| !attacks::king_attacks(square).with(square);
    let pairs = Square::ALL.map(apart);
    let none = [Bitboard::EMPTY; 64];
    let by_classes = |count: usize, men: usize| {
        let class = Class {
            men: vec![on(Role::Bishop, Color::White, dark); men],
            kings: Box::new(Kings {
                claim_to_move: pairs,
                other_to_move: pairs,
                after_king: none,
            }),
        };
        let step = Step::Classes {
            classes: vec![class; count],
            exits: vec![],
        };
        let position = position("k7/8/8/8/8/8/1B6/K1B5 w - -");
        let closed = Step::Closed {
            positions: 1,
            exits: vec![1],
        };
        work(&certificate(position, Color::White, vec![closed, step]))
    };
    let one = by_classes(1, 40);
    let listed = (40 * dark.count() * 64) as u64;
    assert!(one > 2 * listed, "{one} for {listed}");
    let two = by_classes(2, 40) - one;
    assert!(
        10 * two > 8 * one && two < one + one / 10,
        "{one} and {two}"
    );
    let half = by_classes(1, 20);
    assert!(
        10 * half > 3 * one && 10 * half < 6 * one,
        "{half} of {one}"
    );
}

/// The invariant of pawns that face each other, most of them alike, is tested in no time.
#[test]
fn telling_pawns_apart_costs_little() {
    let mut men = vec![
        on(Role::King, Color::White, Square::H1.into()),
        on(Role::King, Color::Black, Square::H8.into()),
    ];
    let mut opposed = Vec::new();
    for file in [File::A, File::B, File::C, File::D] {
        let squares = Bitboard::from_file(file) & !Bitboard::BACKRANKS;
        let white = men.len();
        men.push(on(Role::Pawn, Color::White, squares));
        for _ in 0..12 {
            opposed.push((white, men.len()));
            let pawn = on(Role::Pawn, Color::Black, squares);
            men.push(Man { lost: true, ..pawn });
        }
    }
    let invariant = Invariant {
        men,
        opposed,
        ..Invariant::default()
    };
    let start = position("7k/pppp4/ppp5/3P4/3p4/8/PPP5/7K w - -");
    let steps = vec![Step::Invariant(invariant)];
    // It isn't kept; the fit is tested by `invariant::tests`.
    assert!(work(&certificate(start, Color::White, steps)) < 1_000_000);
}

/// Both sides have their pawns at home: more positions than anybody can visit.
const AT_HOME: &str = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -";

#[test]
fn memory_is_counted_by_positions() {
    let closed = Step::Closed {
        positions: 10_000_000,
        exits: vec![],
    };
    let certificate = certificate(position(AT_HOME), Color::White, vec![closed]);
    let check = |memory, positions| {
        let limits = Limits {
            positions,
            ..with_memory(memory)
        };
        match verify(&certificate, &limits) {
            Err(Refusal::Unchecked { limit, .. }) => limit,
            other => panic!("{other:?}"),
        }
    };
    for positions in [1_000, 10_000, 50_000] {
        let bytes = positions as usize;
        assert_eq!(check(20 * bytes, positions), Limit::Memory);
        assert_eq!(check(1_000 + 200 * bytes, positions), Limit::Positions);
    }
}

#[test]
fn memory_is_counted_for_the_certificate() {
    let queens = roaming(Role::Queen, Color::Black, 62, Bitboard::FULL);
    let certificate = exits(100, &queens);
    let men = 100 * 64 * size_of::<Man>();
    let verdict = verify(&certificate, &with_memory(men));
    let limit = Limit::Memory;
    assert_eq!(verdict, Err(Refusal::Unchecked { step: 0, limit }));
    assert!(verify(&certificate, &with_memory(3 * men)).is_ok());
    // So it is when it is read.
    let (text, bytes) = (certificate.to_json(), certificate.to_bytes());
    let too_little = with_memory(men);
    for read in [
        Certificate::from_json(&text, &too_little),
        Certificate::from_bytes(&bytes, &too_little),
    ] {
        assert!(matches!(read, Err(FormatError::Limit(Limit::Memory))));
    }
    assert!(Certificate::from_json(&text, &with_memory(10 * text.len())).is_ok());
    assert!(Certificate::from_bytes(&bytes, &with_memory(4 * men)).is_ok());
}

/// Tables of the kings are much longer than what is written of empty ones.
#[test]
fn memory_is_counted_for_classes_that_are_read() {
    let empty = Class {
        men: vec![],
        kings: Box::new(Kings {
            claim_to_move: [Bitboard::EMPTY; 64],
            other_to_move: [Bitboard::EMPTY; 64],
            after_king: [Bitboard::EMPTY; 64],
        }),
    };
    let step = Step::Classes {
        classes: vec![empty; 1_000],
        exits: vec![],
    };
    let certificate = certificate(position(KINGS), Color::White, vec![step]);
    let (text, bytes) = (certificate.to_json(), certificate.to_bytes());
    for (memory, enough) in [(1_500_000, false), (3_000_000, true)] {
        let limits = with_memory(memory);
        assert_eq!(Certificate::from_json(&text, &limits).is_ok(), enough);
        assert_eq!(Certificate::from_bytes(&bytes, &limits).is_ok(), enough);
    }
}

/// The moves of each step are found among the legal ones.
#[test]
fn reading_is_counted() {
    let start = position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - -");
    let moves = start.legal_moves();
    let count = moves.len() as u64;
    let first = moves.iter().zip(1..).map(|(&m, next)| (m, next)).collect();
    let mut steps = vec![Step::Moves(first)];
    steps.resize(1 + moves.len(), Step::Moves(vec![]));
    let certificate = certificate(start, Color::White, steps);
    let (text, bytes) = (certificate.to_json(), certificate.to_bytes());
    for (work, enough) in [(count * count, false), (1_000_000, true)] {
        let limits = with_work(work);
        for read in [
            Certificate::from_json(&text, &limits),
            Certificate::from_bytes(&bytes, &limits),
        ] {
            match read {
                Ok(_) => assert!(enough),
                Err(error) => {
                    assert!(matches!(error, FormatError::Limit(Limit::Work)) && error.is_limit());
                    assert!(!enough);
                }
            }
        }
    }
}

#[test]
fn positions_cost_what_their_moves_do() {
    let cost = |fen, steps: Vec<Step>| {
        let accepted = verify(
            &certificate(position(fen), Color::White, steps),
            &Limits::default(),
        );
        let Accepted { work, .. } = accepted.expect("a proof");
        work
    };
    // A stalemate, and a queen that has many moves, each of which leaves White a bare king.
    let one = cost("7k/5Q2/6K1/8/8/8/8/8 b - -", vec![Step::Terminal]);
    let material = Step::Material(stillmate_core::MaterialRule::BareKing);
    let many = cost("1qqqq2k/8/8/8/8/8/8/K7 b - -", vec![material]);
    assert!(many > 20 * one, "{many}, {one}");
}
