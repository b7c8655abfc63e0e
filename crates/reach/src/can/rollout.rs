//! Playing one plan out, greedily, with hardly any search.
//!
//! Where the plan scripts a move, that is played at once. Elsewhere every legal move gets a
//! score from the plan's tables (a few look-ups) and the best one is played. A dead end costs
//! one step back. In ordinary positions a rollout of the best plan ends in mate after some
//! twenty positions; where it doesn't, the next plan is tried, then the best ones with noise on
//! the scores.
//!
//! White mates; callers mirror the board.

use std::cell::RefCell;

use arrayvec::ArrayVec;
use stillmate_core::{Color, Move, Position, Square};

use crate::{
    budget::Meter,
    can::{
        mate_in_one, ordering,
        plan::{self, MOST_PLANS, Plan},
        scripted::{self, Scripted},
    },
    verdict::StopReason,
};

/// Positions that one rollout may visit.
const NODES: u64 = 56;
/// Longest line that a rollout may play, in plies.
const PLIES: usize = 64;
/// Rollouts with noise, after those that follow the plans to the letter.
const NOISY: u64 = 6;
/// A rollout is given up after this many plies that came no nearer to the mate.
const IDLE: u32 = 14;
/// A plan is made anew each time after so many of them.
const STALE: u32 = 4;

/// Tries the cheapest plans in turn, then noisy variations; the first mate wins.
pub(crate) fn rollouts(
    position: &Position,
    meter: &Meter,
) -> Result<Option<Vec<Move>>, StopReason> {
    SCRATCH.with_borrow_mut(|rollout| try_plans(position, rollout, meter))
}

thread_local! {
    /// Kept, since most questions need nothing else and would spend their time on allocations.
    static SCRATCH: RefCell<Rollout> = RefCell::default();
}

fn try_plans(
    position: &Position,
    rollout: &mut Rollout,
    meter: &Meter,
) -> Result<Option<Vec<Move>>, StopReason> {
    let Some(plan) = plan::plan(position) else {
        return Ok(None);
    };
    if let Some(line) = rollout.play(position, &plan, 0, meter)? {
        return Ok(Some(line));
    }
    let plans = plan::plans(position, MOST_PLANS);
    let others = plans.iter().filter(|other| !other.is_like(&plan));
    for plan in others.take(3) {
        if let Some(line) = rollout.play(position, plan, 0, meter)? {
            return Ok(Some(line));
        }
    }
    for seed in 1..=NOISY {
        let plan = &plans[seed as usize % plans.len()];
        if let Some(line) = rollout.play(position, plan, seed, meter)? {
            return Ok(Some(line));
        }
    }
    Ok(None)
}

/// Plays the cheapest plan alone.
pub(crate) fn first(position: &Position, meter: &Meter) -> Result<Option<Vec<Move>>, StopReason> {
    match plan::plan(position) {
        Some(plan) => SCRATCH.with_borrow_mut(|rollout| rollout.play(position, &plan, 0, meter)),
        None => Ok(None),
    }
}

/// One position of the line, with the moves that are still to be tried there.
struct Step {
    position: Position,
    /// The plan followed here, by its place in [`Rollout::plans`].
    plan: usize,
    /// The pawn that runs, where it stands now.
    promoting: Option<Square>,
    /// The move that the plan scripted, once it has been tried.
    scripted: Option<Move>,
    /// Where this step's moves begin in [`Rollout::moves`], once they have been listed.
    first: Option<usize>,
}

#[derive(Default)]
struct Rollout {
    steps: Vec<Step>,
    moves: Vec<(i32, Move)>,
    plans: Vec<Plan>,
    dead: Vec<Position>,
    /// The [`mark`]s of all positions that were met.
    met: u64,
    line: Vec<Move>,
    /// Plies since a move came nearer to the mate.
    idle: u32,
}

