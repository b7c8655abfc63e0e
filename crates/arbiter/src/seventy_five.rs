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
use stillmate_reach::{Analyzer, Budget, Effort, Finding, Limits, Line, Method, Verdict};

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
        limits: &Limits,
    ) -> Mates {
        let plain = &finding.verdict;
        let mut too_late = false;
        match in_time(analyzer, position, clock, winner, plain, limits) {
            InTime::Winnable(line) => finding.verdict = Verdict::Winnable(line),
            InTime::Never => {}
            InTime::TooLate(nodes) => {
                finding.nodes += nodes;
                too_late = true;
            }
            InTime::Undetermined(nodes) => {
                let budget = Budget::Nodes;
                finding.verdict = Verdict::Undetermined(Effort { nodes, budget });
                finding.method = Method::None;
                finding.nodes += nodes;
            }
        }
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
/// Visits at most `limits.nodes` positions, besides those that `analyzer` visits when it is
/// asked what can come of captures and pawn moves.
pub fn in_time(
    analyzer: &Analyzer,
    position: &Position,
    clock: u32,
    winner: Color,
    plain: &Verdict,
    limits: &Limits,
) -> InTime {
    let mut search = Search {
        analyzer,
        winner,
        left: limits.nodes,
        deadline: limits.time.map(|time| Instant::now() + time),
        converted: FxHashMap::default(),
    };
    let after = match plain {
        Verdict::Unwinnable(_) => return InTime::Never,
        Verdict::Winnable(line) if lasts(&line.0, clock) => After::Wins(line.0.clone()),
        _ => search.explore(position, clock),
    };
    let visited = limits.nodes - search.left;
    match after {
        After::Wins(line) => InTime::Winnable(Line(line)),
        After::Loses => InTime::TooLate(visited),
        After::Open => InTime::Undetermined(visited),
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
