//! Solutions as text and as JSON.

use std::fmt::{self, Write};

use anstyle::Style as Ansi;
use serde::Serialize;
use stillmate_core::{Color, Move};
use stillmate_reach::{Length, Line, StopReason};

use super::{
    Heading, Place, Problem, Solved, args::Form, name, notation::Style, stipulation::Stipulation,
};
use crate::render::{json::to_line, words};

const BOLD: Ansi = Ansi::new().bold();
const FAINT: Ansi = Ansi::new().dimmed();

/// What came of a problem, for people; `quiet` for the solutions alone.
pub(super) fn text(
    problem: &Problem,
    solved: &[Solved],
    style: Style,
    form: Form,
    quiet: bool,
) -> String {
    let mut text = String::new();
    write(&mut text, problem, solved, style, form, quiet).expect("memory takes all");
    text
}

fn write(
    out: &mut String,
    problem: &Problem,
    solved: &[Solved],
    style: Style,
    form: Form,
    quiet: bool,
) -> fmt::Result {
    if let Some(title) = problem.title.as_deref().filter(|_| !quiet) {
        // A name from a file must not command the terminal.
        let title: String = title.chars().filter(|c| !c.is_control()).collect();
        writeln!(out, "{title}")?;
    }
    for (index, solved) in solved.iter().enumerate() {
        if !quiet {
            heading(out, solved, index == 0)?;
            summary(out, solved)?;
        }
        match form {
            Form::Lines => lines(out, solved, style)?,
            Form::Tree => tree(out, solved, style)?,
        }
    }
    Ok(())
}

fn heading(out: &mut String, solved: &Solved, first: bool) -> fmt::Result {
    let fen = solved.task.position.fen();
    match &solved.task.heading {
        Heading::Diagram if first => writeln!(out, "{BOLD}{fen}{BOLD:#}"),
        Heading::Diagram => Ok(()),
        Heading::Twin(letter, text) => {
            writeln!(out, "{BOLD}{letter}) {text}{BOLD:#}  {FAINT}{fen}{FAINT:#}")
        }
        Heading::SetPlay => writeln!(out, "{BOLD}set play{BOLD:#}"),
        Heading::Duplex => writeln!(out, "{BOLD}duplex{BOLD:#}  {FAINT}{fen}{FAINT:#}"),
    }
}

fn summary(out: &mut String, solved: &Solved) -> fmt::Result {
    let Solved { task, found, .. } = solved;
    let winner = name(task.winner);
    let length = match (found.plies, task.length) {
        (Some(plies), _) => Some(of_plies(plies)),
        (None, Length::Exactly(plies)) => Some(of_plies(plies.into())),
        (None, Length::Shortest) => None,
    };
    let what = match length {
        Some(length) => format!("{length}, {winner} mates"),
        None => format!("{winner} mates"),
    };
    let how_many = match (found.stopped, found.count) {
        (Some(budget), None) => {
            let why = words::undetermined(budget).1;
            let at_least = match task.length {
                Length::Shortest => format!("; not in fewer than {}", of_plies(found.at_least)),
                Length::Exactly(_) => String::new(),
            };
            format!("not known how often{at_least}: {why}")
        }
        (_, Some(count)) => solutions(count),
        (None, None) if found.plies.is_some() => "2^128 solutions or more".to_owned(),
        (None, None) => "never".to_owned(),
    };
    let nodes = words::count(found.nodes, "node");
    let time = words::time(found.elapsed);
    writeln!(out, "{what}: {how_many}  {FAINT}({nodes}, {time}){FAINT:#}")?;
    for (stipulation, count) in &solved.shorter {
        writeln!(out, "cook: {stipulation}, {}", solutions(*count))?;
    }
    let listed = found.lines.len() as u128;
    if let Some(count) = found.count.filter(|&count| count > listed) {
        writeln!(
            out,
            "the first {listed} of {count} are listed; --most N lists more"
        )?;
    }
    Ok(())
}

fn solutions(count: u128) -> String {
    match count {
        0 => "no solution".to_owned(),
        1 => "1 solution".to_owned(),
        _ => format!("{count} solutions"),
    }
}

fn of_plies(plies: u32) -> String {
    let plies = u16::try_from(plies).unwrap_or(u16::MAX);
    Stipulation { plies }.to_string()
}

fn lines(out: &mut String, solved: &Solved, style: Style) -> fmt::Result {
    for line in &solved.found.lines {
        writeln!(out, "{}", one(solved, &line.0, style))?;
    }
    Ok(())
}

/// A line with its numbers.
fn one(solved: &Solved, line: &[Move], style: Style) -> String {
    let position = &solved.task.position;
    let moves = style.moves(position, line);
    style.numbered(position.turn(), solved.task.winner, 0, &moves)
}

