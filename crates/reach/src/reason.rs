//! Why, in the user's terms: the rows of the case table.

use rustc_hash::FxHashSet;
use stillmate_core::{Bitboard, Color, Key, Move, MoveList, Position, Role};

/// A row of the case table of dead positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Case {
    /// Bare kings.
    BareKings = 1,
    /// Bishops of one square colour against a bare king.
    BishopsAgainstKing = 2,
    /// One knight against a bare king.
    KnightAgainstKing = 3,
    /// Bishops on both sides, all on one square colour.
    BishopsAgainstBishops = 4,
    /// Every line of play ends, and always in stalemate.
    Stalemate = 5,
    /// Play can go on for ever without a capture or pawn move.
    Locked = 6,
    /// Every line is forced into a position of the rows above.
    Forced = 7,
    /// Somebody can still mate, or has just mated.
    Alive = 8,
}

impl Case {
    /// The row that fits `position` if White and Black can mate or not; `None` while it depends
    /// on something undecided.
    pub fn of(position: &Position, white: Option<bool>, black: Option<bool>) -> Option<Case> {
        match (white, black) {
            (Some(true), _) | (_, Some(true)) => Some(Case::Alive),
            (Some(false), Some(false)) => dead_case(position),
            _ => None,
        }
    }

    /// The number of the row, 1 to 8.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// Positions that deciding between the rows 5, 6 and 7 may visit. Play that can go on for ever
/// is found within some ten positions; play that always ends is short.
const NODES: usize = 1_000_000;

/// The row of a dead position; `None` if finding it takes too much.
fn dead_case(position: &Position) -> Option<Case> {
    if let Some(case) = by_men(position) {
        return Some(case);
    }
    if goes_on(position, Play::Reversible)? {
        Some(Case::Locked)
    } else if goes_on(position, Play::Any)? {
        Some(Case::Forced)
    } else {
        Some(Case::Stalemate)
    }
}

/// Rows 1 to 4, which only look at the men on the board.
fn by_men(position: &Position) -> Option<Case> {
    let bishops = position.with_role(Role::Bishop);
    let knights = position.with_role(Role::Knight);
    let kings = position.with_role(Role::King);
    let both = Color::ALL
        .into_iter()
        .all(|color| bishops.intersects(position.of(color)));
    let one_colour =
        bishops.is_subset(Bitboard::DARK_SQUARES) || bishops.is_subset(Bitboard::LIGHT_SQUARES);
    if position.occupied() == kings {
        Some(Case::BareKings)
    } else if position.occupied() == kings | bishops && one_colour {
        Some(if both {
            Case::BishopsAgainstBishops
        } else {
            Case::BishopsAgainstKing
        })
    } else if position.occupied() == kings | knights && knights.count() == 1 {
        Some(Case::KnightAgainstKing)
    } else {
        None
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Play {
    /// Without captures and pawn moves.
    Reversible,
    /// By any legal moves.
    Any,
}

/// Whether play of this kind can go on for ever, which is to say that some position can come
/// back; `None` if that was too much to find out.
///
/// A depth-first search meets a position of its own path exactly if there is such a cycle.
/// Taking the last move back is tried first, since that is what endless play looks like.
fn goes_on(position: &Position, play: Play) -> Option<bool> {
    struct Step {
        key: Key,
        moves: MoveList,
    }
    let moves = |position: &Position, undo: Option<Move>| {
        let mut moves = position.legal_moves();
        if play == Play::Reversible {
            moves.retain(|m| !m.is_zeroing());
        }
        // The last move of the list is tried first.
        if let Some(undo) = undo {
            moves.sort_by_key(|m| m.from() == undo.to() && m.to() == undo.from());
        }
        moves
    };
    let root = Key::new(position);
    let mut on_path: FxHashSet<Key> = [root].into_iter().collect();
    let mut done: FxHashSet<Key> = FxHashSet::default();
    let mut path = vec![Step {
        key: root,
        moves: moves(position, None),
    }];
    let mut played: Vec<Move> = Vec::new();
    while let Some(step) = path.last_mut() {
        let Some(m) = step.moves.pop() else {
            on_path.remove(&step.key);
            done.insert(step.key);
            path.pop();
            played.pop();
            continue;
        };
        let next = step.key.position().after(m);
        let key = Key::new(&next);
        if done.contains(&key) {
            continue;
        }
        if !on_path.insert(key) {
            return Some(true);
        }
        if on_path.len() + done.len() > NODES {
            return None;
        }
        let undo = played.last().copied();
        played.push(m);
        path.push(Step {
            key,
            moves: moves(&next, undo),
        });
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(fen: &str) -> Option<u8> {
        dead_case(&Position::from_fen(fen).unwrap()).map(Case::number)
    }

    #[test]
    fn the_men_alone_decide_the_first_rows() {
        assert_eq!(row("8/8/4k3/8/8/3K4/8/8 w - -"), Some(1));
        assert_eq!(row("8/8/8/3k4/8/2B5/4K3/6B1 w - -"), Some(2));
        assert_eq!(row("7k/5N2/6K1/8/8/8/8/8 b - -"), Some(3));
        assert_eq!(row("8/2b5/3k4/8/8/2B1K3/8/B5B1 b - -"), Some(4));
    }

    #[test]
    fn stalemate_now_or_after_forced_moves_is_row_5() {
        assert_eq!(row("8/5KBk/8/8/p7/P7/8/8 b - -"), Some(5));
        assert_eq!(row("6kr/4Pp1p/5P1P/8/3q1rQR/8/4pN1P/4B1KR b - -"), Some(5));
        assert_eq!(row("6k1/p1p1ppP1/5q1K/3N1P1P/8/8/P1P5/8 w - -"), Some(5));
    }

    #[test]
    fn endless_play_without_captures_is_row_6_and_behind_a_forced_capture_row_7() {
        assert_eq!(row("8/1p2k3/bP6/Pp6/pP6/Bp6/1P2K3/8 w - -"), Some(6));
        assert_eq!(row("r1k5/Kp6/bP6/Pp6/pP6/Bp6/1P6/8 w - -"), Some(7));
        assert_eq!(row("8/8/8/8/1K6/Q7/3N4/k1n5 b - -"), Some(7));
    }
}
