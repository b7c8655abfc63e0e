//! Playing one plan out, greedily, with hardly any search.
//!
//! Where the plan dictates a move, that is played at once. Elsewhere every legal move gets a
//! score from the plan's tables (a few look-ups) and the best one is played. A dead end costs
//! one step back. In ordinary positions a rollout of the best plan ends in mate after some
//! twenty positions; where it doesn't, the next plan is tried, then the best ones with noise on
//! the scores.
//!
//! White mates; callers mirror the board.

use arrayvec::ArrayVec;
use shakmaty::attacks::{
    bishop_attacks, knight_attacks, pawn_attacks, queen_attacks, rook_attacks,
};
use stillmate_core::{Bitboard, Color, Key, Move, Position, Role, Square};

use crate::{
    mate::attacks_from,
    meter::{Meter, Stopped},
    search::{
        express::{self, steps_ahead},
        plan::{self, Layers, MOST_PLANS, Plan, Strike},
    },
};

/// Positions that one rollout may visit.
const NODES: u64 = 56;
/// Longest line that a rollout may play, in plies.
const PLIES: usize = 64;
/// Rollouts with noise, after those that follow the plans to the letter.
const NOISY: u64 = 6;
/// A plan is made anew after this many of Black's moves that no plan dictated.
const REPLAN: u32 = 9;

