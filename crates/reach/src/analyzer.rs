//! The way in: positions go in, verdicts with their evidence come out.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use stillmate_core::{Color, Move, Position};
use stillmate_proof::{Certificate, replay};

use crate::{
    budget::Meter,
    ladder,
    reason::Case,
    retro::Tables,
    settled::Settled,
    shortest,
    statistics::{Counters, LadderStatistics},
    verdict::{
        Budget, Effort, Finding, Helpmates, Length, Line, Method, Report, Shortest, Verdict,
    },
};

/// Decides questions. Holds no position and no global state: share one between threads.
#[derive(Clone, Debug, Default)]
pub struct Analyzer {
    budget: Budget,
    tables: Arc<Tables>,
    counters: Option<Arc<Counters>>,
}

impl Analyzer {
    /// An analyzer that spends at most `budget` on each question that doesn't come with a budget
    /// of its own.
    pub fn new(budget: Budget) -> Analyzer {
        Analyzer {
            budget,
            ..Analyzer::default()
        }
    }

    /// The same with tables of helpmates: what they know is answered by a shortest line of
    /// theirs, if it stands a replay; "never" is still proved without them.
    #[must_use]
    pub fn with_tables(self, tables: Arc<Tables>) -> Analyzer {
        Analyzer { tables, ..self }
    }

    /// The same analyzer, but counting what the rungs of the ladder do from now on. That costs
    /// some hundred nanoseconds for each question.
    #[must_use]
    pub fn counting(&self) -> Analyzer {
        Analyzer {
            counters: Some(Arc::new(Counters::new(
                ladder::names(false),
                ladder::names(true),
            ))),
            ..self.clone()
        }
    }

    /// What was counted since [`Analyzer::counting`], by all clones together.
    pub fn statistics(&self) -> LadderStatistics {
        let counters = self.counters.as_ref();
        counters.map_or_else(LadderStatistics::default, |counters| counters.statistics())
    }

    /// What is spent on a question that doesn't come with a budget of its own.
    pub const fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Whether `winner` can still give checkmate from `position`.
    pub fn decide(&self, position: &Position, winner: Color) -> Finding {
        self.decide_with(position, winner, &self.budget)
    }

    /// The same within a budget of its own. A hard question is shared out to the threads of the
    /// current rayon pool.
    pub fn decide_with(&self, position: &Position, winner: Color, budget: &Budget) -> Finding {
        let started = Instant::now();
        let meter = Meter::new(budget);
        let (method, verdict) = match self.line_of_table(position, winner, budget.quick) {
            Some(line) => (Method::Table, Verdict::Winnable(line)),
            None => self.climb(position, winner, budget.quick, &meter),
        };
        Finding {
            verdict,
            method,
            nodes: meter.nodes(),
            elapsed: started.elapsed(),
        }
    }

    /// A shortest line from a table. Tables are files that anybody can have written: a line is
    /// given out if it can be replayed.
    fn line_of_table(&self, position: &Position, winner: Color, quick: bool) -> Option<Line> {
        if quick || !self.tables.has(position) || !position.has_legal_move() {
            return None;
        }
        let line = self.tables.line(position, winner)?;
        replay(position, winner, &line).ok()?;
        Some(Line(line))
    }

    fn climb(
        &self,
        position: &Position,
        winner: Color,
        quick: bool,
        meter: &Meter,
    ) -> (Method, Verdict) {
        let (board, turned) = for_white(position, winner);
        match ladder::climb(&board, quick, meter, self.counters.as_deref()) {
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
            Err(stopped_by) => (
                Method::None,
                Verdict::Undetermined(Effort {
                    nodes: meter.nodes(),
                    stopped_by,
                }),
            ),
        }
    }

