//! Questions to shakmaty about a single position.

use shakmaty::{Chess, Move as Play, MoveList, Position as _, attacks};
use stillmate_core::{Bitboard, Color, MaterialRule, Move, Role};

use crate::{
    limits::Remaining,
    refusal::{Limit, StepFault},
};

/// Operations to generate the legal moves, however few.
const POSITION_WORK: usize = 100;

/// Operations to generate a move, to play it, and to tell whether the next position is known.
const MOVE_WORK: usize = 60;

/// A position with its legal moves.
pub(crate) struct LegalMoves {
    pub(crate) chess: Chess,
    pub(crate) moves: MoveList,
}

impl LegalMoves {
    /// Generates the moves, and counts the work of playing each once.
    ///
    /// # Errors
    ///
    /// [`Limit::Moves`] when there may be more than shakmaty's list can hold; [`Limit::Work`].
    pub(crate) fn new(chess: Chess, remaining: &mut Remaining) -> Result<LegalMoves, Limit> {
        if most_moves(&chess) > MoveList::new().capacity() {
            return Err(Limit::Moves);
        }
        let moves = chess.legal_moves();
        remaining.spend_work(POSITION_WORK + MOVE_WORK * moves.len())?;
        Ok(LegalMoves { chess, moves })
    }

    /// Whether `winner` has just given checkmate.
    pub(crate) fn is_mate_by(&self, winner: Color) -> bool {
        self.moves.is_empty() && self.chess.turn() != winner && self.chess.is_check()
    }

    /// The position after one of the moves, which shakmaty checks once more.
    pub(crate) fn after(&self, play: Play) -> Result<Chess, StepFault> {
        let illegal = |_| StepFault::Move {
            uci: Move::from_shakmaty(play).uci(),
        };
        self.chess.clone().play(play).map_err(illegal)
    }
}

/// At least the number of moves that shakmaty lists before it drops those that leave the king in
/// check.
fn most_moves(chess: &Chess) -> usize {
    let (board, ours) = (chess.board(), chess.us());
    let of = |squares: Bitboard| (squares & ours).count();
    // The most squares each kind of man attacks on an empty board; a pawn has three targets
    // and four promotions. Two moves each for castling and en passant.
    let coarse = 27 * of(board.queens())
        + 14 * of(board.rooks())
        + 13 * of(board.bishops())
        + 8 * of(board.knights())
        + 12 * of(board.pawns())
        + 12;
    if coarse <= MoveList::new().capacity() {
        return coarse;
    }
    let pieces = (ours & !board.pawns()).into_iter().filter_map(|square| {
        let piece = board.piece_at(square)?;
        let targets = attacks::attacks(square, piece, board.occupied()) & !ours;
        Some(targets.count())
    });
    pieces.sum::<usize>() + 12 * of(board.pawns()) + 4
}

/// Whether `winner` doesn't have the men to mate, and `rule` is the reason.
///
/// The first is for shakmaty to say. The second is checked so that a certificate says only what is
/// true.
pub(crate) fn is_insufficient(chess: &Chess, winner: Color, rule: MaterialRule) -> bool {
    let board = chess.board();
    let own = board.by_color(winner) & !board.kings();
    let named = match rule {
        MaterialRule::BareKing => own.is_empty(),
        MaterialRule::KnightAgainstQueens => own.count() == 1 && own.is_subset(board.knights()),
        MaterialRule::BishopsOfOneColour => own.any() && own.is_subset(board.bishops()),
    };
    named && chess.has_insufficient_material(winner)
}

/// Whether `role` is what a pawn can become.
pub(crate) fn is_promotion(role: Role) -> bool {
    !matches!(role, Role::King | Role::Pawn)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, FromSetup, PositionError, fen::Fen};

    use super::*;
    use crate::limits::Limits;

    /// A board, no [`Position`](stillmate_core::Position), with exactly as many moves as
    /// shakmaty's list can hold: the bound on their number is cautious.
    #[test]
    fn moves_that_may_be_too_many_are_not_generated() {
        let fen = "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - -";
        let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
        let chess = Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(PositionError::ignore_too_much_material)
            .expect("a board with one king of each colour");
        assert_eq!(chess.legal_moves().len(), MoveList::new().capacity());
        let mut remaining = Remaining::new(&Limits::default());
        let node = LegalMoves::new(chess, &mut remaining);
        assert!(matches!(node, Err(Limit::Moves)));
    }
}
