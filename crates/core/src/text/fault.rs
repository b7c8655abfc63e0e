//! Everything that can be wrong, or odd, with a line, in words.

use std::fmt;

use shakmaty::{Bitboard, Color, Rank, Square};

use super::hint::Hint;
use crate::color_name as name;

/// Why a line is no position: one [`TextFault`] in its text, or all faults of what it describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    faults: Vec<TextFault>,
    hint: Option<Hint>,
}

impl TextError {
    /// All that is wrong; never empty.
    pub fn faults(&self) -> &[TextFault] {
        &self.faults
    }

    /// What was perhaps meant, where that can be told.
    pub const fn hint(&self) -> Option<&Hint> {
        self.hint.as_ref()
    }

    /// Whether [`Leniency::Lenient`](super::Leniency) accepts the line.
    pub fn is_repairable(&self) -> bool {
        let repairable = |fault: &TextFault| {
            matches!(
                fault,
                TextFault::CastlingRight { .. } | TextFault::EnPassantSquare { .. }
            )
        };
        self.faults.iter().all(repairable)
    }

    /// Whether a field can't be read, so that something else may be meant by the line.
    pub(super) fn is_text(&self) -> bool {
        let is_text = |fault: &TextFault| {
            matches!(
                fault,
                TextFault::TooFewFields { .. }
                    | TextFault::RankCount { .. }
                    | TextFault::RankWidth { .. }
                    | TextFault::UnknownPiece { .. }
                    | TextFault::Turn(_)
                    | TextFault::Castling(_)
                    | TextFault::EnPassant(_)
            )
        };
        self.faults.iter().any(is_text)
    }

    pub(super) fn new(faults: Vec<TextFault>) -> TextError {
        debug_assert!(!faults.is_empty(), "an error has a reason");
        TextError { faults, hint: None }
    }

    pub(super) fn with_hint(self, hint: Option<Hint>) -> TextError {
        TextError { hint, ..self }
    }
}

impl From<TextFault> for TextError {
    fn from(fault: TextFault) -> TextError {
        TextError::new(vec![fault])
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{fault}")?;
        }
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for TextError {}

/// One thing that is wrong, and what would be right. Texts quoted from the input are cut to
/// a length that fits a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextFault {
    /// Fewer than four fields.
    #[error(
        "{found} of the 4 fields of a position; it needs men, side to move, castling and \
         en passant square, as in \"8/8/4k3/8/8/4K3/8/8 w - -\""
    )]
    TooFewFields {
        /// How many there are.
        found: usize,
    },
    /// Not eight ranks.
    #[error("a board has 8 ranks with \"/\" between them, this one has {found}")]
    RankCount {
        /// How many there are.
        found: usize,
    },
    /// A rank that isn't eight squares wide.
    #[error("rank {rank} ({text:?}) describes {squares} squares, a rank has 8")]
    RankWidth {
        /// The number of the rank, 1 to 8.
        rank: usize,
        /// Its text.
        text: String,
        /// How many squares the text describes.
        squares: usize,
    },
    /// A character that stands for no piece.
    #[error(
        "unknown man {found:?} in rank {rank}; use KQRBNP and kqrbnp, and 1 to 8 for empty squares"
    )]
    UnknownPiece {
        /// The number of the rank, 1 to 8.
        rank: usize,
        /// The character.
        found: String,
    },
    /// The second field is not `w` or `b`.
    #[error("side to move is {0:?}; it must be w or b")]
    Turn(String),
    /// The third field can't be read.
    #[error(
        "castling is {0:?}; it must be - or some of KQkq, or the files of at most two rooks a \
         side, as in HAha"
    )]
    Castling(String),
    /// The fourth field can't be read.
    #[error("en passant square is {0:?}; it must be - or a square such as e3")]
    EnPassant(String),
    /// A move counter that is no number, or too large a one.
    #[error(
        "{counter} is {found:?}; it must be a whole number, at most {}",
        u32::MAX
    )]
    Counter {
        /// Which counter, in words.
        counter: &'static str,
        /// What stands there.
        found: String,
    },
    /// What follows the position is no operation, or one that doesn't end.
    #[error(
        "{0:?} after the position is neither a move counter nor an operation; an operation \
         ends with \";\""
    )]
    OpenOperation(String),
    /// A quoted text doesn't end.
    #[error("a quotation mark is missing after {0:?}")]
    OpenQuote(String),
    /// The name of an operation doesn't begin with a letter.
    #[error("{0:?} is no operation; one begins with a letter, as in id \"name\";")]
    Opcode(String),
    /// A colour hasn't exactly one king.
    #[error("{} has {}; each side has exactly one", name(*.color), kings(*.found))]
    Kings {
        /// The colour.
        color: Color,
        /// How many kings there are.
        found: usize,
    },
    /// More than sixteen pieces of a colour.
    #[error("{} has {found} men; a side has at most 16", name(*.color))]
    Pieces {
        /// The colour.
        color: Color,
        /// How many pieces there are.
        found: usize,
    },
    /// More than eight pawns of a colour.
    #[error("{} has {found} pawns; a side has at most 8", name(*.color))]
    Pawns {
        /// The colour.
        color: Color,
        /// How many pawns there are.
        found: usize,
    },
    /// A pawn on the first or last rank.
    #[error("pawn on {}; pawns stand on ranks 2 to 7", squares(*.0))]
    PawnsOnBackRank(Bitboard),
    /// The side that has just moved left its king in check.
    #[error(
        "{} is in check although it is {}'s turn; the game could not be here",
        name(!*.turn), name(*.turn)
    )]
    OpponentInCheck {
        /// The side to move.
        turn: Color,
    },
    /// A castling right without king or rook at home.
    #[error(
        "castling right of {} with the rook on {rook}, but {}",
        name(color_of_home(*.rook)), .missing
    )]
    CastlingRight {
        /// Where the rook should be.
        rook: Square,
        /// What the right lacks.
        missing: CastlingFault,
    },
    /// An en passant square that no double step has passed.
    #[error("en passant square {square} with {} to move, but {why}", name(*.turn))]
    EnPassantSquare {
        /// The square.
        square: Square,
        /// The side to move.
        turn: Color,
        /// Why it is impossible.
        why: EnPassantFault,
    },
    /// Something that shakmaty rejects and this crate has no words for.
    #[error("{0}")]
    Other(String),
}

