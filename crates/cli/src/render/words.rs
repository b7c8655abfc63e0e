//! Phrases: moves, reasons, times.

use std::time::Duration;

use shakmaty::{Color, san::SanPlus};
use stillmate_core::{MaterialRule, Move, Position, color_name as name};
use stillmate_proof::{Certificate, Step};
use stillmate_reach::{Case, StopReason};

/// The moves of a line from `position` in standard algebraic notation.
pub(crate) fn san(position: &Position, line: &[Move]) -> Vec<String> {
    let mut chess = position.to_chess();
    let say = |m: &Move| SanPlus::from_move_and_play_unchecked(&mut chess, m.to_shakmaty());
    line.iter().map(say).map(|san| san.to_string()).collect()
}

/// Moves with their numbers, beginning with `number` and the side to move: one word a move.
pub(crate) fn numbered(turn: Color, number: u32, san: &[String]) -> Vec<String> {
    let first = usize::from(turn == Color::Black);
    let word = |(index, san): (usize, &String)| {
        let ply = first + index;
        let number = u64::from(number) + ply as u64 / 2;
        match (ply % 2, index) {
            (0, _) => format!("{number}. {san}"),
            (_, 0) => format!("{number}... {san}"),
            _ => san.clone(),
        }
    };
    san.iter().enumerate().map(word).collect()
}

/// Why `color` can't mate, as the certificate argues; completes "White cannot mate: ...".
pub(crate) fn reason(certificate: &Certificate) -> String {
    let claim = certificate.claim;
    match certificate.steps.first() {
        Some(Step::Terminal) if certificate.position.is_stalemate() => "it is stalemate".to_owned(),
        Some(Step::Terminal) => format!("{} is checkmated", name(claim)),
        Some(Step::Material(rule)) => material(&certificate.position, claim, *rule),
        Some(Step::Moves(moves)) => match moves.len() {
            1 => "the only legal move leads to a position where it cannot either".to_owned(),
            moves => {
                format!(
                    "each of the {moves} legal moves leads to a position where it cannot either"
                )
            }
        },
        Some(Step::Closed { .. }) => "no position that play can reach from here is mate".to_owned(),
        Some(Step::Invariant(_)) => {
            "whatever is played, the men cannot get to where they would mate".to_owned()
        }
        Some(Step::Classes { .. }) => {
            "whatever is captured and whichever pawn moves, no mate ever fits the men left"
                .to_owned()
        }
        None => "proved".to_owned(),
    }
}

fn material(position: &Position, claim: Color, rule: MaterialRule) -> String {
    let bare = position.of(!claim).count() == 1;
    let single = position.of(claim).count() == 2;
    match rule {
        MaterialRule::BareKing => return format!("{} has only its king", name(claim)),
        MaterialRule::KnightAgainstQueens if bare => "a king and a knight cannot mate a bare king",
        MaterialRule::KnightAgainstQueens => {
            "a king and a knight cannot mate a king with nothing but queens"
        }
        MaterialRule::BishopsOfOneColour if bare && single => {
            "a king and a bishop cannot mate a bare king"
        }
        MaterialRule::BishopsOfOneColour => {
            "all bishops stand on one square colour, with no knight or pawn on the board"
        }
    }
    .to_owned()
}

/// What an analysis that was stopped came to, in a word, and why.
pub(crate) const fn undetermined(stopped_by: StopReason) -> (&'static str, &'static str) {
    match stopped_by {
        StopReason::Nodes => (
            "undetermined",
            "the budget of nodes ran out; --nodes raises it",
        ),
        StopReason::Time => ("undetermined", "the time ran out; --time raises it"),
        StopReason::Memory => ("undetermined", "the memory ran out; --memory raises it"),
        StopReason::Cancelled => ("undetermined", "the analysis was cancelled"),
        StopReason::Quick => (
            "not proven",
            "the quick methods do not settle it; try without --quick",
        ),
        _ => ("undetermined", "the analysis was stopped"),
    }
}

/// The row of the case table in words.
pub(crate) const fn case(case: Case) -> &'static str {
    match case {
        Case::BareKings => "bare kings",
        Case::BishopsAgainstKing => "bishops of one square colour against a bare king",
        Case::KnightAgainstKing => "one knight against a bare king",
        Case::BishopsAgainstBishops => "bishops on both sides, all on one square colour",
        Case::Stalemate => "every line of play ends in stalemate",
        Case::Locked => {
            "play can go on for ever without a capture or pawn move, and nobody can ever mate"
        }
        Case::Forced => "every line of play is forced into a dead position of another kind",
        Case::Alive => "somebody can still mate, or has just mated",
    }
}

/// A time in a unit that suits it.
pub(crate) fn time(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    if micros < 10.0 {
        format!("{micros:.1} µs")
    } else if micros < 10_000.0 {
        format!("{micros:.0} µs")
    } else if micros < 1_000_000.0 {
        format!("{:.0} ms", micros / 1e3)
    } else {
        format!("{:.2} s", micros / 1e6)
    }
}

/// `count` and the noun in singular or plural.
pub(crate) fn count(count: u64, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

/// A number of plies.
pub(crate) fn plies(plies: u64) -> String {
    count(plies, "ply").replace("plys", "plies")
}

/// A number with a comma after every third digit.
pub(crate) fn grouped(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1000), number % 1000),
    }
}
