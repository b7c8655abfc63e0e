//! Shortest helpmates, and the proof that none is shorter.
//!
//! Iterative deepening: is there a mate in exactly *n* plies, for each *n* from a lower bound
//! on, two by two, as the mating side makes the last move? A search for *n* tries every legal
//! move but those after which no mate can come in time. The first *n* that has a mate is the
//! least. When a capture or promotion leads into a class of men that a table knows, the table's
//! distance ends the search there, exactly.
//!
//! There are two reasons to leave a move out, and both are sound. Either all mating patterns
//! that fit into *n* plies are listed first, and none of them can be completed any more
//! (`patterns`). Or a bound says that no pattern could (`bound`): it is asked anew in every
//! position and knows less, but has nothing to list. Patterns are mostly a hundred times
//! faster; with many men and long ways there are too many of them. The two work in turn, each a
//! share of the work at a time, so that the better one is held up by no more than about its own
//! work again. They share what they find out about positions.
//!
//! Nothing here argues by hashes or likely moves: each *n* that is passed over was ruled out for
//! every series of legal moves.
//!
//! White mates; callers mirror the board.
//!
//! | file | its thought |
//! |---|---|
//! | `covers`, `men` | how many moves a man needs on an empty board |
//! | `generate` | lists the mating patterns that fit into a length |
//! | `patterns` | which of them can still be completed |
//! | `bound`, `lone` | whether any could be |
//! | `search` | all moves that may lead to a mate in time |
//! | `refuted` | what leads nowhere in time |

mod bound;
mod covers;
mod generate;
mod lone;
mod men;
mod patterns;
mod refuted;
mod search;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;
use stillmate_core::{Color, Move, Position};

use self::{
    bound::Bound,
    generate::Generator,
    men::Distances,
    patterns::Completion,
    refuted::Refuted,
    search::{Goal, Memory, Pause, Search},
};
use crate::{
    budget::Meter,
    retro::{Distance, Tables},
    verdict::StopReason,
};

/// No search goes deeper, so that the stack of a thread is deep enough.
const DEEPEST: u16 = 500;

/// The first share of work of either way to search.
const FIRST_SHARE: u64 = 10_000;

/// What a search for the shortest mate has come to.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// No mate comes in fewer plies.
    pub(crate) at_least: u16,
    /// A line of exactly so many plies.
    pub(crate) line: Option<Vec<Move>>,
    /// What ended the search before it was done.
    pub(crate) stopped: Option<StopReason>,
}

/// All mates of a length.
#[derive(Debug, Default)]
pub(crate) struct All {
    /// The length, if there are any.
    pub(crate) plies: Option<u16>,
    /// None has fewer plies.
    pub(crate) at_least: u16,
    /// How many there are; `None` if that isn't known, or they are 2^128 or more.
    pub(crate) count: Option<u128>,
    /// The first of them.
    pub(crate) lines: Vec<Vec<Move>>,
    /// What ended the search before it was done.
    pub(crate) stopped: Option<StopReason>,
}

/// The two ways to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Patterns,
    Bound,
}

/// Finds and counts mates by White from one position.
pub(crate) struct Solver<'a> {
    position: Position,
    tables: &'a Tables,
    meter: &'a Meter,
    distances: Distances,
    memory: Memory,
    bound: Bound,
    /// The patterns of the length last asked for.
    generator: Option<Generator>,
    /// What was faster the last time, and the work that it took.
    faster: (Way, u64),
}

