//! The way in: positions go in, verdicts with their evidence come out.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use stillmate_core::{Color, Move, Position};
use stillmate_proof::Certificate;

use crate::{
    counts::{Counters, Counts},
    ladder::{self, Settled},
    meter::{Meter, Stopped},
    reason::{self, Case},
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
    /// Nothing settled it.
    None,
}

impl Method {
    /// A short name, as printed in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Terminal => "terminal",
            Method::Material => "material",
            Method::Forced => "forced",
            Method::Rollout => "rollout",
            Method::Invariant => "invariant",
            Method::Classes => "classes",
            Method::BestFirst => "best-first",
            Method::Closure => "closure",
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
    counters: Option<Arc<Counters>>,
}

impl Analyzer {
    /// An analyzer that spends at most `limits` on each question.
    pub fn new(limits: Limits) -> Analyzer {
        Analyzer {
            limits,
            cancel: Arc::default(),
            counters: None,
        }
    }

    /// The same analyzer, with the same cancellation, but counting what the rungs of the
    /// ladder do from now on. That costs some hundred nanoseconds for each question.
    #[must_use]
    pub fn counting(&self) -> Analyzer {
        Analyzer {
            counters: Some(Arc::new(Counters::new())),
            ..self.clone()
        }
    }

    /// What was counted since [`Analyzer::counting`], by all clones together.
    pub fn counts(&self) -> Counts {
        let counters = self.counters.as_ref();
        counters.map_or_else(Counts::default, |counters| counters.counts())
    }

    /// Ends all running and future analyses as undetermined when the flag is set to `true`.
    pub fn cancellation(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }

    /// Whether `winner` can still give checkmate from `position`.
    pub fn decide(&self, position: &Position, winner: Color) -> Finding {
        let meter = Meter::new(self.limits.nodes, self.limits.time, &self.cancel);
        let mirror = winner == Color::Black;
        let board = if mirror {
            position.mirrored()
        } else {
            *position
        };
        let (method, verdict) =
            match ladder::climb(&board, self.limits.quick, &meter, self.counters.as_deref()) {
                Ok((method, Settled::Can(line))) => {
                    let turned = |m: &Move| if mirror { m.mirrored() } else { *m };
                    (
                        method,
                        Verdict::Winnable(Line(line.iter().map(turned).collect())),
                    )
                }
                Ok((method, Settled::Never(steps))) => {
                    let certificate = Certificate {
                        position: board,
                        claim: Color::White,
                        steps,
                    };
                    let certificate = if mirror {
                        certificate.mirrored()
                    } else {
                        certificate
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
            };
        Finding {
            verdict,
            method,
            nodes: meter.nodes(),
            elapsed: meter.elapsed(),
        }
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
