//! Why a certificate isn't accepted.

use std::fmt;

use stillmate_core::{Color, MaterialRule, Square};

/// Why a certificate isn't accepted. Steps count from 0, as in the certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The certificate proves nothing.
    #[error("step {step}: {fault}")]
    Rejected {
        /// The step at fault.
        step: usize,
        /// What is wrong.
        fault: StepFault,
    },
    /// The check reached a limit. The certificate may be right or wrong.
    #[error("step {step} could not be checked: {limit}")]
    Unchecked {
        /// The step at which the limit was reached.
        step: usize,
        /// Which limit.
        limit: Limit,
    },
}

/// What is wrong with a step for a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepFault {
    /// The certificate has no steps.
    #[error("the step is missing")]
    Missing,
    /// A step refers to itself, to an earlier one, or to one that doesn't exist.
    #[error("refers to step {0}, which is not a later step of this certificate")]
    Reference(usize),
    /// A step named as an exit isn't an invariant. (A *closed* step may also name *classes*.)
    #[error("named as an exit, but this kind of step cannot be an exit there")]
    NotALemma,
    /// The colour claimed unable to mate has mated in this position.
    #[error("mate is on the board: {fen}")]
    Mate {
        /// The position.
        fen: String,
    },
    /// A position that should have no legal move has one.
    #[error("not terminal: {uci} is legal")]
    NotTerminal {
        /// One of them.
        uci: String,
    },
    /// The named rule doesn't apply to the men on the board.
    #[error("the men on the board are not those of the rule {0:?}")]
    Material(MaterialRule),
    /// A listed move isn't legal, or is listed twice.
    #[error("{uci} is not legal here, or is listed twice")]
    Move {
        /// The move.
        uci: String,
    },
    /// A legal move isn't listed.
    #[error("{uci} is legal and not listed")]
    MissingMove {
        /// The move.
        uci: String,
    },
    /// Play can reach more positions than the step says.
    #[error("play can reach more than the {0} positions stated")]
    Positions(u64),
    /// The position doesn't fit the invariant.
    #[error("the position does not fit the invariant")]
    DoesNotFit,
    /// The invariant doesn't meet an obligation, whatever the position.
    #[error("not a valid invariant: {0}")]
    Invariant(#[from] InvariantFault),
    /// The position doesn't belong to the first class, or there are no classes.
    #[error("the position does not belong to the first class")]
    DoesNotBelong,
    /// A class doesn't meet an obligation.
    #[error("class {class}: {fault}")]
    Class {
        /// Its place in the list of the step, from 0.
        class: usize,
        /// What is wrong.
        fault: ClassFault,
    },
}

/// A mate that a description of positions doesn't exclude.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("mate to the king on {king} by man {man} from {from}, helped by the king on {guard}")]
pub struct PossibleMate {
    /// Where the mated king stands.
    pub king: Square,
    /// The man that checks, by its place in the list.
    pub man: usize,
    /// From where.
    pub from: Square,
    /// Where the mating side's king stands.
    pub guard: Square,
}

/// What is wrong with an invariant. Numbers of men are places in its list, from 0; W is the colour
/// claimed unable to mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvariantFault {
    /// More men than the board has squares, or more opposed pairs than eight pawns of each colour
    /// can form.
    #[error("more than 64 men or opposed pairs")]
    Crowd,
    /// A colour doesn't have exactly one king, or its king is marked as `lost` or `promotes`.
    #[error("each colour needs exactly one king, which is neither lost nor promotes")]
    Kings,
    /// A pawn's squares include some on the first or last rank.
    #[error("pawn {0} has a square on the first or last rank")]
    PawnRank(usize),
    /// A man marked as `promotes` isn't a pawn, is of W, or isn't marked as `lost`.
    #[error("man {0} must not be marked as promoting")]
    Promotes(usize),
    /// A man of W isn't marked as `lost`, although a promoted man may capture it.
    #[error("man {0} must be marked as lost, since a promoted man may capture it")]
    Exposed(usize),
    /// A pair doesn't consist of a white and a black pawn that stay on one file and of which at
    /// least one can't be captured.
    #[error("pair {0} is not a pair of opposed pawns")]
    Opposed(usize),
    /// A granted castling right isn't on the first or last rank.
    #[error("castling rights off the first and last rank")]
    Castling,
    /// The granted en passant square isn't on the third or sixth rank.
    #[error("the en passant square is not on the third or sixth rank")]
    EnPassant,
    /// A man may move to a square that isn't its own, or a pawn that isn't marked as `promotes` to
    /// its last rank.
    #[error("man {man} may go from {from} to {to}")]
    Leaves {
        /// The man that moves.
        man: usize,
        /// From where.
        from: Square,
        /// To where.
        to: Square,
    },
    /// A man may be captured that isn't marked as `lost`.
    #[error("man {man} may go from {from} to {to} and capture man {victim}")]
    Takes {
        /// The man that captures.
        man: usize,
        /// From where.
        from: Square,
        /// To where.
        to: Square,
        /// The man captured.
        victim: usize,
    },
    /// A mate can't be excluded.
    #[error(transparent)]
    Mate(#[from] PossibleMate),
}

