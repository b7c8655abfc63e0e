//! Each rung of the ladder alone, for tests that look for contradictions.
//!
//! In the ladder a rung is only asked what the rungs before it have left open, so that an
//! unsound one could hide behind a sound one for long. Here every one answers for itself. No
//! part of the interface: it changes with the ladder.

use stillmate_core::{Color, Move, Position};
use stillmate_proof::{Certificate, Class, Invariant};

use crate::{
    budget::Meter,
    can::lazy,
    exact::rows,
    ladder,
    never::{classes, relaxation::Relaxation},
    settled::Settled,
    verdict::{Budget, Line, StopReason, Verdict},
};

/// A method that can be asked alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rung {
    /// The rules of material.
    Material,
    /// The rule of walls.
    Wall,
    /// All lines of play, up to seven plies.
    Forced,
    /// What `--quick` does.
    Quick,
    /// The relaxation.
    Relaxation,
    /// The proof by classes.
    Classes,
    /// The search for mates by minor pieces; it looks for no others.
    Minors,
    /// The planned rollouts.
    Rollouts,
    /// The search with a plan for every position.
    Lazy,
    /// Exploration by structures.
    Explore,
    /// Exact search over sets of positions.
    Rows,
    /// Exact enumeration.
    Closure,
}

impl Rung {
    /// All of them, the cheap ones first.
    pub const ALL: [Rung; 12] = [
        Rung::Material,
        Rung::Wall,
        Rung::Forced,
        Rung::Relaxation,
        Rung::Quick,
        Rung::Minors,
        Rung::Rollouts,
        Rung::Lazy,
        Rung::Classes,
        Rung::Explore,
        Rung::Rows,
        Rung::Closure,
    ];

    /// Asks this rung alone whether `winner` can still mate. `None` when it doesn't settle
    /// that, and for a position without legal moves, of which every rung takes for granted
    /// that it has been dealt with. `effort` limits expanded positions, and classes.
    pub fn ask(self, position: &Position, winner: Color, effort: usize) -> Option<Verdict> {
        if !position.has_legal_move() {
            return None;
        }
        let mirror = winner == Color::Black;
        let board = seen_by(position, winner);
        Some(match self.settle(&board, effort)? {
            Settled::Can(line) => Verdict::Winnable(turned(&line, winner)),
            Settled::Never(steps) => {
                let certificate = Certificate {
                    position: board,
                    claim: Color::White,
                    steps,
                };
                Verdict::Unwinnable(if mirror {
                    certificate.mirrored()
                } else {
                    certificate
                })
            }
        })
    }

    /// What ends this rung, one of those that search exactly, if it may hold so many bytes and
    /// nothing else limits it; `None` if it comes to an end.
    pub fn stopped_by(self, position: &Position, winner: Color, memory: u64) -> Option<StopReason> {
        let meter = Meter::new(&Budget {
            nodes: u64::MAX,
            memory,
            ..Budget::default()
        });
        let rung = match self {
            Rung::Explore => ladder::Rung::Explore(usize::MAX),
            Rung::Rows => ladder::Rung::Rows(usize::MAX),
            Rung::Closure => ladder::Rung::Closure,
            _ => return None,
        };
        rung.attempt(&seen_by(position, winner), &meter).err()
    }

    /// The same for White.
    fn settle(self, board: &Position, effort: usize) -> Option<Settled> {
        let unlimited = Meter::of_nodes(u64::MAX);
        let attempt = |rung: ladder::Rung| rung.attempt(board, &unlimited).ok()?;
        match self {
            Rung::Material => attempt(ladder::Rung::Material),
            Rung::Wall => attempt(ladder::Rung::Wall),
            Rung::Forced => attempt(ladder::Rung::Forced(ladder::FAR)),
            Rung::Quick => Some(ladder::climb(board, true, &unlimited, None).ok()?.1),
            Rung::Relaxation => attempt(ladder::Rung::Relaxation),
            Rung::Classes => attempt(ladder::Rung::Classes(effort)),
            Rung::Minors => attempt(ladder::Rung::Minors),
            Rung::Rollouts => attempt(ladder::Rung::Rollouts),
            Rung::Lazy => {
                let way = lazy::Way {
                    limit: effort as u64,
                    depth_weight: 1,
                };
                let line = lazy::search(board, way, &unlimited).ok()?;
                line.map(Settled::Can)
            }
            Rung::Explore => attempt(ladder::Rung::Explore(effort)),
            Rung::Rows => attempt(ladder::Rung::Rows(effort)),
            Rung::Closure => {
                let meter = Meter::of_nodes(effort as u64);
                ladder::Rung::Closure.attempt(board, &meter).ok()?
            }
        }
    }
}

