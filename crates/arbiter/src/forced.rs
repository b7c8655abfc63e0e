//! Mates that can't be prevented, as far as a short look shows.
//!
//! US Chess lets a player with next to nothing win on time if the win is forced. With a
//! single minor piece, or two knights against no pawns, that takes an opponent whose own men
//! shut its king in, and then mate comes soon: this looks [`MOVES`] moves ahead, at all
//! defences.

use stillmate_core::{Color, Position};

/// How many moves of the winner are looked ahead.
pub(crate) const MOVES: u32 = 4;
/// Positions looked at before it is given up.
const NODES: u32 = 200_000;

/// In how many moves `winner` mates against any defence; `None` if no such mate is found.
pub(crate) fn mate(position: &Position, winner: Color) -> Option<u32> {
    let mut nodes = NODES;
    (1..=MOVES).find(|&moves| is_forced(position, winner, moves, &mut nodes))
}

/// Whether `winner` mates within `moves` moves of its own.
fn is_forced(position: &Position, winner: Color, moves: u32, nodes: &mut u32) -> bool {
    let Some(left) = nodes.checked_sub(1) else {
        return false;
    };
    *nodes = left;
    let replies = position.legal_moves();
    if replies.is_empty() {
        return position.turn() != winner && position.checkers().any();
    }
    let mut after = replies.iter().map(|&m| position.after(m));
    if position.turn() == winner {
        // The last move must mate, so it gives check.
        moves > 0
            && after.any(|next| {
                (moves > 1 || next.checkers().any()) && is_forced(&next, winner, moves - 1, nodes)
            })
    } else {
        moves > 0 && after.all(|next| is_forced(&next, winner, moves, nodes))
    }
}
