//! Solves published helpmates: lengths and counts beside those published, and the time it takes.
//!
//! ```text
//! cargo run --release -p stillmate-reach --example published -- [OPTION…] FILE.tsv
//! ```
//!
//! The file has a header and, apart by tabs, a FEN, a stipulation, the published plies and the
//! published number of solutions, which may be missing; further columns are passed over. White
//! mates. Options:
//!
//! - `--time SECONDS` (default 30): for each problem.
//! - `--only TEXT`: lines that contain the text.
//!
//! Exit status 1 if a problem stays undetermined or a length or count differs.

use std::{
    env,
    error::Error,
    fs,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use stillmate_core::{Color, Position};
use stillmate_reach::{Analyzer, Budget, retro::Tables};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let (mut seconds, mut only, mut path) = (30.0, String::new(), None);
    let mut args = env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} wants a value"));
        match arg.as_str() {
            "--time" => seconds = value()?.parse()?,
            "--only" => only = value()?,
            _ => path = Some(arg),
        }
    }
    let text = fs::read_to_string(path.ok_or("name a file of problems")?)?;
    let budget = Budget {
        nodes: u64::MAX,
        time: Some(Duration::from_secs_f64(seconds)),
        ..Budget::default()
    };
    let analyzer = Analyzer::new(Budget {
        time: None,
        ..budget.clone()
    })
    .with_tables(Arc::new(Tables::empty()));
    let (mut problems, mut differ, mut open, mut sum) = (0, 0, 0, 0.0);
    println!("plies\tlines\tms\tnodes\tverdict\tFEN");
    for line in text.lines().skip(1).filter(|line| line.contains(&only)) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [fen, _, plies, lines, ..] = fields[..] else {
            return Err(format!("no problem: {line}").into());
        };
        let position = Position::from_fen(fen)?;
        let finding = analyzer.decide(&position, Color::White);
        let before = finding.nodes;
        let started = (Instant::now(), busy());
        let found = analyzer.shortest(&position, Color::White, finding, &budget, true);
        let took = match (busy(), started.1) {
            (Some(now), Some(before)) => now.saturating_sub(before),
            _ => started.0.elapsed(),
        };
        let as_published = found.is_proved()
            && (plies.is_empty() || plies == found.at_least.to_string())
            && (lines.is_empty() || found.lines.is_some_and(|found| lines == found.to_string()));
        let verdict = if found.lines.is_none() {
            open += 1;
            "undetermined"
        } else if as_published {
            "as published"
        } else {
            differ += 1;
            "DIFFERS"
        };
        problems += 1;
        sum += took.as_secs_f64();
        println!(
            "{}\t{}\t{:.1}\t{}\t{verdict}\t{fen}",
            found.at_least,
            found
                .lines
                .map_or_else(|| "?".to_owned(), |n| n.to_string()),
            took.as_secs_f64() * 1e3,
            found.finding.nodes - before,
        );
    }
    println!("{problems} problems, {differ} differ, {open} undetermined, {sum:.2} s");
    Ok(if differ + open == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Processor time of this thread, where the system tells it.
fn busy() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(
        text.split_whitespace().next()?.parse().ok()?,
    ))
}
