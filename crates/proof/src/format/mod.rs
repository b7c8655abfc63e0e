//! Certificates as text and bytes. `docs/certificates.md` describes both formats.
//!
//! | file | its thought |
//! |---|---|
//! | this one | what can be wrong with either, and which moves are meant |
//! | `json` | for people and other programs, one certificate at a time |
//! | `fields` | how JSON has squares, pieces and the like |
//! | `fen` | the position, in both formats |
//! | `binary` | compact, for batches |
//!
//! Reading finds out what a certificate says. [`verify`](crate::verify) finds out whether it is right.

mod binary;
mod fen;
mod fields;
mod json;

use std::{collections::HashMap, io};

use stillmate_core::{Move, Position, PositionError};

use crate::{
    certificate::Step,
    limits::{Limits, Remaining},
    refusal::Limit,
    rules::LegalMoves,
};

pub use binary::{BatchReader, BatchWriter};

/// The version of both formats. Each change that an older reader would misread raises it.
const VERSION: u8 = 1;

/// The program that writes certificates, for the record.
const PROGRAM: &str = concat!("stillmate ", env!("CARGO_PKG_VERSION"));

/// Why text or bytes can't be read as a certificate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// Longer than [`Limits::bytes`].
    #[error("{bytes} bytes; the limit is {limit}")]
    Length {
        /// The length announced or found, in bytes.
        bytes: u64,
        /// The limit, in bytes.
        limit: usize,
    },
    /// More steps than [`Limits::steps`].
    #[error("{steps} steps; the limit is {limit}")]
    Steps {
        /// The number of steps.
        steps: u64,
        /// The limit.
        limit: usize,
    },
    /// More classes than [`Limits::classes`].
    #[error("more than {limit} classes, which is the limit")]
    Classes {
        /// The limit.
        limit: u64,
    },
    /// Another limit was reached.
    #[error("reading it takes {0}")]
    Limit(#[from] Limit),
    /// Another version of the format or, for bytes, another format.
    #[error("not format {VERSION}, the only one that this version knows")]
    Version,
    /// Not JSON, or not that of a certificate. The message says where.
    #[error("not the JSON of a certificate: {0}")]
    Json(#[from] serde_json::Error),
    /// Bytes that can't be part of a certificate.
    #[error("byte {offset}: not {expected}")]
    Bytes {
        /// Where, from 0, in the certificate or, for the heading of a batch, in the batch.
        offset: usize,
        /// What should be there.
        expected: &'static str,
    },
    /// The text of the position isn't a FEN.
    #[error("the certificate's position: not a FEN: {0} expected")]
    Fen(&'static str),
    /// The FEN doesn't describe a position.
    #[error("the certificate's position: {0}")]
    Position(#[from] PositionError),
    /// A listed move isn't legal in the position for which its step is first referred to.
    #[error("step {step}, move {place}: not legal here")]
    Move {
        /// The step, from 0.
        step: usize,
        /// The place of the move in its list, from 0.
        place: usize,
    },
    /// No list of moves leads to a step that lists moves.
    #[error("step {step}: no move leads to this list of moves")]
    Unreached {
        /// The step, from 0.
        step: usize,
    },
    /// Reading failed.
    #[error("reading failed: {0}")]
    Io(#[from] io::Error),
}

impl FormatError {
    /// Whether a limit was reached, so that this may be a certificate after all.
    pub fn is_limit(&self) -> bool {
        match self {
            FormatError::Length { .. }
            | FormatError::Steps { .. }
            | FormatError::Classes { .. }
            | FormatError::Limit(_) => true,
            FormatError::Version
            | FormatError::Json(_)
            | FormatError::Bytes { .. }
            | FormatError::Fen(_)
            | FormatError::Position(_)
            | FormatError::Move { .. }
            | FormatError::Unreached { .. }
            | FormatError::Io(_) => false,
        }
    }
}

/// A step as it is written. Its moves, if it lists any, are still to be found.
enum Written<M> {
    Moves(Vec<(M, usize)>),
    Other(Step),
}

/// What the position of a step takes at most while moves are found, in bytes.
const REACHED: usize = 240;

/// Finds the moves that `steps` mean. Both formats write only as much of a move as tells it from
/// other moves in the same position: the position for which the step is first referred to.
fn resolve<M: PartialEq>(
    position: Position,
    steps: Vec<Written<M>>,
    write: impl Fn(Move) -> M,
    remaining: &mut Remaining,
) -> Result<Vec<Step>, FormatError> {
    let count = steps.len();
    let mut here = HashMap::from([(0, position)]);
    let mut resolved = Vec::with_capacity(steps.len());
    for (step, written) in steps.into_iter().enumerate() {
        let listed = match written {
            Written::Other(other) => {
                resolved.push(other);
                continue;
            }
            Written::Moves(listed) => listed,
        };
        let position = here.get(&step).ok_or(FormatError::Unreached { step })?;
        let legal_moves = LegalMoves::new(position.to_chess(), remaining)?;
        let legal = legal_moves
            .moves
            .iter()
            .map(|&play| Move::from_shakmaty(play));
        let legal: Vec<_> = legal.map(|m| (write(m), m)).collect();
        let mut moves = Vec::with_capacity(listed.len());
        for (place, (written, next)) in listed.into_iter().enumerate() {
            remaining.spend_work(legal.len())?;
            let illegal = || FormatError::Move { step, place };
            let meant = legal.iter().find(|(legal, _)| *legal == written);
            let &(_, m) = meant.ok_or_else(illegal)?;
            moves.push((m, next));
            if next > step && next < count && !here.contains_key(&next) {
                remaining.take_memory(REACHED)?;
                let after = legal_moves.after(m.to_shakmaty()).map_err(|_| illegal())?;
                here.insert(next, Position::from_chess(&after));
            }
        }
        resolved.push(Step::Moves(moves));
    }
    Ok(resolved)
}

fn check_steps(steps: u64, limits: &Limits) -> Result<(), FormatError> {
    let limit = limits.steps;
    if steps > limit as u64 {
        return Err(FormatError::Steps { steps, limit });
    }
    Ok(())
}

fn check_classes(classes: u64, limits: &Limits) -> Result<(), FormatError> {
    let limit = limits.classes;
    if classes > limit {
        return Err(FormatError::Classes { limit });
    }
    Ok(())
}

fn check_length(bytes: u64, limits: &Limits) -> Result<(), FormatError> {
    let limit = limits.bytes;
    if bytes > limit as u64 {
        return Err(FormatError::Length { bytes, limit });
    }
    Ok(())
}
