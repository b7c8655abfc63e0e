//! Reports on games.
//!
//! | module | its format |
//! |---|---|
//! | `text` | sentences |
//! | `json` | one object a line |
//! | `csv` | a row of a table |
//! | `words` | phrases that several of them share |

use stillmate_arbiter::{Adjudication, GameReport, Verdict};

pub(crate) mod csv;
pub(crate) mod json;
pub(crate) mod text;
pub(crate) mod words;

/// Where a game stands.
pub(crate) struct Place {
    /// The file, when several are read.
    pub(crate) file: Option<String>,
    pub(crate) line: u64,
}

/// What was asked about a game, decided.
pub(crate) enum Ruled {
    /// Whether its result is right.
    Result(Adjudication),
    /// Everything.
    Game(Box<GameReport>),
}

impl Ruled {
    pub(crate) fn adjudication(&self) -> &Adjudication {
        match self {
            Ruled::Result(adjudication) => adjudication,
            Ruled::Game(report) => &report.adjudication,
        }
    }

    /// The whole report, if there is one.
    pub(crate) fn report(&self) -> Option<&GameReport> {
        match self {
            Ruled::Result(_) => None,
            Ruled::Game(report) => Some(report),
        }
    }

    /// Whether the result contradicts the Laws.
    pub(crate) fn is_wrong(&self) -> bool {
        self.adjudication().verdict == Verdict::Wrong
    }

    /// Whether something that was asked stayed undecided.
    pub(crate) fn is_undetermined(&self) -> bool {
        let undecided = self.report().is_some_and(|report| report.undecided);
        undecided || self.adjudication().verdict == Verdict::Undetermined
    }
}
