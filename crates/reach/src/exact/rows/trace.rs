//! From a mate back to the first position, by concrete moves.

use stillmate_core::{Color, Move, Position};

use super::{
    Search, Spot,
    graph::{Expansion, Source},
    placement::{Kind, Men},
    structure::Entry,
};
use crate::verdict::StopReason;

/// An entry that is looked for while the structure that it comes from is closed again.
pub(super) struct Watch {
    structure: u32,
    men: Men,
    spot: Spot,
    met: bool,
}

impl Watch {
    /// Whether this is the entry.
    pub(super) fn meet(&mut self, structure: u32, entry: &Entry, row_man: Kind) {
        if structure != self.structure || entry.turn != self.spot.turn {
            return;
        }
        let men = entry.placement.unpack();
        self.met |= entry
            .row
            .into_iter()
            .any(|square| men.with(square, row_man.color(), row_man.role()) == self.men);
    }
}

impl Search<'_> {
    /// The line to a position of the structure that is being closed.
    pub(super) fn line_to(&mut self, spot: Spot) -> Result<Option<Vec<Move>>, StopReason> {
        self.complete(spot, Vec::new())
    }

    /// The line to a position that the expansion made last leads to.
    pub(super) fn line_through(
        &mut self,
        target: &Position,
    ) -> Result<Option<Vec<Move>>, StopReason> {
        match self.step(self.graph.last_expansion(), target) {
            Some((spot, m)) => self.complete(spot, vec![m]),
            None => Ok(None),
        }
    }

    /// Walks back to the first position, with `line` already behind it, the last move first.
    fn complete(
        &mut self,
        mut spot: Spot,
        mut line: Vec<Move>,
    ) -> Result<Option<Vec<Move>>, StopReason> {
        loop {
            let Some(entry) = self.walk_back(&mut spot, &mut line) else {
                return Ok(None);
            };
            let here = self.here;
            let origin = self.structures[here as usize].entries[entry as usize].origin;
            if origin == here {
                line.reverse();
                return Ok(Some(line));
            }
            let target = self.position(spot, here);
            self.watch = Some(Watch {
                structure: here,
                men: Men::new(&target),
                spot,
                met: false,
            });
            let met = self.close_again(origin)?;
            self.watch = None;
            let step = met.and_then(|expansion| self.step(expansion, &target));
            let Some((before, m)) = step else {
                return Ok(None);
            };
            line.push(m);
            spot = before;
        }
    }

    /// Goes back to where the structure was entered, adding the moves to `line`; the number of
    /// the entry.
    fn walk_back(&self, spot: &mut Spot, line: &mut Vec<Move>) -> Option<u32> {
        loop {
            match self
                .graph
                .source(spot.placement, spot.turn, spot.square.into())?
            {
                Source::Entry(number) => return Some(number),
                Source::Expansion(number) => {
                    let target = self.position(*spot, self.here);
                    let (before, m) = self.step(self.graph.expansion(number), &target)?;
                    line.push(m);
                    *spot = before;
                }
            }
        }
    }

    /// The move from one of an expansion's positions to `target`.
    fn step(&self, expansion: Expansion, target: &Position) -> Option<(Spot, Move)> {
        let placement = self.graph.placement(expansion.node);
        expansion.row.into_iter().find_map(|square| {
            let spot = Spot {
                placement,
                square,
                turn: expansion.turn,
            };
            let position = self.position(spot, self.here);
            let mut moves = position.legal_moves().into_iter();
            let m = moves.find(|m| position.after(*m) == *target)?;
            Some((spot, m))
        })
    }

    /// Closes a structure once more, until the entry that is watched for is met: the expansion
    /// that led to it.
    fn close_again(&mut self, structure: u32) -> Result<Option<Expansion>, StopReason> {
        self.here = structure;
        self.load()?;
        while let Some((node, rows)) = self.graph.next() {
            for (turn, row) in [Color::White, Color::Black].into_iter().zip(rows) {
                if row.is_empty() {
                    continue;
                }
                self.meter.spend(1)?;
                let expansion = Expansion { node, turn, row };
                self.expand(expansion)?;
                if self.watch.as_ref().is_some_and(|watch| watch.met) {
                    return Ok(Some(expansion));
                }
            }
        }
        Ok(None)
    }
}
