//! One JSON object for each game.

use serde::Serialize;
use stillmate_arbiter::{
    Adjudication, Claim, Death, FlagFall, GameReport, Outcome, Score,
    pgn::{Fault, Game},
};
use stillmate_core::Color;
use stillmate_reach::{Finding, Verdict};

use super::{Place, Ruled, words::ahead};
use crate::{
    laws::name,
    render::{
        json::to_line,
        words::{reason, san},
    },
};

/// What a game came to. Every object has every field, so that readers which make a table of
/// them see one shape.
#[derive(Default, Serialize)]
struct Object<'a> {
    file: &'a str,
    line: u64,
    white: Option<String>,
    black: Option<String>,
    event: Option<String>,
    date: Option<String>,
    termination: Option<String>,
    result: Option<&'static str>,
    plies: Option<usize>,
    ends: Option<Vec<End>>,
    played_on: Option<usize>,
    claims: Option<Vec<ClaimObject>>,
    dead: Option<Dead>,
    undetermined: Option<bool>,
    last: Option<Last>,
    adjudication: Option<Ruling<'a>>,
    faults: Vec<FaultObject>,
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct End {
    plies: usize,
    r#move: Option<String>,
    rule: &'static str,
    article: &'static str,
    result: &'static str,
}

#[derive(Serialize)]
struct ClaimObject {
    plies: usize,
    player: &'static str,
    article: &'static str,
    /// Moves to be written down, for a claim ahead.
    moves: Vec<String>,
    passed: bool,
}

#[derive(Serialize)]
struct Dead {
    plies: usize,
    fen: String,
    /// Whether the position before was alive for certain.
    first: bool,
    case: Option<u8>,
    white: Option<String>,
    black: Option<String>,
}

#[derive(Serialize)]
struct Last {
    fen: String,
    halfmove_clock: u32,
    winnable: Option<String>,
    white: Option<Vec<String>>,
    black: Option<Vec<String>>,
    flag_white: Option<Flag>,
    flag_black: Option<Flag>,
}

#[derive(Serialize)]
struct Flag {
    result: &'static str,
    article: &'static str,
    reason: String,
}

#[derive(Serialize)]
struct Ruling<'a> {
    verdict: &'static str,
    should: Option<&'static str>,
    article: Option<&'a str>,
    reason: String,
    /// The position that decides.
    fen: String,
}

#[derive(Serialize)]
struct FaultObject {
    line: u64,
    ply: Option<usize>,
    error: String,
}

/// The object for a game over which the program itself failed, with a line feed.
pub(crate) fn failed(place: &Place<'_>, error: &str) -> String {
    to_line(&Object {
        file: place.file,
        line: place.line,
        error: Some(error),
        ..Object::default()
    })
}

/// The object for a game, with a line feed.
pub(crate) fn game(place: &Place<'_>, game: &Game<'_>, ruled: &Ruled) -> String {
    let tag = |name| game.tags.get(name).map(std::borrow::Cow::into_owned);
    let score = &game.score;
    let report = ruled.report();
    let death = report.and_then(|report| report.death.as_deref());
    to_line(&Object {
        file: place.file,
        line: place.line,
        white: tag("White"),
        black: tag("Black"),
        event: tag("Event"),
        date: tag("Date"),
        termination: tag("Termination"),
        result: game.result.map(Outcome::text),
        plies: Some(score.plies()),
        ends: report.map(|report| ends(score, report)),
        played_on: report.map(|report| played_on(score, report)),
        claims: report.map(|report| claims(score, report)),
        dead: death.map(|death| dead(score, death)),
        undetermined: report.map(|report| report.undecided),
        last: report.map(|report| last(score, report)),
        adjudication: Some(ruling(score, ruled.adjudication())),
        faults: game.faults.iter().map(fault).collect(),
        error: None,
    })
}

fn fault(fault: &Fault) -> FaultObject {
    FaultObject {
        line: fault.line,
        ply: fault.ply,
        error: fault.to_string(),
    }
}

fn ruling<'a>(score: &Score, adjudication: &'a Adjudication) -> Ruling<'a> {
    Ruling {
        verdict: adjudication.verdict.name(),
        should: adjudication.should.map(Outcome::text),
        article: adjudication.basis.article(),
        reason: adjudication.reason(score),
        fen: score.fen(adjudication.plies(score)),
    }
}

fn ends(score: &Score, report: &GameReport) -> Vec<End> {
    let end = |end: &stillmate_arbiter::End| End {
        plies: end.plies,
        r#move: (end.plies > 0).then(|| score.label(end.plies)),
        rule: end.rule.name(),
        article: end.rule.article(),
        result: end.rule.outcome().text(),
    };
    report.ends.iter().map(end).collect()
}

/// Plies after the end.
fn played_on(score: &Score, report: &GameReport) -> usize {
    let end = report.ends.first();
    end.map_or(0, |end| score.plies() - end.plies)
}

fn claims(score: &Score, report: &GameReport) -> Vec<ClaimObject> {
    let claim = |claim: &Claim| ClaimObject {
        plies: claim.plies,
        player: name(claim.player),
        article: claim.article(),
        moves: ahead(score, claim),
        passed: claim.passed,
    };
    report.claims.iter().map(claim).collect()
}

fn dead(score: &Score, death: &Death) -> Dead {
    let why = |finding: &Finding| match &finding.verdict {
        Verdict::Unwinnable(certificate) => Some(reason(certificate)),
        _ => None,
    };
    Dead {
        plies: death.plies,
        fen: score.fen(death.plies),
        first: death.first,
        case: death.report.case.map(stillmate_reach::Case::number),
        white: why(&death.report.white),
        black: why(&death.report.black),
    }
}

fn last(score: &Score, report: &GameReport) -> Last {
    let plies = score.plies();
    let found = report.last.as_ref();
    let line = |finding: &Finding| match &finding.verdict {
        Verdict::Winnable(line) => Some(san(score.position(plies), &line.0)),
        _ => None,
    };
    let flags = report.flags.as_ref();
    let fall = |color: Color| Some(flag(flags?.iter().find(|fall| fall.flag == color)?));
    Last {
        fen: score.fen(plies),
        halfmove_clock: score.clock(plies),
        winnable: found.map(super::words::label),
        white: found.and_then(|report| line(&report.white)),
        black: found.and_then(|report| line(&report.black)),
        flag_white: fall(Color::White),
        flag_black: fall(Color::Black),
    }
}

fn flag(fall: &FlagFall) -> Flag {
    Flag {
        result: fall.outcome().text(),
        article: fall.article(),
        reason: fall.to_string(),
    }
}