/// What is wrong with a class. Numbers of men are places in its list, from 0; W is the colour claimed
/// unable to mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClassFault {
    /// More men than the board has room for beside the kings.
    #[error("more than 62 men beside the kings")]
    Crowd,
    /// A man that can't be in a class: a king, a man marked as `lost`, a pawn that doesn't have
    /// exactly one square between the first and the last rank, or a man of unknown kind that isn't
    /// listed as a pawn of B.
    #[error("man {0} cannot be in a class")]
    Man(usize),
    /// A pair of kings on the same square or next to each other.
    #[error("kings on {claim} and {other} at once")]
    Kings {
        /// The square of W's king.
        claim: Square,
        /// That of the other.
        other: Square,
    },
    /// A man may move to a square that isn't its own.
    #[error("man {man} may go from {from} to {to}")]
    Leaves {
        /// The man that moves.
        man: usize,
        /// From where.
        from: Square,
        /// To where.
        to: Square,
    },
    /// The kings may come to stand on squares that aren't a pair of the class for that side to move.
    #[error("the {king} king may go from {from} to {to}, or wait there, with the other on {other}")]
    Steps {
        /// The side that moves its king or another man.
        king: Color,
        /// From where.
        from: Square,
        /// To where. The same square if another man moves.
        to: Square,
        /// Where the other king stands.
        other: Square,
    },
    /// Nothing covers the positions to which an irreversible move leads.
    #[error("nothing covers the positions after {0}")]
    Uncovered(IrreversibleMove),
    /// A mate can't be excluded.
    #[error(transparent)]
    Mate(#[from] PossibleMate),
}

impl ClassFault {
    pub(crate) fn of(self, class: usize) -> StepFault {
        let fault = self;
        StepFault::Class { class, fault }
    }
}

/// An irreversible move, or several of a kind, in the positions of a class. Numbers of men are places
/// in its list, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IrreversibleMove {
    /// A man that is neither king nor pawn captures another.
    Takes {
        /// The man that captures.
        man: usize,
        /// The man captured.
        victim: usize,
    },
    /// A king captures a man of the other colour.
    KingTakes {
        /// Whose king.
        king: Color,
        /// The man captured.
        victim: usize,
    },
    /// A pawn moves one or two squares ahead, or captures.
    Pawn {
        /// The pawn.
        man: usize,
        /// To where.
        to: Square,
        /// The man captured, if any.
        victim: Option<usize>,
    },
    /// A pawn moves two squares ahead and is captured en passant at once.
    EnPassant {
        /// The pawn that is captured.
        man: usize,
        /// To where it moves.
        to: Square,
        /// The pawn that captures.
        taker: usize,
        /// The square passed, to which the other pawn moves.
        passed: Square,
    },
}

impl fmt::Display for IrreversibleMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IrreversibleMove::Takes { man, victim } => write!(f, "man {man} captures man {victim}"),
            IrreversibleMove::KingTakes { king, victim } => {
                write!(f, "the {king} king captures man {victim}")
            }
            IrreversibleMove::Pawn { man, to, victim } => {
                write!(f, "pawn {man} moves to {to}")?;
                victim.map_or(Ok(()), |victim| write!(f, " and captures man {victim}"))
            }
            IrreversibleMove::EnPassant {
                man, taker, passed, ..
            } => {
                write!(f, "pawn {taker} captures pawn {man} en passant on {passed}")
            }
        }
    }
}

/// Which limit ended a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// [`Limits::steps`](crate::Limits::steps).
    #[error("too many steps")]
    Steps,
    /// [`Limits::positions`](crate::Limits::positions).
    #[error("too many positions")]
    Positions,
    /// [`Limits::work`](crate::Limits::work).
    #[error("too much work")]
    Work,
    /// [`Limits::classes`](crate::Limits::classes).
    #[error("too many classes")]
    Classes,
    /// [`Limits::memory`](crate::Limits::memory).
    #[error("too much memory")]
    Memory,
    /// A position has more moves than shakmaty's list can hold.
    #[error("too many moves in a position")]
    Moves,
}

/// A refusal without the number of its step.
#[derive(Debug)]
pub(crate) enum StepError {
    Fault(StepFault),
    Limit(Limit),
}

impl StepError {
    pub(crate) fn at(self, step: usize) -> Refusal {
        match self {
            StepError::Fault(fault) => Refusal::Rejected { step, fault },
            StepError::Limit(limit) => Refusal::Unchecked { step, limit },
        }
    }
}

impl From<StepFault> for StepError {
    fn from(fault: StepFault) -> StepError {
        StepError::Fault(fault)
    }
}

impl From<InvariantFault> for StepError {
    fn from(fault: InvariantFault) -> StepError {
        StepError::Fault(fault.into())
    }
}

impl From<Limit> for StepError {
    fn from(limit: Limit) -> StepError {
        StepError::Limit(limit)
    }
}
