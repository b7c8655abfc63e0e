//! One JSON object for each game.

use serde::Serialize;
use stillmate_arbiter::{
    Adjudication, Claim, Death, FlagFall, GameEnd, GameRecord, GameReport, Outcome,
    pgn::{Game, PgnFault},
};
use stillmate_core::{Color, color_name as name};
use stillmate_reach::{Finding, Verdict};

use super::{
    Place, Ruled,
    words::{ahead, earlier},
};
use crate::render::{
    json::to_line,
    words::{reason, san},
};

/// What a game came to. Every object has every field, so that readers which make a table of
/// them see one shape.
#[derive(Default, Serialize)]
struct GameObject<'a> {
    file: &'a str,
    line: u64,
    white: Option<String>,
    black: Option<String>,
    event: Option<String>,
    date: Option<String>,
    termination: Option<String>,
    result: Option<&'static str>,
    plies: Option<usize>,
    ends: Option<Vec<EndObject>>,
    played_on: Option<usize>,
    claims: Option<Vec<ClaimObject>>,
    dead: Option<DeadObject>,
    undetermined: Option<bool>,
    last: Option<LastObject>,
    adjudication: Option<AdjudicationObject<'a>>,
    /// What is unusual about the record.
    notes: Vec<String>,
    faults: Vec<FaultObject>,
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct EndObject {
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
    /// When the position was on the board before, for a repetition: plies; for a claim ahead
    /// those of each move.
    earlier: Vec<Vec<usize>>,
    /// Whether an exception to fifty moves may have been in force.
    doubtful: bool,
}

#[derive(Serialize)]
struct DeadObject {
    plies: usize,
    fen: String,
    /// Whether the position before was alive for certain.
    first: bool,
    case: Option<u8>,
    white: Option<String>,
    black: Option<String>,
}

#[derive(Serialize)]
struct LastObject {
    fen: String,
    halfmove_clock: u32,
    winnable: Option<String>,
    white: Option<Vec<String>>,
    black: Option<Vec<String>>,
    flag_white: Option<FlagObject>,
    flag_black: Option<FlagObject>,
}

#[derive(Serialize)]
struct FlagObject {
    result: &'static str,
    article: &'static str,
    reason: String,
}

#[derive(Serialize)]
struct AdjudicationObject<'a> {
    verdict: &'static str,
    should: Option<&'static str>,
    article: Option<&'a str>,
    reason: String,
    /// The position that decides.
    fen: String,
    /// By which Laws.
    laws: LawsObject,
}

#[derive(Serialize)]
struct LawsObject {
    /// The day of which they are; null for today.
    date: Option<String>,
    uncertain: Vec<&'static str>,
}

#[derive(Serialize)]
struct FaultObject {
    line: u64,
    ply: Option<usize>,
    error: String,
}

/// The object for a game over which the program itself failed, with a line feed.
pub(crate) fn failed(place: &Place<'_>, error: &str) -> String {
    to_line(&GameObject {
        file: place.file,
        line: place.line,
        error: Some(error),
        ..GameObject::default()
    })
}

/// The object for a game, with a line feed.
pub(crate) fn game(place: &Place<'_>, game: &Game<'_>, ruled: &Ruled) -> String {
    let tag = |name| game.tags.get(name).map(std::borrow::Cow::into_owned);
    let record = &game.record;
    let report = ruled.report();
    let death = report.and_then(|report| report.death.as_deref());
    to_line(&GameObject {
        file: place.file,
        line: place.line,
        white: tag("White"),
        black: tag("Black"),
        event: tag("Event"),
        date: tag("Date"),
        termination: tag("Termination"),
        result: game.result.map(Outcome::text),
        plies: Some(record.plies()),
        ends: report.map(|report| ends(record, report)),
        played_on: report.map(|report| played_on(record, report)),
        claims: report.map(|report| claims(record, report)),
        dead: death.map(|death| dead(record, death)),
        undetermined: report.map(|report| report.undecided),
        last: report.map(|report| last(record, report)),
        adjudication: Some(ruling(record, ruled.adjudication())),
        notes: game.notes.iter().map(ToString::to_string).collect(),
        faults: game.faults.iter().map(fault).collect(),
        error: None,
    })
}

fn fault(fault: &PgnFault) -> FaultObject {
    FaultObject {
        line: fault.line,
        ply: fault.ply,
        error: fault.to_string(),
    }
}

fn ruling<'a>(record: &GameRecord, adjudication: &'a Adjudication) -> AdjudicationObject<'a> {
    let date = adjudication.laws.day();
    AdjudicationObject {
        verdict: adjudication.verdict.name(),
        should: adjudication.should.map(Outcome::text),
        article: adjudication.basis.article(),
        reason: adjudication.reason(record),
        fen: record.fen(adjudication.plies(record)),
        laws: LawsObject {
            date: date.map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}")),
            uncertain: adjudication.laws.uncertain(),
        },
    }
}

fn ends(record: &GameRecord, report: &GameReport) -> Vec<EndObject> {
    let end = |end: &GameEnd| EndObject {
        plies: end.plies,
        r#move: (end.plies > 0).then(|| record.label(end.plies)),
        rule: end.rule.name(),
        article: end.rule.article(),
        result: end.rule.outcome().text(),
    };
    report.ends.iter().map(end).collect()
}

/// Plies after the end.
fn played_on(record: &GameRecord, report: &GameReport) -> usize {
    let end = report.ends.first();
    end.map_or(0, |end| record.plies() - end.plies)
}

fn claims(record: &GameRecord, report: &GameReport) -> Vec<ClaimObject> {
    let claim = |claim: &Claim| ClaimObject {
        plies: claim.plies,
        player: name(claim.player),
        article: claim.article(),
        moves: ahead(record, claim),
        passed: claim.passed,
        earlier: earlier(record, claim),
        doubtful: claim.doubtful,
    };
    report.claims.iter().map(claim).collect()
}

fn dead(record: &GameRecord, death: &Death) -> DeadObject {
    let why = |finding: &Finding| match &finding.verdict {
        Verdict::Unwinnable(certificate) => Some(reason(certificate)),
        _ => None,
    };
    DeadObject {
        plies: death.plies,
        fen: record.fen(death.plies),
        first: death.first,
        case: death.report.case.map(stillmate_reach::Case::number),
        white: why(&death.report.white),
        black: why(&death.report.black),
    }
}

fn last(record: &GameRecord, report: &GameReport) -> LastObject {
    let plies = record.plies();
    let found = report.last.as_ref();
    let line = |finding: &Finding| match &finding.verdict {
        Verdict::Winnable(line) => Some(san(record.position(plies), &line.0)),
        _ => None,
    };
    let flags = report.flags.as_ref();
    let fall = |color: Color| Some(flag(flags?.iter().find(|fall| fall.flag == color)?));
    LastObject {
        fen: record.fen(plies),
        halfmove_clock: record.clock(plies),
        winnable: found.map(super::words::label),
        white: found.and_then(|report| line(&report.white)),
        black: found.and_then(|report| line(&report.black)),
        flag_white: fall(Color::White),
        flag_black: fall(Color::Black),
    }
}

fn flag(fall: &FlagFall) -> FlagObject {
    FlagObject {
        result: fall.outcome().text(),
        article: fall.article(),
        reason: fall.to_string(),
    }
}
