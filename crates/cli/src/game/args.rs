//! The options of `stillmate game`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use stillmate_arbiter::{LawsOf, Rules};

use crate::args::General;

#[derive(Debug, Args)]
pub(crate) struct GameArgs {
    /// PGN files, plain or compressed with gzip or zstd; - or none is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Only compare the recorded results with the Laws.
    #[arg(long)]
    pub(crate) adjudicate: bool,
    /// How to print reports.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: GameFormat,
    /// Print only these games.
    #[arg(long, value_name = "WHICH")]
    pub(crate) only: Option<OnlyGames>,
    /// Fail, with exit status 1, if a result is wrong.
    #[arg(long)]
    pub(crate) fail: bool,
    /// Write the certificates of dead positions and of mates that were no longer possible to
    /// this file, as bytes; - is standard output, in the place of the reports.
    #[arg(long, value_name = "FILE")]
    pub(crate) proofs: Option<PathBuf>,
    /// Whose reading of a fallen flag decides.
    #[arg(long, value_name = "RULES", default_value = "fide")]
    pub(crate) rules: RuleSet,
    /// By which Laws games are judged: those in force on the date of the game, or today's.
    #[arg(long, value_name = "WHEN", default_value = "game")]
    pub(crate) laws: When,
    /// Where it is asked what a player could still win, count a mate only if it comes before the
    /// seventy-five-move rule ends the game.
    #[arg(long = "75")]
    pub(crate) seventy_five: bool,
    #[command(flatten)]
    pub(crate) general: General,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GameFormat {
    /// Sentences.
    Text,
    /// One JSON object a line.
    Jsonl,
    /// A table with a header.
    Csv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnlyGames {
    /// The result contradicts the Laws.
    Wrong,
    /// The record has a fault.
    Broken,
    /// Something stayed undetermined.
    Undetermined,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RuleSet {
    /// FIDE 6.9: any possible series of legal moves counts.
    Fide,
    /// US Chess 14E: a bare king, a single minor chunk or two knights don't suffice.
    Uscf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// Those of the Date tag; today's for a game without.
    Game,
    /// Those of today.
    Today,
}

impl From<When> for LawsOf {
    fn from(when: When) -> LawsOf {
        match when {
            When::Game => LawsOf::TheGame,
            When::Today => LawsOf::Today,
        }
    }
}

impl From<RuleSet> for Rules {
    fn from(rules: RuleSet) -> Rules {
        match rules {
            RuleSet::Fide => Rules::Fide,
            RuleSet::Uscf => Rules::Uscf,
        }
    }
}
