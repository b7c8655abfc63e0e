//! Whether a colour can mate before the seventy-five-move rule ends the game.
//!
//! By 9.6.2 a game is drawn when both players have made 75 moves without a capture or pawn
//! move, unless the last of them mates. A helpmate must then arrive in time: with the 150th
//! such ply at the latest, or after a capture or pawn move that lets the count begin anew.
//!
//! The line of the plain verdict mostly is in time. If it isn't, everything that captures and
//! pawn moves don't interrupt is explored, ply by ply, until the count runs out: reaching a
//! position sooner is never worse, so each needs to be met once only, and when nothing is
//! left, there is no mate in time. What comes after a capture or pawn move is a question of its
//! own, with a count of zero.

use std::{sync::atomic::Ordering, time::Instant};

use rustc_hash::{FxHashMap, FxHashSet};
use stillmate_core::{Color, Key, Move, Position};
use stillmate_reach::{Analyzer, Budget, Effort, Finding, Line, Method, StopReason, Verdict};

use crate::ends::SEVENTY_FIVE;

/// Whether a colour can mate in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InTime {
    /// It can: a line that the rule lets come to its end.
    Winnable(Line),
    /// It cannot mate at all, so that the count doesn't matter; the plain verdict has the
    /// certificate.
    Never,
    /// It could mate by some series of legal moves, but the rule ends the game before each of
    /// them. After so many positions were visited.
    TooLate(u64),
    /// A budget ended before it was decided.
    Undetermined(Effort),
}

/// What is known of a colour's mates, the rule taken into account or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mates {
    /// The verdict. A line comes to its end in time, unless `too_late` is set.
    pub finding: Finding,
    /// Whether all mates come after the rule has ended the game.
    pub too_late: bool,
}

impl Mates {
    /// Without the rule.
    pub const fn by_any_moves(finding: Finding) -> Mates {
        Mates {
            finding,
            too_late: false,
        }
    }

    /// With the rule, for the mates by `winner` from `position`; see [`in_time`]. `finding` is
    /// what is known without.
    pub fn in_time(
        mut finding: Finding,
        analyzer: &Analyzer,
        position: &Position,
        clock: u32,
        winner: Color,
        budget: &Budget,
    ) -> Mates {
        let started = Instant::now();
        let plain = &finding.verdict;
        let mut too_late = false;
        match in_time(analyzer, position, clock, winner, plain, budget) {
            InTime::Winnable(line) => finding.verdict = Verdict::Winnable(line),
            InTime::Never => {}
            InTime::TooLate(nodes) => {
                finding.nodes += nodes;
                too_late = true;
            }
            InTime::Undetermined(effort) => {
                finding.verdict = Verdict::Undetermined(effort);
                finding.method = Method::None;
                finding.nodes += effort.nodes;
            }
        }
        finding.elapsed += started.elapsed();
        Mates { finding, too_late }
    }

    /// Why the colour can't mate, in words that follow its name.
    pub const fn impossible(&self) -> &'static str {
        if self.too_late {
            "cannot checkmate before the seventy-five-move rule ends the game"
        } else {
            "cannot checkmate by any possible series of legal moves"
        }
    }

    /// Whether the colour can mate, as far as that is known.
    pub const fn possible(&self) -> Option<bool> {
        match self.finding.verdict {
            Verdict::Winnable(_) => Some(!self.too_late),
            Verdict::Unwinnable(_) => Some(false),
            Verdict::Undetermined(_) => None,
        }
    }
}

/// Decides whether `winner` can mate from `position`, in which `clock` plies have been played
/// since the last capture or pawn move, before the rule ends the game. `plain` is the verdict
/// without the rule.
///
/// All of it keeps within `budget`, what `analyzer` is asked of captures and pawn moves included.
pub fn in_time(
    analyzer: &Analyzer,
    position: &Position,
    clock: u32,
    winner: Color,
    plain: &Verdict,
    budget: &Budget,
) -> InTime {
    let mut search = Search {
        analyzer,
        winner,
        budget,
        started: Instant::now(),
        visited: 0,
        held: 0,
        converted: FxHashMap::default(),
    };
    let after = match plain {
        Verdict::Unwinnable(_) => return InTime::Never,
        Verdict::Winnable(line) if lasts(&line.0, clock) => After::Wins(line.0.clone()),
        _ => search.explore(position, clock),
    };
    let nodes = search.visited;
    match after {
        After::Wins(line) => InTime::Winnable(Line(line)),
        After::Loses => InTime::TooLate(nodes),
        After::Open(stopped_by) => InTime::Undetermined(Effort { nodes, stopped_by }),
    }
}

/// Whether the verdict without the rule answers the question with it, so that [`in_time`] has
/// nothing to search.
pub fn is_settled(plain: &Verdict, clock: u32) -> bool {
    match plain {
        Verdict::Winnable(line) => lasts(&line.0, clock),
        Verdict::Unwinnable(_) => true,
        Verdict::Undetermined(_) => false,
    }
}

