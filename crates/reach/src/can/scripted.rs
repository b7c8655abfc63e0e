//! Moves that a plan scripts, without generating the others.
//!
//! Most moves of a helpmate are obvious: the kings walk their ways, the pawn runs, the queen
//! goes to where she sees the contact square. Finding such a move takes a few look-ups and
//! one test that the mover's own king is safe, where a full list of moves costs ten times as
//! much.
//!
//! White mates; callers mirror the board.

use shakmaty::attacks::{between, king_attacks, pawn_attacks, queen_attacks, rook_attacks};
use stillmate_core::{Bitboard, Color, Move, Position, Rank, Role, Square};

use crate::{
    can::plan::{Plan, Strike},
    geometry::{attacks_from, attacks_from_any},
};

/// Most moves that a queen or rook makes before it is ready.
const LONGEST: usize = 3;

/// A move with the position after it.
type Step = (Move, Position);

/// A move that a plan scripts.
pub(crate) struct Scripted {
    pub(crate) m: Move,
    /// The position after it.
    pub(crate) next: Position,
    /// Whether it comes nearer to the mate, and doesn't only wait.
    pub(crate) makes_progress: bool,
}

impl Scripted {
    fn new((m, next): Step, makes_progress: bool) -> Scripted {
        Scripted {
            m,
            next,
            makes_progress,
        }
    }
}

/// Makes a move that goes along the man's lines, if that leaves the mover's king safe.
fn make(position: &Position, role: Role, from: Square, to: Square) -> Option<Step> {
    debug_assert!(position.pieces_of(position.turn(), role).contains(from));
    let last = role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
    let m = position.move_of(role, from, to, last.then_some(Role::Queen));
    let next = position.after(m);
    next.is_safe_after().then_some((m, next))
}

/// A piece's move to one of `goals` where it attacks none of `harm`.
fn go(
    position: &Position,
    role: Role,
    from: Square,
    goals: Bitboard,
    harm: Bitboard,
) -> Option<Step> {
    let (color, occupied) = (position.turn(), position.occupied());
    let targets = attacks_from(role, color, from, occupied) & goals;
    targets.into_iter().find_map(|to| {
        if attacks_from(role, color, to, occupied.without(from)).intersects(harm) {
            return None;
        }
        make(position, role, from, to)
    })
}

/// A step of `color`'s king on its way, to a square that is empty.
fn king_step(position: &Position, color: Color, ring: Bitboard) -> Option<Step> {
    let king = position.king(color);
    let targets = king_attacks(king) & ring & !position.occupied();
    targets
        .into_iter()
        .find_map(|to| make(position, Role::King, king, to))
}

/// White's next move by the plan; `None` where the plan says nothing or the move isn't there.
/// White isn't in check.
pub(crate) fn white(
    position: &Position,
    plan: &Plan,
    promoting: Option<Square>,
) -> Option<Scripted> {
    let push = promoting.and_then(|promoting| push(position, plan, promoting));
    let makes_progress = push
        .filter(promotes_well)
        .or_else(|| white_progress(position, plan, promoting))
        // A check sends Black's king astray, but it comes back while White goes on.
        .or_else(|| push.filter(|(_, next)| next.has_legal_move()));
    if let Some(step) = makes_progress {
        return Some(Scripted::new(step, true));
    }
    heavy_ready(position, plan)
        .or_else(|| guard_ready(position, plan))
        .or_else(|| white_waits(position, plan, promoting))
        .map(|step| Scripted::new(step, false))
}

