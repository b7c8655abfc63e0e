//! Each kind of step where it just holds, and a twin where it must not. The rules of
//! invariants have their tests beside them.

use shakmaty::attacks;
use stillmate_core::{Bitboard, Color, MaterialRule, Move, Position, Square};
use stillmate_proof::{
    Accepted, Certificate, Invariant, Limit, Limits, Refusal, Step, StepFault, verify,
};

use crate::support::{Reach, certificate, check, explore, frozen, position, widen};

const LOCKED: &str = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - -";

/// Two kings on their sides of a wall.
const WALL: &str = "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - -";

/// The invariant that proves that `claim` can't mate, if there is one.
fn proof(position: Position, claim: Color) -> Option<Invariant> {
    widen(position, claim, frozen(&position))
}

fn fault(step: usize, fault: StepFault) -> Result<Accepted, Refusal> {
    Err(Refusal::Rejected { step, fault })
}

fn at_limit(step: usize, limit: Limit) -> Result<Accepted, Refusal> {
    Err(Refusal::Unchecked { step, limit })
}

/// Whether the steps prove that White can't mate.
fn white(fen: &str, steps: Vec<Step>) -> Result<Accepted, Refusal> {
    check(position(fen), Color::White, steps)
}

/// All moves of `position` to step `next`.
fn all_moves(position: &Position, next: usize) -> Vec<(Move, usize)> {
    let moves = position.legal_moves().into_iter();
    moves.map(|m| (m, next)).collect()
}

fn closed(positions: u64) -> Step {
    let exits = Vec::new();
    Step::Closed { positions, exits }
}

#[test]
fn locked_positions_have_invariants() {
    for fen in [
        "8/8/3k1p1p/2p1pPpP/1pP1P1P1/pP1B4/P3K3/8 w - -",
        "4k1br/5p1p/4pPpP/3pP1P1/p1pP4/PpP5/1P6/B3K3 w - -",
        LOCKED,
    ] {
        for claim in Color::ALL {
            assert!(proof(position(fen), claim).is_some(), "{claim} in {fen}");
        }
    }
}

#[test]
fn winnable_twins_have_none() {
    for fen in [
        "8/8/3k1p1p/2p1pPpP/1pP1P1P1/pP6/P3K3/2B5 w - -",
        "4k1br/5p1p/4pPpP/3pP1P1/p1pP4/1pP5/PP6/B3K3 w - -",
    ] {
        for claim in Color::ALL {
            assert_eq!(proof(position(fen), claim), None, "{claim} in {fen}");
        }
    }
}

#[test]
fn a_certificate_has_a_first_step() {
    assert_eq!(white(LOCKED, vec![]), fault(0, StepFault::Missing));
}

#[test]
fn terminal_is_the_end_without_mate() {
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - -";
    let mate = "7k/6Q1/6K1/8/8/8/8/8 b - -";
    assert!(white(stalemate, vec![Step::Terminal]).is_ok());
    let fen = position(mate).fen();
    let refused = fault(0, StepFault::Mate { fen });
    assert_eq!(white(mate, vec![Step::Terminal]), refused);
    // Who has been mated will not mate.
    let black = check(position(mate), Color::Black, vec![Step::Terminal]);
    assert!(black.is_ok());
    let uci = "h8g8".to_owned();
    let going_on = white("7k/8/6K1/8/8/8/8/8 b - -", vec![Step::Terminal]);
    assert_eq!(going_on, fault(0, StepFault::NotTerminal { uci }));
}

#[test]
fn material_is_counted() {
    use MaterialRule::{BareKing, BishopsOfOneColour, KnightAgainstQueens};
    for (fen, rule) in [
        ("4k3/4q3/8/8/8/8/8/4K3 w - -", BareKing),
        ("4k3/4q3/4p3/8/8/8/8/4K3 w - -", BareKing),
        ("4k3/4q3/8/8/8/8/8/4KN2 w - -", KnightAgainstQueens),
        ("4k3/8/8/8/8/8/8/4KN2 w - -", KnightAgainstQueens),
        ("4k3/4r3/4b3/8/8/8/4B3/4K2B w - -", BishopsOfOneColour),
    ] {
        for named in [BareKing, KnightAgainstQueens, BishopsOfOneColour] {
            let verdict = white(fen, vec![Step::Material(named)]);
            let other = fault(0, StepFault::Material(named));
            assert!(
                if named == rule {
                    verdict.is_ok()
                } else {
                    verdict == other
                },
                "{fen}"
            );
        }
    }
    for (fen, rule) in [
        ("4k3/8/8/8/8/8/4P3/4K3 w - -", BareKing),
        ("4k3/4q3/4p3/8/8/8/8/4KN2 w - -", KnightAgainstQueens),
        ("4k3/8/8/8/8/8/8/4KNN1 w - -", KnightAgainstQueens),
        ("4k3/8/8/8/8/8/8/4KBB1 w - -", BishopsOfOneColour),
        ("4k3/4n3/8/8/8/8/8/4K2B w - -", BishopsOfOneColour),
        ("4k3/4p3/8/8/8/8/8/4K2B w - -", BishopsOfOneColour),
        ("4k3/4b3/8/8/8/8/8/4K2B w - -", BishopsOfOneColour),
        ("4k3/8/8/8/8/8/8/3RK2B w - -", BishopsOfOneColour),
    ] {
        let refused = fault(0, StepFault::Material(rule));
        assert_eq!(white(fen, vec![Step::Material(rule)]), refused, "{fen}");
    }
}

