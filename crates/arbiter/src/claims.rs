//! Draws that the player to move could have claimed.

use stillmate_core::{Color, Move, Position};

use crate::{GameRecord, Laws};

/// How often a position must be on the board for a claim, 9.2.
const THREEFOLD: u32 = 3;
/// Plies without a capture or pawn move that allow a claim, 9.3.
const FIFTY: u32 = 100;

/// A draw that a player could claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// After this many plies.
    pub plies: usize,
    /// The player to move, who could claim.
    pub player: Color,
    /// Why.
    pub ground: Ground,
    /// For a claim ahead, the moves of which one had to be written down and not played; none
    /// for a claim of what is on the board.
    pub ahead: Vec<Move>,
    /// Whether the player moved on instead, so that the right was lost (9.4). On the last
    /// position the record doesn't tell.
    pub passed: bool,
    /// Whether an exception to fifty moves may have been in force, so that more were needed.
    pub doubtful: bool,
}

/// What a draw can be claimed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ground {
    /// 9.2: the same position at least three times.
    Threefold,
    /// 9.3: fifty moves by each player without a capture or pawn move.
    Fifty,
}

impl Claim {
    /// The article of the Laws.
    pub const fn article(&self) -> &'static str {
        match (self.ground, self.ahead.is_empty()) {
            (Ground::Threefold, false) => "9.2.1",
            (Ground::Threefold, true) => "9.2.2",
            (Ground::Fifty, false) => "9.3.1",
            (Ground::Fifty, true) => "9.3.2",
        }
    }
}

/// All claims that were possible in the first `positions` positions, in the order of the game.
/// Where the board itself gives a claim, no claim ahead on the same ground is listed.
pub(crate) fn claims(record: &GameRecord, positions: usize, laws: Laws) -> Vec<Claim> {
    let occurrences = record.occurrences();
    let grounds = [Ground::Threefold, Ground::Fifty];
    let at = |plies| grounds.map(|ground| claim(record, &occurrences, plies, ground, laws));
    (0..positions).flat_map(at).flatten().collect()
}

/// The claim in the last position, if there is one, on the first of `grounds` that allow it.
pub(crate) fn last_claim(record: &GameRecord, grounds: &[Ground], laws: Laws) -> Option<Claim> {
    let occurrences = record.occurrences();
    let on = |&ground: &Ground| claim(record, &occurrences, record.plies(), ground, laws);
    grounds.iter().find_map(on)
}

/// The claim on this ground after `plies` plies, if there is one.
fn claim(
    record: &GameRecord,
    occurrences: &[u32],
    plies: usize,
    ground: Ground,
    laws: Laws,
) -> Option<Claim> {
    let position = record.position(plies);
    let (on_board, near) = match ground {
        Ground::Threefold => (occurrences[plies] >= THREEFOLD, true),
        Ground::Fifty => {
            let clock = record.clock(plies);
            (clock >= FIFTY, clock.saturating_add(1) >= FIFTY)
        }
    };
    let ahead = match ground {
        _ if on_board || !near => Vec::new(),
        Ground::Threefold => repeating(record, occurrences, plies),
        Ground::Fifty => reversible(position).collect(),
    };
    let player = position.turn();
    let claim = Claim {
        plies,
        player,
        ground,
        ahead,
        passed: plies < record.plies(),
        doubtful: ground == Ground::Fifty && laws.may_except_from_fifty(position),
    };
    (on_board && position.has_legal_move() || !claim.ahead.is_empty()).then_some(claim)
}

fn reversible(position: &Position) -> impl Iterator<Item = Move> {
    let moves = position.legal_moves();
    moves.into_iter().filter(|m| !m.is_zeroing())
}

/// Moves that bring a position to the board for at least the third time.
fn repeating(record: &GameRecord, occurrences: &[u32], plies: usize) -> Vec<Move> {
    // Positions with the other side to move, since the last capture or pawn move.
    let first = plies.saturating_sub(record.clock(plies) as usize);
    let twice: Vec<&Position> = (first..plies)
        .rev()
        .skip(2)
        .step_by(2)
        .filter(|&at| occurrences[at] + 1 >= THREEFOLD)
        .map(|at| record.position(at))
        .collect();
    if twice.is_empty() {
        return Vec::new();
    }
    let position = record.position(plies);
    let repeats = |m: &Move| twice.contains(&&position.after(*m));
    reversible(position).filter(repeats).collect()
}