/// White's move that comes nearer to the mate, but for a step of the promoting pawn on its route.
fn white_progress(position: &Position, plan: &Plan, promoting: Option<Square>) -> Option<Step> {
    let (route, _) = plan.route_ahead(promoting);
    if let Some(promoting) = promoting {
        let ahead = Square::new(u32::from(promoting) + 8);
        let black = position
            .of(Color::Black)
            .without(position.king(Color::Black));
        if ahead.rank() == Rank::Eighth {
            let captures = pawn_attacks(Color::White, promoting) & black;
            let mut steps = captures
                .into_iter()
                .map(|to| make(position, Role::Pawn, promoting, to));
            if let Some(step) = steps.find_map(|step| step.filter(promotes_well)) {
                return Some(step);
            }
        }
    }
    if let Some(ways) = &plan.white
        && let ring = ways.ahead(position.king(Color::White))
        && ring.any()
    {
        // Black's king has to pass.
        let ahead = steps_ahead(position, plan);
        let bars = |to: &Square| {
            ahead.any() && ahead.is_subset(king_attacks(*to) | Bitboard::from_square(*to))
        };
        let ring = ring & !ahead & !route;
        let ring = ring.into_iter().filter(|to| !bars(to)).collect();
        return king_step(position, Color::White, ring);
    }
    None
}

/// A step of the promoting pawn on its route.
fn push(position: &Position, plan: &Plan, promoting: Square) -> Option<Step> {
    let occupied = position.occupied();
    let to = plan.next_on_route(promoting)?;
    let open = if to.file() == promoting.file() {
        !(between(promoting, to).with(to)).intersects(occupied)
    } else {
        (pawn_attacks(Color::White, promoting) & position.of(Color::Black)).contains(to)
    };
    if !open {
        return None;
    }
    make(position, Role::Pawn, promoting, to)
}

/// A pawn or a fresh queen that checks sends Black's king astray or is taken; a queen that
/// leaves Black no move is no use at all.
fn promotes_well((m, next): &Step) -> bool {
    next.checkers().is_empty() && (m.promotion().is_none() || next.has_legal_move())
}

/// Brings a queen to where she sees the contact square, or a queen or rook to where it can go
/// to the line, without check.
fn heavy_ready(position: &Position, plan: &Plan) -> Option<Step> {
    let occupied = position.occupied();
    let queens = position.pieces_of(Color::White, Role::Queen);
    let (goals, rooks) = match plan.strike {
        Strike::Contact(contact) => (contact.into(), Bitboard::EMPTY),
        Strike::Line { path, .. } => {
            let goals = path & !king_attacks(plan.target) & !position.of(Color::White);
            (goals, position.pieces_of(Color::White, Role::Rook))
        }
        Strike::Near => return None,
    };
    let reach = |role, from, occupied| match role {
        Role::Rook => rook_attacks(from, occupied),
        _ => queen_attacks(from, occupied),
    };
    let sees = |role, from| reach(role, from, occupied).intersects(goals);
    let ready = |role, men: Bitboard| -> Bitboard {
        men.into_iter().filter(|&from| sees(role, from)).collect()
    };
    let (ready_rooks, ready_queens) = (ready(Role::Rook, rooks), ready(Role::Queen, queens));
    let king = position.king(Color::Black);
    let ahead = steps_ahead(position, plan);
    if (ready_rooks | ready_queens).any()
        && (ahead.any() || white_ahead(position, plan).any() || rooks.is_empty())
    {
        return None;
    }
    // All is ready and yet there is no mate: who is ready is needed where it stands.
    let arrive = |role: Role, men: Bitboard, ring: Bitboard| {
        men.into_iter()
            .find_map(|from| go(position, role, from, ring, ahead))
    };
    let (rooks, queens) = (rooks & !ready_rooks, queens & !ready_queens);
    let reserved = position.of(Color::White) | king_attacks(king).with(king);
    let open_to_rooks = !reserved & !rook_attacks(king, occupied);
    let open_to_queens = !reserved & !queen_attacks(king, occupied);
    let (mut rook_ring, mut queen_ring) = (goals, goals);
    for _ in 0..LONGEST {
        if rooks.any() {
            rook_ring =
                attacks_from_any(Role::Rook, Color::White, rook_ring, occupied) & open_to_rooks;
        }
        if queens.any() {
            queen_ring =
                attacks_from_any(Role::Queen, Color::White, queen_ring, occupied) & open_to_queens;
        }
        let step = arrive(Role::Rook, rooks, rook_ring)
            .or_else(|| arrive(Role::Queen, queens, queen_ring));
        if step.is_some() {
            return step;
        }
    }
    None
}

