//! Reports on games.
//!
//! | module | its format |
//! |---|---|
//! | `text` | sentences |
//! | `json` | one object a line |
//! | `csv` | a row of a table |
//! | `words` | phrases that several of them share |

use stillmate_arbiter::{Adjudication, Basis, GameReport, Reason, ResultVerdict};
use stillmate_proof::Certificate;
use stillmate_reach::{Finding, Verdict as Decision};

pub(crate) mod csv;
pub(crate) mod json;
pub(crate) mod text;
pub(crate) mod words;

/// Where a game stands.
pub(crate) struct Place<'a> {
    pub(crate) file: &'a str,
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
        self.adjudication().verdict == ResultVerdict::Wrong
    }

    /// The certificates of all that was found to be impossible, as far as it is reported.
    pub(crate) fn certificates(&self) -> Vec<Certificate> {
        let mut found: Vec<&Finding> = Vec::new();
        match (self.report(), &self.adjudication().basis) {
            (_, Basis::Ended(_, Some(death))) => {
                found.extend([&death.report.white, &death.report.black]);
            }
            (Some(report), _) => {
                let last = report.last.iter();
                found.extend(last.flat_map(|last| [&last.white, &last.black]));
            }
            (
                None,
                Basis::Resigned {
                    mates: Some(mates), ..
                }
                | Basis::Infraction(_, _, mates),
            ) => found.push(&mates.finding),
            (None, Basis::Flag(fall, _)) => found.extend(match &fall.reason {
                Reason::Fide(mates) => Some(&mates.finding),
                _ => None,
            }),
            (None, _) => {}
        }
        let certificate = |finding: &Finding| match &finding.verdict {
            Decision::Unwinnable(certificate) => Some(certificate.clone()),
            _ => None,
        };
        found.into_iter().filter_map(certificate).collect()
    }

    /// Whether something that was asked stayed undecided.
    pub(crate) fn is_undetermined(&self) -> bool {
        let undecided = self.report().is_some_and(|report| report.undecided);
        undecided || self.adjudication().verdict == ResultVerdict::Undetermined
    }
}
