//! What can be wrong with the record of a game.

use std::fmt;

use stillmate_core::text::Note;

/// Something wrong with the record of a game, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnFault {
    /// The line of the stream, counted from 1.
    pub line: u64,
    /// The ply, counted from 1, that should have been played or that comes next; `None` in
    /// the tags.
    pub ply: Option<usize>,
    /// The text at fault, if there is one to show.
    pub text: String,
    /// What is wrong.
    pub kind: PgnFaultKind,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PgnFaultKind {
    /// The move isn't legal.
    Illegal,
    /// More than one legal move is meant.
    Ambiguous,
    /// It is no move at all.
    Unreadable,
    /// A side passes, which the Laws don't know.
    NullMove,
    /// The set-up of the FEN tag is no position.
    SetUp,
    /// The same, but for a right or square that lenient reading drops.
    NearlySetUp,
    /// The game isn't chess, by its Variant tag.
    Variant,
    /// A line in brackets that is no tag.
    Tag,
    /// A comment is never closed.
    Comment,
    /// A variation is never closed.
    Variation,
    /// The moves end without a result: something is missing, or cut off.
    NoResult,
    /// The result after the moves is not the one of the Result tag.
    TwoResults,
    /// The text is too long for a game.
    TooLong,
}

impl PgnFaultKind {
    /// Whether nothing is known of what was played from here on.
    pub const fn ends_moves(self) -> bool {
        !matches!(
            self,
            PgnFaultKind::Tag
                | PgnFaultKind::Variation
                | PgnFaultKind::NoResult
                | PgnFaultKind::TwoResults
        )
    }
}

/// Something read though PGN has it in another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PgnNote {
    /// The value of a tag has quotation marks or backslashes that aren't escaped.
    Quotes,
    /// Blanks stand before tags.
    Blanks,
    /// HTML stands around the text.
    Html,
    /// Moves are written with figurines.
    Figurines,
    /// A promotion is written in brackets.
    BracketedPromotion,
    /// The result is repeated, or followed by a remark such as `ff`.
    AfterResult,
    /// A comment is too long to be held; its end is left out.
    LongComment,
    /// The Variant tag has a name that isn't a variant's.
    Variant,
    /// Something about the position of the FEN tag.
    SetUp(Note),
}

impl PgnNote {
    /// Whether something that the record has was dropped.
    pub const fn is_repair(&self) -> bool {
        matches!(self, PgnNote::SetUp(note) if note.is_repair())
    }
}

impl fmt::Display for PgnNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PgnNote::SetUp(note) => return note.fmt(f),
            PgnNote::Quotes => "quotation marks or backslashes in a tag are not escaped",
            PgnNote::Blanks => "blanks stand before tags",
            PgnNote::Html => "HTML around the text is left out",
            PgnNote::Figurines => "figurines are read as letters",
            PgnNote::BracketedPromotion => "a promotion is written in brackets",
            PgnNote::AfterResult => "more follows the result",
            PgnNote::LongComment => "a comment of more than 16 MiB is shortened",
            PgnNote::Variant => "the Variant tag names no variant; read as chess",
        })
    }
}

impl PgnFault {
    /// The fault with a long quotation from the record shortened, for people.
    pub fn short(&self) -> String {
        const LONGEST: usize = 80;
        let clipped = self.text.char_indices().nth(LONGEST).map(|(at, _)| at);
        match (self.kind, clipped) {
            // These texts are the program's own, and their remedy comes last.
            (PgnFaultKind::SetUp | PgnFaultKind::NearlySetUp | PgnFaultKind::TwoResults, _)
            | (_, None) => self.to_string(),
            (_, Some(at)) => {
                let text = format!("{}…", &self.text[..at]);
                PgnFault {
                    text,
                    ..self.clone()
                }
                .to_string()
            }
        }
    }
}

/// What is wrong, without the place.
impl fmt::Display for PgnFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        match self.kind {
            PgnFaultKind::Illegal => write!(f, "{text} is not a legal move here"),
            PgnFaultKind::Ambiguous => write!(f, "{text} can mean more than one legal move"),
            PgnFaultKind::Unreadable => write!(f, "{text:?} is no move"),
            PgnFaultKind::NullMove => write!(f, "{text} passes, which is no move in chess"),
            PgnFaultKind::SetUp => write!(f, "the FEN tag is no position: {text}"),
            PgnFaultKind::NearlySetUp => {
                write!(
                    f,
                    "the FEN tag is no position: {text}; --lenient drops that"
                )
            }
            PgnFaultKind::Variant => write!(f, "{text} is a variant with Laws of its own"),
            PgnFaultKind::Tag => write!(f, "{text:?} is no tag; a tag is [Name \"value\"]"),
            PgnFaultKind::Comment => f.write_str("a comment is opened with { and never closed"),
            PgnFaultKind::Variation => f.write_str("a variation is opened with ( and never closed"),
            PgnFaultKind::NoResult if text.is_empty() => {
                f.write_str("the game ends without a result; something is missing")
            }
            PgnFaultKind::NoResult => {
                write!(
                    f,
                    "the moves end without a result; the Result tag says {text}"
                )
            }
            PgnFaultKind::TwoResults => write!(f, "the result is {text}"),
            PgnFaultKind::TooLong => {
                f.write_str("no end of this game is found within 16 MiB; the rest is left out")
            }
        }
    }
}
