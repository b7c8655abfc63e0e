//! Replaying helpmates.

use shakmaty::{Chess, Position as _};
use stillmate_core::{Color, Move, Position};

/// Why a line doesn't prove that a colour can mate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// A move isn't legal.
    #[error("ply {ply}: {uci} is not legal")]
    Illegal {
        /// Its ply, from 1.
        ply: usize,
        /// The move.
        uci: String,
    },
    /// The last position isn't checkmate.
    #[error("the line ends after {plies} plies without checkmate")]
    NoMate {
        /// The length of the line in plies.
        plies: usize,
    },
    /// The line mates the wrong colour.
    #[error("the line mates the colour that should give mate")]
    WrongColour,
}

/// Checks by shakmaty's rules that `moves`, played from `position`, are legal and end with `winner`
/// giving checkmate. An empty line is right if `position` is that checkmate.
///
/// # Errors
///
/// The first fault.
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
