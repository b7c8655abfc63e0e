//! A row of a table for each game.

use stillmate_arbiter::{Outcome, pgn::Game};
use stillmate_core::Color;

use super::{Place, Ruled, words::label};
use crate::render::csv::row;

const COLUMNS: [&str; 18] = [
    "file",
    "line",
    "white",
    "black",
    "result",
    "plies",
    "ended_after",
    "ended_by",
    "claims",
    "winnable",
    "flag_white",
    "flag_black",
    "verdict",
    "should",
    "article",
    "reason",
    "faults",
    "error",
];

/// The names of the columns, with a line feed.
pub(crate) fn header() -> String {
    row(&COLUMNS.map(str::to_owned))
}

/// The row for a game over which the program itself failed, with a line feed.
pub(crate) fn failed(place: &Place<'_>, error: &str) -> String {
    let mut fields = COLUMNS.map(|_| String::new());
    fields[0] = place.file.to_owned();
    fields[1] = place.line.to_string();
    fields[COLUMNS.len() - 1] = error.to_owned();
    row(&fields)
}

/// The row for a game, with a line feed.
pub(crate) fn game(place: &Place<'_>, game: &Game<'_>, ruled: &Ruled) -> String {
    let tag = |name| game.tags.get(name).unwrap_or_default().into_owned();
    let adjudication = ruled.adjudication();
    let report = ruled.report();
    let end = report.and_then(|report| report.ends.first());
    let text = |value: Option<String>| value.unwrap_or_default();
    let flag = |color: Color| {
        let flags = report?.flags.as_ref()?;
        let fall = flags.iter().find(|fall| fall.flag == color)?;
        Some(fall.outcome().to_string())
    };
    let last = report.and_then(|report| report.last.as_ref());
    let result = |outcome: Option<Outcome>| text(outcome.map(|outcome| outcome.to_string()));
    let fields: [String; COLUMNS.len()] = [
        place.file.to_owned(),
        place.line.to_string(),
        tag("White"),
        tag("Black"),
        result(game.result),
        game.record.plies().to_string(),
        text(end.map(|end| end.plies.to_string())),
        text(end.map(|end| end.rule.article().to_owned())),
        text(report.map(|report| report.claims.len().to_string())),
        text(last.map(label)),
        text(flag(Color::White)),
        text(flag(Color::Black)),
        adjudication.verdict.name().to_owned(),
        result(adjudication.should),
        adjudication.basis.article().unwrap_or_default().to_owned(),
        adjudication.reason(&game.record),
        game.faults.len().to_string(),
        String::new(),
    ];
    row(&fields)
}
