//! The search for mates of exactly so many plies.

use rustc_hash::FxHashMap;
use stillmate_core::{Color, Key, Move, Position, insufficient_material};

use super::refuted::Refuted;
use crate::{
    budget::Meter,
    retro::{Distance, Tables},
    verdict::StopReason,
};

/// A sound reason to leave a move out: no mate comes after it in time.
pub(super) trait Pruner {
    /// What is known of a position.
    type Node;

    /// What is known after `m`, with `left` plies left; `None` if no mate comes in just so many.
    fn after(
        &mut self,
        position: &Position,
        node: &Self::Node,
        m: Move,
        left: u16,
    ) -> Option<Self::Node>;

    /// All after `node` has been searched.
    fn leave(&mut self, node: &Self::Node);

    /// Work done so far, in steps of about as much time each.
    fn work(&self) -> u64;
}

/// What is searched for.
pub(super) enum Goal {
    /// The number of lines.
    Count,
    /// The first so many lines, in the order of legal moves.
    Lines(usize),
}

/// Why a search ended early.
pub(super) enum Pause {
    /// It has had its share of the work.
    Share,
    Stopped(StopReason),
}

impl From<StopReason> for Pause {
    fn from(stopped: StopReason) -> Pause {
        Pause::Stopped(stopped)
    }
}

/// What is known of positions, whatever search found it out.
pub(super) struct Memory {
    /// Without a mate in just so many plies.
    pub(super) refuted: Refuted,
    /// How many lines there are from positions that have some.
    pub(super) counted: FxHashMap<(Key, u16), u128>,
    /// Whether all lengths below that of the search are known to have no mate from the root, and
    /// thus from any position of a line with as many plies less.
    pub(super) shorter_excluded: bool,
}

impl Memory {
    fn is_refuted(&self, key: &Key, plies: u16) -> bool {
        if self.shorter_excluded {
            self.refuted.knows(key, plies)
        } else {
            self.refuted.knows_exactly(key, plies)
        }
    }
}

pub(super) struct Search<'a, P: Pruner> {
    tables: &'a Tables,
    meter: &'a Meter,
    memory: &'a mut Memory,
    pruner: P,
    /// Ends when the pruner has done so much work.
    share: u64,
    goal: Goal,
    /// Lines found.
    found: Vec<Vec<Move>>,
    path: Vec<Move>,
}

/// What a table says of a position.
enum Outlook {
    /// A mate in so many plies is ruled out.
    TooFar,
    /// There is one, and none is nearer.
    Certain,
    Open,
}

impl<'a, P: Pruner> Search<'a, P> {
    pub(super) fn new(
        (tables, meter): (&'a Tables, &'a Meter),
        memory: &'a mut Memory,
        pruner: P,
        goal: Goal,
        share: u64,
    ) -> Search<'a, P> {
        Search {
            tables,
            meter,
            memory,
            pruner,
            share,
            goal,
            found: Vec::new(),
            path: Vec::new(),
        }
    }

    fn outlook(&self, position: &Position, plies: u16) -> Outlook {
        if insufficient_material(position, Color::White).is_some() {
            return Outlook::TooFar;
        }
        match self.tables.probe(position, Color::White) {
            Some(Distance::Plies(distance)) if distance == plies => Outlook::Certain,
            // A detour of a length that was asked for.
            Some(Distance::Plies(distance)) if distance < plies => {
                if self.memory.shorter_excluded {
                    Outlook::TooFar
                } else {
                    Outlook::Open
                }
            }
            Some(_) => Outlook::TooFar,
            None => Outlook::Open,
        }
    }

    fn has_all(&self) -> bool {
        matches!(self.goal, Goal::Lines(most) if self.found.len() >= most)
    }

    fn keep(&mut self, last: Move, rest: Vec<Move>) {
        if matches!(self.goal, Goal::Lines(_)) {
            let line = self.path.iter().copied().chain([last]).chain(rest);
            self.found.push(line.collect());
        }
    }

    /// Searches from the root.
    pub(super) fn run(
        &mut self,
        position: &Position,
        plies: u16,
        node: &P::Node,
    ) -> Result<(u128, Vec<Vec<Move>>), Pause> {
        let in_table = self.tables.probe(position, Color::White).is_some();
        let lines = self.lines(position, plies, in_table, node)?;
        Ok((lines, std::mem::take(&mut self.found)))
    }

    /// Work that the pruner has done.
    pub(super) fn work(&self) -> u64 {
        self.pruner.work()
    }

    /// How many series of exactly `plies` moves, at least one, end with mate by White, or how
    /// many of them were found; `u128::MAX` if so many or more. `in_table`: a table knows the
    /// position.
    pub(super) fn lines(
        &mut self,
        position: &Position,
        plies: u16,
        in_table: bool,
        node: &P::Node,
    ) -> Result<u128, Pause> {
        self.meter.spend(1)?;
        if self.pruner.work() >= self.share {
            return Err(Pause::Share);
        }
        let left = plies - 1;
        let key = Key::new(position);
        if left > 0 {
            if self.memory.is_refuted(&key, plies) {
                return Ok(0);
            }
            if matches!(self.goal, Goal::Count)
                && let Some(&lines) = self.memory.counted.get(&(key, plies))
            {
                return Ok(lines);
            }
        }
        let mut lines = 0_u128;
        for m in position.legal_moves() {
            let Some(known) = self.pruner.after(position, node, m, left) else {
                continue;
            };
            let next = position.after(m);
            let more = if left == 0 {
                let mates = gives_mate(&next);
                if mates {
                    self.keep(m, Vec::new());
                }
                u128::from(mates)
            } else {
                self.after(m, &next, left, in_table || m.is_zeroing(), in_table, &known)?
            };
            self.pruner.leave(&known);
            lines = lines.saturating_add(more);
            if self.has_all() {
                return Ok(lines);
            }
        }
        if left > 0 {
            if lines == 0 {
                self.memory.refuted.add(key, plies);
            } else if matches!(self.goal, Goal::Count) {
                self.memory.counted.insert((key, plies), lines);
            }
        }
        Ok(lines)
    }

    /// The same from `next`, which `m` leads to; `fresh` if a table may know it, `in_table` if
    /// one knows the position before.
    fn after(
        &mut self,
        m: Move,
        next: &Position,
        plies: u16,
        fresh: bool,
        in_table: bool,
        known: &P::Node,
    ) -> Result<u128, Pause> {
        let outlook = if fresh {
            self.outlook(next, plies)
        } else {
            Outlook::Open
        };
        match outlook {
            Outlook::TooFar => return Ok(0),
            Outlook::Certain if matches!(self.goal, Goal::Lines(1)) => {
                if let Some(rest) = self.tables.line(next, Color::White) {
                    self.keep(m, rest);
                    return Ok(1);
                }
            }
            Outlook::Certain | Outlook::Open => {}
        }
        self.path.push(m);
        let in_table = in_table || matches!(outlook, Outlook::Certain);
        let lines = self.lines(next, plies, in_table, known);
        self.path.pop();
        lines
    }
}

/// Whether Black, to move, is mated.
fn gives_mate(position: &Position) -> bool {
    position.checkers().any() && !position.has_legal_move()
}
