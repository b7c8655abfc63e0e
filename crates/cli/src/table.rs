//! `stillmate table`: retrograde tables, which know the shortest helpmates of few men.

use std::{
    fmt::Write,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use anyhow::Context;
use clap::{ArgGroup, Args};
use indicatif::{ProgressBar, ProgressStyle};
use stillmate_core::{
    Color, Position, color_name as name,
    text::{Leniency, Record},
};
use stillmate_reach::retro::{
    Class, ClassError, Distance, MOST_COUNTED, MOST_MEN, Mates, OfLength, Progress, SideToMove,
    Statistics, TableError, Tables,
};

use crate::{
    exit::Status,
    helpmates,
    output::{Inputs, Output},
    render::{text::wrapped, words},
    report, threads,
};

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true))]
pub(crate) struct TableArgs {
    /// Classes to build, by the men on both sides, such as KRvK or KBNvKP; 2, 3, 4 or 5
    /// stands for all classes of so many men.
    #[arg(value_name = "CLASS", value_parser = classes, group = "what")]
    classes: Vec<Classes>,
    /// Say how far the nearest mates are in this position: a FEN, quoted or not.
    #[arg(long, value_name = "FEN", num_args = 1..=6, group = "what")]
    probe: Vec<String>,
    /// List the classes whose tables are there.
    #[arg(long, group = "what")]
    list: bool,
    /// Count the shortest helpmates of all positions of the classes: how many positions of each
    /// length have one only, and what the most is.
    #[arg(long, conflicts_with_all = ["list", "probe"])]
    count: bool,
    /// List the longest positions with one helpmate only, so many for each class, winner and
    /// side to move.
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["list", "probe"],
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "10"
    )]
    mine: Option<usize>,
    /// Where tables are kept (default: stillmate/tables in the user's data directory).
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Threads, up to 1024; 0 for as many as there are processors.
    #[arg(long, value_name = "N", value_parser = threads::parse, default_value_t = 0, allow_hyphen_values = true)]
    threads: usize,
    /// Build without statistics; print the distances alone.
    #[arg(short, long)]
    quiet: bool,
}

/// What one word on the command line stands for.
#[derive(Clone, Debug)]
struct Classes(Vec<Class>);

fn classes(text: &str) -> Result<Classes, ClassError> {
    Ok(Classes(match text.parse() {
        Ok(men @ 2..=MOST_MEN) => Class::all(men),
        _ => vec![text.parse()?],
    }))
}

/// Builds, probes or lists.
pub(crate) fn run(args: &TableArgs) -> anyhow::Result<Status> {
    let dir = match &args.dir {
        Some(dir) => dir.clone(),
        None => helpmates::default_dir()
            .context("there is no home directory to keep tables in; name one with --dir")?,
    };
    let tables = Tables::open(&dir);
    let pool = threads::pool(args.threads)?;
    pool.install(|| {
        if args.list {
            list(&tables, &dir, args.quiet)
        } else if args.probe.is_empty() {
            build(&tables, args)
        } else {
            probe(&tables, &args.probe.join(" "), args.quiet)
        }
    })
}

/// The classes that have a table; none if there is no directory yet.
fn there(tables: &Tables) -> Result<Vec<Class>, TableError> {
    match tables.classes() {
        Err(TableError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            Ok(Vec::new())
        }
        there => there,
    }
}

fn list(tables: &Tables, dir: &Path, quiet: bool) -> anyhow::Result<Status> {
    let classes = there(tables)?;
    let mut out = Output::stdout("answers", &Inputs::of([]))?;
    let lines: String = classes.iter().map(|class| format!("{class}\n")).collect();
    out.record(lines.as_bytes());
    out.finish()?;
    if !quiet {
        let tables = words::count(classes.len() as u64, "table");
        report(&format!("{tables} in {}", dir.display()));
    }
    Ok(Status::default())
}

