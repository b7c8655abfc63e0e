//! Certificates in words.

use stillmate_core::{Color, MaterialRule, Square};
use stillmate_proof::{Step, explain, explain_first};

use crate::{
    classes::grow::grow,
    support::{certificate, frozen, position, widen},
};

fn words(fen: &str) -> Vec<String> {
    let start = position(fen);
    let invariant = widen(start, Color::White, frozen(&start)).expect("an invariant");
    explain(&certificate(
        start,
        Color::White,
        vec![Step::Invariant(invariant)],
    ))
}

#[test]
fn an_invariant_says_who_is_stuck_and_where_kings_go() {
    let fen = "4k1br/5p1p/4pPpP/3pP1P1/p1pP4/PpP5/1P6/B3K3 w - -";
    let expected = [
        "This holds whatever White and Black play:",
        "  White's king only ever stands on b1-h1 d2-h2 e3-h3 f4-h4.",
        "  Black's king only ever stands on a5 b5 a6-c6 a7-d7 a8-f8.",
        "  White can never move: pawns b2 a3 c3 d4 e5 g5 f6 h6, bishop a1.",
        "  Black can never move: pawns b3 a4 c4 d5 e6 g6 f7 h7, bishop g8, rook h8.",
        "No man of White can ever give check.",
    ];
    assert_eq!(words(fen), expected);
}

#[test]
fn a_check_that_is_never_mate_is_explained() {
    let lines = words("8/8/4k3/8/8/3KB3/8/8 b - -");
    assert_eq!(lines[1], "  White's king may stand anywhere.");
    let last = lines.last().expect("a line");
    let start = "White's bishop (now on e3) may give check, but never mate: even at worst the king \
                 has a square to go to: on a1 a2, on h8 g8, on ";
    assert!(last.starts_with(start), "{last}");
    assert!(
        last.ends_with("; and likewise on 26 other squares."),
        "{last}"
    );
}

#[test]
fn moves_that_end_it_are_named() {
    let lines = words("8/8/8/8/ppp5/bkp4Q/qnp5/n1K5 b - -");
    let expected = [
        "But on b1 b2 Black's queen (now on a2) mates.",
        "But on b2 Black's bishop (now on a3) mates.",
        "But on c2 c3 a4-c4 White's queen (now on h3) checks, and must be captured at once: it is \
         the last man.",
        "No man of White can ever give another check.",
    ];
    assert_eq!(lines[lines.len() - 4..], expected);
}

#[test]
fn men_that_may_be_lost_or_promote_are_said_to() {
    let start = position("7k/8/8/8/8/p7/8/K7 w - -");
    let invariant = widen(start, Color::White, frozen(&start)).expect("a bare king");
    let lines = explain(&certificate(
        start,
        Color::White,
        vec![Step::Invariant(invariant)],
    ));
    let pawn = "  Black's pawn (now on a3) only ever stands on a2 a3 until it promotes, and anywhere \
                after that; it may be captured.";
    assert!(lines.iter().any(|line| line == pawn), "{lines:?}");
    assert_eq!(lines.last().expect("a line"), "White has only its king.");
}

#[test]
fn a_man_is_told_from_its_like_by_where_it_stands() {
    let start = position("4k3/8/8/8/8/8/8/BK3B2 w - -");
    let mut invariant = frozen(&start);
    let bishops = [Square::A1, Square::F1];
    for (bishop, more) in bishops.into_iter().zip([Square::C3, Square::D3]) {
        let mut men = invariant.men.iter_mut();
        let man = men.find(|man| man.squares.contains(bishop));
        man.expect("a bishop").squares.add(more);
    }
    let lines = |invariant| {
        let steps = vec![Step::Invariant(invariant)];
        explain(&certificate(start, Color::White, steps))
    };
    let says = |lines: Vec<String>, what: &str| lines.iter().any(|line| line.trim_start() == what);
    let first = "White's bishop (now on a1) only ever stands on a1 c3.";
    assert!(says(lines(invariant.clone()), first));
    // Either of two may be the one.
    for man in &mut invariant.men {
        if man.squares.contains(Square::C3) {
            man.squares.add(Square::F1);
        }
    }
    let unknown = "White's bishop only ever stands on a1 f1 c3.";
    assert!(says(lines(invariant), unknown));
}

#[test]
fn classes_say_what_holds_for_a_while() {
    let start = position("5bk1/4p1p1/4P1P1/7K/8/8/8/8 w - -");
    let proof = grow(&start, Color::White, || false).expect("a proof");
    assert_eq!(proof.classes.len(), 2);
    let expected = [
        "This holds until the next capture or pawn move:",
        "  White's king never stands on d6-h6 e7 g7 h7 f8-h8.",
        "  Black's king only ever stands on g8 h8.",
        "  White can never move: pawns e6 g6.",
        "  Black can never move: pawns e7 g7, bishop f8.",
        "Neither these positions nor those of one class that follows are checkmate by White.",
    ];
    let whole = certificate(start, Color::White, proof.steps());
    assert_eq!(explain(&whole), expected);
    assert_eq!(explain_first(&whole), expected);
}

#[test]
fn steps_are_numbered() {
    let start = position("K7/8/8/8/8/8/6R1/7k b - -");
    let moves = start.legal_moves().into_iter().map(|m| (m, 1));
    let bare = Step::Material(MaterialRule::BareKing);
    let steps = vec![Step::Moves(moves.collect()), bare];
    let lines = explain(&certificate(start, Color::White, steps));
    let expected = [
        "Step 0:",
        "It isn't checkmate, and these are all legal moves:",
        "  after h1g2, step 1;",
        "Step 1:",
        "White has only its king.",
    ];
    assert_eq!(lines, expected);
}
