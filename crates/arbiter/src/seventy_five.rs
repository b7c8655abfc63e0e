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

use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};
use stillmate_core::{Color, Key, Move, Position};
use stillmate_reach::{Analyzer, Finding, Limits, Line, Verdict};

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
    /// The budget ended before it was decided.
    Undetermined(u64),
}

/// The verdict without and with the rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timed {
    /// By any series of legal moves.
    pub plain: Finding,
    /// By one that the rule lets come to its end.
    pub in_time: InTime,
}

impl Timed {
    /// Whether the rule makes the difference.
    pub const fn differs(&self) -> bool {
        matches!(
            (&self.plain.verdict, &self.in_time),
            (Verdict::Winnable(_), InTime::TooLate(_))
        )
    }
}

/// Decides whether `winner` can mate from `position`, in which `clock` plies have been played
/// since the last capture or pawn move, before the rule ends the game.
///
/// Visits at most `limits.nodes` positions besides those of the plain verdicts, each of which
/// has the budgets of `analyzer`.
pub fn in_time(
    analyzer: &Analyzer,
    position: &Position,
    clock: u32,
    winner: Color,
    limits: &Limits,
) -> Timed {
    let plain = analyzer.decide(position, winner);
    let mut search = Search {
        analyzer,
        winner,
        left: limits.nodes,
        deadline: limits.time.map(|time| Instant::now() + time),
        converted: FxHashMap::default(),
    };
    let after = match &plain.verdict {
        Verdict::Unwinnable(_) => None,
        Verdict::Winnable(line) if lasts(&line.0, clock) => Some(After::Wins(line.0.clone())),
        _ => Some(search.explore(position, clock)),
    };
    let visited = limits.nodes - search.left;
    let in_time = match after {
        None => InTime::Never,
        Some(After::Wins(line)) => InTime::Winnable(Line(line)),
        Some(After::Loses) => InTime::TooLate(visited),
        Some(After::Open) => InTime::Undetermined(visited),
    };
    Timed { plain, in_time }
}

/// Whether the rule lets a line that ends with mate come to its end.
fn lasts(line: &[Move], clock: u32) -> bool {
    let mut clock = clock;
    line.iter().all(|m| {
        let goes_on = clock < SEVENTY_FIVE;
        clock = if m.is_zeroing() { 0 } else { clock + 1 };
        goes_on
    })
}

/// What can come of a position.
#[derive(Clone)]
enum After {
    Wins(Vec<Move>),
    Loses,
    /// Not decided.
    Open,
}

struct Search<'a> {
    analyzer: &'a Analyzer,
    winner: Color,
    /// Positions that may still be visited.
    left: u64,
    deadline: Option<Instant>,
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
        let mut open = false;
        for played in clock..SEVENTY_FIVE {
            let mut next = Vec::new();
            for (position, at) in frontier {
                if !self.spend() {
                    return After::Open;
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
                        After::Open => open = true,
                        After::Loses => {}
                    }
                }
            }
            frontier = next;
        }
        if open { After::Open } else { After::Loses }
    }

    /// What can come of a position after a capture or pawn move.
    fn convert(&mut self, position: &Position) -> After {
        let key = Key::new(position);
        if let Some(known) = self.converted.get(&key) {
            return known.clone();
        }
        let after = match self.analyzer.decide(position, self.winner).verdict {
            Verdict::Unwinnable(_) => After::Loses,
            Verdict::Winnable(line) if lasts(&line.0, 0) => After::Wins(line.0),
            Verdict::Winnable(_) => self.explore(position, 0),
            Verdict::Undetermined(_) => After::Open,
        };
        self.converted.insert(key, after.clone());
        after
    }

    fn is_mate(&self, position: &Position) -> bool {
        position.turn() != self.winner && position.checkers().any() && position.is_checkmate()
    }

    /// Counts a position; `false` when a budget is used up.
    fn spend(&mut self) -> bool {
        const LOOK_EVERY: u64 = 1024;
        let late = || {
            self.deadline
                .is_some_and(|deadline| deadline <= Instant::now())
        };
        if self.left == 0 || self.left.is_multiple_of(LOOK_EVERY) && late() {
            return false;
        }
        self.left -= 1;
        true
    }
}
