//! An answer for people: a board and sentences.

use std::fmt::{self, Write as _};

use anstyle::{AnsiColor, Style};
use shakmaty::{File, Rank, Square};
use stillmate_arbiter::{Article, EndRule, lasts};
use stillmate_core::{Color, Position, color_name as name, text::Record};
use stillmate_proof::Step;
use stillmate_reach::{Finding, Verdict};

use super::words;
use crate::{
    answer::{Answer, Least},
    args::Colours,
};

const BOLD: Style = Style::new().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const NEVER: Style = AnsiColor::Red.on_default().bold();
const OPEN: Style = AnsiColor::Yellow.on_default().bold();
const FAINT: Style = Style::new().dimmed();

/// Helpmates are broken into lines of about this many columns.
const WIDTH: usize = 80;
/// Where sentences begin, after the names of the colours.
const INDENT: usize = 7;

/// The answer with escape sequences for colours, which the stream may take away.
pub(crate) fn answer(answer: &Answer, flag: Option<Colours>, verbose: bool) -> String {
    let mut text = String::new();
    write(&mut text, answer, flag, verbose).expect("memory takes all");
    text
}

fn write(out: &mut String, answer: &Answer, flag: Option<Colours>, verbose: bool) -> fmt::Result {
    out.push_str(&board(answer.record.position())?);
    writeln!(out)?;
    heading(out, &answer.record)?;
    writeln!(out)?;
    for (color, finding) in answer.findings() {
        verdict(out, answer, color, finding, verbose)?;
    }
    meaning(out, answer)?;
    for &flag in flag.unwrap_or(Colours::Both).all() {
        let ruling = answer.fall(flag);
        writeln!(
            out,
            "If {}'s flag falls: {}.",
            name(flag),
            ruling.sentence()
        )?;
    }
    Ok(())
}

/// The board with escape sequences.
pub(super) fn board(position: &Position) -> Result<String, fmt::Error> {
    let mut out = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        write!(out, "{FAINT}{}{FAINT:#} ", rank.char())?;
        for file in File::ALL {
            match position.piece_at(Square::from_coords(file, rank)) {
                Some(man) if man.color == Color::White => {
                    write!(out, " {BOLD}{}{BOLD:#}", man.char())?;
                }
                Some(man) => write!(out, " {}", man.char())?,
                None => write!(out, " {FAINT}.{FAINT:#}")?,
            }
        }
        writeln!(out)?;
    }
    writeln!(out, "{FAINT}   a b c d e f g h{FAINT:#}")?;
    Ok(out)
}

fn heading(out: &mut String, record: &Record) -> fmt::Result {
    if let Some(id) = record.value("id") {
        // A name from a file must not command the terminal.
        let id: String = id.chars().filter(|c| !c.is_control()).collect();
        writeln!(out, "{id}")?;
    }
    let turn = name(record.position().turn());
    writeln!(out, "{}  {FAINT}({turn} to move){FAINT:#}", record.fen())?;
    for note in record.notes() {
        writeln!(out, "note: {note}")?;
    }
    Ok(())
}

