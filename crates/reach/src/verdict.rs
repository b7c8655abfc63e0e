//! The types that everybody speaks: what may be spent on a question, and what comes of it.
//!
//! Nothing here decides anything, and nothing here depends on what does.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use stillmate_core::Move;
use stillmate_proof::Certificate;

use crate::reason::Case;

/// How much may be spent on one question (one position, one colour), or on both questions that
/// a [report](crate::Analyzer::report) answers.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Positions to visit at most for each question. What one colour leaves doesn't go to the
    /// other: otherwise the answer for a colour would depend on what else was asked, and a
    /// position and its mirror image would be answered differently.
    pub nodes: u64,
    /// Wall-clock time, `None` for as long as it takes. In a report both colours share it: the
    /// first may take half, the second all that the first has left. The clock is read once in
    /// a while, so that an analysis ends some milliseconds late.
    pub time: Option<Duration>,
    /// Bytes that the search for one question may hold: positions visited, their queues and
    /// what is proved about them. A question that needs little holds little.
    pub memory: u64,
    /// Only the sound filter: prove "never" cheaply or give up; never search for a mate.
    pub quick: bool,
    /// Ends the analysis as undetermined soon after it is set to `true`.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// This budget with what is left of its time after `spent`, in equal parts for so many
    /// questions that are still to be answered, of which this one is the first.
    #[must_use]
    pub fn share(&self, spent: Duration, questions: u32) -> Budget {
        let part = |time: Duration| time.saturating_sub(spent) / questions.max(1);
        Budget {
            time: self.time.map(part),
            ..self.clone()
        }
    }
}

impl Default for Budget {
    /// 20 million positions and 1 GiB, for as long as that takes.
    fn default() -> Budget {
        Budget {
            nodes: 20_000_000,
            time: None,
            memory: 1 << 30,
            quick: false,
            cancel: None,
        }
    }
}

/// The answer for one colour, with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The colour can mate: a series of legal moves that ends with the mate.
    Winnable(Line),
    /// The colour can never mate: a certificate that [`stillmate_proof`] accepts.
    Unwinnable(Certificate),
    /// A budget ended before the question was decided. Never a guess.
    Undetermined(Effort),
}

impl Verdict {
    /// Whether the colour can mate; `None` if that is undetermined.
    pub const fn can_mate(&self) -> Option<bool> {
        match self {
            Verdict::Winnable(_) => Some(true),
            Verdict::Unwinnable(_) => Some(false),
            Verdict::Undetermined(_) => None,
        }
    }
}

/// A helpmate: legal moves from the position asked about, the last of which mates.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Line(pub Vec<Move>);

/// How far an undecided analysis got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Positions visited.
    pub nodes: u64,
    /// What ended it.
    pub stopped_by: StopReason,
}

/// What ended an analysis without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// [`Budget::nodes`] ran out.
    Nodes,
    /// [`Budget::time`] ran out.
    Time,
    /// [`Budget::memory`] ran out.
    Memory,
    /// [`Budget::cancel`] was set.
    Cancelled,
    /// [`Budget::quick`] forbids to go on.
    Quick,
}

impl StopReason {
    /// One word, as printed in reports.
    pub const fn name(self) -> &'static str {
        match self {
            StopReason::Nodes => "nodes",
            StopReason::Time => "time",
            StopReason::Memory => "memory",
            StopReason::Cancelled => "cancelled",
            StopReason::Quick => "quick",
        }
    }
}

/// The method that settled a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Method {
    /// Mate or stalemate is on the board.
    Terminal,
    /// The men on the board don't suffice.
    Material,
    /// A table of helpmates has the line.
    Table,
    /// Every line of play ends soon.
    Forced,
    /// A plan was played out.
    Rollout,
    /// The relaxation: no mate fits what can ever happen.
    Invariant,
    /// The kings' relation, class by class of material and pawns.
    Classes,
    /// Best-first search.
    BestFirst,
    /// Every reachable position was visited.
    Closure,
    /// All shorter series of moves were ruled out.
    Shortest,
    /// Nothing settled it.
    None,
}

impl Method {
    /// A short name, as printed in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Terminal => "terminal",
            Method::Material => "material",
            Method::Table => "table",
            Method::Forced => "forced",
            Method::Rollout => "rollout",
            Method::Invariant => "invariant",
            Method::Classes => "classes",
            Method::BestFirst => "best-first",
            Method::Closure => "closure",
            Method::Shortest => "shortest",
            Method::None => "none",
        }
    }
}

/// A verdict and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The answer.
    pub verdict: Verdict,
    /// What settled it.
    pub method: Method,
    /// Positions visited.
    pub nodes: u64,
    /// Wall-clock time spent.
    pub elapsed: Duration,
}

/// A verdict, and what is proved of the shortest mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortest {
    /// The verdict, with the shortest line known.
    pub finding: Finding,
    /// No series of legal moves mates in fewer plies than these.
    pub at_least: u32,
    /// How many different series of legal moves have just the length of the line and end with
    /// mate. `None` if that wasn't asked, the line isn't proved to be shortest, the budget
    /// ended first, or there are 2^128 or more.
    pub lines: Option<u128>,
    /// What ended the search, or the count, before it was done.
    pub stopped: Option<StopReason>,
}

impl Shortest {
    /// Whether the line is proved to be a shortest one.
    pub fn is_proved(&self) -> bool {
        matches!(&self.finding.verdict, Verdict::Winnable(line) if line.0.len() as u64 == u64::from(self.at_least))
    }
}

/// How long helpmates are to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// As short as can be.
    Shortest,
    /// Of exactly so many plies, whether or not there are shorter ones.
    Exactly(u16),
}

/// All helpmates of a length; see [`Analyzer::helpmates`](crate::Analyzer::helpmates).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Helpmates {
    /// Plies of each; `None` if there is no helpmate, or its length isn't known.
    pub plies: Option<u32>,
    /// No helpmate of the kind asked for has fewer plies.
    pub at_least: u32,
    /// How many there are. `None` if the budget ended first, or there are 2^128 or more.
    pub count: Option<u128>,
    /// The first of them; all, if no more than were wanted.
    pub lines: Vec<Line>,
    /// Positions visited.
    pub nodes: u64,
    /// Wall-clock time spent.
    pub elapsed: Duration,
    /// What ended the search before it was done.
    pub stopped: Option<StopReason>,
}

/// Both colours' verdicts on a position, and what they mean together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Can White mate?
    pub white: Finding,
    /// Can Black mate?
    pub black: Finding,
    /// The row of the case table; `None` while something that it depends on is undecided.
    pub case: Option<Case>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_that_is_left_is_shared() {
        const SECOND: Duration = Duration::from_secs(1);
        let budget = Budget {
            time: Some(SECOND),
            ..Budget::default()
        };
        let share = |spent, questions| budget.share(spent, questions).time;
        assert_eq!(share(Duration::ZERO, 1), Some(SECOND));
        assert_eq!(share(Duration::ZERO, 2), Some(SECOND / 2));
        assert_eq!(share(SECOND / 10, 1), Some(SECOND * 9 / 10));
        // The clock is read now and then only, so that a share may be overdrawn.
        assert_eq!(share(SECOND * 2, 1), Some(Duration::ZERO));
        assert_eq!(Budget::default().share(SECOND, 2).time, None);
    }
}
