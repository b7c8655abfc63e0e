//! Positions, as small plain values.

use std::{fmt, str::FromStr};

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece,
    Position as _, PositionError as Unplayable, Rank, Role, Setup, Square, attacks, fen::Fen,
};

/// A chess position: the pieces, the side to move, castling rights and the en passant square.
///
/// # Equality
///
/// Two positions are equal when the same pieces stand on the same squares, the same side is to
/// move and the same moves are open to both sides (FIDE Laws 9.2.3). Move counters are not
/// part of a position, and an en passant square is kept only while a *legal* en passant
/// capture exists, so that positions which differ in nothing that matters compare equal.
///
/// # Conversions
///
/// From a FEN and from [`shakmaty::Chess`], and back:
///
/// ```
/// use stillmate_core::{Position, PositionError};
///
/// let position: Position = "8/8/4k3/8/8/3K4/8/8 w - - 0 1".parse()?;
/// assert_eq!(position.fen(), "8/8/4k3/8/8/3K4/8/8 w - - 0 1");
///
/// let chess = shakmaty::Chess::from(position);
/// assert_eq!(Position::try_from(&chess)?, position);
/// assert_eq!(Position::try_from("8/8/4k3/8/8/3K4/8/8 w - -")?, position);
///
/// let error = Position::try_from("8/8/4k3/8/8/8/8/8 w - -").unwrap_err();
/// assert_eq!(error.to_string(), "illegal position: missing king");
/// # Ok::<(), PositionError>(())
/// ```
///
/// Text that comes from people is better read by [`Record`](crate::text::Record), which says
/// what is wrong and what would be right.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) roles: [Bitboard; 6],
    pub(crate) colors: [Bitboard; 2],
    /// Squares of the rooks that may still castle.
    pub(crate) castling: Bitboard,
    /// Square behind a pawn that has just made a double step and can legally be taken.
    pub(crate) ep: Option<Square>,
    pub(crate) turn: Color,
}

/// Why a set-up is no position that play can be in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PositionError(String);

pub(crate) const fn role_index(role: Role) -> usize {
    role as usize - 1
}