/// Tries the cheapest plans in turn, then noisy variations; the first mate wins.
pub(crate) fn rollouts(
    position: &Position,
    meter: &Meter<'_>,
) -> Result<Option<Vec<Move>>, Stopped> {
    let mut rollout = Rollout::default();
    let Some(plan) = plan::plan(position) else {
        return Ok(None);
    };
    if let Some(line) = rollout.play(position, &plan, 0, meter)? {
        return Ok(Some(line));
    }
    let plans = plan::plans(position, MOST_PLANS);
    for plan in plans.iter().skip(1).take(3) {
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
pub(crate) fn first(position: &Position, meter: &Meter<'_>) -> Result<Option<Vec<Move>>, Stopped> {
    match plan::plan(position) {
        Some(plan) => Rollout::default().play(position, &plan, 0, meter),
        None => Ok(None),
    }
}

/// One position of the line, with the moves that are still to be tried there.
struct Step {
    position: Position,
    key: Key,
    /// The plan followed here, by its place in [`Rollout::plans`].
    plan: usize,
    /// The pawn that runs, where it stands now.
    runner: Option<Square>,
    /// The move that the plan dictated, once it has been tried.
    dictated: Option<Move>,
    /// Where this step's moves begin in [`Rollout::moves`], once they have been listed.
    first: Option<usize>,
}

#[derive(Default)]
struct Rollout {
    steps: Vec<Step>,
    moves: Vec<(i32, Move)>,
    plans: Vec<Plan>,
    dead: Vec<Key>,
    line: Vec<Move>,
    /// Black's moves since the plan was made that no plan dictated.
    aimless: u32,
}

impl Rollout {
    fn play(
        &mut self,
        start: &Position,
        plan: &Plan,
        seed: u64,
        meter: &Meter<'_>,
    ) -> Result<Option<Vec<Move>>, Stopped> {
        self.steps.clear();
        self.moves.clear();
        self.dead.clear();
        self.line.clear();
        self.plans.clear();
        self.plans.push(*plan);
        self.aimless = 0;
        let mut noise = Noise(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut spent = 1;
        self.enter(*start, Key::new(start), 0, plan.runner);
        let found = loop {
            let Some(step) = self.steps.last() else {
                break false;
            };
            if let Some(mate) = self.finish(step) {
                self.line.push(mate);
                break true;
            }
            if spent >= NODES {
                break false;
            }
            match self.advance(&mut noise) {
                Advance::Mate(m) => {
                    self.line.push(m);
                    break true;
                }
                Advance::Entered => spent += 1,
                Advance::Back => {}
            }
        };
        meter.spend(spent)?;
        Ok(found.then(|| self.line.clone()))
    }

    fn enter(&mut self, position: Position, key: Key, plan: usize, runner: Option<Square>) {
        self.steps.push(Step {
            position,
            key,
            plan,
            runner,
            dictated: None,
            first: None,
        });
    }

    /// The plan's mate, where a position is met for the first time.
    fn finish(&self, step: &Step) -> Option<Move> {
        let plan = &self.plans[step.plan];
        let there = step.position.turn() == Color::White
            && step.dictated.is_none()
            && step.first.is_none()
            && plan.black.distance(step.position.king(Color::Black)) == Some(0);
        if there {
            express::strike(&step.position, plan).map(|(m, _)| m)
        } else {
            None
        }
    }

    /// Goes one move on, or one back.
    fn advance(&mut self, noise: &mut Noise) -> Advance {
        let step = self.steps.last().expect("the caller has looked");
        if step.dictated.is_none() && step.first.is_none() && step.position.checkers().is_empty() {
            let plan = &self.plans[step.plan];
            let dictated = match step.position.turn() {
                Color::White => express::white(&step.position, plan, step.runner),
                Color::Black => express::black(&step.position, plan, step.runner),
            };
            if let Some((m, next)) = dictated {
                let key = Key::new(&next);
                if self.is_new(&key) {
                    let (plan, runner) = (step.plan, step.runner_after(m));
                    self.steps.last_mut().expect("as above").dictated = Some(m);
                    self.line.push(m);
                    self.enter(next, key, plan, runner);
                    return Advance::Entered;
                }
            }
        }
        let first = match step.first {
            Some(first) => first,
            None => {
                let first = self.moves.len();
                if let Some(mate) = self.list(noise) {
                    return Advance::Mate(mate);
                }
                self.steps.last_mut().expect("as above").first = Some(first);
                first
            }
        };
        let step = self.steps.last().expect("as above");
        if self.moves.len() == first || self.steps.len() >= PLIES {
            // A dead end: one step back.
            let step = self.steps.pop().expect("as above");
            self.moves.truncate(first);
            self.dead.push(step.key);
            self.line.pop();
            return Advance::Back;
        }
        let (_, m) = self.moves.pop().expect("the list isn't empty");
        if step.dictated == Some(m) {
            return Advance::Back;
        }
        let next = step.position.after(m);
        let key = Key::new(&next);
        if !self.is_new(&key) {
            return Advance::Back;
        }
        let (mut plan, mut runner) = (step.plan, step.runner_after(m));
        if step.position.turn() == Color::Black {
            self.aimless += 1;
        }
        if m.promotion().is_some() || m.capture().is_some() || self.aimless > REPLAN {
            self.aimless = 0;
            if let Some(better) = noise.choose(&next) {
                plan = self.plans.len();
                runner = better.runner;
                self.plans.push(better);
            }
        }
        self.line.push(m);
        self.enter(next, key, plan, runner);
        Advance::Entered
    }

    fn is_new(&self, key: &Key) -> bool {
        !self.dead.contains(key) && self.steps.iter().all(|step| step.key != *key)
    }

    /// Lists the moves of the last step, worst first; the mating move if there is one.
    fn list(&mut self, noise: &mut Noise) -> Option<Move> {
        let step = self.steps.last().expect("there is one");
        let (position, plan) = (&step.position, &self.plans[step.plan]);
        let first = self.moves.len();
        let moves = position.legal_moves();
        if position.turn() == Color::White {
            let view = WhiteView::new(position, plan, step.runner);
            for m in moves {
                let mut score = view.score(m) + noise.jitter();
                if view.may_check(m) {
                    let next = position.after(m);
                    if next.checkers().any() {
                        if !next.has_legal_move() {
                            return Some(m);
                        }
                        score -= 15;
                    }
                }
                self.moves.push((score, m));
            }
        } else {
            let view = BlackView::new(position, plan, step.runner);
            self.moves.extend(
                moves
                    .into_iter()
                    .map(|m| (view.score(m) + noise.jitter(), m)),
            );
        }
        // Stable, so that equal scores keep the generator's order: the line depends on
        // nothing but the position.
        self.moves[first..].sort_by_key(|&(score, _)| score);
        None
    }
}

enum Advance {
    /// This move mates.
    Mate(Move),
    /// A new position was entered.
    Entered,
    /// Nothing new: a move led nowhere, or there was none left.
    Back,
}

impl Step {
    /// Where the runner stands after `m`; a runner that is taken is none any more.
    fn runner_after(&self, m: Move) -> Option<Square> {
        let runner = self.runner?;
        if self.position.turn() == Color::Black {
            return (m.to() != runner).then_some(runner);
        }
        if m.from() != runner {
            return Some(runner);
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

/// What a king's step gains on its way.
fn step_gain(ways: &Layers, from: Square, to: Square) -> i32 {
    match (ways.distance(from), ways.distance(to)) {
        (Some(from), Some(to)) => 10 * (from as i32 - to as i32),
        (None, Some(_)) => 10,
        (Some(_), None) => -12,
        (None, None) => 0,
    }
}

struct WhiteView<'a> {
    position: &'a Position,
    plan: &'a Plan,
    runner: Option<Square>,
    ahead: Bitboard,
    occupied: Bitboard,
    /// Squares from which a man of each line checks.
    diagonal: Bitboard,
    straight: Bitboard,
    knight: Bitboard,
    pawn: Bitboard,
    /// Squares on which the striker is ready.
    ready: Bitboard,
    takers: Bitboard,
    contact: Option<Square>,
}

impl<'a> WhiteView<'a> {
    fn new(position: &'a Position, plan: &'a Plan, runner: Option<Square>) -> WhiteView<'a> {
        let king = position.king(Color::Black);
        let occupied = position.occupied();
        let contact = match plan.strike {
            Strike::Contact(square) => Some(square),
            Strike::Line { .. } | Strike::Near => None,
        };
        let ready = match plan.strike {
            Strike::Contact(square) => queen_attacks(square, occupied),
            Strike::Line { .. } | Strike::Near => Bitboard::EMPTY,
        };
        WhiteView {
            position,
            plan,
            runner,
            ahead: steps_ahead(position, plan),
            occupied,
            diagonal: bishop_attacks(king, occupied),
            straight: rook_attacks(king, occupied),
            knight: knight_attacks(king),
            pawn: pawn_attacks(Color::Black, king),
            ready,
            takers: contact.map_or(Bitboard::EMPTY, |contact| {
                position.attackers(contact, Color::Black, occupied)
            }),
            contact,
        }
    }

    /// Whether the move may give check; never wrong about moves that do.
    fn may_check(&self, m: Move) -> bool {
        if m.promotion().is_some() || m.is_castle() || m.is_en_passant() {
            return true;
        }
        // A man that leaves a line to the king may uncover another one behind it.
        if (self.diagonal | self.straight).contains(m.from()) {
            return true;
        }
        let squares = match m.role() {
            Role::Pawn => self.pawn,
            Role::Knight => self.knight,
            Role::Bishop => self.diagonal,
            Role::Rook => self.straight,
            Role::Queen => self.diagonal | self.straight,
            Role::King => Bitboard::EMPTY,
        };
        squares.contains(m.to())
    }

    fn score(&self, m: Move) -> i32 {
        let plan = self.plan;
        let mut score = 0;
        let attacked = attacks_from(m.role(), Color::White, m.to(), self.occupied);
        match m.role() {
            Role::King => {
                if let Some(ways) = &plan.white {
                    score += step_gain(ways, m.from(), m.to());
                }
            }
            Role::Pawn => {
                let steps = i32::from(m.to().rank()) - i32::from(m.from().rank());
                if self.runner == Some(m.from()) {
                    score += match m.promotion() {
                        Some(Role::Queen) => 60,
                        Some(_) => 0,
                        None => 10 + 2 * steps,
                    };
                } else {
                    score -= 1;
                }
            }
            Role::Queen => {
                let on = |square| i32::from(self.ready.contains(square));
                score += 7 * (on(m.to()) - on(m.from()));
                if self.contact == Some(m.to()) {
                    score -= 8;
                }
            }
            Role::Rook | Role::Bishop | Role::Knight => {}
        }
        if let Some(contact) = self.contact
            && !matches!(m.role(), Role::Queen | Role::King)
        {
            let guards = i32::from(attacked.contains(contact));
            if plan.wants_guard {
                score += 9 * guards;
            }
            let before = attacks_from(m.role(), Color::White, m.from(), self.occupied);
            if before.contains(contact) {
                score -= 9;
            }
            if m.to() == contact {
                score -= 6;
            }
        }
        if let Strike::Line { line, .. } = plan.strike
            && matches!(m.role(), Role::Rook | Role::Queen)
        {
            let reaches = |square| {
                i32::from(
                    attacks_from(m.role(), Color::White, square, self.occupied).intersects(line),
                )
            };
            score += 4 * (reaches(m.to()) - reaches(m.from()));
        }
        if attacked.intersects(self.ahead) {
            score -= 6;
        }
        if self.ahead.contains(m.to()) {
            score -= 6;
        }
        if m.capture().is_some() {
            score += if self.takers.contains(m.to()) { 8 } else { 1 };
            if self.position.of(Color::Black).count() <= 2 {
                // Black's last man makes Black's waiting moves.
                score -= 3;
            }
        }
        score
    }
}

struct BlackView<'a> {
    plan: &'a Plan,
    ahead: Bitboard,
    occupied: Bitboard,
    white_king: Square,
    /// The runner's way to the last rank.
    way: Bitboard,
    /// White men that the plan can't do without.
    dear: Bitboard,
    takers: Bitboard,
    contact: Bitboard,
}

impl<'a> BlackView<'a> {
    fn new(position: &Position, plan: &'a Plan, runner: Option<Square>) -> BlackView<'a> {
        let occupied = position.occupied();
        let heavy = position.with_role(Role::Queen) | position.with_role(Role::Rook);
        let pawn = runner.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let way = runner.map_or(Bitboard::EMPTY, |pawn| {
            let file = Bitboard::from_file(pawn.file());
            file & !Bitboard((1_u64 << u32::from(pawn)) - 1)
        });
        let mut view = BlackView {
            plan,
            ahead: steps_ahead(position, plan),
            occupied,
            white_king: position.king(Color::White),
            way,
            dear: position.of(Color::White) & (heavy | pawn),
            takers: Bitboard::EMPTY,
            contact: Bitboard::EMPTY,
        };
        match plan.strike {
            Strike::Contact(contact) => {
                view.contact = contact.into();
                view.dear |= position.attackers(contact, Color::White, occupied);
                view.takers = position.attackers(contact, Color::Black, occupied);
            }
            Strike::Line { path, .. } => {
                view.contact = path;
                view.takers = path.into_iter().fold(Bitboard::EMPTY, |all, square| {
                    all | position.attackers(square, Color::Black, occupied)
                });
            }
            Strike::Near => view.dear = position.of(Color::White),
        }
        view
    }

    fn score(&self, m: Move) -> i32 {
        let plan = self.plan;
        let mut score = 0;
        if m.capture().is_some() {
            score -= if self.dear.contains(m.to()) { 80 } else { 6 };
        }
        if m.role() == Role::King {
            return score + step_gain(&plan.black, m.from(), m.to());
        }
        let role = m.promotion().unwrap_or(m.role());
        let attacked = attacks_from(role, Color::Black, m.to(), self.occupied);
        if attacked.contains(self.white_king) {
            score -= 20;
        }
        let took = self.takers.contains(m.from());
        score += 8 * (i32::from(took) - i32::from(attacked.intersects(self.contact)));
        if m.promotion().is_some() {
            score -= 8;
        }
        let goes = |squares: Bitboard, weight: i32| {
            weight * (i32::from(squares.contains(m.from())) - i32::from(squares.contains(m.to())))
        };
        score + goes(self.way, 10) + goes(plan.target.into(), 8) + goes(self.ahead, 5)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use stillmate_proof::replay;

    use super::*;

    fn finds(fen: &str) {
        let position = Position::from_fen(fen).unwrap();
        let cancel = AtomicBool::new(false);
        let line = rollouts(&position, &Meter::new(100_000, None, &cancel)).unwrap();
        let line = line.unwrap_or_else(|| panic!("no line for {fen}"));
        replay(&position, Color::White, &line).unwrap();
    }

    #[test]
    fn ordinary_positions_need_nothing_else() {
        finds("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
        finds("4k3/8/8/8/8/8/4P3/4K3 w - -");
        finds("8/5p1k/6p1/R7/1n2N3/1P4PP/2r2PK1/8 w - -");
        finds("8/8/8/8/3k4/8/8/R3K3 b - -");
    }
}