/// What a castling right lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CastlingFault {
    /// No such rook.
    #[error("there is no such rook")]
    NoRook,
    /// The king isn't on its first rank, between the files a and h.
    #[error("the king is not at home on its first rank")]
    KingAway,
    /// White's and Black's kings or rooks can't both be where the game began.
    #[error("the other side castles from other files, so one of them is not at home")]
    OtherFiles,
    /// Two rooks on one side of the king have the right.
    #[error("another rook on the same side of the king has the right")]
    SecondRook,
}

/// Why an en passant square is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnPassantFault {
    /// Not on the rank that the other side's double steps pass.
    #[error("it must be on rank {0}")]
    Rank(Rank),
    /// No pawn in front of it.
    #[error("no pawn of the other side stands on {0}")]
    NoPawn(Square),
    /// The square itself or the one the pawn came from is occupied.
    #[error("{0} is occupied, so no pawn came this way")]
    Occupied(Square),
}

/// Something odd about a line that can still be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Note {
    /// There are more pieces than the missing pawns can have become.
    #[error("cannot arise in a game: more pieces than promotions allow")]
    TooMuchMaterial,
    /// No last move can have given this check, or these checks.
    #[error("cannot arise in a game: no last move gives this check")]
    ImpossibleCheck,
    /// No check, but no last move leads here either.
    #[error("cannot arise in a game: no last move leads here")]
    NoLastMove,
    /// [`Leniency::Lenient`](super::Leniency) dropped the right to castle with this rook.
    #[error(
        "dropped the impossible castling right of {} with the rook on {rook}",
        name(color_of_home(*.rook))
    )]
    DroppedCastling {
        /// Where the rook should be.
        rook: Square,
    },
    /// [`Leniency::Lenient`](super::Leniency) dropped this en passant square.
    #[error("dropped the impossible en passant square {0}")]
    DroppedEnPassant(Square),
    /// Empty squares that follow each other are counted by several numbers, as in `17`.
    #[error("rank {0} counts empty squares by several numbers in a row, where one is usual")]
    SplitSquares(Rank),
    /// A castling right is written twice, as in `KKQ`.
    #[error("a castling right is written twice")]
    RepeatedCastling,
    /// The halfmove clock counts more plies than the full moves before leave room for.
    #[error("halfmove clock {clock} at move {number}, before which come at most {plies} plies")]
    ImpossibleClock {
        /// The halfmove clock, in plies.
        clock: u32,
        /// The number of the full move.
        number: u32,
        /// Plies before it.
        plies: u32,
    },
}

impl Note {
    /// Whether the position asked about is not quite the one that was given.
    pub const fn is_repair(self) -> bool {
        matches!(
            self,
            Note::DroppedCastling { .. } | Note::DroppedEnPassant(_)
        )
    }

    /// Whether the position cannot arise in a game.
    pub const fn is_impossible(self) -> bool {
        matches!(
            self,
            Note::TooMuchMaterial | Note::ImpossibleCheck | Note::NoLastMove
        )
    }
}

/// At most this many characters of the input are quoted in a message.
const LONGEST_QUOTE: usize = 40;

/// `text`, cut so that it fits a message.
pub(super) fn clip(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The colour whose castling rook stands on `square`.
pub(super) fn color_of_home(square: Square) -> Color {
    Color::from_white(square.rank() == Rank::First)
}

fn kings(found: usize) -> String {
    match found {
        0 => "no king".to_owned(),
        found => format!("{found} kings"),
    }
}

fn squares(squares: Bitboard) -> String {
    let names: Vec<String> = squares.into_iter().map(|sq| sq.to_string()).collect();
    names.join(" and ")
}
