//! A pattern of a mate as a goal: which men have to come where.
//!
//! White's king and the *striker*, the minor piece that mates; Black's king; and a fourth man,
//! either another piece of White's that guards or a man of Black's that stands in its king's
//! way. The numbers are estimates: they steer, and prove nothing.
//!
//! White mates; callers mirror the board.

use arrayvec::ArrayVec;
use stillmate_core::{Color, Move, Role, Square};

/// Moves from each square to some goal; [`FAR`] where there is no way.
pub(crate) type Moves = [u8; 64];
pub(crate) const FAR: u8 = 60;

/// Where the men of a pattern stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Placement {
    /// White's king, the striker, Black's king and the fourth man.
    pub(crate) men: [Square; 4],
    /// Whether the fourth man was a pawn and has promoted.
    pub(crate) promoted: bool,
}

/// A pattern as the goal of a position.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    /// The men as they stand now.
    pub(crate) placement: Placement,
    /// The moves that each of them needs.
    pub(crate) moves: [Moves; 4],
    /// Whose the fourth man is.
    pub(crate) fourth: Color,
    /// What it becomes if it has to promote, and the moves that it needs then.
    pub(crate) promotion: Option<(Role, Moves)>,
    /// Which of the four comes last, and to where: it can't wait there, but has to leave and
    /// come again.
    pub(crate) last: (usize, Square),
}

impl Goal {
    /// Where the men stand after a move; `None` if the pattern is lost by it.
    pub(crate) fn after(&self, placement: &Placement, m: Move) -> Option<Placement> {
        // Castling is no way into a corner.
        if placement.men.contains(&m.to()) || m.is_castle() {
            return None;
        }
        let mut next = *placement;
        let place = placement.men.iter().position(|square| *square == m.from());
        if let Some(place) = place {
            next.men[place] = m.to();
            if let (3, Some(role)) = (place, m.promotion()) {
                let wanted = self
                    .promotion
                    .as_ref()
                    .is_some_and(|(kind, _)| *kind == role);
                next.promoted = wanted.then_some(true)?;
            }
        }
        Some(next)
    }

    /// Roughly how far the men are from mate: eighths of a ply.
    pub(crate) fn cost(&self, turn: Color, placement: &Placement) -> u32 {
        let fourth = match &self.promotion {
            Some((_, moves)) if placement.promoted => moves,
            _ => &self.moves[3],
        };
        let tables = [&self.moves[0], &self.moves[1], &self.moves[2], fourth];
        let mut needs: [u32; 4] =
            std::array::from_fn(|man| u32::from(tables[man][usize::from(placement.men[man])]));
        let (last, place) = self.last;
        if placement.men[last] == place && needs.iter().sum::<u32>() > needs[last] {
            needs[last] += 2;
        }
        let [king, striker, home, fourth] = needs;
        let (guard, blocker) = self.fourth.fold_wb((fourth, 0), (0, fourth));
        cost(turn, king + striker + guard, home + blocker)
    }
}

/// The plies to a mate for which White needs so many moves, the mating one not counted, and
/// Black so many, in eighths; of equals, that with less left to do is nearer. The side that is
/// ahead waits for free.
pub(crate) fn cost(turn: Color, white: u32, black: u32) -> u32 {
    let plies = match turn {
        Color::White => 2 * white.max(black) + 1,
        Color::Black => 2 * black.max(white + 1),
    };
    8 * plies + 2 * (white + black)
}

/// The few things that cost least, in order.
pub(crate) struct Cheapest<T, const N: usize>(ArrayVec<(u32, T), N>);

impl<T, const N: usize> Cheapest<T, N> {
    pub(crate) fn new() -> Cheapest<T, N> {
        Cheapest(ArrayVec::new())
    }

    /// What costs so much or more is of no use.
    pub(crate) fn bound(&self) -> u32 {
        match self.0.last() {
            Some((cost, _)) if self.0.is_full() => *cost,
            _ => cost(Color::White, u32::from(FAR), 0),
        }
    }

    pub(crate) fn keep(&mut self, cost: u32, thing: T) {
        if cost < self.bound() {
            self.0.truncate(N - 1);
            let place = self.0.partition_point(|(other, _)| *other <= cost);
            self.0.insert(place, (cost, thing));
        }
    }

    pub(crate) fn in_order(self) -> impl Iterator<Item = T> {
        self.0.into_iter().map(|(_, thing)| thing)
    }
}

#[cfg(test)]
mod tests {
    use stillmate_core::Position;

    use super::*;

    /// A pawn on a2 that is to come to b3 as a knight, Black's king at home, White to walk to d1.
    fn goal() -> Goal {
        let to = |goal: Square| Square::ALL.map(|from| from.distance(goal) as u8);
        let mut knight = [FAR; 64];
        knight[usize::from(Square::A1)] = 1;
        knight[usize::from(Square::B3)] = 0;
        Goal {
            placement: Placement {
                men: [Square::D1, Square::D2, Square::H8, Square::A2],
                promoted: false,
            },
            moves: [to(Square::D1), to(Square::D2), to(Square::H8), [2; 64]],
            fourth: Color::Black,
            promotion: Some((Role::Knight, knight)),
            last: (3, Square::B3),
        }
    }

    #[test]
    fn a_promotion_counts_if_it_is_the_one_that_is_wanted() {
        let goal = goal();
        let position = Position::from_fen("7k/8/8/8/8/8/p2B4/3K4 b - -").unwrap();
        let moves = position.legal_moves();
        let promotes = |role| moves.iter().find(|m| m.promotion() == Some(role)).unwrap();
        let next = goal
            .after(&goal.placement, *promotes(Role::Knight))
            .unwrap();
        assert!(next.promoted && next.men[3] == Square::A1);
        assert!(goal.cost(Color::White, &next) < goal.cost(Color::Black, &goal.placement));
        assert_eq!(goal.after(&goal.placement, *promotes(Role::Queen)), None);
    }

    #[test]
    fn who_comes_last_must_not_be_early() {
        let goal = goal();
        let early = |king| Placement {
            men: [king, Square::D2, Square::H8, Square::B3],
            promoted: true,
        };
        assert_eq!(
            goal.cost(Color::White, &early(Square::D1)),
            cost(Color::White, 0, 0)
        );
        assert_eq!(
            goal.cost(Color::White, &early(Square::E1)),
            cost(Color::White, 1, 2)
        );
    }

    #[test]
    fn the_cheapest_are_kept_in_order() {
        let mut best: Cheapest<char, 2> = Cheapest::new();
        for (cost, thing) in [(5, 'a'), (3, 'b'), (4, 'c'), (4, 'd')] {
            best.keep(cost, thing);
        }
        assert_eq!(best.bound(), 4);
        assert_eq!(best.in_order().collect::<String>(), "bc");
    }
}
