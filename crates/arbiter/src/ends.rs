//! How a game ends by itself, without anybody's claim.

use stillmate_core::Color;

use crate::{Outcome, Score};

/// How often a position is on the board when that ends the game, 9.6.1.
const FIVEFOLD: u32 = 5;
/// Plies without a capture or pawn move that this takes: both players go there and back.
const TO_FIVEFOLD: u32 = 4 * (FIVEFOLD - 1);
/// Plies without a capture or pawn move that end the game, 9.6.2.
pub(crate) const SEVENTY_FIVE: u32 = 150;

/// A rule that ends the game on the spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
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

impl Rule {
    /// The article of the Laws.
    pub const fn article(self) -> &'static str {
        match self {
            Rule::Checkmate(_) => "5.1.1",
            Rule::Stalemate => "5.2.1",
            Rule::Dead => "5.2.2",
            Rule::Fivefold => "9.6.1",
            Rule::SeventyFive => "9.6.2",
        }
    }

    /// One word, for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Checkmate(_) => "checkmate",
            Rule::Stalemate => "stalemate",
            Rule::Dead => "dead",
            Rule::Fivefold => "fivefold",
            Rule::SeventyFive => "seventy-five",
        }
    }

    /// The result of a game that this ends.
    pub const fn outcome(self) -> Outcome {
        match self {
            Rule::Checkmate(winner) => Outcome::Wins(winner),
            _ => Outcome::Draw,
        }
    }
}

/// When a rule first applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// After this many plies.
    pub plies: usize,
    /// The rule.
    pub rule: Rule,
}

/// When each rule that needs no analysis first applied, in the order of the game: all but
/// [`Rule::Dead`]. Where several applied at once, what is on the board comes first.
pub(crate) fn plain_ends(score: &Score) -> Vec<End> {
    let last = score.plies();
    let position = score.last();
    // Whoever could move wasn't mated, so only the last position can be mate or stalemate.
    let stuck = !position.has_legal_move();
    let mated = stuck && position.checkers().any();
    let on_board = if mated {
        Rule::Checkmate(!position.turn())
    } else {
        Rule::Stalemate
    };
    let highest = score.highest_clock();
    let fivefold = || {
        let occurrences = score.occurrences();
        occurrences.iter().position(|&count| count >= FIVEFOLD)
    };
    // A mate with the last of the moves stands.
    let too_long = || {
        let mut clocks = (0..).zip(score.clocks());
        let first =
            clocks.find(|&(plies, clock)| clock >= SEVENTY_FIVE && !(mated && plies == last));
        first.map(|(plies, _)| plies)
    };
    let ends = [
        (stuck.then_some(last), on_board),
        (
            (highest >= TO_FIVEFOLD).then(fivefold).flatten(),
            Rule::Fivefold,
        ),
        (
            (highest >= SEVENTY_FIVE).then(too_long).flatten(),
            Rule::SeventyFive,
        ),
    ];
    let end = |(plies, rule): (Option<usize>, Rule)| {
        Some(End {
            plies: plies?,
            rule,
        })
    };
    let mut ends: Vec<End> = ends.into_iter().filter_map(end).collect();
    ends.sort_by_key(|end| end.plies);
    ends
}
