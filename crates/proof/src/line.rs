//! Replaying helpmates.

use shakmaty::{Chess, Position as _};
use stillmate_core::{Color, Move, Position};

/// Why a line doesn't show that a colour can mate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// A move isn't legal where it is played; plies count from 1.
    #[error("ply {ply}: {uci} is not legal")]
    Illegal {
        /// Which ply.
        ply: usize,
        /// The move.
        uci: String,
    },
    /// The last position isn't checkmate.
    #[error("the line ends after {plies} plies without checkmate")]
    NoMate {
        /// Length of the line in plies.
        plies: usize,
    },
    /// The wrong colour is mated.
    #[error("the line mates the colour that should give mate")]
    WrongColour,
}

/// Checks that `moves`, played from `position`, are legal and end with `winner` giving
/// checkmate. An empty line is right when the mate is on the board.
///
/// Uses shakmaty's rules alone.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn replay(position: &Position, winner: Color, moves: &[Move]) -> Result<(), LineError> {
    let mut chess: Chess = position.to_chess();
    for (index, m) in moves.iter().enumerate() {
        let illegal = || LineError::Illegal {
            ply: index + 1,
            uci: m.uci(),
        };
        chess = chess.play(m.to_shakmaty()).map_err(|_| illegal())?;
    }
    if !chess.is_checkmate() {
        return Err(LineError::NoMate { plies: moves.len() });
    }
    if chess.turn() == winner {
        Err(LineError::WrongColour)
    } else {
        Ok(())
    }
}
