//! A report on a game for people.

use std::fmt::{self, Write as _};

use anstream::adapter::strip_str;
use stillmate_arbiter::{
    Adjudication, Claim, Death, EndRule, GameEnd, GameRecord, GameReport, Ground, Outcome,
    ResultVerdict, pgn::Game,
};
use stillmate_core::{Color, color_name as name};
use stillmate_reach::{Finding, Verdict as Decision};

use super::{
    Ruled,
    words::{ahead, earlier, fault, harmless},
};
use crate::render::{
    text::board,
    words::{self, numbered, reason, san, undetermined},
};

/// Adds the report on a game, or its verdict alone, to `out`.
pub(crate) fn game(out: &mut String, file: &str, game: &Game<'_>, ruled: &Ruled, verbose: bool) {
    let written = match ruled {
        Ruled::Result(adjudication) => line(out, file, game, adjudication),
        Ruled::Game(report) => full(out, file, game, report, verbose),
    };
    written.expect("memory takes all");
}

/// Where a game stands and who played it.
pub(crate) fn heading(file: &str, game: &Game<'_>) -> String {
    let player = |tag| game.tags.get(tag).unwrap_or("?".into());
    let (white, black) = (player("White"), player("Black"));
    let line = game.line.to_string();
    let parts = [
        file,
        ":",
        &line,
        ": ",
        &harmless(&white),
        " - ",
        &harmless(&black),
    ];
    parts.concat()
}

fn recorded(game: &Game<'_>) -> Outcome {
    game.result.unwrap_or(Outcome::Unknown)
}

fn line(out: &mut String, file: &str, game: &Game<'_>, adjudication: &Adjudication) -> fmt::Result {
    out.push_str(&heading(file, game));
    for part in [", ", recorded(game).text(), " "] {
        out.push_str(part);
    }
    verdict(out, game, adjudication)
}

/// What is to be said of the result, and why.
fn verdict(out: &mut String, game: &Game<'_>, adjudication: &Adjudication) -> fmt::Result {
    match (adjudication.verdict, adjudication.should) {
        (ResultVerdict::Stands, _) => out.write_str("stands")?,
        (ResultVerdict::Wrong, Some(should)) => write!(out, "is wrong, it should be {should}")?,
        (ResultVerdict::Wrong, None) => out.write_str("is unfounded")?,
        (ResultVerdict::Unscored, Some(should)) => {
            write!(out, "is no result, it should be {should}")?;
        }
        (ResultVerdict::Unscored, None) => out.write_str("is no result")?,
        (ResultVerdict::Unjudged, _) => out.write_str("is not judged")?,
        (ResultVerdict::Undetermined, _) => out.write_str("is undetermined")?,
    }
    if let Some(article) = adjudication.basis.article() {
        out.push_str(" by ");
        out.push_str(article);
    }
    out.push_str(": ");
    out.push_str(&harmless(&adjudication.reason(&game.record)));
    if !adjudication.laws.are_todays() {
        write!(out, "; by {}", adjudication.laws)?;
    }
    if adjudication.verdict != ResultVerdict::Stands {
        let plies = adjudication.plies(&game.record);
        write!(out, " ({})", game.record.fen(plies))?;
    }
    out.push('\n');
    Ok(())
}

