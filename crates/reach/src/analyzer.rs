//! The way in: positions go in, verdicts with their evidence come out.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use stillmate_core::{Color, Move, Position};
use stillmate_proof::{Certificate, replay};

use crate::{
    counts::{Counters, Counts},
    ladder::{self, Settled},
    meter::{Meter, Stopped},
    reason::{self, Case},
    retro::Tables,
    shortest,
};

/// How much may be spent on one question (one position, one colour), or on both questions that
/// a [report](Analyzer::report) answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Positions that may be visited for each question. What one colour leaves doesn't go to the
    /// other: else the answer for a colour would depend on what else was asked, and a position
    /// and its mirror image would be answered differently.
    pub nodes: u64,
    /// Wall-clock time, `None` for as long as it takes. In a report both colours share it: the
    /// first may take half, the second all that the first has left.
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

/// How long helpmates are to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// As short as can be.
    Shortest,
    /// Of exactly so many plies, whether or not there are shorter ones.
    Exactly(u16),
}

/// All helpmates of a length; see [`Analyzer::helpmates`].
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
    pub stopped: Option<Budget>,
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
    counters: Option<Arc<Counters>>,
}

impl Analyzer {
    /// An analyzer that spends at most `limits` on each question.
    pub fn new(limits: Limits) -> Analyzer {
        Analyzer {
            limits,
            cancel: Arc::default(),
            tables: Arc::default(),
            counters: None,
        }
    }

    /// The same with tables of helpmates: what they know is answered by a shortest line of
    /// theirs, if it stands a replay; "never" is still proved without them.
    #[must_use]
    pub fn with_tables(self, tables: Arc<Tables>) -> Analyzer {
        Analyzer { tables, ..self }
    }

