//! Exploring all that play can reach.

use std::collections::HashSet;

use shakmaty::Position as _;
use stillmate_core::{Color, Key, Position};

use crate::{
    exit::Exits,
    limits::Budget,
    refusal::{Fault, Stop},
    rules::Node,
};

/// Visits all positions that play can reach from `start`, without going beyond those in which
/// `winner`'s men don't suffice or that one of `exits` covers; the number of those visited.
///
/// # Errors
///
/// When one is mate by `winner` or there are more than `at_most`.
pub(crate) fn explore(
    start: &Position,
    winner: Color,
    at_most: u64,
    mut exits: Exits<'_, '_>,
    budget: &mut Budget,
) -> Result<u64, Stop> {
    let mut visited = HashSet::new();
    let mut count = 0;
    let mut open = Vec::new();
    let mut visit = |chess, open: &mut Vec<_>, budget: &mut Budget| {
        if visited.insert(Key::new(&Position::from_chess(&chess))) {
            count += 1;
            if count > at_most {
                return Err(Stop::from(Fault::Positions(at_most)));
            }
            budget.spend_position()?;
            open.push(chess);
        }
        Ok(())
    };
    visit(start.to_chess(), &mut open, budget)?;
    while let Some(chess) = open.pop() {
        let node = Node::new(chess)?;
        if node.is_mate_by(winner) {
            let fen = Position::from_chess(&node.chess).fen();
            return Err(Fault::Mate { fen }.into());
        }
        // After the question for mate: the rules of material are about what follows.
        if node.chess.has_insufficient_material(winner)
            || exits.cover(&Position::from_chess(&node.chess), budget)?
        {
            continue;
        }
        for &play in &node.moves {
            visit(node.after(play)?, &mut open, budget)?;
        }
    }
    Ok(count)
}