fn full(
    out: &mut String,
    file: &str,
    game: &Game<'_>,
    report: &GameReport,
    verbose: bool,
) -> fmt::Result {
    let record = &game.record;
    out.push_str(&heading(file, game));
    let about = ["Event", "Date"].map(|tag| game.tags.get(tag));
    for about in about.into_iter().flatten() {
        out.push_str(", ");
        out.push_str(&harmless(&about));
    }
    writeln!(out)?;
    for one in &game.faults {
        let text = fault(game, one);
        writeln!(out, "  fault in line {}, {text}", one.line)?;
    }
    for note in &game.notes {
        writeln!(out, "  note: {note}")?;
    }
    let laws = report.laws;
    writeln!(out, "  judged by {laws}")?;
    for rule in laws.uncertain() {
        writeln!(out, "  uncertain by the date: {rule}")?;
    }
    claims(out, record, &report.claims)?;
    for (index, end) in report.ends.iter().enumerate() {
        let death = report.death.as_deref();
        let death = death.filter(|_| end.rule == EndRule::Dead);
        ended(out, record, end, death, index == 0, verbose)?;
    }
    if let Some(last) = &report.last
        && report.ends.is_empty()
    {
        let place = place(record, record.plies());
        writeln!(out, "  goes on {place}: {}", record.fen(record.plies()))?;
        diagram(out, record, record.plies())?;
        for (color, finding) in [(Color::White, &last.white), (Color::Black, &last.black)] {
            mates(out, record, record.plies(), color, finding, verbose)?;
            let mut flags = report.flags.iter().flatten();
            if flags.any(|fall| fall.flag != color && fall.too_late()) {
                writeln!(
                    out,
                    "      but not before the seventy-five-move rule ends the game"
                )?;
            }
        }
    }
    for fall in report.flags.iter().flatten() {
        let (player, meaning) = (name(fall.flag), fall.sentence());
        writeln!(out, "  if {player}'s flag falls: {meaning}")?;
    }
    // What the verdict rests on has its diagram above.
    if report
        .ends
        .first()
        .is_some_and(|end| end.plies < record.plies())
    {
        let place = place(record, record.plies());
        writeln!(out, "  the last position, {place}")?;
        diagram(out, record, record.plies())?;
    }
    write!(out, "  {} ", recorded(game))?;
    verdict(out, game, &report.adjudication)
}

/// "after 34. Qe2", or the words for the first position.
pub(crate) fn place(record: &GameRecord, plies: usize) -> String {
    match plies {
        0 => "in the first position".to_owned(),
        _ => format!("after {}", record.label(plies)),
    }
}

/// How a rule ends a game.
pub(crate) fn drawn(rule: EndRule) -> String {
    match rule {
        EndRule::Checkmate(winner) => format!("{} wins by checkmate", name(winner)),
        EndRule::Stalemate => "draw by stalemate".to_owned(),
        EndRule::Dead => "draw, the position is dead".to_owned(),
        EndRule::Fivefold => "draw by fivefold repetition".to_owned(),
        EndRule::SeventyFive => "draw by the seventy-five-move rule".to_owned(),
    }
}

/// The board after `plies` plies.
fn diagram(out: &mut String, record: &GameRecord, plies: usize) -> fmt::Result {
    let board = board(record.position(plies))?;
    for line in strip_str(&board).to_string().lines() {
        writeln!(out, "      {line}")?;
    }
    Ok(())
}

fn ended(
    out: &mut String,
    record: &GameRecord,
    end: &GameEnd,
    death: Option<&Death>,
    first: bool,
    verbose: bool,
) -> fmt::Result {
    let place = place(record, end.plies);
    let what = drawn(end.rule);
    let article = end.rule.article();
    let verb = if first { "ended" } else { "would have ended" };
    let since = match end.rule {
        EndRule::Fivefold => earlier_moves(
            record,
            &record.earlier(record.position(end.plies), end.plies),
        ),
        _ => String::new(),
    };
    writeln!(out, "  {verb} {place}: {what}, {article}{since}")?;
    if first {
        diagram(out, record, end.plies)?;
    }
    if let Some(death) = death {
        if !death.first {
            writeln!(
                out,
                "    perhaps earlier: a budget ended before that was decided"
            )?;
        }
        writeln!(out, "    {}", record.fen(death.plies))?;
        let report = &death.report;
        for (color, finding) in [(Color::White, &report.white), (Color::Black, &report.black)] {
            mates(out, record, death.plies, color, finding, verbose)?;
        }
        if let Some(case) = report.case.filter(|_| verbose) {
            writeln!(out, "    case {}: {}", case.number(), words::case(case))?;
        }
    }
    Ok(())
}

/// Whether `color` can mate after `plies` plies, and with `line` how.
fn mates(
    out: &mut String,
    record: &GameRecord,
    plies: usize,
    color: Color,
    finding: &Finding,
    line: bool,
) -> fmt::Result {
    let player = name(color);
    match &finding.verdict {
        Decision::Winnable(moves) => {
            let turn = record.position(plies).turn();
            let length = moves_of(color, turn, moves.0.len());
            writeln!(out, "    {player} can mate{length}")?;
            if line {
                let position = record.position(plies);
                let moves = san(position, &moves.0);
                let moves = numbered(position.turn(), record.number(plies).0, &moves);
                writeln!(out, "      {}", moves.join(" "))?;
            }
            Ok(())
        }
        Decision::Unwinnable(certificate) => {
            writeln!(out, "    {player} cannot mate: {}", reason(certificate))
        }
        Decision::Undetermined(effort) => {
            let (word, why) = undetermined(effort.stopped_by);
            writeln!(out, "    whether {player} can mate is {word}: {why}")
        }
    }
}

