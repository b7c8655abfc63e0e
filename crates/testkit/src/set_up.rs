//! Pieces put on a board one by one.

use fastrand::Rng;
use shakmaty::{Board, Setup};
use stillmate_core::{Bitboard, Color, Piece, Position, Role, Square};

/// A board to be filled. Neither colour need have a king before it is made a position.
#[derive(Clone, Debug)]
pub struct SetUp {
    board: Board,
}

impl SetUp {
    /// An empty board.
    pub fn empty() -> SetUp {
        SetUp {
            board: Board::empty(),
        }
    }

    /// The pieces of a position.
    pub fn of(position: &Position) -> SetUp {
        SetUp {
            board: position.to_setup().board,
        }
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board.piece_at(square)
    }

    /// All occupied squares.
    pub fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    /// How many such pieces there are.
    pub fn count(&self, piece: Piece) -> usize {
        self.board.by_piece(piece).count()
    }

    /// The square of a colour's first king.
    pub fn king(&self, color: Color) -> Option<Square> {
        self.board.by_piece(Role::King.of(color)).first()
    }

    /// Puts a piece on an empty square that it may stand on; `None` if it isn't one, and nothing
    /// happens.
    pub fn try_put(&mut self, square: Square, piece: Piece) -> Option<()> {
        let misplaced = piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(square);
        if misplaced || self.occupied().contains(square) {
            return None;
        }
        self.board.set_piece_at(square, piece);
        Some(())
    }

    /// The same where it doesn't matter whether there is room.
    pub fn put(&mut self, color: Color, role: Role, square: Square) {
        let _ = self.try_put(square, role.of(color));
    }

    /// Takes a piece away.
    pub fn take(&mut self, square: Square) -> Option<Piece> {
        self.board.remove_piece_at(square)
    }

    /// Puts a piece on a random square, if there is room.
    pub fn put_anywhere(&mut self, rng: &mut Rng, color: Color, role: Role) {
        self.put_among(rng, color, role, Bitboard::FULL);
    }

    /// Puts a piece on one of these squares, if there is room and it isn't the ninth pawn.
    pub fn put_among(&mut self, rng: &mut Rng, color: Color, role: Role, among: Bitboard) {
        let barred = if role == Role::Pawn {
            Bitboard::BACKRANKS
        } else {
            Bitboard::EMPTY
        };
        if role == Role::Pawn && self.count(Role::Pawn.of(color)) >= 8 {
            return;
        }
        let free = among & !barred & !self.occupied();
        let index = rng.usize(..free.count().max(1));
        if let Some(square) = free.into_iter().nth(index) {
            self.put(color, role, square);
        }
    }

    /// Puts a king of each colour that has none on a random square.
    pub fn put_missing_kings(&mut self, rng: &mut Rng) {
        for color in Color::ALL {
            if self.king(color).is_none() {
                self.put_anywhere(rng, color, Role::King);
            }
        }
    }

    /// The position, if it is one.
    pub fn position(&self, turn: Color) -> Option<Position> {
        let pieces = self.board.clone().into_iter();
        Position::from_pieces(pieces.map(|(square, piece)| (piece, square.into())), turn)
    }

    /// The position in which the rooks on `castling` may castle and a pawn has just passed the
    /// square `passed`, if it is one.
    pub fn position_with(
        &self,
        turn: Color,
        castling: Bitboard,
        passed: Option<Square>,
    ) -> Option<Position> {
        let mut setup = Setup::empty();
        setup.board = self.board.clone();
        setup.turn = turn;
        setup.castling_rights = castling;
        setup.ep_square = passed;
        Position::from_setup(&setup).ok()
    }
}
