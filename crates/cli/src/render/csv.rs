//! A row of a table for each position.

use stillmate_core::Color;
use stillmate_reach::Verdict;

use crate::{answer::Answer, args::Colours, laws::Ruling};

const COLUMNS: [&str; 13] = [
    "line",
    "id",
    "fen",
    "winnable",
    "dead",
    "case",
    "white_method",
    "white_plies",
    "black_method",
    "black_plies",
    "nodes",
    "micros",
    "error",
];

/// The names of the columns, with a line feed.
pub(crate) fn header(flag: Option<Colours>) -> String {
    let mut columns: Vec<String> = COLUMNS.map(str::to_owned).to_vec();
    for flag in flags(flag) {
        columns.push(flag.fold_wb("flag_white", "flag_black").to_owned());
    }
    row(&columns)
}

/// The row for a line that is no position, with a line feed.
pub(crate) fn failed(line: u64, error: &str, flag: Option<Colours>) -> String {
    let mut fields = vec![String::new(); COLUMNS.len() + flags(flag).len()];
    fields[0] = line.to_string();
    fields[COLUMNS.len() - 1] = error.to_owned();
    row(&fields)
}

/// The row for an answer, with a line feed.
pub(crate) fn answer(line: u64, answer: &Answer, flag: Option<Colours>) -> String {
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
    let mut fields = vec![
        line.to_string(),
        optional(record.value("id").map(String::from)),
        record.fen(),
        answer.label(),
        optional(answer.dead().map(|dead| dead.to_string())),
        optional(answer.case.map(|case| case.number().to_string())),
        method(Color::White),
        plies(Color::White),
        method(Color::Black),
        plies(Color::Black),
        answer.nodes().to_string(),
        answer.micros().to_string(),
        String::new(),
    ];
    for &flag in flags(flag) {
        fields.push(Ruling::on(answer, flag).result().to_owned());
    }
    row(&fields)
}

/// The flags for which the table has a column.
fn flags(flag: Option<Colours>) -> &'static [Color] {
    flag.map_or(&[], Colours::all)
}

/// A row, with a line feed.
pub(super) fn row(fields: &[String]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields).expect("memory takes all");
    let bytes = writer.into_inner().expect("memory takes all");
    String::from_utf8(bytes).expect("the fields are text")
}
