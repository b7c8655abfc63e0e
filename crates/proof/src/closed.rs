//! Exploring all that play can reach.

use std::collections::HashSet;

use shakmaty::Position as _;
use stillmate_core::{Color, Key, Position};

use crate::{
    lemmas::Lemmas,
    limits::Remaining,
    refusal::{StepError, StepFault},
    rules::LegalMoves,
};

/// What a position takes at most, in the set of those visited while that grows and on the list
/// of those to go on from, in bytes.
const VISITED: usize = 150;

/// Visits all positions that play can reach from `start`, without going beyond those in which
/// `winner`'s men don't suffice or that one of `lemmas` covers; the number of those visited.
///
/// # Errors
///
/// When one is mate by `winner` or there are more than `at_most`.
pub(crate) fn explore(
    start: &Position,
    winner: Color,
    at_most: u64,
    mut lemmas: Lemmas<'_, '_>,
    remaining: &mut Remaining,
) -> Result<u64, StepError> {
    let mut visited = HashSet::new();
    let mut count = 0;
    let mut open = Vec::new();
    let mut visit = |chess, open: &mut Vec<_>, remaining: &mut Remaining| {
        let key = Key::new(&Position::from_chess(&chess));
        if visited.insert(key) {
            count += 1;
            if count > at_most {
                return Err(StepError::from(StepFault::Positions(at_most)));
            }
            remaining.spend_position()?;
            remaining.take_memory(VISITED)?;
            open.push(key);
        }
        Ok(())
    };
    visit(start.to_chess(), &mut open, remaining)?;
    while let Some(key) = open.pop() {
        let legal = LegalMoves::new(key.position().to_chess(), remaining)?;
        if legal.is_mate_by(winner) {
            let fen = Position::from_chess(&legal.chess).fen();
            return Err(StepFault::Mate { fen }.into());
        }
        // After the question for mate: the rules of material are about what follows.
        if legal.chess.has_insufficient_material(winner)
            || lemmas.cover(&Position::from_chess(&legal.chess), remaining)?
        {
            continue;
        }
        for &play in &legal.moves {
            visit(legal.after(play)?, &mut open, remaining)?;
        }
    }
    Ok(count)
}
