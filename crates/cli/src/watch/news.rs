//! What is new, as lines for people and for programs.

use serde::Serialize;
use stillmate_arbiter::{Outcome, live::News, pgn::Game};
use stillmate_core::color_name;

use crate::render::{
    game::{
        text::{claimed, drawn, heading, place},
        words::{ahead, earlier, harmless},
    },
    json::to_line,
};

/// A line for people, with a line feed.
pub(super) fn line(file: &str, game: &Game<'_>, news: News<'_>) -> String {
    let mut board = heading(file, game);
    for (tag, word) in [("Round", "round"), ("Board", "board")] {
        if let Some(value) = game.tags.get(tag) {
            board += &format!(", {word} {}", harmless(&value));
        }
    }
    format!("{board}: {}\n", sentence(game, news))
}

fn sentence(game: &Game<'_>, news: News<'_>) -> String {
    let record = &game.record;
    match news {
        News::Claim(claim) => {
            let verb = if claim.passed { "could" } else { "can" };
            let (place, what) = (place(record, claim.plies), claimed(record, claim, verb));
            format!("{place} {what} ({})", claim.article())
        }
        News::Draw(end) => {
            let place = place(record, end.plies);
            format!("{} {place} ({})", drawn(end.rule), end.rule.article())
        }
        News::Fault(fault) => fault.short(),
    }
}

#[derive(Serialize)]
struct NewsObject<'a> {
    file: &'a str,
    line: u64,
    event: Option<String>,
    round: Option<String>,
    board: Option<String>,
    white: Option<String>,
    black: Option<String>,
    news: &'static str,
    article: &'static str,
    /// After so many plies of the record.
    plies: usize,
    r#move: Option<String>,
    fen: String,
    /// Who can claim; null for a draw without a claim.
    player: Option<&'static str>,
    /// Moves to be written down, for a claim ahead.
    moves: Vec<String>,
    /// When the position was there before, as plies; for a claim ahead after each move.
    earlier: Vec<Vec<usize>>,
    /// Whether the player has moved on.
    passed: bool,
    result: Option<&'static str>,
    text: String,
}

/// An object for programs, with a line feed.
pub(super) fn object(file: &str, game: &Game<'_>, news: News<'_>) -> String {
    let tag = |name| game.tags.get(name).map(std::borrow::Cow::into_owned);
    let record = &game.record;
    let (plies, article, kind, claim) = match news {
        News::Claim(claim) => (claim.plies, claim.article(), "claim", Some(claim)),
        News::Draw(end) => (end.plies, end.rule.article(), end.rule.name(), None),
        News::Fault(_) => (record.plies(), "", "fault", None),
    };
    to_line(&NewsObject {
        file,
        line: game.line,
        event: tag("Event"),
        round: tag("Round"),
        board: tag("Board"),
        white: tag("White"),
        black: tag("Black"),
        news: kind,
        article,
        plies,
        r#move: (plies > 0).then(|| record.label(plies)),
        fen: record.fen(plies),
        player: claim.map(|claim| color_name(claim.player)),
        moves: claim.map_or_else(Vec::new, |claim| ahead(record, claim)),
        earlier: claim.map_or_else(Vec::new, |claim| earlier(record, claim)),
        passed: claim.is_some_and(|claim| claim.passed),
        result: matches!(news, News::Draw(_)).then_some(Outcome::Draw.text()),
        text: sentence(game, news),
    })
}
