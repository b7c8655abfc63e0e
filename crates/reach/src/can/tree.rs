//! Positions that a search has been to, and the lines that led there.

use stillmate_core::{Color, Move, Position};

use crate::can::mate_in_one;

/// A position, with the move by which it was reached.
struct Node {
    position: Position,
    parent: u32,
    by: Option<Move>,
    plies: u32,
}

/// Positions by their places: each is the first, or follows one before it by a move.
#[derive(Default)]
pub(crate) struct Tree(Vec<Node>);

impl Tree {
    /// Forgets all, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The memory it takes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.0.capacity() * size_of::<Node>()) as u64
    }

    /// Adds a position with the place that it follows and the move; its own place.
    pub(crate) fn add(&mut self, position: Position, from: Option<(u32, Move)>) -> u32 {
        let place = u32::try_from(self.0.len()).expect("limits are far below 2^32");
        let (parent, by, plies) = match from {
            Some((parent, m)) => (parent, Some(m), self.plies(parent) + 1),
            None => (0, None, 0),
        };
        self.0.push(Node {
            position,
            parent,
            by,
            plies,
        });
        place
    }

    pub(crate) fn position(&self, place: u32) -> &Position {
        &self.0[place as usize].position
    }

    /// Plies from the first position.
    pub(crate) fn plies(&self, place: u32) -> u32 {
        self.0[place as usize].plies
    }

    /// The moves that lead to a position.
    pub(crate) fn line(&self, place: u32) -> Vec<Move> {
        trail(place, |at| {
            let node = &self.0[at as usize];
            node.by.map(|m| (m, node.parent))
        })
    }

    /// The line to a position and on to White's mate, if White mates there by a single move.
    pub(crate) fn mate(&self, place: u32) -> Option<Vec<Move>> {
        let position = self.position(place);
        if position.turn() == Color::Black {
            return None;
        }
        let mate = mate_in_one::mate(position)?;
        let mut line = self.line(place);
        line.push(mate);
        Some(line)
    }
}

/// The moves that lead to the position numbered `place`; `by` tells the last one and the number
/// of the position before it, and nothing of the first position.
pub(crate) fn trail(mut place: u32, by: impl Fn(u32) -> Option<(Move, u32)>) -> Vec<Move> {
    let mut line = Vec::new();
    while let Some((m, before)) = by(place) {
        line.push(m);
        place = before;
    }
    line.reverse();
    line
}
