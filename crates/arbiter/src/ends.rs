//! How a game ends by itself, without anybody's claim.

use stillmate_core::Color;

use crate::{
    GameRecord, Outcome,
    laws::{Fivefold, Laws},
};

/// How often a position is on the board when that ends the game, 9.6.1.
const FIVEFOLD: u32 = 5;
/// Plies without a capture or pawn move that this takes: both players go there and back.
const TO_FIVEFOLD: u32 = 4 * (FIVEFOLD - 1);
/// Plies without a capture or pawn move that end the game, 9.6.2.
pub(crate) const SEVENTY_FIVE: u32 = 150;

/// A rule that ends the game on the spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndRule {
    /// 5.1.1: this colour has checkmated.
    Checkmate(Color),
    /// 5.2.1: the player to move has no legal move and isn't in check.
    Stalemate,
    /// 5.2.2: neither player can checkmate by any series of legal moves.
    Dead,
    /// 9.6.1: a position is on the board for the fifth time.
    Fivefold,
    /// 9.6.2: both players have made 75 moves without a capture or pawn move, the last of
    /// which wasn't mate.
    SeventyFive,
}

impl EndRule {
    /// The article of the Laws.
    pub const fn article(self) -> &'static str {
        match self {
            EndRule::Checkmate(_) => "5.1.1",
            EndRule::Stalemate => "5.2.1",
            EndRule::Dead => "5.2.2",
            EndRule::Fivefold => "9.6.1",
            EndRule::SeventyFive => "9.6.2",
        }
    }

    /// One word, for programs.
    pub const fn name(self) -> &'static str {
        match self {
            EndRule::Checkmate(_) => "checkmate",
            EndRule::Stalemate => "stalemate",
            EndRule::Dead => "dead",
            EndRule::Fivefold => "fivefold",
            EndRule::SeventyFive => "seventy-five",
        }
    }

    /// The result of a game that this ends.
    pub const fn outcome(self) -> Outcome {
        match self {
            EndRule::Checkmate(winner) => Outcome::Wins(winner),
            _ => Outcome::Draw,
        }
    }
}

/// When a rule first applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// After this many plies.
    pub plies: usize,
    /// The rule.
    pub rule: EndRule,
}

/// When each rule that needs no analysis first applied, in the order of the game: all but
/// [`EndRule::Dead`], and those that weren't yet in force. Where several applied at once, what is
/// on the board comes first.
pub(crate) fn plain_ends(record: &GameRecord, laws: Laws) -> Vec<GameEnd> {
    let last = record.plies();
    let position = record.last();
    // Whoever could move wasn't mated, so only the last position can be mate or stalemate.
    let stuck = !position.has_legal_move();
    let mated = stuck && position.checkers().any();
    let on_board = if mated {
        EndRule::Checkmate(!position.turn())
    } else {
        EndRule::Stalemate
    };
    let highest = record.highest_clock();
    let fivefold = || match laws.fivefold() {
        Fivefold::No => None,
        Fivefold::Consecutive => (0..=last).find(|&at| record.has_stood_still(at, TO_FIVEFOLD)),
        Fivefold::Any => {
            let occurrences = record.occurrences();
            occurrences.iter().position(|&count| count >= FIVEFOLD)
        }
    };
    // A mate with the last of the moves stands.
    let too_long = || {
        let mut clocks = (0..).zip(record.clocks());
        let first =
            clocks.find(|&(plies, clock)| clock >= SEVENTY_FIVE && !(mated && plies == last));
        first.map(|(plies, _)| plies)
    };
    let ends = [
        (stuck.then_some(last), on_board),
        (
            (highest >= TO_FIVEFOLD).then(fivefold).flatten(),
            EndRule::Fivefold,
        ),
        (
            (highest >= SEVENTY_FIVE && laws.end_after_seventy_five())
                .then(too_long)
                .flatten(),
            EndRule::SeventyFive,
        ),
    ];
    let end = |(plies, rule): (Option<usize>, EndRule)| {
        Some(GameEnd {
            plies: plies?,
            rule,
        })
    };
    let mut ends: Vec<GameEnd> = ends.into_iter().filter_map(end).collect();
    ends.sort_by_key(|end| end.plies);
    ends
}