/// How many positions the search over sets visits without shortcuts, expanding at most `limit`
/// rows, from a position that has a legal move. `None` if `winner` can mate or at the limit.
pub fn positions_in_rows(position: &Position, winner: Color, limit: usize) -> Option<u64> {
    let meter = Meter::of_nodes(u64::MAX);
    rows::count(&seen_by(position, winner), limit, &meter)
}

/// Whether `winner` can still mate, as [`Analyzer::decide`](crate::Analyzer::decide) finds it within
/// this budget, but with the evidence of "never" thrown away as it arises, so that it can be
/// measured what keeping it costs. `None` if that stays open.
pub fn without_evidence(position: &Position, winner: Color, budget: &Budget) -> Option<bool> {
    let meter = Meter::new(budget).without_evidence();
    let (_, settled) =
        ladder::climb(&seen_by(position, winner), budget.quick, &meter, None).ok()?;
    Some(match settled {
        // Lines are kept: turned around as they would be.
        Settled::Can(line) => {
            drop(turned(&line, winner));
            true
        }
        Settled::Never(_) => false,
    })
}

/// A line found on the board that is [`seen_by`] `winner`, on the real one.
fn turned(line: &[Move], winner: Color) -> Line {
    let turn = |m: &Move| winner.fold_wb(*m, m.mirrored());
    Line(line.iter().map(turn).collect())
}

/// What the relaxation says of a position.
#[derive(Clone, Debug)]
pub struct Relaxed {
    /// Where every man may ever stand, the intended winner's mates or not.
    pub invariant: Invariant,
    /// Whether a mate may fit.
    pub allows_mate: bool,
}

/// The relaxation of `position` for `winner`, also where it proves nothing; seen as if
/// `winner` were White ([`seen_by`]). `None` where it gives up.
pub fn relaxed(position: &Position, winner: Color) -> Option<Relaxed> {
    let relaxation = Relaxation::saturate(&seen_by(position, winner))?;
    Some(Relaxed {
        invariant: relaxation.invariant(),
        allows_mate: relaxation.allows_mate(),
    })
}

/// The position turned so that `winner` is White.
pub fn seen_by(position: &Position, winner: Color) -> Position {
    match winner {
        Color::White => *position,
        Color::Black => position.mirrored(),
    }
}

/// A class of the proof by classes, with the intended winner as White ([`seen_by`]).
pub struct ReversibleClass(classes::ReversibleClass);

impl ReversibleClass {
    /// What `board` enters by itself; `None` with castling rights or an en passant capture at
    /// hand, which classes don't know.
    pub fn root(board: &Position) -> Option<ReversibleClass> {
        classes::ReversibleClass::root(board).map(ReversibleClass)
    }

    /// Men and kings: until it is closed, right after an irreversible move.
    pub fn class(&self) -> Class {
        self.0.class()
    }

    /// Closes the class under reversible moves. Tells whether some position of it may be the
    /// winner's mate, and what irreversible moves enter, not closed yet (`None` where the
    /// winner may promote).
    pub fn close(&mut self) -> (bool, Option<Vec<ReversibleClass>>) {
        let (allows_mate, entered) = self.0.close();
        let classes = entered.map(|entered| entered.into_iter().map(ReversibleClass).collect());
        (allows_mate, classes)
    }

    /// Whether the winner's men don't suffice for anything that follows.
    pub fn is_insufficient(&self) -> bool {
        self.0.is_insufficient()
    }
}
