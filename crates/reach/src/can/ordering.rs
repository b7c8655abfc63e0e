//! What a move does for a plan: a number from a few look-ups, without making the move.
//!
//! White mates; callers mirror the board.

use shakmaty::attacks::queen_attacks;
use stillmate_core::{Bitboard, Color, Move, Position, Role, Square};

use crate::{
    can::{
        plan::{Layers, Plan, Strike},
        scripted::{attackers, steps_ahead, white_ahead},
    },
    geometry::attacks_from,
};

/// Adds every legal move with its score to `moves`, in the generator's order. Ten points are a
/// king's step on its way.
pub(crate) fn list(
    position: &Position,
    plan: &Plan,
    promoting: Option<Square>,
    moves: &mut Vec<(i32, Move)>,
) {
    match position.turn() {
        Color::White => {
            let view = WhiteView::new(position, plan, promoting);
            // A man's moves follow each other.
            let mut left: Option<(Square, i32)> = None;
            position.for_each_legal_move(|m| {
                let leave = match left {
                    Some((from, score)) if from == m.from() => score,
                    _ => view.leave(m.role(), m.from()),
                };
                left = Some((m.from(), leave));
                moves.push((leave + view.arrive(m), m));
            });
        }
        Color::Black => {
            let view = BlackView::new(position, plan, promoting);
            position.for_each_legal_move(|m| moves.push((view.score(m), m)));
        }
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
    promoting: Option<Square>,
    ahead: Bitboard,
    occupied: Bitboard,
    black_king: Square,
    /// Squares on which the striker is ready.
    ready: Bitboard,
    takers: Bitboard,
    contact: Option<Square>,
    /// The promoting pawn's way ahead.
    route: Bitboard,
}

impl<'a> WhiteView<'a> {
    fn new(position: &'a Position, plan: &'a Plan, promoting: Option<Square>) -> WhiteView<'a> {
        let occupied = position.occupied();
        let contact = match plan.strike {
            Strike::Contact(square) => Some(square),
            Strike::Line { .. } | Strike::Near => None,
        };
        WhiteView {
            position,
            plan,
            promoting,
            ahead: steps_ahead(position, plan),
            occupied,
            black_king: position.king(Color::Black),
            ready: contact.map_or(Bitboard::EMPTY, |contact| queen_attacks(contact, occupied)),
            takers: contact.map_or(Bitboard::EMPTY, |contact| {
                position.attackers(contact, Color::Black, occupied)
            }),
            contact,
            route: plan.route_ahead(promoting).0,
        }
    }

    /// What it does that a man leaves its square.
    fn leave(&self, role: Role, from: Square) -> i32 {
        let plan = self.plan;
        let before = attacks_from(role, Color::White, from, self.occupied);
        let on = |squares: Bitboard| i32::from(squares.contains(from));
        let mut score = 6 * on(self.ahead);
        match role {
            Role::Queen => score -= 7 * on(self.ready),
            Role::King | Role::Pawn | Role::Rook | Role::Bishop | Role::Knight => {}
        }
        if let Some(contact) = self.contact
            && !matches!(role, Role::Queen | Role::King)
            && before.contains(contact)
        {
            score -= 9;
        }
        if let Strike::Line { line, .. } = plan.strike
            && matches!(role, Role::Rook | Role::Queen)
        {
            score -= 4 * i32::from(before.intersects(line));
        }
        score += 6 * i32::from(before.intersects(self.ahead));
        if self.promoting != Some(from) {
            score += 8 * on(self.route);
        }
        score
    }

    /// What a move does besides.
    fn arrive(&self, m: Move) -> i32 {
        let plan = self.plan;
        let mut score = 0;
        let role = m.promotion().unwrap_or(m.role());
        let attacked = attacks_from(role, Color::White, m.to(), self.occupied);
        if attacked.contains(self.black_king) {
            // A check that doesn't mate sends Black's king astray.
            score -= if m.promotion().is_some() { 45 } else { 15 };
        }
        let on = |squares: Bitboard| i32::from(squares.contains(m.to()));
        match m.role() {
            Role::King => {
                if let Some(ways) = &plan.white {
                    score += step_gain(ways, m.from(), m.to());
                }
            }
            Role::Pawn => {
                let steps = i32::from(m.to().rank()) - i32::from(m.from().rank());
                if self.promoting == Some(m.from()) {
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
                score += 7 * on(self.ready);
                if self.contact == Some(m.to()) {
                    score -= 8;
                }
            }
            Role::Rook | Role::Bishop | Role::Knight => {}
        }
        if let Some(contact) = self.contact
            && !matches!(m.role(), Role::Queen | Role::King)
        {
            if plan.wants_guard {
                score += 9 * i32::from(attacked.contains(contact));
            }
            if m.to() == contact {
                score -= 6;
            }
        }
        if let Strike::Line { line, .. } = plan.strike
            && matches!(m.role(), Role::Rook | Role::Queen)
        {
            score += 4 * i32::from(attacked.intersects(line));
        }
        score -= 8 * i32::from(attacked.intersects(self.ahead)) + 6 * on(self.ahead);
        if self.promoting != Some(m.from()) {
            score -= 8 * on(self.route);
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
    /// The promoting pawn's way ahead, and the men it takes there.
    route: Bitboard,
    to_capture: Bitboard,
    /// White men that the plan can't do without.
    costly: Bitboard,
    takers: Bitboard,
    contact: Bitboard,
    /// Squares on which White's king comes nearer to where it helps, and who bars them.
    white_ahead: Bitboard,
    bars: Bitboard,
}

impl<'a> BlackView<'a> {
    fn new(position: &Position, plan: &'a Plan, promoting: Option<Square>) -> BlackView<'a> {
        let occupied = position.occupied();
        let heavy = position.with_role(Role::Queen) | position.with_role(Role::Rook);
        let pawn = promoting.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let (route, to_capture) = plan.route_ahead(promoting);
        let white = position.of(Color::White);
        let costly = match plan.strike {
            Strike::Contact(contact) => {
                white & (heavy | pawn) | position.attackers(contact, Color::White, occupied)
            }
            Strike::Line { .. } => white & (heavy | pawn),
            Strike::Near => white,
        };
        let white_king = position.king(Color::White);
        let white_ahead = white_ahead(position, plan);
        let contact = plan.strike.squares();
        BlackView {
            plan,
            ahead: steps_ahead(position, plan),
            occupied,
            white_king,
            route: route | pawn,
            to_capture,
            costly,
            takers: attackers(position, contact, occupied),
            contact,
            white_ahead,
            bars: white_ahead | attackers(position, white_ahead, occupied.without(white_king)),
        }
    }

    fn score(&self, m: Move) -> i32 {
        let plan = self.plan;
        let mut score = 0;
        if m.capture().is_some() {
            score -= if self.costly.contains(m.to()) { 80 } else { 6 };
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
        let bars = attacked.with(m.to()).intersects(self.white_ahead);
        score += 6 * (i32::from(self.bars.contains(m.from())) - i32::from(bars));
        let goes = |squares: Bitboard, weight: i32| {
            weight * (i32::from(squares.contains(m.from())) - i32::from(squares.contains(m.to())))
        };
        score + goes(self.route, 10) - goes(self.to_capture, 10)
            + goes(plan.target.into(), 8)
            + goes(self.ahead, 5)
    }
}