pub(crate) const fn color_index(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

impl Position {
    /// The position of a set-up.
    ///
    /// Pieces beyond what promotions allow and checks that no last move can have given are
    /// accepted: they can't arise in a game, but the question "can this colour still mate?"
    /// has an answer for them.
    ///
    /// # Errors
    ///
    /// When a side has more than 16 pieces, a king is missing or doubled, a pawn stands on the
    /// first or last rank, the side not to move is in check, or castling rights or the en
    /// passant square don't fit the board. The counters of the set-up are ignored.
    pub fn from_setup(setup: &Setup) -> Result<Position, PositionError> {
        fits(&setup.board)?;
        Chess::from_setup(setup.clone(), CastlingMode::Chess960)
            .or_else(Unplayable::ignore_too_much_material)
            .or_else(Unplayable::ignore_impossible_check)
            .map(|chess| Position::from_chess(&chess))
            .map_err(|error| PositionError(error.to_string()))
    }

    /// The position of a [`shakmaty::Chess`] of at most 16 pieces a side, without its counters.
    /// `Position::try_from` checks that there aren't more.
    pub fn from_chess(chess: &Chess) -> Position {
        let (by_role, by_color) = chess.board().clone().into_bitboards();
        Position {
            roles: Role::ALL.map(|role| by_role[role]),
            colors: [by_color.white, by_color.black],
            castling: chess.castles().castling_rights(),
            ep: chess.ep_square(EnPassantMode::Legal),
            turn: chess.turn(),
        }
    }

    /// The position of `pieces` (each kind with its squares), with neither castling rights nor
    /// an en passant square: the quick way for programs that enumerate positions.
    ///
    /// `None` when it isn't a position: pieces share a square, a king is missing or doubled, a
    /// pawn stands on the first or last rank, or the side not to move is in check.
    pub fn from_pieces(
        pieces: impl IntoIterator<Item = (Piece, Bitboard)>,
        turn: Color,
    ) -> Option<Position> {
        let mut position = Position {
            roles: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            castling: Bitboard::EMPTY,
            ep: None,
            turn,
        };
        for (piece, squares) in pieces {
            if position.occupied().intersects(squares) {
                return None;
            }
            position.roles[role_index(piece.role)] |= squares;
            position.colors[color_index(piece.color)] |= squares;
        }
        let king = |color| position.pieces_of(color, Role::King).single_square();
        let (waiting, _) = (king(!turn)?, king(turn)?);
        let checked = position.attackers(waiting, turn, position.occupied());
        let pawns_fit = !position
            .with_role(Role::Pawn)
            .intersects(Bitboard::BACKRANKS);
        (pawns_fit && checked.is_empty()).then_some(position)
    }

    /// This position as shakmaty's set-up, with counters 0 and 1.
    pub fn to_setup(&self) -> Setup {
        let by_role = ByRole::new_with(|role| self.with_role(role));
        let by_color = ByColor::new_with(|color| self.of(color));
        let mut setup = Setup::empty();
        setup.board = Board::try_from_bitboards(by_role, by_color)
            .expect("each piece of a Position has one kind and one colour");
        setup.turn = self.turn;
        setup.castling_rights = self.castling;
        setup.ep_square = self.ep;
        setup
    }

    /// This position for shakmaty, so that its independent rules can be asked.
    ///
    /// # Panics
    ///
    /// Never for a `Position` built by this crate: each was accepted by shakmaty or follows
    /// from such a one by legal moves.
    pub fn to_chess(&self) -> Chess {
        Chess::from_setup(self.to_setup(), CastlingMode::Chess960)
            .or_else(Unplayable::ignore_too_much_material)
            .or_else(Unplayable::ignore_impossible_check)
            .expect("a Position is always playable")
    }

    /// Reads a FEN of four to six fields (X-FEN or Shredder-FEN castling, too).
    ///
    /// # Errors
    ///
    /// As [`Position::from_setup`], or when the text is no FEN. [`crate::text`] explains
    /// faults to people; this is the short way for programs.
    pub fn from_fen(fen: &str) -> Result<Position, PositionError> {
        let fen: Fen = fen
            .parse()
            .map_err(|err| PositionError(format!("not a FEN: {err}")))?;
        Position::from_setup(fen.as_setup())
    }

    /// The four FEN fields that make up the position's identity, with counters `0 1`.
    pub fn fen(&self) -> String {
        Fen::try_from_setup(self.to_setup())
            .expect("castling rights of a Position fit its board")
            .to_string()
    }

    /// The side to move.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Squares of `color`'s pieces.
    pub const fn of(&self, color: Color) -> Bitboard {
        self.colors[color_index(color)]
    }

    /// Squares of all pieces of `role`.
    pub const fn with_role(&self, role: Role) -> Bitboard {
        self.roles[role_index(role)]
    }

    /// Squares of `color`'s pieces of `role`.
    pub const fn pieces_of(&self, color: Color, role: Role) -> Bitboard {
        self.roles[role_index(role)].intersect_const(self.colors[color_index(color)])
    }

    /// All occupied squares.
    pub const fn occupied(&self) -> Bitboard {
        self.colors[0].with_const(self.colors[1])
    }

    /// Squares of the rooks that may still castle.
    pub const fn castling(&self) -> Bitboard {
        self.castling
    }

    /// The square behind a pawn that can legally be taken en passant now.
    pub const fn ep_square(&self) -> Option<Square> {
        self.ep
    }

    /// The square of `color`'s king.
    ///
    /// # Panics
    ///
    /// Never: every position has both kings.
    pub fn king(&self, color: Color) -> Square {
        self.pieces_of(color, Role::King)
            .first()
            .expect("both kings are on the board")
    }

    /// The role of the piece on `square`, if any.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL
            .into_iter()
            .find(|&role| self.with_role(role).contains(square))
    }

    /// The piece on `square`, if any.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let role = self.role_at(square)?;
        Some(Piece {
            color: Color::from_white(self.of(Color::White).contains(square)),
            role,
        })
    }

    /// All pieces with their squares, from a1 to h8.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied()
            .into_iter()
            .filter_map(|sq| Some((sq, self.piece_at(sq)?)))
    }

    /// Pieces of `color` that attack `square` while `occupied` blocks the lines.
    #[inline]
    pub fn attackers(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        let straight = self.with_role(Role::Rook) | self.with_role(Role::Queen);
        let diagonal = self.with_role(Role::Bishop) | self.with_role(Role::Queen);
        self.of(color)
            & (attacks::pawn_attacks(!color, square) & self.with_role(Role::Pawn)
                | attacks::knight_attacks(square) & self.with_role(Role::Knight)
                | attacks::king_attacks(square) & self.with_role(Role::King)
                | attacks::bishop_attacks(square, occupied) & diagonal
                | attacks::rook_attacks(square, occupied) & straight)
    }

    /// Pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.turn), !self.turn, self.occupied())
    }

    /// Whether the side to move is checkmated.
    pub fn is_checkmate(&self) -> bool {
        self.checkers().any() && !self.has_legal_move()
    }

    /// Whether the side to move has no legal move and is not in check.
    pub fn is_stalemate(&self) -> bool {
        self.checkers().is_empty() && !self.has_legal_move()
    }

    /// The same game with colours changed and the board turned over: White's moves here are
    /// Black's there. Mirroring twice gives the position back.
    #[must_use]
    pub fn mirrored(&self) -> Position {
        Position {
            roles: self.roles.map(Bitboard::flip_vertical),
            colors: [
                self.colors[1].flip_vertical(),
                self.colors[0].flip_vertical(),
            ],
            castling: self.castling.flip_vertical(),
            ep: self.ep.map(Square::flip_vertical),
            turn: !self.turn,
        }
    }

    /// The same position with left and right exchanged; `None` when castling is possible,
    /// which is not symmetrical.
    pub fn reflected(&self) -> Option<Position> {
        self.castling.is_empty().then(|| Position {
            roles: self.roles.map(Bitboard::flip_horizontal),
            colors: self.colors.map(Bitboard::flip_horizontal),
            castling: self.castling,
            ep: self.ep.map(Square::flip_horizontal),
            turn: self.turn,
        })
    }

    /// Puts `piece` on an empty `square`.
    #[inline]
    pub(crate) fn put(&mut self, square: Square, color: Color, role: Role) {
        self.roles[role_index(role)] |= square;
        self.colors[color_index(color)] |= square;
    }

    /// Takes `piece` off `square`.
    #[inline]
    pub(crate) fn lift(&mut self, square: Square, color: Color, role: Role) {
        self.roles[role_index(role)] ^= square;
        self.colors[color_index(color)] ^= square;
    }

    /// Castling rights that the king or rook standing on `squares` would lose.
    #[inline]
    pub(crate) fn rights_of_home(color: Color) -> Bitboard {
        Bitboard::from_rank(color.fold_wb(Rank::First, Rank::Eighth))
    }
}

