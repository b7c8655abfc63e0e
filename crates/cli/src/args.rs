//! The command line.

use std::{path::PathBuf, sync::Arc, time::Duration};

use clap::{Args, Parser, Subcommand, ValueEnum};
use stillmate_core::{Color, text::Leniency};
use stillmate_reach::Budget;

use crate::{
    answer::{Question, Wanted},
    game::{GameArgs, RuleSet},
    help,
    problem::ProblemArgs,
    table::TableArgs,
    threads,
    verify::VerifyArgs,
    watch::WatchArgs,
};

/// Is there still a mate? Decides, for each colour, whether any legal series of moves ends
/// with that colour giving checkmate.
#[derive(Debug, Parser)]
#[command(name = "stillmate", version, about, after_help = help::after(help::PROGRAM))]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Decide positions given as FENs and explain the answers.
    #[command(after_help = help::after(help::CHECK))]
    Check(CheckArgs),
    /// Decide files of positions, one on a line, in parallel and in order.
    #[command(after_help = help::after(help::BATCH))]
    Batch(BatchArgs),
    /// Say what the Laws make of whole games: ends, claims, fallen flags, results.
    #[command(after_help = help::after(help::GAME))]
    Game(GameArgs),
    /// Follow games that are still being played: claims and draws as they become possible.
    #[command(after_help = help::after(help::WATCH))]
    Watch(WatchArgs),
    /// Check certificates that a colour can never mate.
    #[command(after_help = help::after(help::VERIFY))]
    Verify(VerifyArgs),
    /// Build and ask tables of the shortest helpmates of few men.
    #[command(after_help = help::after(help::TABLE))]
    Table(TableArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Positions: FENs of 4 to 6 fields, each quoted or as separate words; - reads lines
    /// from standard input, as does no position at all.
    #[arg(value_name = "FEN")]
    pub(crate) words: Vec<String>,
    /// Print one JSON object for each position.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the certificates of all "cannot mate" to this file as JSON, one on a line; - is
    /// standard output, in the place of the answers.
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    pub(crate) problem: ProblemArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BatchArgs {
    /// Files of EPD or FEN lines, plain or compressed with gzip or zstd; - or none is
    /// standard input.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// How to print answers (default: epd, or contradictions alone with --expect).
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// Print only these positions.
    #[arg(long, value_name = "WHICH")]
    pub(crate) only: Option<Only>,
    /// Compare answers with the `winnable` and `case` operations of the lines.
    #[arg(long)]
    pub(crate) expect: bool,
    /// Write the certificates of all "cannot mate" to this file, as bytes, in the order of the
    /// input; - is standard output, in the place of the answers.
    #[arg(long, value_name = "FILE")]
    pub(crate) proofs: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Options of every command that decides single positions.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// The colour asked about: can it still give checkmate?
    #[arg(long, value_name = "COLOUR", default_value = "both")]
    pub(crate) winner: Colours,
    /// Say what becomes of the game if this colour's flag falls.
    #[arg(long, value_name = "COLOUR")]
    pub(crate) flag: Option<Colours>,
    /// Whose reading of a fallen flag decides.
    #[arg(long, value_name = "RULES", default_value = "fide")]
    pub(crate) rules: RuleSet,
    /// Count a helpmate only if it comes before the seventy-five-move rule ends the game, from
    /// the halfmove clock of the position.
    #[arg(long = "75", conflicts_with = "quick")]
    pub(crate) seventy_five: bool,
    /// Only prove "cannot mate" by cheap means, or give up; never search for a mate.
    #[arg(long)]
    pub(crate) quick: bool,
    /// Look for a shortest helpmate, and prove that none is shorter, within the same budget
    /// once more.
    #[arg(long, conflicts_with_all = ["seventy_five", "quick"])]
    pub(crate) shortest: bool,
    /// Count the shortest helpmates.
    #[arg(long, requires = "shortest")]
    pub(crate) count: bool,
    /// Whether to use colours; NO_COLOR is respected.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorWhen,
    #[command(flatten)]
    pub(crate) general: General,
}

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct General {
    /// Positions to visit at most for each colour of a position, such as 500k, 20M or 1G.
    #[arg(long, value_name = "N", value_parser = number, default_value_t = Budget::default().nodes, allow_hyphen_values = true)]
    pub(crate) nodes: u64,
    /// Time for each position, such as 500ms, 5s or 2m, whatever is asked about it. Of two
    /// colours the first may take half, and the second what the first has left; what both leave
    /// is shared in the same way by the searches of --shortest and --75.
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    pub(crate) time: Option<Duration>,
    /// Memory for the search on one colour of a position, such as 512M or 2G. Each thread may
    /// work on one at the same time; only hard ones need more than some megabytes.
    #[arg(long, value_name = "SIZE", value_parser = memory, default_value = "1G", allow_hyphen_values = true)]
    pub(crate) memory: u64,
    /// Threads, up to 1024; 0 for as many as there are processors.
    #[arg(long, value_name = "N", value_parser = threads::parse, default_value_t = 0, allow_hyphen_values = true)]
    pub(crate) threads: usize,
    /// Where tables of helpmates are (default: stillmate/tables in the user's data directory,
    /// if it is there).
    #[arg(long, value_name = "DIR")]
    pub(crate) tables: Option<PathBuf>,
    /// Use no tables of helpmates but those that are built in an instant.
    #[arg(long, conflicts_with = "tables")]
    pub(crate) no_tables: bool,
    /// Drop an impossible castling right or en passant square instead of rejecting the
    /// position.
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Print less: answers and errors alone.
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print more about each position.
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

impl Common {
    /// What is asked about each position.
    pub(crate) fn question(&self) -> Question {
        Question {
            winner: self.winner,
            rules: self.rules.into(),
            seventy_five: self.seventy_five,
            shortest: self.shortest.then_some(Wanted { count: self.count }),
            at_once: false,
        }
    }

    /// What each position may cost.
    pub(crate) fn budget(&self) -> Budget {
        Budget {
            quick: self.quick,
            ..self.general.budget()
        }
    }
}

impl General {
    /// What each position may cost, with a flag of its own to cancel what is under way.
    pub(crate) fn budget(&self) -> Budget {
        Budget {
            nodes: self.nodes,
            time: self.time,
            memory: self.memory,
            cancel: Some(Arc::default()),
            ..Budget::default()
        }
    }

    pub(crate) fn leniency(&self) -> Leniency {
        if self.lenient {
            Leniency::Lenient
        } else {
            Leniency::Strict
        }
    }
}

/// One colour or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colours {
    White,
    Black,
    Both,
}

impl Colours {
    /// The colours meant, White first.
    pub(crate) const fn all(self) -> &'static [Color] {
        match self {
            Colours::White => &[Color::White],
            Colours::Black => &[Color::Black],
            Colours::Both => &Color::ALL,
        }
    }

    pub(crate) fn contains(self, color: Color) -> bool {
        self.all().contains(&color)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The line with the answers added as operations.
    Epd,
    /// One JSON object a line.
    Jsonl,
    /// A table with a header.
    Csv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Only {
    /// Neither colour can mate.
    Dead,
    /// One of the colours asked about can't mate.
    Unwinnable,
    /// Undecided for one of the colours asked about.
    Undetermined,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    Auto,
    Always,
    Never,
}

impl From<ColorWhen> for anstream::ColorChoice {
    fn from(when: ColorWhen) -> anstream::ColorChoice {
        match when {
            ColorWhen::Auto => anstream::ColorChoice::Auto,
            ColorWhen::Always => anstream::ColorChoice::Always,
            ColorWhen::Never => anstream::ColorChoice::Never,
        }
    }
}

/// Splits `text` into a number and the unit behind it.
fn number_and_unit(text: &str) -> Option<(f64, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_')
        .unwrap_or(text.len());
    let number: f64 = text[..end].replace('_', "").parse().ok()?;
    Some((number, &text[end..]))
}

/// A number that may be followed by k, M or G.
pub(crate) fn number(text: &str) -> Result<u64, String> {
    let factor = |unit: &str| match unit {
        "" => Some(1.0),
        "k" | "K" => Some(1e3),
        "M" | "m" => Some(1e6),
        "G" | "g" => Some(1e9),
        _ => None,
    };
    number_and_unit(text)
        .and_then(|(number, unit)| Some(number * factor(unit)?))
        .map(|number| number as u64)
        .ok_or_else(|| "give a number such as 500000, 500k, 20M or 1G".to_owned())
}

/// A size in bytes, which may be followed by K, M, G or T, each 1024 times the one before.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let factor = |unit: &str| match unit.strip_suffix("iB").unwrap_or(unit) {
        "" => Some(1.0),
        "k" | "K" => Some(1024.0),
        "m" | "M" => Some(1024.0 * 1024.0),
        "g" | "G" => Some(1024.0 * 1024.0 * 1024.0),
        "t" | "T" => Some(1024.0 * 1024.0 * 1024.0 * 1024.0),
        _ => None,
    };
    number_and_unit(text)
        .and_then(|(number, unit)| Some(number * factor(unit)?))
        .map(|bytes| bytes as u64)
        .ok_or_else(|| "give a size such as 512M or 2G".to_owned())
}