impl Rollout {
    fn play(
        &mut self,
        start: &Position,
        plan: &Plan,
        seed: u64,
        meter: &Meter,
    ) -> Result<Option<Vec<Move>>, StopReason> {
        self.steps.clear();
        self.moves.clear();
        self.dead.clear();
        self.line.clear();
        self.plans.clear();
        self.plans.push(*plan);
        self.met = 0;
        self.idle = 0;
        let mut noise = Noise(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut spent = 1;
        self.enter(*start, 0, plan.promoting);
        let found = loop {
            let Some(step) = self.steps.last() else {
                break false;
            };
            if let Some(mate) = self.finish(step) {
                self.line.push(mate);
                break true;
            }
            if spent >= NODES || self.idle > IDLE {
                break false;
            }
            spent += u64::from(self.advance(&mut noise));
        };
        meter.spend(spent)?;
        Ok(found.then(|| self.line.clone()))
    }

    fn enter(&mut self, position: Position, plan: usize, promoting: Option<Square>) {
        self.met |= mark(&position);
        self.steps.push(Step {
            position,
            plan,
            promoting,
            scripted: None,
            first: None,
        });
    }

    /// The mate in one move, where a position is met for the first time.
    fn finish(&self, step: &Step) -> Option<Move> {
        let new = step.scripted.is_none() && step.first.is_none();
        if new && step.position.turn() == Color::White {
            mate_in_one::mate(&step.position)
        } else {
            None
        }
    }

    /// Goes one move on, or one back; whether to a new position.
    fn advance(&mut self, noise: &mut Noise) -> bool {
        let step = self.steps.last().expect("the caller has looked");
        if step.scripted.is_none() && step.first.is_none() && step.position.checkers().is_empty() {
            let plan = &self.plans[step.plan];
            let scripted = match step.position.turn() {
                Color::White => scripted::white(&step.position, plan, step.promoting),
                Color::Black => scripted::black(&step.position, plan, step.promoting),
            };
            if let Some(Scripted {
                m,
                next,
                makes_progress,
            }) = scripted
                && self.is_new(&next)
            {
                self.steps.last_mut().expect("as above").scripted = Some(m);
                self.follow(m, next, makes_progress, false, noise);
                return true;
            }
        }
        let first = match step.first {
            Some(first) => first,
            None => {
                let first = self.moves.len();
                self.list(noise);
                self.steps.last_mut().expect("as above").first = Some(first);
                first
            }
        };
        let step = self.steps.last().expect("as above");
        if self.moves.len() == first || self.steps.len() >= PLIES {
            // A dead end: one step back.
            let step = self.steps.pop().expect("as above");
            self.moves.truncate(first);
            self.dead.push(step.position);
            self.line.pop();
            return false;
        }
        // The last among equals, in the generator's order: nothing but the position decides.
        let scores = self.moves[first..].iter().map(|(score, _)| score);
        let best = scores.enumerate().max_by_key(|&(_, score)| score);
        let (best, _) = best.expect("the list isn't empty");
        let (_, m) = self.moves.remove(first + best);
        if step.scripted == Some(m) {
            return false;
        }
        let next = step.position.after(m);
        if !self.is_new(&next) {
            return false;
        }
        // White takes what it wants to be rid of, or for want of anything better.
        let promotes = m.promotion().is_some();
        let changes = promotes || m.capture().is_some() && step.position.turn() == Color::Black;
        self.follow(m, next, promotes, changes, noise);
        true
    }

    /// Goes on to the position after `m`, a move that `gains` something or not, and with another
    /// plan if it `changes` what there is to plan with.
    fn follow(
        &mut self,
        m: Move,
        next: Position,
        makes_progress: bool,
        changes: bool,
        noise: &mut Noise,
    ) {
        let step = self.steps.last().expect("the caller has looked");
        let (mut plan, mut promoting) = (step.plan, step.promoting_after(m));
        self.idle = if makes_progress { 0 } else { self.idle + 1 };
        let stale = self.idle > 0 && self.idle.is_multiple_of(STALE);
        if (changes || stale)
            && let Some(anew) = noise.choose(&next)
        {
            (plan, promoting) = (self.plans.len(), anew.promoting);
            self.plans.push(anew);
        }
        self.line.push(m);
        self.enter(next, plan, promoting);
    }

    fn is_new(&self, position: &Position) -> bool {
        if self.met & mark(position) == 0 {
            return true;
        }
        // The side to move alternates: every second position can't be the same.
        let mut pairs = self.steps.rchunks_exact(2);
        pairs.all(|pair| pair[0].position != *position) && !self.dead.contains(position)
    }

    /// Lists the moves of the last step.
    fn list(&mut self, noise: &mut Noise) {
        let step = self.steps.last().expect("there is one");
        let plan = &self.plans[step.plan];
        let first = self.moves.len();
        ordering::list(&step.position, plan, step.promoting, &mut self.moves);
        for (score, _) in &mut self.moves[first..] {
            *score += noise.jitter();
        }
    }
}

/// One bit of 64, the same for equal positions: nearly all that differ are told apart by it.
fn mark(position: &Position) -> u64 {
    let (white, black) = (position.of(Color::White).0, position.of(Color::Black).0);
    let mixed = (white ^ black.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    1 << (mixed >> 58)
}

impl Step {
    /// Where the promoting pawn stands after `m`; `None` once it is taken.
    fn promoting_after(&self, m: Move) -> Option<Square> {
        let promoting = self.promoting?;
        if self.position.turn() == Color::Black {
            // In passing, a pawn is taken that stands beside the taker.
            let victim = if m.is_en_passant() {
                Square::from_coords(m.to().file(), m.from().rank())
            } else {
                m.to()
            };
            return (victim != promoting).then_some(promoting);
        }
        if m.from() != promoting {
            return Some(promoting);
        }
        m.promotion().is_none().then(|| m.to())
    }
}

/// A small generator of noise, the same in every run (xorshift; seed 0 is silent).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn jitter(&mut self) -> i32 {
        if self.0 == 0 {
            0
        } else {
            (self.next() % 13) as i32
        }
    }

