//! A row of a table for each position.

use stillmate_core::Color;
use stillmate_reach::Verdict;

use crate::{
    answer::{Answer, Least},
    args::Colours,
};

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

/// Columns that only some options ask for, after the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Columns {
    /// The results if these flags fall.
    pub(crate) flag: Option<Colours>,
    /// How short the helpmates can be.
    pub(crate) at_least: bool,
    /// How many shortest helpmates there are.
    pub(crate) lines: bool,
}

impl Columns {
    fn names(self) -> Vec<&'static str> {
        let mut names = COLUMNS.to_vec();
        let flags = flags(self.flag).iter();
        names.extend(flags.map(|flag| flag.fold_wb("flag_white", "flag_black")));
        if self.at_least {
            names.extend(["white_at_least", "black_at_least"]);
        }
        if self.lines {
            names.extend(["white_lines", "black_lines"]);
        }
        names
    }
}

/// The names of the columns, with a line feed.
pub(crate) fn header(columns: Columns) -> String {
    row(&columns
        .names()
        .into_iter()
        .map(str::to_owned)
        .collect::<Vec<_>>())
}

/// The row for a line that is no position, with a line feed.
pub(crate) fn failed(line: u64, error: &str, columns: Columns) -> String {
    let mut fields = vec![String::new(); columns.names().len()];
    fields[0] = line.to_string();
    fields[COLUMNS.len() - 1] = error.to_owned();
    row(&fields)
}

/// The row for an answer, with a line feed.
pub(crate) fn answer(line: u64, answer: &Answer, columns: Columns) -> String {
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
    for &flag in flags(columns.flag) {
        fields.push(answer.fall(flag).outcome().text().to_owned());
    }
    let least = Color::ALL.map(|color| answer.least(color));
    if columns.at_least {
        let at_least = |least: &Least| least.at_least.to_string();
        fields.extend(least.map(|least| optional(least.map(at_least))));
    }
    if columns.lines {
        let lines = |least: &Least| Some(least.lines?.to_string());
        fields.extend(least.map(|least| optional(least.and_then(lines))));
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