/// Lines with what they have in common written once; each choice indents what follows.
fn tree(out: &mut String, solved: &Solved, style: Style) -> fmt::Result {
    let position = &solved.task.position;
    let lines = &solved.found.lines;
    let moves: Vec<Vec<String>> = lines
        .iter()
        .map(|line| style.moves(position, &line.0))
        .collect();
    branch(out, solved, style, &zip(lines, &moves), 0, 0)
}

type Written<'a> = (&'a [Move], &'a [String]);

fn zip<'a>(lines: &'a [Line], moves: &'a [Vec<String>]) -> Vec<Written<'a>> {
    let pair = |(line, moves): (&'a Line, &'a Vec<String>)| (&line.0[..], &moves[..]);
    lines.iter().zip(moves).map(pair).collect()
}

fn branch(
    out: &mut String,
    solved: &Solved,
    style: Style,
    lines: &[Written<'_>],
    depth: usize,
    indent: usize,
) -> fmt::Result {
    // Lines come in the order of moves, so that those which go on alike stand together.
    for group in lines.chunk_by(|one, other| one.0.get(depth) == other.0.get(depth)) {
        let Some((first, moves)) = group.first().filter(|line| line.0.len() > depth) else {
            continue;
        };
        let common = (depth..first.len())
            .find(|&ply| group.iter().any(|line| line.0.get(ply) != first.get(ply)))
            .unwrap_or(first.len());
        let turn = solved.task.position.turn();
        let text = style.numbered(turn, solved.task.winner, depth, &moves[depth..common]);
        writeln!(out, "{:indent$}{text}", "")?;
        branch(out, solved, style, group, common, indent + 2)?;
    }
    Ok(())
}

/// What a problem came to. Every object has every field.
#[derive(Serialize)]
struct Object<'a> {
    file: Option<&'a str>,
    line: u64,
    problem: Option<u64>,
    id: Option<&'a str>,
    parts: Vec<Part>,
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct Part {
    /// What it is: "diagram", "twin", "set play" or "duplex".
    part: &'static str,
    twin: Option<char>,
    changes: Option<String>,
    fen: String,
    winner: &'static str,
    stipulation: Option<String>,
    plies: Option<u32>,
    at_least: u32,
    /// As text: most readers of JSON round numbers of this size.
    count: Option<String>,
    solutions: Vec<Solution>,
    shorter: Vec<Shorter>,
    budget: Option<&'static str>,
    nodes: u64,
    micros: u64,
}

#[derive(Serialize)]
struct Solution {
    text: String,
    uci: Vec<String>,
}

#[derive(Serialize)]
struct Shorter {
    stipulation: String,
    count: String,
}

/// The object for a problem, with a line feed.
pub(super) fn json(place: Place<'_>, problem: &Problem, solved: &[Solved], style: Style) -> String {
    to_line(&Object {
        file: place.file,
        line: place.line,
        problem: place.problem,
        id: problem.title.as_deref(),
        parts: solved.iter().map(|solved| part(solved, style)).collect(),
        error: None,
    })
}

/// The object for what is no problem, with a line feed.
pub(super) fn failed(place: Place<'_>, error: &str) -> String {
    to_line(&Object {
        file: place.file,
        line: place.line,
        problem: place.problem,
        id: None,
        parts: Vec::new(),
        error: Some(error),
    })
}

fn part(solved: &Solved, style: Style) -> Part {
    let Solved { task, found, .. } = solved;
    let (part, twin, changes) = match &task.heading {
        Heading::Diagram => ("diagram", None, None),
        Heading::Twin(letter, text) => ("twin", Some(*letter), Some(text.clone())),
        Heading::SetPlay => ("set play", None, None),
        Heading::Duplex => ("duplex", None, None),
    };
    let plies = found.plies.or(match task.length {
        Length::Exactly(plies) => Some(plies.into()),
        Length::Shortest => None,
    });
    let solution = |line: &Line| Solution {
        text: one(solved, &line.0, style),
        uci: line.0.iter().map(ToString::to_string).collect(),
    };
    let shorter = solved.shorter.iter().map(|(stipulation, count)| Shorter {
        stipulation: stipulation.to_string(),
        count: count.to_string(),
    });
    Part {
        part,
        twin,
        changes,
        fen: task.position.fen(),
        winner: if task.winner == Color::White {
            "white"
        } else {
            "black"
        },
        stipulation: plies.map(of_plies),
        plies: found.plies,
        at_least: found.at_least,
        count: found.count.map(|count| count.to_string()),
        solutions: found.lines.iter().map(solution).collect(),
        shorter: shorter.collect(),
        budget: found.stopped.map(StopReason::name),
        nodes: found.nodes,
        micros: crate::answer::micros(found.elapsed),
    }
}