/// Brings another man to where it guards the contact square, where one is wanted, without check.
fn guard_ready(position: &Position, plan: &Plan) -> Option<Step> {
    let Strike::Contact(contact) = plan.strike else {
        return None;
    };
    if !plan.wants_guard {
        return None;
    }
    let occupied = position.occupied();
    let king = position.king(Color::Black);
    let ahead = steps_ahead(position, plan);
    let reserved = position.of(Color::White) | ahead.with(king);
    let guards = [Role::Knight, Role::Bishop, Role::Rook].map(|role| {
        let sights = attacks_from(role, Color::White, contact, occupied);
        (role, position.pieces_of(Color::White, role), sights)
    });
    if guards
        .iter()
        .any(|(_, men, sights)| men.intersects(*sights))
    {
        return None;
    }
    guards.into_iter().find_map(|(role, men, sights)| {
        let goals = sights & !reserved & !attacks_from(role, Color::White, king, occupied);
        men.into_iter()
            .find_map(|from| go(position, role, from, goals, ahead))
    })
}

/// Squares next to Black's king that are nearer to the plan's target.
pub(crate) fn steps_ahead(position: &Position, plan: &Plan) -> Bitboard {
    plan.black.ahead(position.king(Color::Black))
}

/// Black's next move by the plan: a step of the king on its way, or a pawn move that does no
/// harm. Black isn't in check.
pub(crate) fn black(
    position: &Position,
    plan: &Plan,
    promoting: Option<Square>,
) -> Option<Scripted> {
    let ahead = steps_ahead(position, plan);
    if ahead.any() {
        let step = king_step(position, Color::Black, ahead);
        if step.is_some() || ahead.intersects(position.of(Color::Black)) {
            return step.map(|step| Scripted::new(step, true));
        }
    }
    wait(position, plan, promoting).map(|step| Scripted::new(step, false))
}

/// A move of Black's that changes nothing for the plan: a pawn that harms nothing, or a piece
/// that stays off the squares that matter.
fn wait(position: &Position, plan: &Plan, promoting: Option<Square>) -> Option<Step> {
    let occupied = position.occupied();
    let white_king = position.king(Color::White);
    let matter = plan.strike.squares();
    if matter.is_empty() {
        return None;
    }
    // Men beside the target may have to stay, or to stay away.
    let near = king_attacks(plan.target).with(plan.target);
    let (route, to_capture) = plan.route_ahead(promoting);
    let ahead = white_ahead(position, plan);
    let reserved = near | route | matter | ahead;
    let takers = attackers(position, matter, occupied);
    let king = position.king(Color::Black);
    let pawns = position.pieces_of(Color::Black, Role::Pawn);
    let pieces = (position.of(Color::Black) & !pawns).without(king);
    let harmed = matter.with(white_king);
    let away = |from: Square, harm: Bitboard| {
        let role = position.role_at(from)?;
        go(position, role, from, !(occupied | reserved), harm)
    };
    // Who could take the striker, or is in the way, goes first.
    let busy = takers.without(king) | route & pieces | king_bars(position, ahead);
    if busy.any() {
        let harm = harmed | ahead;
        let mut men = (busy & pieces).into_iter();
        let step = men.find_map(|from| away(from, harm));
        if step.is_some() {
            return step;
        }
    }
    let free =
        pawns & !occupied.shift(8) & !Bitboard::from_rank(Rank::Second) & !near & !to_capture;
    let pawn = free.into_iter().rev().find_map(|from| {
        let to = Square::new(u32::from(from) - 8);
        let attacked = pawn_attacks(Color::Black, to);
        if reserved.contains(to) || attacked.intersects(harmed) {
            return None;
        }
        make(position, Role::Pawn, from, to)
    });
    pawn.or_else(|| {
        let free = pieces & !near & !to_capture;
        free.into_iter().find_map(|from| away(from, harmed))
    })
}

