//! Phrases about games.

use std::borrow::Cow;

use stillmate_arbiter::{
    Claim, GameRecord, Ground,
    pgn::{Game, PgnFault},
};
use stillmate_reach::{Finding, Report, Verdict};

/// A text from a file for a terminal, which it must not command.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.into();
    }
    text.chars().filter(|c| !c.is_control()).collect()
}

/// A fault with its ply.
pub(crate) fn fault(game: &Game<'_>, fault: &PgnFault) -> String {
    let what = harmless(&fault.short()).into_owned();
    match fault.ply {
        Some(ply) => {
            let (number, black) = game.record.number(ply - 1);
            let dots = if black { "..." } else { "." };
            format!("ply {ply} ({number}{dots}): {what}")
        }
        None => what,
    }
}

/// The moves of a claim ahead in standard algebraic notation.
pub(crate) fn ahead(record: &GameRecord, claim: &Claim) -> Vec<String> {
    let moves = claim.ahead.iter();
    moves.map(|&m| record.san(claim.plies, m)).collect()
}

/// When the position that a repetition brings was on the board before, by plies; for a claim ahead
/// after each of its moves. Nothing for fifty moves.
pub(crate) fn earlier(record: &GameRecord, claim: &Claim) -> Vec<Vec<usize>> {
    let position = record.position(claim.plies);
    match (claim.ground, claim.ahead.as_slice()) {
        (Ground::Fifty, _) => Vec::new(),
        (Ground::Threefold, []) => vec![record.earlier(position, claim.plies)],
        (Ground::Threefold, moves) => {
            let after = moves.iter().map(|&m| position.after(m));
            after
                .map(|next| record.earlier(&next, claim.plies))
                .collect()
        }
    }
}

/// The label of two characters: who can mate.
pub(crate) fn label(report: &Report) -> String {
    let sign = |finding: &Finding, can| match finding.verdict {
        Verdict::Winnable(_) => can,
        Verdict::Unwinnable(_) => '-',
        Verdict::Undetermined(_) => '?',
    };
    [sign(&report.white, 'W'), sign(&report.black, 'B')]
        .iter()
        .collect()
}
