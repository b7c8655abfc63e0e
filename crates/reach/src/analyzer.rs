//! The way in: positions go in, verdicts with their evidence come out.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use stillmate_core::{Color, Move, Position};
use stillmate_proof::{Certificate, replay};

use crate::{
    ladder::{self, Settled},
    meter::{Meter, Stopped},
    reason::{self, Case},
    retro::Tables,
    shortest,
};

/// How much may be spent on one question (one position, one colour).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Positions that may be visited.
    pub nodes: u64,
    /// Wall-clock time, `None` for as long as it takes.
    pub time: Option<Duration>,
    /// Threads for one hard question; 0 for as many as there are processors.
    pub threads: usize,
    /// Only the sound filter: prove "never" cheaply or give up; never search for a mate.
    pub quick: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            nodes: 20_000_000,
            time: None,
            threads: 0,
            quick: false,
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

/// A helpmate: legal moves from the position asked about, the last of which mates.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Line(pub Vec<Move>);

/// How far an undecided analysis got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Positions visited.
    pub nodes: u64,
    /// Which budget ended it.
    pub budget: Budget,
}

/// What ended an analysis without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// [`Limits::nodes`] ran out.
    Nodes,
    /// [`Limits::time`] ran out.
    Time,
    /// The analysis was cancelled.
    Cancelled,
    /// [`Limits::quick`] forbids to go on.
    Quick,
}

/// The method that settled a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    pub stopped: Option<Budget>,
}

impl Shortest {
    /// Whether the line is proved to be a shortest one.
    pub fn is_proved(&self) -> bool {
        matches!(&self.finding.verdict, Verdict::Winnable(line) if line.0.len() as u64 == u64::from(self.at_least))
    }
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

/// Decides questions. Holds no position and no global state: share one between threads.
#[derive(Clone, Debug, Default)]
pub struct Analyzer {
    limits: Limits,
    cancel: Arc<AtomicBool>,
    tables: Arc<Tables>,
}

impl Analyzer {
    /// An analyzer that spends at most `limits` on each question.
    pub fn new(limits: Limits) -> Analyzer {
        Analyzer {
            limits,
            cancel: Arc::default(),
            tables: Arc::default(),
        }
    }

    /// The same with tables of helpmates: what they know is answered by a shortest line of
    /// theirs, if it stands a replay; "never" is still proved without them.
    #[must_use]
    pub fn with_tables(self, tables: Arc<Tables>) -> Analyzer {
        Analyzer { tables, ..self }
    }

    /// Ends all running and future analyses as undetermined when the flag is set to `true`.
    pub fn cancellation(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }

    /// Whether `winner` can still give checkmate from `position`.
    pub fn decide(&self, position: &Position, winner: Color) -> Finding {
        let meter = Meter::new(self.limits.nodes, self.limits.time, &self.cancel);
        let (method, verdict) = match self.line_of_table(position, winner) {
            Some(line) => (Method::Table, Verdict::Winnable(line)),
            None => self.climb(position, winner, &meter),
        };
        Finding {
            verdict,
            method,
            nodes: meter.nodes(),
            elapsed: meter.elapsed(),
        }
    }

    /// A shortest line from a table. Tables are files that anybody can have written: what they
    /// say is believed if it can be replayed.
    fn line_of_table(&self, position: &Position, winner: Color) -> Option<Line> {
        if self.limits.quick || !self.tables.has(position) || !position.has_legal_move() {
            return None;
        }
        let line = self.tables.line(position, winner)?;
        replay(position, winner, &line).ok()?;
        Some(Line(line))
    }

    fn climb(&self, position: &Position, winner: Color, meter: &Meter<'_>) -> (Method, Verdict) {
        let (board, turned) = for_white(position, winner);
        match ladder::climb(&board, self.limits.quick, meter) {
            Ok((method, Settled::Can(line))) => (method, Verdict::Winnable(turned(line))),
            Ok((method, Settled::Never(steps))) => {
                let certificate = Certificate {
                    position: board,
                    claim: Color::White,
                    steps,
                };
                let certificate = match winner {
                    Color::White => certificate,
                    Color::Black => certificate.mirrored(),
                };
                (method, Verdict::Unwinnable(certificate))
            }
            Err(Stopped(budget)) => (
                Method::None,
                Verdict::Undetermined(Effort {
                    nodes: meter.nodes(),
                    budget,
                }),
            ),
        }
    }

    /// Looks for a shortest mate by `winner`; `finding` is the verdict on the same question.
    /// A verdict of "never" stays as it is.
    ///
    /// The budgets are those of a question once more, but for the time that the verdict took.
    /// Shortest lines are counted if `count` says so.
    pub fn shortest(
        &self,
        position: &Position,
        winner: Color,
        finding: Finding,
        count: bool,
    ) -> Shortest {
        let known = match &finding.verdict {
            Verdict::Winnable(line) => u16::try_from(line.0.len()).ok(),
            Verdict::Unwinnable(_) => {
                return Shortest {
                    finding,
                    at_least: 0,
                    lines: None,
                    stopped: None,
                };
            }
            Verdict::Undetermined(_) => None,
        };
        let left = |time: Duration| time.saturating_sub(finding.elapsed);
        let meter = Meter::new(self.limits.nodes, self.limits.time.map(left), &self.cancel);
        let (board, turned) = for_white(position, winner);
        let mut found = shortest::search(&board, known, &self.tables, &meter);
        // A false table may have ended the line.
        if let Some(line) = &found.line
            && replay(&board, Color::White, line).is_err()
        {
            found = shortest::search(&board, known, &Tables::empty(), &meter);
        }
        let mut shortest = Shortest {
            finding,
            at_least: found.at_least.into(),
            lines: None,
            stopped: found.stopped.map(|Stopped(budget)| budget),
        };
        if let Some(line) = found.line {
            shortest.finding.verdict = Verdict::Winnable(turned(line));
        }
        if shortest.is_proved() {
            if shortest.finding.method != Method::Terminal {
                shortest.finding.method = Method::Shortest;
            }
            if count {
                match shortest::count(&board, found.at_least, &self.tables, &meter) {
                    Ok(lines) => shortest.lines = lines,
                    Err(Stopped(budget)) => shortest.stopped = Some(budget),
                }
            }
        }
        shortest.finding.nodes += meter.nodes();
        shortest.finding.elapsed += meter.elapsed();
        shortest
    }

    /// Both colours' verdicts and the case.
    pub fn report(&self, position: &Position) -> Report {
        let white = self.decide(position, Color::White);
        let black = self.decide(position, Color::Black);
        let case = reason::case(position, &white.verdict, &black.verdict);
        Report { white, black, case }
    }

    /// Whether `winner` is proved unable to mate by the cheap methods alone. `false` says
    /// nothing.
    pub fn quick_unwinnable(&self, position: &Position, winner: Color) -> bool {
        let quick = Analyzer {
            limits: Limits {
                quick: true,
                ..self.limits
            },
            ..self.clone()
        };
        matches!(
            quick.decide(position, winner).verdict,
            Verdict::Unwinnable(_)
        )
    }
}

/// The question turned so that White is asked about, and how to turn a line back.
fn for_white(position: &Position, winner: Color) -> (Position, impl Fn(Vec<Move>) -> Line) {
    let board = match winner {
        Color::White => *position,
        Color::Black => position.mirrored(),
    };
    let turned = move |line: Vec<Move>| match winner {
        Color::White => Line(line),
        Color::Black => Line(line.into_iter().map(Move::mirrored).collect()),
    };
    (board, turned)
}
