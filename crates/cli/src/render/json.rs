//! One JSON object for each position.

use serde::Serialize;
use stillmate_core::{Color, Position};
use stillmate_proof::Certificate;
use stillmate_reach::{Finding, Verdict};

use super::words;
use crate::{
    answer::{Answer, micros},
    args::Colours,
};

/// A bad line, in the place of its answer.
#[derive(Serialize)]
struct Failed<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    line: u64,
    error: &'a str,
}

#[derive(Serialize)]
struct Object<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    line: u64,
    id: Option<String>,
    fen: String,
    winnable: String,
    dead: Option<bool>,
    case: Option<u8>,
    white: Option<Colour<'a>>,
    black: Option<Colour<'a>>,
    rule: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flag: Option<Flags>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    error: Option<()>,
}

/// The answer for one colour.
#[derive(Serialize)]
struct Colour<'a> {
    verdict: &'static str,
    /// The line mates, but after the seventy-five-move rule has ended the game.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    too_late: bool,
    #[serde(flatten)]
    line: Option<Line>,
    #[serde(flatten)]
    least: Option<Least>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<&'static str>,
    method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<&'a Certificate>,
    nodes: u64,
    micros: u64,
}

/// A helpmate.
#[derive(Serialize)]
struct Line {
    plies: usize,
    uci: Vec<String>,
    san: Vec<String>,
}

/// What is proved of the shortest helpmate.
#[derive(Serialize)]
struct Least {
    at_least: u32,
    shortest: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<u128>,
}

/// What becomes of the game if a flag falls.
#[derive(Serialize)]
struct Flags {
    #[serde(skip_serializing_if = "Option::is_none")]
    white: Option<Flag>,
    #[serde(skip_serializing_if = "Option::is_none")]
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
    to_line(&Failed { file, line, error })
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
    let position = record.position();
    let colour = |color| {
        let colour = Colour {
            least: answer.least(color).map(|least| Least {
                at_least: least.at_least,
                shortest: least.proved,
                lines: least.lines,
            }),
            ..self::colour(position, answer.finding(color)?, certificates)
        };
        Some(if answer.too_late(color) {
            Colour {
                verdict: "unwinnable",
                too_late: true,
                ..colour
            }
        } else {
            colour
        })
    };
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
        fen: record.fen(),
        winnable: answer.label(),
        dead: answer.dead(),
        case: answer.case.map(stillmate_reach::Case::number),
        white: colour(Color::White),
        black: colour(Color::Black),
        rule: answer.article().map(|rule| rule.to_string()),
        flag: flag.map(|flags| Flags {
            white: ruling(flags, Color::White),
            black: ruling(flags, Color::Black),
        }),
        notes: record.notes().iter().map(ToString::to_string).collect(),
        error: None,
    })
}

fn colour<'a>(position: &Position, finding: &'a Finding, certificates: bool) -> Colour<'a> {
    let (verdict, line, budget) = match &finding.verdict {
        Verdict::Winnable(line) => {
            let line = Line {
                plies: line.0.len(),
                uci: line.0.iter().map(ToString::to_string).collect(),
                san: words::san(position, &line.0),
            };
            ("winnable", Some(line), None)
        }
        Verdict::Unwinnable(_) => ("unwinnable", None, None),
        Verdict::Undetermined(effort) => {
            let budget = effort.stopped_by.name();
            ("undetermined", None, Some(budget))
        }
    };
    Colour {
        verdict,
        too_late: false,
        line,
        least: None,
        budget,
        method: finding.method.name(),
        certificate: match &finding.verdict {
            Verdict::Unwinnable(certificate) if certificates => Some(certificate),
            _ => None,
        },
        nodes: finding.nodes,
        micros: micros(finding.elapsed),
    }
}

/// A value on a line of its own.
pub(crate) fn to_line(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string(value).expect("plain data serialises");
    text.push('\n');
    text
}