/// A size that a search can begin with.
fn memory(text: &str) -> Result<u64, String> {
    match size(text)? {
        0..LEAST_MEMORY => Err("a search needs 1M at least".to_owned()),
        bytes => Ok(bytes),
    }
}

/// With less than this hardly any search gets anywhere.
const LEAST_MEMORY: u64 = 1 << 20;

fn duration(text: &str) -> Result<Duration, String> {
    let seconds = |unit: &str| match unit {
        "us" | "µs" => Some(1e-6),
        "ms" => Some(1e-3),
        "s" => Some(1.0),
        "m" | "min" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    };
    number_and_unit(text)
        .and_then(|(number, unit)| Duration::try_from_secs_f64(number * seconds(unit)?).ok())
        .ok_or_else(|| "give a number and a unit, such as 500ms, 5s or 2m".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn numbers_take_suffixes() {
        assert_eq!(number("20M"), Ok(20_000_000));
        assert_eq!(number("500k"), Ok(500_000));
        assert_eq!(number("1.5G"), Ok(1_500_000_000));
        assert_eq!(number("1_000"), Ok(1000));
        for wrong in ["", "M", "5x", "-1", "1 M", "0x10"] {
            assert!(number(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_powers_of_1024_and_not_too_small() {
        assert_eq!(memory("32M"), Ok(32 << 20));
        assert_eq!(memory("1.5g"), Ok(3 << 29));
        assert_eq!(memory("2GiB"), Ok(2 << 30));
        assert_eq!(memory("1048576"), Ok(1 << 20));
        for wrong in ["", "M", "-1", "0", "1048575", "5x", "1 G", "1023K"] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn durations_need_a_unit() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("5s"), Ok(Duration::from_secs(5)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        for wrong in ["", "5", "s", "5 s", "-5s", "5y"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