fn build(tables: &Tables, args: &TableArgs) -> anyhow::Result<Status> {
    let mut classes: Vec<Class> = Vec::new();
    for class in args.classes.iter().flat_map(|classes| &classes.0) {
        if !classes.contains(class) {
            classes.push(*class);
        }
    }
    let bar = progress(args.quiet, classes.len());
    let mut status = Status::default();
    let mut gap = "";
    let mut out = Output::stdout("statistics", &Inputs::of([]))?;
    for class in classes {
        let answer = build_one(tables, class, &bar, args.quiet)
            .and_then(|text| Ok((text, solutions(tables, class, args)?)));
        let answer = answer.map(|(built, counted)| match (built, counted) {
            (None, None) => None,
            (built, counted) => Some(built.unwrap_or_default() + &counted.unwrap_or_default()),
        });
        match answer {
            Ok(None) => {}
            Ok(Some(text)) => {
                out.record(format!("{gap}{text}").as_bytes());
                bar.suspend(|| out.flush())?;
                gap = "\n";
            }
            Err(error) => {
                status.bad_input = true;
                bar.suspend(|| report(&helpmates::in_words(&error)));
            }
        }
        // The next class may need all the memory there is.
        tables.forget();
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(status)
}

/// Puts the table of `class` into its file, and says what is in it unless `quiet`.
fn build_one(
    tables: &Tables,
    class: Class,
    bar: &ProgressBar,
    quiet: bool,
) -> Result<Option<String>, TableError> {
    let started = Instant::now();
    let built = AtomicBool::new(false);
    tables.build(class, &|progress| {
        match progress {
            Progress::Started { class, size } => {
                let size = words::grouped(size as u64);
                bar.set_message(format!("{class}, {size} numbers"));
            }
            Progress::Distance {
                class,
                winner,
                plies,
            } => {
                let (winner, plies) = (name(winner), words::plies(plies.into()));
                bar.set_message(format!("{class}, mates by {winner} in {plies}"));
            }
            // Smaller ones that it needs are finished before.
            Progress::Finished { class: finished } => {
                built.fetch_or(finished == class, Ordering::Relaxed);
            }
        }
    })?;
    let elapsed = words::time(started.elapsed());
    if quiet {
        return Ok(None);
    }
    let statistics = tables.statistics(class)?;
    let how = if built.into_inner() { "built" } else { "read" };
    Ok(Some(format!(
        "{}{how} in {elapsed}\n",
        describe(&statistics)
    )))
}

/// What was asked of the helpmates of `class`: how many there are, and positions with one only.
fn solutions(
    tables: &Tables,
    class: Class,
    args: &TableArgs,
) -> Result<Option<String>, TableError> {
    if !args.count && args.mine.is_none() {
        return Ok(None);
    }
    let wanted = args.mine.unwrap_or(0);
    let solutions = tables.solutions(class, wanted)?;
    let mut text = String::new();
    for (winner, turn) in Color::ALL
        .into_iter()
        .flat_map(|winner| Color::ALL.map(|turn| (winner, turn)))
    {
        let lengths: Vec<&OfLength> = solutions
            .lengths
            .iter()
            .filter(|length| length.winner == winner && length.turn == turn)
            .collect();
        if lengths.is_empty() {
            continue;
        }
        text += &format!("{class}, {} mates, {} to move\n", name(winner), name(turn));
        if args.count {
            text += &format!(
                "{:>5}{:>16}{:>16}{:>16}\n",
                "plies", "positions", "one helpmate", "at most"
            );
            for length in &lengths {
                let most = match length.most {
                    MOST_COUNTED => format!("{} or more", words::grouped(length.most.into())),
                    most => words::grouped(most.into()),
                };
                text += &format!(
                    "{:>5}{:>16}{:>16}{most:>16}\n",
                    length.plies,
                    words::grouped(length.positions),
                    words::grouped(length.unique),
                );
            }
        }
        let examples = lengths.iter().rev().flat_map(|length| {
            let example = |position: &Position| (position.fen(), length.plies);
            length.examples.iter().map(example)
        });
        for (fen, plies) in examples.take(wanted) {
            text += &format!("{fen} ; {}, one helpmate\n", words::plies(plies.into()));
        }
    }
    Ok(Some(text))
}

/// A bar over the classes asked for, if somebody can see it.
fn progress(quiet: bool, classes: usize) -> ProgressBar {
    if quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(classes as u64);
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len}, {elapsed}: {msg}");
    bar.set_style(style.expect("the template is right"));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A column for each side to move, then the positions farthest from mate.
fn describe(statistics: &Statistics) -> String {
    let Statistics {
        class,
        strong,
        weak,
    } = statistics;
    let mut text = format!(
        "{:18}{:>16}{:>16}\n",
        class.to_string(),
        "White to move",
        "Black to move"
    );
    let longest = |mates: &Mates| match &mates.longest {
        Some((plies, _)) => plies.to_string(),
        None => "-".to_owned(),
    };
    let number = |number| words::grouped(number);
    type Column<'a> = &'a dyn Fn(&SideToMove) -> String;
    let rows: [(&str, Column<'_>); 8] = [
        ("positions", &|side| number(side.positions)),
        ("checkmates", &|side| number(side.mates)),
        ("stalemates", &|side| number(side.stalemates)),
        ("dead", &|side| number(side.dead)),
        ("White never mates", &|side| number(side.white.never)),
        ("  longest, plies", &|side| longest(&side.white)),
        ("Black never mates", &|side| number(side.black.never)),
        ("  longest, plies", &|side| longest(&side.black)),
    ];
    for (title, column) in rows {
        text += &format!("{title:18}{:>16}{:>16}\n", column(strong), column(weak));
    }
    for (winner, sides) in [
        (Color::White, [&strong.white, &weak.white]),
        (Color::Black, [&strong.black, &weak.black]),
    ] {
        for (plies, example) in sides.into_iter().filter_map(|mates| mates.longest) {
            let (winner, plies) = (name(winner), words::plies(plies.into()));
            let fen = example.position.fen();
            text += &format!("{winner} mates in {plies} from {fen}\n");
        }
    }
    text
}

fn probe(tables: &Tables, text: &str, quiet: bool) -> anyhow::Result<Status> {
    let record = match Record::parse(text, Leniency::Strict) {
        Ok(record) => record,
        Err(error) => {
            report(&format!("position: {error}"));
            return Ok(Status {
                bad_input: true,
                ..Status::default()
            });
        }
    };
    let position = record.position();
    // The way to a mate shows whether what a table says can be true.
    let lines = Color::ALL.map(|winner| tables.line(position, winner));
    let faults = tables.take_faults();
    let known = Color::ALL.map(|winner| tables.probe(position, winner));
    let mut text = String::new();
    if quiet {
        let [white, black] = known.map(|distance| match distance {
            Some(Distance::Plies(plies)) => plies.to_string(),
            Some(Distance::Never) => "never".to_owned(),
            None => "?".to_owned(),
        });
        writeln!(text, "{white} {black}")?;
    } else {
        let turn = name(position.turn());
        writeln!(
            text,
            "{}  ({turn} to move, {})",
            record.fen(),
            Class::of(position)
        )?;
        for ((winner, distance), line) in Color::ALL.into_iter().zip(known).zip(lines) {
            let answer = match distance {
                Some(Distance::Plies(0)) => "has mated".to_owned(),
                Some(Distance::Plies(plies)) => {
                    format!("mates in {} at the earliest", words::plies(plies.into()))
                }
                Some(Distance::Never) => "can never mate".to_owned(),
                None => {
                    let fault = faults.first().map(helpmates::in_words);
                    let why = fault.unwrap_or_else(|| why_unknown(tables, position));
                    format!("not known: {why}")
                }
            };
            writeln!(text, "{:7}{answer}", name(winner))?;
            let san = words::san(position, &line.unwrap_or_default());
            let moves = words::numbered(position.turn(), record.full_move(), &san);
            wrapped(&mut text, &moves)?;
        }
    }
    let mut out = Output::stdout("answers", &Inputs::of([]))?;
    out.record(text.as_bytes());
    out.finish()?;
    Ok(Status {
        undetermined: known.contains(&None),
        bad_input: helpmates::report_each(&faults),
        ..Status::default()
    })
}

/// Why no table knows `position`.
fn why_unknown(tables: &Tables, position: &Position) -> String {
    let class = Class::of(position);
    if class.men() > MOST_MEN {
        return format!("there are more than {MOST_MEN} men");
    }
    if position.castling().any() {
        return "the tables leave out castling".to_owned();
    }
    let is_there = there(tables).is_ok_and(|there| there.contains(&class));
    // A table that is there is only read.
    match is_there.then(|| tables.build(class, &|_| ())) {
        Some(Err(error)) => helpmates::in_words(&error),
        _ => format!("a table is missing; \"stillmate table {class}\" builds what is needed"),
    }
}