/// The rules of material are true of what play leads to; a mate already on the board, by two
/// bishops at once, which no move can give, is asked for first.
#[test]
fn material_does_not_hide_a_mate() {
    let fen = "3rkr2/4r3/8/1B5B/8/8/8/K7 b - -";
    let mate = StepFault::Mate {
        fen: position(fen).fen(),
    };
    let rule = Step::Material(MaterialRule::BishopsOfOneColour);
    assert_eq!(white(fen, vec![rule]), fault(0, mate.clone()));
    assert_eq!(white(fen, vec![closed(1)]), fault(0, mate.clone()));
    assert_eq!(white(fen, vec![Step::Moves(vec![])]), fault(0, mate));
}

/// What `docs/certificates.md` says of all places of the men: with the squares around the
/// mated king that W doesn't cover blocked as the rule allows, one of the blocking men can
/// always take the checking one or step between.
#[test]
fn no_mate_is_possible_where_material_is_insufficient() {
    let mut checks = 0;
    for king in Square::ALL {
        let around = attacks::king_attacks(king);
        for guard in !(around.with(king)) {
            let open = around & !attacks::king_attacks(guard);
            for knight in (attacks::knight_attacks(king)).without(guard) {
                checks += 1;
                let queens = open & !attacks::knight_attacks(knight);
                let occupied = queens.with(king).with(guard).with(knight);
                let taken = queens
                    .into_iter()
                    .any(|queen| attacks::queen_attacks(queen, occupied).contains(knight));
                assert!(taken, "knight {knight}, kings {king} and {guard}");
            }
            // The square beside the king on the line of a bishop's check.
            for last in attacks::bishop_attacks(king, Bitboard::FULL) {
                checks += 1;
                let rooks = open & attacks::rook_attacks(king, Bitboard::FULL);
                let steps_in = attacks::rook_attacks(last, Bitboard::FULL).intersects(rooks);
                assert!(steps_in, "line by {last}, kings {king} and {guard}");
            }
        }
    }
    assert!(checks > 29_000, "{checks}");
}

#[test]
fn moves_are_the_legal_ones() {
    let start = position("7k/8/5K2/8/8/8/8/8 b - -");
    let bare = Step::Material(MaterialRule::BareKing);
    let moves = |list| check(start, Color::White, vec![Step::Moves(list), bare.clone()]);
    let all = all_moves(&start, 1);
    assert!(moves(all.clone()).is_ok());
    let uci = |m: Move| m.uci();
    let missing = StepFault::MissingMove { uci: uci(all[0].0) };
    assert_eq!(moves(all[1..].to_vec()), fault(0, missing));
    let twice = [&all[..], &all[..1]].concat();
    let repeated = StepFault::Move { uci: uci(all[0].0) };
    assert_eq!(moves(twice), fault(0, repeated));
    let other = position("8/8/5K2/8/8/8/7k/8 b - -").legal_moves()[0];
    let illegal = [&all[..], &[(other, 1)]].concat();
    assert_eq!(
        moves(illegal),
        fault(0, StepFault::Move { uci: uci(other) })
    );
}

#[test]
fn what_moves_lead_to_is_checked_in_each_position() {
    let bare = |fen| {
        let moves = all_moves(&position(fen), 1);
        let bare = Step::Material(MaterialRule::BareKing);
        white(fen, vec![Step::Moves(moves), bare])
    };
    // The only move takes the last man; in the twin it doesn't.
    assert!(bare("K7/8/8/8/8/8/6R1/7k b - -").is_ok());
    let refused = fault(1, StepFault::Material(MaterialRule::BareKing));
    assert_eq!(bare("K7/8/8/8/8/8/5R2/7k b - -"), refused);
}

