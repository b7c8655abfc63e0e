//! Why a certificate isn't accepted.

use std::fmt;

use stillmate_core::{Color, MaterialRule, Square};

/// Why a certificate isn't accepted. Steps count from 0, as in the certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The certificate proves nothing: this is wrong with it.
    #[error("step {step}: {fault}")]
    Rejected {
        /// The step at fault.
        step: usize,
        /// What is wrong.
        fault: Fault,
    },
    /// A limit was reached before the certificate was checked; it may be right or wrong.
    #[error("step {step} could not be checked: {limit}")]
    Unchecked {
        /// The step at which the limit was reached.
        step: usize,
        /// Which limit.
        limit: Limit,
    },
}

/// What is wrong with a step, for the position it is asked about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// There is no such step: a certificate without steps, or one cut short.
    #[error("the step is missing")]
    Missing,
    /// A step refers to itself or an earlier one, or to one that doesn't exist.
    #[error("refers to step {0}, which is not a later one of this certificate")]
    Reference(usize),
    /// A step named as an exit is neither an invariant nor, where these may be named, classes.
    #[error("named as an exit, but none that may be named there")]
    NoExit,
    /// The colour claimed unable to mate has mated, in the position given.
    #[error("mate is on the board: {fen}")]
    Mate {
        /// The position.
        fen: String,
    },
    /// A position said to be without moves has some.
    #[error("not the end: {uci} is legal")]
    NotTerminal {
        /// One of them.
        uci: String,
    },
    /// The men on the board don't fit the rule named.
    #[error("the men on the board are not those of the rule {0:?}")]
    Material(MaterialRule),
    /// A move listed isn't legal, or is listed twice.
    #[error("{uci} is not legal here or listed twice")]
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
    /// More positions can be reached than the step says.
    #[error("more than the {0} positions stated can be reached")]
    Positions(u64),
    /// The position doesn't fit the invariant.
    #[error("the position does not fit the invariant")]
    Fit,
    /// The invariant is none.
    #[error("the invariant is none: {0}")]
    Invariant(#[from] InvariantFault),
    /// The position doesn't belong to the first class, or there is none.
    #[error("the position does not belong to the first class")]
    Belongs,
    /// Something is wrong with a class.
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
pub struct Mate {
    /// Where the mated king stands.
    pub king: Square,
    /// The man that checks, by its place in the list.
    pub man: usize,
    /// From where.
    pub from: Square,
    /// Where the mating side's king stands.
    pub guard: Square,
}

/// What is wrong with an invariant, whatever the position. Men are meant by their place in
/// its list, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvariantFault {
    /// More men than squares on the board, or more opposed pairs than eight pawns of each
    /// colour can form.
    #[error("more than 64 men or opposed pairs")]
    Crowd,
    /// A colour hasn't exactly one king, or its king may be lost or promote.
    #[error("not exactly one king of each colour that stays")]
    Kings,
    /// A pawn's squares include some on the first or last rank.
    #[error("pawn {0} on a first or last rank")]
    PawnRank(usize),
    /// A man is marked as promoting that can't: no pawn, or one that is never lost, or one of
    /// the colour claimed unable to mate.
    #[error("man {0} must not promote")]
    Promotes(usize),
    /// Men of the other side promote, and this one of the colour claimed unable to mate isn't
    /// marked as lost.
    #[error("man {0} is not lost although anything may be captured")]
    Exposed(usize),
    /// A pair isn't a white and a black pawn that stay on one file, one of them for ever.
    #[error("pair {0} of opposed pawns is none")]
    Opposed(usize),
    /// A right to castle granted off the first and last rank.
    #[error("castling rights off the back ranks")]
    Castling,
    /// An en passant square on an impossible rank.
    #[error("an impossible en passant square")]
    EnPassant,
    /// A man may get to a square that isn't among its squares (for a pawn that isn't marked
    /// as promoting: to its last rank).
    #[error("man {man} may go from {from} to {to}")]
    Leaves {
        /// The man that moves.
        man: usize,
        /// From where.
        from: Square,
        /// To where.
        to: Square,
    },
    /// A man may be captured that isn't marked as lost.
    #[error("man {man} may go from {from} to {to} and take man {victim}")]
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
    /// A mate isn't excluded.
    #[error(transparent)]
    Mate(#[from] Mate),
}

/// What is wrong with a class, whatever the position. Men are meant by their place in its
/// list, from 0; W is the colour claimed unable to mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClassFault {
    /// More men than there is room for on the board beside the kings.
    #[error("more than 62 men beside the kings")]
    Crowd,
    /// A man that no class has: a king, one marked as lost, a pawn that doesn't stand on
    /// exactly one square between the first and the last rank, or one of unknown kind that
    /// isn't listed as a pawn of B.
    #[error("man {0} can't be in a class")]
    Man(usize),
    /// A pair of kings on one square or next to each other.
    #[error("kings on {claim} and {other}")]
    Kings {
        /// The square of W's king.
        claim: Square,
        /// That of the other.
        other: Square,
    },
    /// A man may get to a square that isn't among its squares.
    #[error("man {man} may go from {from} to {to}")]
    Leaves {
        /// The man that moves.
        man: usize,
        /// From where.
        from: Square,
        /// To where.
        to: Square,
    },
    /// The kings may come to stand as no pair of the class says with that side to move.
    #[error("the {king} king may go from {from} to {to}, or wait there, with the other on {other}")]
    Steps {
        /// Whose king steps, or who moves another man.
        king: Color,
        /// From where.
        from: Square,
        /// To where; the same square if the king stays.
        to: Square,
        /// Where the other king stands.
        other: Square,
    },
    /// Nothing covers what an irreversible move leads to.
    #[error("nothing covers what follows when {0}")]
    Uncovered(Event),
    /// A mate isn't excluded.
    #[error(transparent)]
    Mate(#[from] Mate),
}

impl ClassFault {
    pub(crate) fn of(self, class: usize) -> Fault {
        let fault = self;
        Fault::Class { class, fault }
    }
}

/// An irreversible move, or several of a kind, in the positions of a class. Men are meant by
/// their place in its list, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A man that is neither king nor pawn takes another.
    Takes {
        /// The man that takes.
        man: usize,
        /// The man taken.
        victim: usize,
    },
    /// A king takes a man of the other colour.
    KingTakes {
        /// Whose king.
        king: Color,
        /// The man taken.
        victim: usize,
    },
    /// A pawn goes one or two squares ahead or takes diagonally.
    Pawn {
        /// The pawn.
        man: usize,
        /// To where.
        to: Square,
        /// The man taken, if any.
        victim: Option<usize>,
    },
    /// A pawn goes two squares ahead and is taken in passing at once.
    EnPassant {
        /// The pawn that is taken.
        man: usize,
        /// To where it goes.
        to: Square,
        /// The pawn that takes.
        taker: usize,
        /// The square passed, to which that goes.
        passed: Square,
    },
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Takes { man, victim } => write!(f, "man {man} takes man {victim}"),
            Event::KingTakes { king, victim } => write!(f, "the {king} king takes man {victim}"),
            Event::Pawn { man, to, victim } => {
                write!(f, "pawn {man} goes to {to}")?;
                victim.map_or(Ok(()), |victim| write!(f, " and takes man {victim}"))
            }
            Event::EnPassant {
                man, taker, passed, ..
            } => {
                write!(f, "pawn {taker} takes pawn {man} in passing on {passed}")
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
    /// A position has more moves than shakmaty can list.
    #[error("a position with too many moves")]
    Moves,
}

/// A refusal whose step isn't known yet.
#[derive(Debug)]
pub(crate) enum Stop {
    Fault(Fault),
    Limit(Limit),
}

impl Stop {
    pub(crate) fn at(self, step: usize) -> Refusal {
        match self {
            Stop::Fault(fault) => Refusal::Rejected { step, fault },
            Stop::Limit(limit) => Refusal::Unchecked { step, limit },
        }
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

impl From<InvariantFault> for Stop {
    fn from(fault: InvariantFault) -> Stop {
        Stop::Fault(fault.into())
    }
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Stop {
        Stop::Limit(limit)
    }
}