impl<'a> Solver<'a> {
    pub(crate) fn new(position: &Position, tables: &'a Tables, meter: &'a Meter) -> Solver<'a> {
        Solver {
            position: *position,
            tables,
            meter,
            distances: Distances::of(position),
            memory: Memory {
                refuted: Refuted::new(),
                counted: FxHashMap::default(),
                shorter_excluded: true,
            },
            bound: Bound::new(),
            generator: None,
            faster: (Way::Patterns, 0),
        }
    }

    /// Searches for a mate in fewer than `below` plies, the shortest first.
    ///
    /// If it comes to its end without a line, there is none, and `at_least` is `below`, or what
    /// the search is limited to.
    pub(crate) fn shortest(&mut self, below: Option<u16>) -> Outcome {
        let below = below.unwrap_or(DEEPEST).min(DEEPEST);
        let first = self.position.turn().fold_wb(1, 0);
        let mut outcome = Outcome {
            at_least: first,
            line: None,
            stopped: None,
        };
        if first == 0 && self.position.is_checkmate() {
            outcome.line = Some(Vec::new());
            return outcome;
        }
        match self.tables.probe(&self.position, Color::White) {
            Some(Distance::Never) => outcome.at_least = below,
            Some(Distance::Plies(plies)) => {
                outcome.at_least = plies.min(below);
                outcome.line = self.tables.line(&self.position, Color::White);
            }
            None => {
                while outcome.at_least < below && outcome.line.is_none() {
                    match self.lines(outcome.at_least, 1) {
                        Ok(mut lines) => match lines.pop() {
                            Some(line) => outcome.line = Some(line),
                            None => outcome.at_least += 2,
                        },
                        Err(stopped) => {
                            outcome.stopped = Some(stopped);
                            break;
                        }
                    }
                }
            }
        }
        outcome
    }

    /// How many different series of `plies` legal moves end with a mate by White. `None` if
    /// there are more than can be counted, 2^128.
    pub(crate) fn count(&mut self, plies: u16) -> Result<Option<u128>, StopReason> {
        let (lines, _) = self.search(plies, || Goal::Count)?;
        Ok((lines < u128::MAX).then_some(lines))
    }

    /// The first `most` of these series, in the order of legal moves.
    pub(crate) fn lines(&mut self, plies: u16, most: usize) -> Result<Vec<Vec<Move>>, StopReason> {
        let (_, lines) = self.search(plies, || Goal::Lines(most))?;
        Ok(lines)
    }

    /// All mates of exactly `plies`, of which `most` are listed.
    pub(crate) fn all(&mut self, plies: u16, most: usize) -> All {
        let mut all = All {
            at_least: plies,
            ..All::default()
        };
        match self.count(plies) {
            Ok(count) => {
                all.count = count;
                all.plies = (count != Some(0)).then_some(plies);
            }
            Err(stopped) => all.stopped = Some(stopped),
        }
        if all.plies.is_some() {
            match self.lines(plies, most) {
                Ok(lines) => all.lines = lines,
                Err(stopped) => all.stopped = Some(stopped),
            }
        }
        all
    }

    /// All shortest mates, given that there is one of `known` plies.
    pub(crate) fn all_shortest(&mut self, known: usize, most: usize) -> All {
        let below = u16::try_from(known).map_or(DEEPEST, |known| known.saturating_add(1));
        let found = self.shortest(Some(below));
        if found.line.is_some() {
            return self.all(found.at_least, most);
        }
        All {
            at_least: found.at_least,
            stopped: found.stopped,
            ..All::default()
        }
    }

    /// Also finds lines that are longer than the shortest.
    pub(crate) fn of_any_length(self) -> Solver<'a> {
        let memory = Memory {
            shorter_excluded: false,
            ..self.memory
        };
        Solver { memory, ..self }
    }

    fn search(
        &mut self,
        plies: u16,
        goal: impl Fn() -> Goal,
    ) -> Result<(u128, Vec<Vec<Move>>), StopReason> {
        if plies == 0 {
            let mated = self.position.turn() == Color::Black && self.position.is_checkmate();
            return Ok((u128::from(mated), vec![Vec::new(); usize::from(mated)]));
        }
        if (plies % 2 == 1) != (self.position.turn() == Color::White) || plies > DEEPEST {
            return Ok((0, Vec::new()));
        }
        // The way that was faster the last time begins with twice the work that it took then,
        // and gets twice as much as the other from then on.
        let (favourite, head_start) = self.faster;
        let mut way = favourite;
        let mut share = FIRST_SHARE.max(head_start * 2);
        let mut works = [0, 0];
        loop {
            let (work, result) = match way {
                Way::Patterns => self.by_patterns(plies, goal(), share),
                Way::Bound => self.by_bound(plies, goal(), share),
            };
            works[way as usize] += work;
            match result {
                Ok(found) => {
                    self.faster = (way, works[way as usize]);
                    return Ok(found);
                }
                Err(Pause::Stopped(stopped)) => return Err(stopped),
                Err(Pause::Share) => {}
            }
            let due = [Way::Patterns, Way::Bound].map(|way| {
                let factor = if way == favourite { 1 } else { 2 };
                works[way as usize] * factor
            });
            let overfull = self.generator.as_ref().is_some_and(Generator::is_overfull);
            way = if overfull || due[Way::Bound as usize] <= due[Way::Patterns as usize] {
                Way::Bound
            } else {
                Way::Patterns
            };
            // What a pause interrupts is begun again, so shares have to grow.
            let factor = if way == favourite { 1 } else { 2 };
            let ahead = due[1 - way as usize].saturating_sub(due[way as usize]);
            share = (ahead + FIRST_SHARE.max(due[way as usize] / 2)) / factor;
        }
    }

    fn by_patterns(&mut self, plies: u16, goal: Goal, share: u64) -> (u64, Found) {
        let known = self.generator.take_if(|generator| !generator.is_for(plies));
        drop(known);
        let generator = self
            .generator
            .get_or_insert_with(|| Generator::new(&self.position, &self.distances, plies));
        let before = generator.work();
        let listed = generator.work_on(share, self.meter);
        let listing = generator.work() - before;
        if let Err(pause) = listed {
            return (listing, Err(pause));
        }
        let mut completion = Completion::new(&generator.patterns, &self.distances);
        let root = completion.root(&self.position, plies);
        let tools = (self.tables, self.meter);
        let share = share.saturating_sub(listing);
        let mut search = Search::new(tools, &mut self.memory, completion, goal, share);
        let found = search.run(&self.position, plies, &root);
        (listing + search.work(), found)
    }

    fn by_bound(&mut self, plies: u16, goal: Goal, share: u64) -> (u64, Found) {
        let before = self.bound.work();
        if !self.bound.fits(&self.position, plies) {
            return (self.bound.work() - before, Ok((0, Vec::new())));
        }
        let tools = (self.tables, self.meter);
        let share = before + share;
        let mut search = Search::new(tools, &mut self.memory, &mut self.bound, goal, share);
        let found = search.run(&self.position, plies, &());
        (search.work() - before, found)
    }
}

/// How many lines there are, and those that were wanted.
type Found = Result<(u128, Vec<Vec<Move>>), Pause>;