#[test]
fn references_go_forward() {
    let start = position("7k/8/5K2/8/8/8/8/8 b - -");
    for next in [0, 2, 3, usize::MAX] {
        let bare = Step::Material(MaterialRule::BareKing);
        let steps = vec![Step::Moves(all_moves(&start, next)), bare];
        let refused = fault(0, StepFault::Reference(next));
        assert_eq!(check(start, Color::White, steps), refused);
        let exits = Step::Closed {
            positions: 10_000,
            exits: vec![next],
        };
        let steps = vec![exits, Step::Invariant(frozen(&start))];
        assert_eq!(check(start, Color::White, steps), refused);
    }
    // Not backward from a later step either.
    let steps = vec![
        Step::Moves(all_moves(&start, 1)),
        Step::Closed {
            positions: 10_000,
            exits: vec![0],
        },
    ];
    let refused = fault(1, StepFault::Reference(0));
    assert_eq!(check(start, Color::White, steps), refused);
}

#[test]
fn closed_sets_are_explored() {
    let start = position(WALL);
    let explored = white(WALL, vec![closed(u64::MAX)])
        .expect("closed")
        .positions;
    let reach = explore(start, Color::White, 10_000);
    assert!(matches!(reach, Reach::All(list) if list.len() as u64 == explored));
    assert!(white(WALL, vec![closed(explored)]).is_ok());
    let fewer = fault(0, StepFault::Positions(explored - 1));
    assert_eq!(white(WALL, vec![closed(explored - 1)]), fewer);
    let limits = |positions| Limits {
        positions,
        ..Limits::default()
    };
    let certificate = certificate(start, Color::White, vec![closed(explored)]);
    // The first step's own position counts besides.
    assert!(verify(&certificate, &limits(explored + 1)).is_ok());
    let refused = at_limit(0, Limit::Positions);
    assert_eq!(verify(&certificate, &limits(explored)), refused);
}

#[test]
fn a_mate_that_can_be_reached_is_found() {
    let verdict = white("7k/8/8/8/8/8/6R1/K7 w - -", vec![closed(u64::MAX)]);
    let Err(Refusal::Rejected {
        step: 0,
        fault: StepFault::Mate { fen },
    }) = verdict
    else {
        panic!("{verdict:?}");
    };
    assert!(position(&fen).is_checkmate());
}

#[test]
fn exits_are_invariants_and_end_the_exploration() {
    let start = position(LOCKED);
    let invariant = proof(start, Color::White).expect("locked");
    let steps = |exit: Step| {
        let closed = Step::Closed {
            positions: 1,
            exits: vec![1],
        };
        check(start, Color::White, vec![closed, exit])
    };
    let accepted = steps(Step::Invariant(invariant.clone())).expect("an exit at once");
    assert_eq!((accepted.positions, accepted.invariants), (1, 1));
    assert_eq!(steps(closed(1)), fault(1, StepFault::NotALemma));
    // An exit that isn't inductive isn't valid, used or not.
    let narrow = frozen(&start);
    assert!(matches!(
        steps(Step::Invariant(narrow)),
        Err(Refusal::Rejected {
            step: 1,
            fault: StepFault::Invariant(_),
        })
    ));
    // One that doesn't fit ends nothing.
    let other = position(WALL);
    let elsewhere = proof(other, Color::White).expect("a wall");
    let refused = fault(0, StepFault::Positions(1));
    assert_eq!(steps(Step::Invariant(elsewhere)), refused);
}

#[test]
fn many_moves_are_no_hindrance() {
    // The most that are known of a position that a game can reach.
    let most = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - -";
    assert_eq!(all_moves(&position(most), 0).len(), 218);
    let refused = white(most, vec![Step::Terminal]);
    assert!(matches!(
        refused,
        Err(Refusal::Rejected {
            fault: StepFault::NotTerminal { .. },
            ..
        })
    ));
}

#[test]
fn the_number_of_steps_is_limited() {
    let certificate = Certificate {
        position: position("7k/5Q2/6K1/8/8/8/8/8 b - -"),
        claim: Color::White,
        steps: vec![Step::Terminal; 3],
    };
    let steps = |steps| Limits {
        steps,
        ..Limits::default()
    };
    assert!(verify(&certificate, &steps(3)).is_ok());
    assert_eq!(verify(&certificate, &steps(2)), at_limit(0, Limit::Steps));
}
