//! A row of a table for each position.

use stillmate_core::Color;
use stillmate_reach::Verdict;

use crate::{
    answer::{Answer, Least},
    args::Colours,
};

/// The same for all options, so that tables of different runs fit together.
const COLUMNS: [&str; 20] = [
    "file",
    "line",
    "id",
    "fen",
    "winnable",
    "dead",
    "case",
    "white_method",
    "white_plies",
    "white_at_least",
    "white_lines",
    "black_method",
    "black_plies",
    "black_at_least",
    "black_lines",
    "flag_white",
    "flag_black",
    "nodes",
    "micros",
    "error",
];

/// The names of the columns, with a line feed.
pub(crate) fn header() -> String {
    row(&COLUMNS.map(str::to_owned))
}

/// The row for a line that is no position, with a line feed.
pub(crate) fn failed(file: &str, line: u64, error: &str) -> String {
    let mut fields = COLUMNS.map(|_| String::new());
    fields[0] = file.to_owned();
    fields[1] = line.to_string();
    fields[COLUMNS.len() - 1] = error.to_owned();
    row(&fields)
}

/// The row for an answer, with a line feed.
pub(crate) fn answer(file: &str, line: u64, answer: &Answer, flag: Option<Colours>) -> String {
    let record = &answer.record;
    let optional = |value: Option<String>| value.unwrap_or_default();
    let method = |color| optional(answer.finding(color).map(|f| f.method.name().to_owned()));
    let plies = |color| {
        let plies = answer.finding(color).and_then(|f| match &f.verdict {
            Verdict::Winnable(line) if !answer.too_late(color) => Some(line.0.len()),
            _ => None,
        });
        optional(plies.map(|plies| plies.to_string()))
    };
    let at_least = |color| {
        let at_least = |least: &Least| least.at_least.to_string();
        optional(answer.least(color).map(at_least))
    };
    let lines = |color| {
        let lines = |least: &Least| Some(least.lines?.to_string());
        optional(answer.least(color).and_then(lines))
    };
    let result = |color| {
        let asked = flag.is_some_and(|flags| flags.contains(color));
        optional(asked.then(|| answer.fall(color).outcome().text().to_owned()))
    };
    let [white, black] = Color::ALL;
    let fields: [String; COLUMNS.len()] = [
        file.to_owned(),
        line.to_string(),
        optional(record.value("id").map(String::from)),
        record.fen(),
        answer.label(),
        optional(answer.dead().map(|dead| dead.to_string())),
        optional(answer.case.map(|case| case.number().to_string())),
        method(white),
        plies(white),
        at_least(white),
        lines(white),
        method(black),
        plies(black),
        at_least(black),
        lines(black),
        result(white),
        result(black),
        answer.nodes().to_string(),
        answer.micros().to_string(),
        String::new(),
    ];
    row(&fields)
}

/// A row, with a line feed.
pub(super) fn row(fields: &[String]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields).expect("memory takes all");
    let bytes = writer.into_inner().expect("memory takes all");
    String::from_utf8(bytes).expect("the fields are text")
}