/// Whether `color` can mate, how that was found, and the helpmate.
fn verdict(
    out: &mut String,
    answer: &Answer,
    color: Color,
    finding: &Finding,
    verbose: bool,
) -> fmt::Result {
    let record = &answer.record;
    write!(out, "{BOLD}{:INDENT$}{BOLD:#}", name(color))?;
    match &finding.verdict {
        Verdict::Winnable(line) if line.0.is_empty() => {
            write!(out, "{GOOD}has mated{GOOD:#}")?;
        }
        Verdict::Winnable(line) if answer.too_late(color) => {
            let plies = words::plies(line.0.len() as u64);
            write!(
                out,
                "{NEVER}cannot mate in time{NEVER:#}: the seventy-five-move rule ends the game \
                 first (halfmove clock {}); without it {} could in {plies}",
                record.half_move(),
                name(color)
            )?;
        }
        Verdict::Winnable(line) => {
            let plies = words::plies(line.0.len() as u64);
            write!(out, "{GOOD}can mate{GOOD:#} in {plies}")?;
            if let Some(least) = answer.least(color) {
                shortest(out, least)?;
            }
        }
        Verdict::Unwinnable(certificate) => {
            let reason = words::reason(certificate);
            write!(out, "{NEVER}cannot mate{NEVER:#}: {reason}")?;
        }
        Verdict::Undetermined(effort) => {
            let (word, why) = words::undetermined(effort.stopped_by);
            write!(out, "{OPEN}{word}{OPEN:#}: {why}")?;
            if let Some(least) = answer.least(color) {
                let plies = words::plies(least.at_least.into());
                write!(out, "; no mate comes in fewer than {plies}")?;
            }
        }
    }
    let nodes = words::count(finding.nodes, "node");
    let time = words::time(finding.elapsed);
    let method = finding.method.name();
    writeln!(out, "  {FAINT}({method}, {nodes}, {time}){FAINT:#}")?;
    match &finding.verdict {
        Verdict::Winnable(line) => {
            let position = record.position();
            let san = words::san(position, &line.0);
            let moves = words::numbered(position.turn(), record.full_move(), &san);
            wrapped(out, &moves)?;
            if !answer.too_late(color) && !lasts(&line.0, record.half_move()) {
                let clock = record.half_move();
                writeln!(
                    out,
                    "{:INDENT$}too long for the seventy-five-move rule from halfmove clock {clock}; \
                     --75 lets the rule count",
                    ""
                )?;
            }
            if verbose {
                let uci: Vec<String> = line.0.iter().map(ToString::to_string).collect();
                wrapped(out, &uci)?;
            }
        }
        Verdict::Unwinnable(certificate) if verbose => {
            let steps = words::count(certificate.steps.len() as u64, "step");
            writeln!(out, "{:INDENT$}certificate of {steps}", "")?;
            // Other proofs are said by the reason above, or too long to be read.
            let first = certificate.steps.first();
            if let Some(Step::Invariant(_) | Step::Classes { .. }) = first {
                for line in stillmate_proof::explain_first(certificate) {
                    writeln!(out, "{:INDENT$}{line}", "")?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// Whether a mate may come sooner than in the line, and how many come as soon.
fn shortest(out: &mut String, least: &Least) -> fmt::Result {
    let why = least.stopped.map(|by| words::undetermined(by).1);
    if !least.proved {
        let plies = words::plies(least.at_least.into());
        let why = why.unwrap_or("the search goes no deeper");
        return write!(
            out,
            "; not in fewer than {plies}, but {OPEN}perhaps sooner{OPEN:#}: {why}"
        );
    }
    write!(out, " and not sooner")?;
    match (least.lines, why) {
        (Some(1), _) => write!(out, ", in one way"),
        (Some(lines), _) => write!(out, ", in {lines} ways"),
        (None, Some(why)) => write!(out, "; {OPEN}in how many ways isn't known{OPEN:#}: {why}"),
        (None, None) => Ok(()),
    }
}

/// Words in indented lines.
pub(crate) fn wrapped(out: &mut String, words: &[String]) -> fmt::Result {
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        if column == 0 || column + 1 + length > WIDTH {
            if column > 0 {
                writeln!(out)?;
            }
            write!(out, "{:INDENT$}{word}", "")?;
            column = INDENT + length;
        } else {
            write!(out, " {word}")?;
            column += 1 + length;
        }
    }
    if column > 0 {
        writeln!(out)?;
    }
    Ok(())
}

/// What the verdicts mean together.
fn meaning(out: &mut String, answer: &Answer) -> fmt::Result {
    let case = answer.case.map_or_else(String::new, |case| {
        format!(", case {}: {}", case.number(), words::case(case))
    });
    match answer.article() {
        Some(Article::Ends(EndRule::Checkmate(_))) => {
            writeln!(out, "{BOLD}Checkmate{BOLD:#} (5.1.1){case}.")
        }
        Some(Article::Ends(EndRule::Stalemate)) => {
            writeln!(out, "{BOLD}Stalemate{BOLD:#} (5.2.1){case}.")
        }
        Some(Article::Ends(EndRule::SeventyFive)) => {
            writeln!(out, "{BOLD}No mate in time{BOLD:#} (9.6.2).")
        }
        Some(Article::Ends(_)) => writeln!(out, "{BOLD}Dead position{BOLD:#} (5.2.2){case}."),
        Some(Article::FlagDraw(..)) | None if answer.dead() == Some(false) => {
            writeln!(out, "{BOLD}Not dead{BOLD:#}{case}.")
        }
        Some(Article::FlagDraw(..)) | None => {
            writeln!(out, "Whether the position is dead is not known.")
        }
    }
}