/// How many moves a line of `plies` plies has of the colour that mates and of the other, in words
/// that follow "can mate".
fn moves_of(winner: Color, turn: Color, plies: usize) -> String {
    let (first, second) = (plies.div_ceil(2), plies / 2);
    let (own, other) = if winner == turn {
        (first, second)
    } else {
        (second, first)
    };
    let own = words::count(own as u64, "move");
    match other {
        _ if plies == 0 => ": it is mate".to_owned(),
        0 => format!(" in {own}"),
        _ => format!(" in {own} and {other} by {}", name(!winner)),
    }
}

/// The moves after which a position was on the board before, in brackets.
fn earlier_moves(record: &GameRecord, earlier: &[usize]) -> String {
    let named = earlier.iter().map(|&plies| match plies {
        0 => "at the beginning".to_owned(),
        _ => place(record, plies),
    });
    let named: Vec<String> = named.collect();
    if named.is_empty() {
        return String::new();
    }
    format!(" (before: {})", named.join(", "))
}

/// Claims, those of fifty moves in runs.
fn claims(out: &mut String, record: &GameRecord, claims: &[Claim]) -> fmt::Result {
    let is_run = |claim: &Claim| claim.ground == Ground::Fifty && claim.ahead.is_empty();
    let runs = claims.iter().filter(|claim| is_run(claim));
    let runs: Vec<&Claim> = runs.collect();
    let chunks: Vec<&[&Claim]> = runs.chunk_by(|a, b| a.plies + 1 == b.plies).collect();
    for one in claims {
        let run = chunks.iter().find(|run| run[0].plies == one.plies);
        match run {
            _ if !is_run(one) => claim(out, record, one)?,
            Some([_]) => claim(out, record, one)?,
            Some([first, .., last]) => {
                let count = last.plies - first.plies + 1;
                let last = place(record, last.plies);
                writeln!(
                    out,
                    "  {} {}: {} could claim fifty moves, and so could whoever was to move in \
                     each of {count} positions up to the one {last}",
                    first.article(),
                    place(record, first.plies),
                    name(first.player),
                )?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// What a player can claim, or `verb` like this, and how.
pub(crate) fn claimed(record: &GameRecord, claim: &Claim, verb: &str) -> String {
    let player = name(claim.player);
    let what = match claim.ground {
        Ground::Threefold => "a threefold repetition",
        Ground::Fifty => "fifty moves",
    };
    let before = earlier(record, claim);
    let how = match (claim.ground, ahead(record, claim).as_slice()) {
        (Ground::Fifty, []) => String::new(),
        (Ground::Fifty, _) => " with any move but a capture or pawn move".to_owned(),
        (Ground::Threefold, []) => earlier_moves(record, &before.concat()),
        (Ground::Threefold, moves) => {
            let with = moves.iter().zip(&before);
            let with = with.map(|(m, before)| format!("{m}{}", earlier_moves(record, before)));
            format!(" with {}", with.collect::<Vec<_>>().join(" or "))
        }
    };
    let doubt = match claim.doubtful {
        true => "; perhaps not, since this ending may have been an exception",
        false => "",
    };
    format!("{player} {verb} claim {what}{how}{doubt}")
}

fn claim(out: &mut String, record: &GameRecord, claim: &Claim) -> fmt::Result {
    let place = place(record, claim.plies);
    let what = claimed(record, claim, "could");
    write!(out, "  {} {place}: {what}", claim.article())?;
    let played = record.moves().get(claim.plies);
    match played {
        Some(m) if claim.ahead.contains(m) => {
            let played = record.label_of(claim.plies, *m);
            writeln!(out, "; played {played} without a claim")
        }
        Some(m) => writeln!(
            out,
            "; let it pass with {}",
            record.label_of(claim.plies, *m)
        ),
        None => writeln!(out),
    }
}