    /// One of the cheapest plans; the very cheapest when silent.
    fn choose(&mut self, position: &Position) -> Option<Plan> {
        if self.0 == 0 {
            return plan::plan(position);
        }
        let plans: ArrayVec<Plan, MOST_PLANS> = plan::plans(position, 3);
        if plans.is_empty() {
            return None;
        }
        Some(plans[(self.next() % plans.len() as u64) as usize])
    }
}

#[cfg(test)]
mod tests {
    use stillmate_proof::replay;

    use super::*;

    fn finds(fen: &str) {
        let position = Position::from_fen(fen).unwrap();
        let line = rollouts(&position, &Meter::of_nodes(100_000)).unwrap();
        let line = line.unwrap_or_else(|| panic!("no line for {fen}"));
        replay(&position, Color::White, &line).unwrap();
    }

    #[test]
    fn a_runner_that_is_taken_in_passing_runs_no_more() {
        let position = Position::from_fen("4k3/8/8/8/3pP2p/8/8/4K3 b - e3").unwrap();
        let step = Step {
            position,
            plan: 0,
            promoting: Some(Square::E4),
            scripted: None,
            first: None,
        };
        for m in position.legal_moves() {
            let left = step.promoting_after(m).is_some();
            let next = position.after(m);
            assert_eq!(left, next.of(Color::White).contains(Square::E4), "{m}");
            assert_eq!(left, !m.is_en_passant(), "{m}");
        }
    }

    #[test]
    fn ordinary_positions_need_nothing_else() {
        finds("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
        finds("4k3/8/8/8/8/8/4P3/4K3 w - -");
        finds("8/5p1k/6p1/R7/1n2N3/1P4PP/2r2PK1/8 w - -");
        finds("8/8/8/8/3k4/8/8/R3K3 b - -");
    }
}
