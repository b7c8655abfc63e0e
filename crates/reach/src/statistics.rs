//! How often each rung of the ladder was tried, what it settled, and how long that took.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use crate::{settled::Settled, verdict::StopReason};

/// What the rungs of the ladder did, in the order in which they are tried. Those of different
/// analyzers can be added up; empty where nothing was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LadderStatistics(Vec<RungStatistics>);

/// What one rung did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RungStatistics {
    /// Its name: the method, its budget, and when it is tried.
    pub rung: String,
    /// How many questions it was asked.
    pub tried: u64,
    /// How many of them it settled with a mate.
    pub can: u64,
    /// How many it settled with a proof that there is none.
    pub never: u64,
    /// The time it took, by the clock on the wall.
    pub time: Duration,
}

impl LadderStatistics {
    /// The rungs that were tried at all.
    pub fn tried(&self) -> impl Iterator<Item = &RungStatistics> {
        self.0.iter().filter(|rung| rung.tried > 0)
    }

    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &LadderStatistics) {
        if self.0.is_empty() {
            self.0.clone_from(&other.0);
            return;
        }
        for (sum, more) in self.0.iter_mut().zip(&other.0) {
            sum.add(more);
        }
    }
}

impl RungStatistics {
    fn add(&mut self, more: &RungStatistics) {
        self.tried += more.tried;
        self.can += more.can;
        self.never += more.never;
        self.time += more.time;
    }
}

/// The counters themselves: an analyzer has them if it is to count. Threads may share them.
#[derive(Debug)]
pub(crate) struct Counters {
    ladder: Vec<Counter>,
    quick: Vec<Counter>,
}

#[derive(Debug, Default)]
struct Counter {
    rung: String,
    tried: AtomicU64,
    can: AtomicU64,
    never: AtomicU64,
    nanos: AtomicU64,
}

impl Counters {
    /// Counters for the rungs of the ladder and of the quick one with these names, in their
    /// order.
    pub(crate) fn new(
        ladder: impl Iterator<Item = String>,
        quick: impl Iterator<Item = String>,
    ) -> Counters {
        let counter = |rung| Counter {
            rung,
            ..Counter::default()
        };
        Counters {
            ladder: ladder.map(counter).collect(),
            quick: quick.map(counter).collect(),
        }
    }

    /// Has the rung at this place of the ladder, or of the quick one, make its attempt.
    pub(crate) fn watch(
        &self,
        quick: bool,
        at: usize,
        attempt: impl FnOnce() -> Result<Option<Settled>, StopReason>,
    ) -> Result<Option<Settled>, StopReason> {
        let counter = if quick {
            &self.quick[at]
        } else {
            &self.ladder[at]
        };
        let started = Instant::now();
        let outcome = attempt();
        let nanos = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        counter.nanos.fetch_add(nanos, Ordering::Relaxed);
        counter.tried.fetch_add(1, Ordering::Relaxed);
        match &outcome {
            Ok(Some(Settled::Can(_))) => counter.can.fetch_add(1, Ordering::Relaxed),
            Ok(Some(Settled::Never(_))) => counter.never.fetch_add(1, Ordering::Relaxed),
            Ok(None) | Err(_) => 0,
        };
        outcome
    }

    pub(crate) fn statistics(&self) -> LadderStatistics {
        let read = |counter: &Counter| RungStatistics {
            rung: counter.rung.clone(),
            tried: counter.tried.load(Ordering::Relaxed),
            can: counter.can.load(Ordering::Relaxed),
            never: counter.never.load(Ordering::Relaxed),
            time: Duration::from_nanos(counter.nanos.load(Ordering::Relaxed)),
        };
        let mut rungs: Vec<RungStatistics> = self.ladder.iter().map(read).collect();
        // Most of the quick rungs are rungs of the ladder, too.
        for quick in self.quick.iter().map(read) {
            match rungs.iter_mut().find(|rung| rung.rung == quick.rung) {
                Some(rung) => rung.add(&quick),
                None => rungs.push(quick),
            }
        }
        LadderStatistics(rungs)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use stillmate_core::{Color, Position};

    use super::*;
    use crate::{Analyzer, Budget, ladder};

    fn ask(analyzer: &Analyzer, fen: &str) {
        let position = Position::from_fen(fen).expect("a position");
        analyzer.decide(&position, Color::White);
    }

    fn of<'a>(counts: &'a LadderStatistics, rung: &str) -> &'a RungStatistics {
        let mut tried = counts.tried();
        let found = tried.find(|count| count.rung == rung);
        found.unwrap_or_else(|| panic!("{rung} was not tried: {counts:?}"))
    }

    #[test]
    fn each_rung_has_a_name_of_its_own() {
        for quick in [false, true] {
            let names: HashSet<String> = ladder::names(quick).collect();
            assert_eq!(names.len(), ladder::names(quick).count(), "{names:?}");
        }
    }

    #[test]
    fn what_was_tried_and_settled_is_counted() {
        let analyzer = Analyzer::new(Budget::default()).counting();
        ask(&analyzer, "7k/6Q1/6K1/8/8/8/8/8 b - -"); // mate
        ask(&analyzer, "7k/5Q2/6K1/8/8/8/8/8 b - -"); // stalemate
        ask(&analyzer, "8/8/4k3/8/8/3KB3/8/8 b - -"); // never
        ask(&analyzer, "7k/8/5K2/6Q1/8/8/8/8 w - -"); // alive
        let counts = analyzer.statistics();
        let figures = |rung: &RungStatistics| (rung.tried, rung.can, rung.never);
        assert_eq!(figures(of(&counts, "terminal")), (4, 1, 1));
        assert_eq!(figures(of(&counts, "material")), (2, 0, 1));
        let (can, never) = counts
            .tried()
            .fold((0, 0), |sum, rung| (sum.0 + rung.can, sum.1 + rung.never));
        assert_eq!((can, never), (2, 2), "each question is settled once");
    }

    #[test]
    fn the_time_is_within_that_of_the_questions() {
        let analyzer = Analyzer::new(Budget::default()).counting();
        let started = Instant::now();
        ask(&analyzer, "7k/8/5K2/6Q1/8/8/8/8 w - -");
        let elapsed = started.elapsed();
        let counts = analyzer.statistics();
        let time: Duration = counts.tried().map(|rung| rung.time).sum();
        assert!(!time.is_zero() && time <= elapsed, "{time:?} {elapsed:?}");
    }

    #[test]
    fn counts_are_kept_apart_and_add_up() {
        let plain = Analyzer::new(Budget::default());
        let (first, second) = (plain.counting(), plain.counting());
        ask(&first, "8/8/4k3/8/8/3KB3/8/8 b - -");
        ask(&second, "8/8/4k3/8/8/3KB3/8/8 b - -");
        ask(&second, "7k/6Q1/6K1/8/8/8/8/8 b - -");
        assert_eq!(plain.statistics(), LadderStatistics::default());
        let mut sum = LadderStatistics::default();
        for analyzer in [&plain, &first, &second] {
            sum.add(&analyzer.statistics());
        }
        assert_eq!(of(&sum, "terminal").tried, 3);
        assert_eq!(of(&sum, "material").never, 2);
    }
}