    /// Looks for a shortest mate by `winner`; `finding` is the verdict on the same question.
    /// A verdict of "never" stays as it is.
    ///
    /// All of `budget` may be spent once more, over and above what the verdict took.
    /// Shortest lines are counted if `count` says so.
    pub fn shortest(
        &self,
        position: &Position,
        winner: Color,
        finding: Finding,
        budget: &Budget,
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
        let meter = Meter::new(budget);
        let (board, turned) = for_white(position, winner);
        let line = match &finding.verdict {
            Verdict::Winnable(line) => Some(line),
            _ => None,
        };
        let (mut solver, found) = self.with_true_tables(position, winner, line, || {
            let mut solver = shortest::Solver::new(&board, &self.tables, &meter);
            let found = solver.shortest(known);
            (solver, found)
        });
        let mut shortest = Shortest {
            finding,
            at_least: found.at_least.into(),
            lines: None,
            stopped: found.stopped,
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
                    Err(stopped) => shortest.stopped = Some(stopped),
                }
            }
        }
        shortest.finding.nodes += meter.nodes();
        shortest.finding.elapsed += started.elapsed();
        shortest
    }

    /// Does `search` again as long as that, or the `line` that is known, shows a table to be false:
    /// what was found with it may be wrong.
    fn with_true_tables<R>(
        &self,
        position: &Position,
        winner: Color,
        line: Option<&Line>,
        search: impl Fn() -> R,
    ) -> R {
        loop {
            let before = self.tables.contradictions();
            if let Some(line) = line {
                self.tables.confront(position, winner, &line.0);
            }
            let found = search();
            if self.tables.contradictions() == before {
                return found;
            }
        }
    }

    /// All helpmates by `winner` that have the length asked for: how many there are, and the first
    /// `most` of them in the order of legal moves.
    ///
    /// `budget` is for the search for helpmates; if the length has to be found first, the question
    /// has the analyzer's own.
    pub fn helpmates(
        &self,
        position: &Position,
        winner: Color,
        length: Length,
        most: usize,
        budget: &Budget,
    ) -> Helpmates {
        let started = Instant::now();
        let meter = Meter::new(budget);
        let (board, turned) = for_white(position, winner);
        let solver = || shortest::Solver::new(&board, &self.tables, &meter);
        let found = match length {
            Length::Exactly(plies) => self.with_true_tables(position, winner, None, || {
                solver().of_any_length().all(plies, most)
            }),
            Length::Shortest => match self.decide(position, winner).verdict {
                Verdict::Unwinnable(_) => shortest::All::default(),
                Verdict::Winnable(line) => {
                    self.with_true_tables(position, winner, Some(&line), || {
                        solver().all_shortest(line.0.len(), most)
                    })
                }
                Verdict::Undetermined(_) => self.with_true_tables(position, winner, None, || {
                    solver().all_shortest(usize::MAX, most)
                }),
            },
        };
        Helpmates {
            plies: found.plies.map(u32::from),
            at_least: found.at_least.into(),
            count: found.count,
            lines: found.lines.into_iter().map(turned).collect(),
            nodes: meter.nodes(),
            elapsed: started.elapsed(),
            stopped: found.stopped,
        }
    }

    /// Both colours' verdicts and the case.
    pub fn report(&self, position: &Position) -> Report {
        self.report_with(position, &self.budget)
    }

    /// The same within a budget of its own.
    pub fn report_with(&self, position: &Position, budget: &Budget) -> Report {
        let white = self.decide_with(position, Color::White, &first_share(budget));
        let black = self.decide_with(position, Color::Black, &second_share(budget, &white));
        let case = Case::of(position, white.verdict.can_mate(), black.verdict.can_mate());
        Report { white, black, case }
    }

    /// Whether neither colour can mate; `None` if a budget ended before that was decided. The
    /// time is shared as in a report, and `likely`, the colour for which a mate is probably found
    /// sooner, is asked first: if it can mate, the other isn't asked.
    pub fn is_dead(&self, position: &Position, likely: Color) -> Option<bool> {
        let first = self.decide_with(position, likely, &first_share(&self.budget));
        if matches!(first.verdict, Verdict::Winnable(_)) {
            return Some(false);
        }
        let second = self.decide_with(position, !likely, &second_share(&self.budget, &first));
        match (first.verdict, second.verdict) {
            (_, Verdict::Winnable(_)) => Some(false),
            (Verdict::Unwinnable(_), Verdict::Unwinnable(_)) => Some(true),
            _ => None,
        }
    }
}

/// Whether `winner` is proved unable to mate by the cheap methods alone, within microseconds:
/// with [`Budget::quick`], [`Analyzer::decide`] gives the proof, which takes longer. `false` says
/// nothing.
pub fn quick_unwinnable(position: &Position, winner: Color) -> bool {
    let meter = Meter::new(&Budget::default()).without_evidence();
    let (board, _) = for_white(position, winner);
    let settled = ladder::climb(&board, true, &meter, None);
    matches!(settled, Ok((_, Settled::Never(_))))
}

/// The budget for the first of two colours.
fn first_share(budget: &Budget) -> Budget {
    budget.share(Duration::ZERO, 2)
}

/// The budget for the second colour, after what the first took.
fn second_share(budget: &Budget, first: &Finding) -> Budget {
    budget.share(first.elapsed, 1)
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

    /// Whether a position is dead, after which questions were counted.
    fn dead(fen: &str, likely: Color) -> (Option<bool>, u64) {
        let analyzer = Analyzer::default().counting();
        let position = Position::from_fen(fen).expect("a position");
        let dead = analyzer.is_dead(&position, likely);
        let asked = analyzer.statistics().tried().map(|rung| rung.tried).max();
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
        let quick = Analyzer::new(Budget {
            quick: true,
            ..Budget::default()
        });
        let position = Position::from_fen("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1").expect("a position");
        // Black can't mate, and for White the quick methods don't say.
        assert_eq!(quick.is_dead(&position, Color::White), None);
    }
}
