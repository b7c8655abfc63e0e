//! One JSON object for each position.

use serde::Serialize;
use stillmate_core::Color;
use stillmate_proof::Certificate;
use stillmate_reach::Verdict;

use super::words;
use crate::{
    answer::{Answer, micros},
    args::Colours,
};

/// What a position, or a line that is none, came to. Every object has every field, so that
/// readers which make a table of them see one shape.
#[derive(Default, Serialize)]
struct Object<'a> {
    file: Option<&'a str>,
    line: u64,
    id: Option<String>,
    fen: Option<String>,
    winnable: Option<String>,
    dead: Option<bool>,
    case: Option<u8>,
    white: Option<Colour<'a>>,
    black: Option<Colour<'a>>,
    rule: Option<String>,
    flag: Option<Flags>,
    notes: Vec<String>,
    error: Option<&'a str>,
}

/// The answer for one colour.
#[derive(Serialize)]
struct Colour<'a> {
    verdict: &'static str,
    /// The line mates, but after the seventy-five-move rule has ended the game.
    too_late: bool,
    plies: Option<usize>,
    uci: Option<Vec<String>>,
    san: Option<Vec<String>>,
    at_least: Option<u32>,
    shortest: Option<bool>,
    /// As text: most readers of JSON round numbers of this size.
    lines: Option<String>,
    budget: Option<&'static str>,
    method: &'static str,
    certificate: Option<&'a Certificate>,
    nodes: u64,
    micros: u64,
}

/// What becomes of the game if a flag falls.
#[derive(Serialize)]
struct Flags {
    white: Option<Flag>,
    black: Option<Flag>,
}

#[derive(Serialize)]
struct Flag {
    result: &'static str,
    article: &'static str,
    reason: String,
}

/// The object for a line that is no position, with a line feed.
pub(crate) fn failed(file: Option<&str>, line: u64, error: &str) -> String {
    to_line(&Object {
        file,
        line,
        error: Some(error),
        ..Object::default()
    })
}

/// The object for an answer, with a line feed; it contains `certificates` if these are wanted.
pub(crate) fn answer(
    file: Option<&str>,
    line: u64,
    answer: &Answer,
    flag: Option<Colours>,
    certificates: bool,
) -> String {
    let record = &answer.record;
    let ruling = |flags: Colours, flag| {
        flags.contains(flag).then(|| {
            let ruling = answer.fall(flag);
            Flag {
                result: ruling.outcome().text(),
                article: ruling.article(),
                reason: ruling.to_string(),
            }
        })
    };
    to_line(&Object {
        file,
        line,
        id: record.value("id").map(String::from),
        fen: Some(record.fen()),
        winnable: Some(answer.label()),
        dead: answer.dead(),
        case: answer.case.map(stillmate_reach::Case::number),
        white: colour(answer, Color::White, certificates),
        black: colour(answer, Color::Black, certificates),
        rule: answer.article().map(|rule| rule.to_string()),
        flag: flag.map(|flags| Flags {
            white: ruling(flags, Color::White),
            black: ruling(flags, Color::Black),
        }),
        notes: record.notes().iter().map(ToString::to_string).collect(),
        error: None,
    })
}

fn colour(answer: &Answer, color: Color, certificates: bool) -> Option<Colour<'_>> {
    let finding = answer.finding(color)?;
    let least = answer.least(color);
    let too_late = answer.too_late(color);
    let (verdict, line, budget, certificate) = match &finding.verdict {
        Verdict::Winnable(line) if too_late => ("unwinnable", Some(line), None, None),
        Verdict::Winnable(line) => ("winnable", Some(line), None, None),
        Verdict::Unwinnable(certificate) => ("unwinnable", None, None, Some(certificate)),
        Verdict::Undetermined(effort) => {
            let budget = effort.stopped_by.name();
            ("undetermined", None, Some(budget), None)
        }
    };
    let moves = line.map(|line| &line.0);
    let uci = moves.map(|moves| moves.iter().map(ToString::to_string).collect());
    Some(Colour {
        verdict,
        too_late,
        plies: moves.map(Vec::len),
        uci,
        san: moves.map(|moves| words::san(answer.record.position(), moves)),
        at_least: least.map(|least| least.at_least),
        shortest: least.map(|least| least.proved),
        lines: least.and_then(|least| Some(least.lines?.to_string())),
        budget,
        method: finding.method.name(),
        certificate: certificate.filter(|_| certificates),
        nodes: finding.nodes,
        micros: micros(finding.elapsed),
    })
}

/// A value on a line of its own.
pub(crate) fn to_line(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string(value).expect("plain data serialises");
    text.push('\n');
    text
}