/// Whether the rule lets a line that ends with mate come to its end, from a position in which
/// `clock` plies have been played since the last capture or pawn move.
pub fn lasts(line: &[Move], clock: u32) -> bool {
    let mut clock = clock;
    line.iter().all(|m| {
        let goes_on = clock < SEVENTY_FIVE;
        clock = if m.is_zeroing() {
            0
        } else {
            clock.saturating_add(1)
        };
        goes_on
    })
}

/// What can come of a position.
#[derive(Clone)]
enum After {
    Wins(Vec<Move>),
    Loses,
    /// Not decided.
    Open(StopReason),
}

struct Search<'a> {
    analyzer: &'a Analyzer,
    winner: Color,
    budget: &'a Budget,
    started: Instant,
    /// Positions visited so far.
    visited: u64,
    /// Bytes held by the explorations under way.
    held: u64,
    /// What can come of positions after captures and pawn moves.
    converted: FxHashMap<Key, After>,
}

/// How a position was reached: from which, by its place in the trail, and with which move.
type Trail = Vec<(usize, Move)>;

/// The place of the first position, which has no move before it.
const ROOT: usize = usize::MAX;

fn way(trail: &Trail, mut at: usize) -> Vec<Move> {
    let mut way = Vec::new();
    while at != ROOT {
        let (before, m) = trail[at];
        way.push(m);
        at = before;
    }
    way.reverse();
    way
}

impl Search<'_> {
    /// What can come of `start`, which isn't mate, with `clock` plies on the count.
    fn explore(&mut self, start: &Position, clock: u32) -> After {
        let mut trail = Trail::new();
        let mut met = FxHashSet::from_iter([Key::new(start)]);
        let mut frontier = vec![(*start, ROOT)];
        let before = self.held;
        let mut open = None;
        for played in clock..SEVENTY_FIVE {
            let mut next = Vec::new();
            for (position, at) in frontier {
                self.held = before + bytes(&met, &trail);
                if let Err(stopped_by) = self.spend() {
                    return After::Open(stopped_by);
                }
                for m in position.legal_moves() {
                    let after = position.after(m);
                    let end = if m.is_zeroing() {
                        self.convert(&after)
                    } else if !met.insert(Key::new(&after)) {
                        After::Loses
                    } else if self.is_mate(&after) {
                        After::Wins(Vec::new())
                    } else {
                        if played + 1 < SEVENTY_FIVE {
                            trail.push((at, m));
                            next.push((after, trail.len() - 1));
                        }
                        After::Loses
                    };
                    match end {
                        After::Wins(rest) => {
                            let line = way(&trail, at).into_iter().chain([m]).chain(rest);
                            return After::Wins(line.collect());
                        }
                        After::Open(stopped_by) => open = Some(stopped_by),
                        After::Loses => {}
                    }
                }
            }
            frontier = next;
        }
        open.map_or(After::Loses, After::Open)
    }

    /// What can come of a position after a capture or pawn move.
    fn convert(&mut self, position: &Position) -> After {
        let key = Key::new(position);
        if let Some(known) = self.converted.get(&key) {
            return known.clone();
        }
        let held = self.held;
        let left = Budget {
            nodes: self.budget.nodes - self.visited,
            memory: self.budget.memory.saturating_sub(held),
            ..self.budget.share(self.started.elapsed(), 1)
        };
        let finding = self.analyzer.decide_with(position, self.winner, &left);
        self.visited = self.budget.nodes.min(self.visited + finding.nodes);
        let after = match finding.verdict {
            Verdict::Unwinnable(_) => After::Loses,
            Verdict::Winnable(line) if lasts(&line.0, 0) => After::Wins(line.0),
            Verdict::Winnable(_) => self.explore(position, 0),
            Verdict::Undetermined(effort) => After::Open(effort.stopped_by),
        };
        self.held = held;
        self.converted.insert(key, after.clone());
        after
    }

    fn is_mate(&self, position: &Position) -> bool {
        position.turn() != self.winner && position.checkers().any() && position.is_checkmate()
    }

    /// Counts a position, if there is something left of every budget.
    fn spend(&mut self) -> Result<(), StopReason> {
        const LOOK_EVERY: u64 = 1024;
        if self.visited == self.budget.nodes {
            return Err(StopReason::Nodes);
        }
        if self.held > self.budget.memory {
            return Err(StopReason::Memory);
        }
        if self.visited.is_multiple_of(LOOK_EVERY) {
            let cancel = self.budget.cancel.as_ref();
            if cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return Err(StopReason::Cancelled);
            }
            if self
                .budget
                .time
                .is_some_and(|time| self.started.elapsed() >= time)
            {
                return Err(StopReason::Time);
            }
        }
        self.visited += 1;
        Ok(())
    }
}

/// What an exploration holds: a set is a byte and a key for each place of its table, of which
/// seven in eight may be taken, and each level of the search is a part of the trail.
fn bytes(met: &FxHashSet<Key>, trail: &Trail) -> u64 {
    let places = met.capacity() * 8 / 7;
    let steps = trail.capacity() * size_of::<(usize, Move)>();
    (places * (size_of::<Key>() + 1) + steps) as u64
}