/// Whether neither side has more pieces than it began with.
fn fits(board: &Board) -> Result<(), PositionError> {
    let crowded = |color| board.by_color(color).count() > 16;
    if Color::ALL.into_iter().any(crowded) {
        return Err(PositionError("more than 16 pieces of a colour".to_owned()));
    }
    Ok(())
}

/// As [`Position::from_fen`].
impl FromStr for Position {
    type Err = PositionError;

    fn from_str(fen: &str) -> Result<Position, PositionError> {
        Position::from_fen(fen)
    }
}

/// As [`Position::from_fen`].
impl TryFrom<&str> for Position {
    type Error = PositionError;

    fn try_from(fen: &str) -> Result<Position, PositionError> {
        Position::from_fen(fen)
    }
}

/// Without the counters. Fails where shakmaty was made to accept more than 16 pieces of a colour.
impl TryFrom<&Chess> for Position {
    type Error = PositionError;

    fn try_from(chess: &Chess) -> Result<Position, PositionError> {
        fits(chess.board())?;
        Ok(Position::from_chess(chess))
    }
}

/// As for a reference.
impl TryFrom<Chess> for Position {
    type Error = PositionError;

    fn try_from(chess: Chess) -> Result<Position, PositionError> {
        Position::try_from(&chess)
    }
}

/// As [`Position::to_chess`]: with counters 0 and 1.
impl From<Position> for Chess {
    fn from(position: Position) -> Chess {
        position.to_chess()
    }
}

/// As [`Position::to_chess`]: with counters 0 and 1.
impl From<&Position> for Chess {
    fn from(position: &Position) -> Chess {
        position.to_chess()
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.fen())
    }
}