/// Black's men that attack one of `squares` while `occupied` blocks the lines.
pub(crate) fn attackers(position: &Position, squares: Bitboard, occupied: Bitboard) -> Bitboard {
    squares.into_iter().fold(Bitboard::EMPTY, |all, square| {
        all | position.attackers(square, Color::Black, occupied)
    })
}

/// Squares on which White's king comes nearer to where it helps.
pub(crate) fn white_ahead(position: &Position, plan: &Plan) -> Bitboard {
    let king = position.king(Color::White);
    plan.white
        .as_ref()
        .map_or(Bitboard::EMPTY, |ways| ways.ahead(king))
}

/// Black's men that bar every next step of White's king, on the squares `ahead` of it.
fn king_bars(position: &Position, ahead: Bitboard) -> Bitboard {
    let bare = position.occupied().without(position.king(Color::White));
    let mut all = Bitboard::EMPTY;
    for square in ahead {
        let bars = position.attackers(square, Color::Black, bare)
            | Bitboard::from(square) & position.of(Color::Black);
        if bars.is_empty() && !position.of(Color::White).contains(square) {
            return Bitboard::EMPTY;
        }
        all |= bars;
    }
    all
}

/// A move of White's that changes nothing for the plan, while Black's king is on its way.
fn white_waits(position: &Position, plan: &Plan, promoting: Option<Square>) -> Option<Step> {
    let king = position.king(Color::Black);
    if plan.black.distance(king)? == 0 {
        // Everything is ready, and yet there is no mate: waiting is no help.
        return None;
    }
    let occupied = position.occupied();
    let ahead = steps_ahead(position, plan);
    let bare = occupied.without(king);
    let white = position.of(Color::White);
    let barred =
        |square| white.contains(square) || position.attackers(square, Color::White, bare).any();
    if ahead.into_iter().all(barred) {
        return None;
    }
    let near = king_attacks(plan.target).with(plan.target);
    let reserved = near | plan.strike.squares();
    let pawns = position.pieces_of(Color::White, Role::Pawn) & !near;
    let free = pawns & !(occupied | reserved).shift(-8) & !Bitboard::from_rank(Rank::Seventh);
    free.into_iter()
        .filter(|&from| promoting != Some(from))
        .find_map(|from| {
            let to = Square::new(u32::from(from) + 8);
            let attacked = pawn_attacks(Color::White, to);
            if attacked.intersects(ahead.with(king)) || ahead.contains(to) {
                return None;
            }
            make(position, Role::Pawn, from, to)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::can::plan;

    /// The move that the cheapest plan scripts.
    fn scripted(fen: &str) -> Option<String> {
        let position = Position::from_fen(fen).unwrap();
        let plan = plan::plan(&position).unwrap();
        let step = match position.turn() {
            Color::White => white(&position, &plan, plan.promoting),
            Color::Black => black(&position, &plan, plan.promoting),
        };
        step.map(|step| step.m.uci())
    }

    #[test]
    fn a_runner_keeps_to_its_road_through_captures() {
        let route = scripted("k7/7p/6p1/7P/8/8/8/K7 w - -");
        assert_eq!(route.as_deref(), Some("h5g6"));
        let free = scripted("k7/8/6p1/7P/8/8/8/K7 w - -");
        assert_eq!(free.as_deref(), Some("h5h6"));
    }

    #[test]
    fn a_rook_comes_by_two_moves() {
        let near = scripted("k7/8/1K6/8/P6P/7R/8/8 w - -");
        assert!(near.is_some_and(|uci| uci.starts_with("h3")));
    }

    #[test]
    fn who_could_take_the_striker_leaves_before_anybody_waits() {
        let leaves = scripted("k2r4/8/1K6/8/8/8/p7/6R1 b - -");
        assert!(leaves.is_some_and(|uci| uci.starts_with("d8")));
        let waits = scripted("k7/8/1K6/8/8/8/p6n/6R1 b - -");
        assert!(waits.is_some_and(|uci| uci.starts_with("h2")));
    }
}