    /// The same analyzer, with the same cancellation, but counting what the rungs of the
    /// ladder do from now on. That costs some hundred nanoseconds for each question.
    #[must_use]
    pub fn counting(&self) -> Analyzer {
        Analyzer {
            counters: Some(Arc::new(Counters::new(self.limits.quick))),
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
        self.ask(position, winner, self.limits.time)
    }

    fn ask(&self, position: &Position, winner: Color, time: Option<Duration>) -> Finding {
        let started = Instant::now();
        let meter = Meter::new(self.limits.nodes, time, &self.cancel);
        let (method, verdict) = match self.line_of_table(position, winner) {
            Some(line) => (Method::Table, Verdict::Winnable(line)),
            None => self.climb(position, winner, &meter),
        };
        Finding {
            verdict,
            method,
            nodes: meter.nodes(),
            elapsed: started.elapsed(),
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
        match ladder::climb(&board, self.limits.quick, meter, self.counters.as_deref()) {
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
    /// The budget of nodes is that of a question once more; `time` is what may still be spent.
    /// Shortest lines are counted if `count` says so.
    pub fn shortest(
        &self,
        position: &Position,
        winner: Color,
        finding: Finding,
        time: Option<Duration>,
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
        let started = Instant::now();
        let meter = Meter::new(self.limits.nodes, time, &self.cancel);
        let (board, turned) = for_white(position, winner);
        let no_tables = Tables::empty();
        let mut solver = shortest::Solver::new(&board, &self.tables, &meter);
        let mut found = solver.shortest(known);
        // A false table may have ended the line.
        if let Some(line) = &found.line
            && replay(&board, Color::White, line).is_err()
        {
            solver = shortest::Solver::new(&board, &no_tables, &meter);
            found = solver.shortest(known);
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
                match solver.count(found.at_least) {
                    Ok(lines) => shortest.lines = lines,
                    Err(Stopped(budget)) => shortest.stopped = Some(budget),
                }
            }
        }
        shortest.finding.nodes += meter.nodes();
        shortest.finding.elapsed += started.elapsed();
        shortest
    }

    /// All helpmates by `winner` that have the length asked for: how many there are, and the first
    /// `most` of them in the order of legal moves.
    ///
    /// The budget is that of a question, or of two if the length has to be found first; `time` is
    /// what may be spent on the search for helpmates.
    pub fn helpmates(
        &self,
        position: &Position,
        winner: Color,
        length: Length,
        most: usize,
        time: Option<Duration>,
    ) -> Helpmates {
        let started = Instant::now();
        let meter = Meter::new(self.limits.nodes, time, &self.cancel);
        let (board, turned) = for_white(position, winner);
        let mut solver = shortest::Solver::new(&board, &self.tables, &meter);
        let found = match length {
            Length::Exactly(plies) => {
                solver = solver.of_any_length();
                solver.all(plies, most)
            }
            Length::Shortest => match self.decide(position, winner).verdict {
                Verdict::Unwinnable(_) => shortest::All::default(),
                Verdict::Winnable(line) => solver.all_shortest(line.0.len(), most),
                Verdict::Undetermined(_) => solver.all_shortest(usize::MAX, most),
            },
        };
        Helpmates {
            plies: found.plies.map(u32::from),
            at_least: found.at_least.into(),
            count: found.count,
            lines: found.lines.into_iter().map(turned).collect(),
            nodes: meter.nodes(),
            elapsed: started.elapsed(),
            stopped: found.stopped.map(|Stopped(budget)| budget),
        }
    }

    /// Both colours' verdicts and the case.
    pub fn report(&self, position: &Position) -> Report {
        let white = self.ask(position, Color::White, self.first_share());
        let black = self.ask(position, Color::Black, self.second_share(&white));
        let case = reason::case(position, &white.verdict, &black.verdict);
        Report { white, black, case }
    }

    /// Whether neither colour can mate; `None` if a budget ended before that was decided. The
    /// time is shared as in a report, and `likely`, the colour for which a mate is probably found
    /// sooner, is asked first: if it can mate, the other isn't asked.
    pub fn is_dead(&self, position: &Position, likely: Color) -> Option<bool> {
        let first = self.ask(position, likely, self.first_share());
        if matches!(first.verdict, Verdict::Winnable(_)) {
            return Some(false);
        }
        let second = self.ask(position, !likely, self.second_share(&first));
        match (first.verdict, second.verdict) {
            (_, Verdict::Winnable(_)) => Some(false),
            (Verdict::Unwinnable(_), Verdict::Unwinnable(_)) => Some(true),
            _ => None,
        }
    }

    /// The time for the first of two colours.
    fn first_share(&self) -> Option<Duration> {
        self.limits.time.map(|time| time / 2)
    }

    /// The time for the second colour, after what the first took.
    fn second_share(&self, first: &Finding) -> Option<Duration> {
        let left = |time: Duration| time.saturating_sub(first.elapsed);
        self.limits.time.map(left)
    }

    /// Whether `winner` is proved unable to mate by the cheap methods alone, which takes no
    /// longer for keeping a proof: with [`Limits::quick`], [`Analyzer::decide`] gives it.
    /// `false` says nothing.
    pub fn quick_unwinnable(&self, position: &Position, winner: Color) -> bool {
        let meter = Meter::new(self.limits.nodes, None, &self.cancel).without_evidence();
        let (board, _) = for_white(position, winner);
        matches!(
            ladder::climb(&board, true, &meter, None),
            Ok((_, Settled::Never(_)))
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

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn what_the_first_colour_leaves_goes_to_the_second() {
        let analyzer = Analyzer::new(Limits {
            time: Some(SECOND),
            ..Limits::default()
        });
        assert_eq!(analyzer.first_share(), Some(SECOND / 2));
        let after = |elapsed| {
            analyzer.second_share(&Finding {
                verdict: Verdict::Winnable(Line::default()),
                method: Method::Terminal,
                nodes: 0,
                elapsed,
            })
        };
        assert_eq!(after(SECOND / 10), Some(SECOND * 9 / 10));
        // The clock is looked at now and then only, so that a share may be overdrawn.
        assert_eq!(after(SECOND * 2), Some(Duration::ZERO));
        assert_eq!(Analyzer::default().first_share(), None);
    }

    /// Whether a position is dead, after which questions were counted.
    fn dead(fen: &str, likely: Color) -> (Option<bool>, u64) {
        let analyzer = Analyzer::default().counting();
        let position = Position::from_fen(fen).expect("a position");
        let dead = analyzer.is_dead(&position, likely);
        let asked = analyzer.counts().tried().map(|rung| rung.tried).max();
        (dead, asked.expect("something is asked"))
    }

    #[test]
    fn the_other_colour_is_asked_only_if_need_be() {
        let (white_wins, neither) = (
            "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
            "8/8/4k3/8/8/3KB3/8/8 b - - 0 1",
        );
        assert_eq!(dead(white_wins, Color::White), (Some(false), 1));
        assert_eq!(dead(white_wins, Color::Black), (Some(false), 2));
        assert_eq!(dead(neither, Color::White), (Some(true), 2));
    }

    #[test]
    fn nothing_is_dead_that_was_not_decided() {
        let quick = Analyzer::new(Limits {
            quick: true,
            ..Limits::default()
        });
        let position = Position::from_fen("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1").expect("a position");
        // Black can't mate, and for White the quick methods don't say.
        assert_eq!(quick.is_dead(&position, Color::White), None);
    }
}
