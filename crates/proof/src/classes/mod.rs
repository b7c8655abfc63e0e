//! Classes: sets of positions that reversible moves don't leave, and the irreversible moves between
//! them.
//!
//! | file | its thought |
//! |---|---|
//! | this one | a list of classes as a proof |
//! | `reversible_class` | a single class is well formed; what follows from it at once |
//! | `reversible_moves` | first obligation: they stay inside |
//! | `irreversible_moves` | second obligation: which there are, and where they lead |
//! | `position_set` | second obligation: what covers that |
//! | `safety` | third obligation: no position is mate |
//! | `king_pairs` | where the kings may stand |

mod irreversible_moves;
mod king_pairs;
mod position_set;
mod reversible_class;
mod reversible_moves;
mod safety;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use stillmate_core::{Bitboard, ByColor, Color, Position};

use self::{position_set::PositionSet, reversible_class::ReversibleClass};
use crate::{
    certificate::{Class, Man},
    invariant::{InductiveInvariant, size},
    limits::{HASHED, Remaining},
    refusal::{ClassFault, Limit, StepError, StepFault},
};

/// Operations on all pairs of kings of a class, beside those on its men.
const CLASS_WORK: usize = 1_500;

/// Operations to tell whether a set of positions is covered, beside those on its men.
const COVER_WORK: usize = 400;

/// What a class takes in the index at most, in bytes.
const INDEXED: usize = 200;

/// The classes of a step, between which irreversible moves lead.
pub(crate) struct ClassGraph {
    winner: Color,
    classes: Vec<ReversibleClass>,
    /// The places of the classes by their signatures.
    index: HashMap<Signature, Vec<usize>>,
}

/// What positions have in common with the classes to which they may belong: the pawns, and the
/// number of men without the kings.
type Signature = (ByColor<Bitboard>, usize);

impl ClassGraph {
    /// Checks that the classes are well formed.
    pub(crate) fn new(
        classes: &[Class],
        winner: Color,
        remaining: &mut Remaining,
    ) -> Result<ClassGraph, StepError> {
        let mut graph = ClassGraph {
            winner,
            classes: Vec::new(),
            index: HashMap::new(),
        };
        for (place, class) in classes.iter().enumerate() {
            remaining.spend_class()?;
            remaining.spend_work(CLASS_WORK + size(&class.men))?;
            remaining.take_memory(
                size_of::<ReversibleClass>() + size_of_val(&class.men[..]) + INDEXED,
            )?;
            let class = ReversibleClass::new(class, winner).map_err(|fault| fault.of(place))?;
            let places = graph.index.entry(signature(&class.men)).or_default();
            places.push(place);
            graph.classes.push(class);
        }
        Ok(graph)
    }

    pub(crate) fn len(&self) -> usize {
        self.classes.len()
    }

    /// Checks the obligations of each class. `lemmas` are invariants that have been proved.
    pub(crate) fn prove(
        &self,
        lemmas: &[&InductiveInvariant],
        remaining: &mut Remaining,
    ) -> Result<(), StepError> {
        for (place, class) in self.classes.iter().enumerate() {
            remaining.spend_work(CLASS_WORK + size(&class.men))?;
            class
                .check_reversible_moves()
                .map_err(|fault| fault.of(place))?;
            class.check_safety(place, remaining)?;
            let moves = class.irreversible_moves();
            remaining.spend_work(moves.len() * (CLASS_WORK + class.men.len()))?;
            for m in moves {
                if !self.covers(&class.after(m), lemmas, remaining)? {
                    return Err(ClassFault::Uncovered(m).of(place).into());
                }
            }
        }
        Ok(())
    }

    /// Whether none of `positions` is mate and none can lead to one.
    fn covers(
        &self,
        positions: &PositionSet,
        lemmas: &[&InductiveInvariant],
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        remaining.spend_work(COVER_WORK + positions.men.len())?;
        if positions.kings.is_empty()
            || positions.is_impossible()
            || positions.is_insufficient(self.winner)
            || self.includes(positions, remaining)?
        {
            return Ok(true);
        }
        let men = positions.with_kings(self.winner);
        for lemma in lemmas {
            if lemma.includes(&men, remaining)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether any of the classes includes all `positions`.
    fn includes(&self, positions: &PositionSet, remaining: &mut Remaining) -> Result<bool, Limit> {
        remaining.spend_work(HASHED + positions.men.len())?;
        let places = self.index.get(&signature(&positions.men));
        for &place in places.into_iter().flatten() {
            if self.classes[place].includes(positions, remaining)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a position with these pawns and so many men (with the kings) may belong to any of
    /// the classes.
    ///
    /// # Errors
    ///
    /// [`Limit::Work`].
    pub(crate) fn allows(
        &self,
        pawns: ByColor<Bitboard>,
        men: usize,
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        remaining.spend_work(HASHED)?;
        let without_kings = men.checked_sub(2);
        Ok(without_kings.is_some_and(|men| self.index.contains_key(&(pawns, men))))
    }

    /// Whether `position`, which isn't mate, belongs to any of the classes.
    pub(crate) fn has(
        &self,
        position: &Position,
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        match PositionSet::at(position, self.winner) {
            Some(positions) => self.includes(&positions, remaining),
            None => Ok(false),
        }
    }

    /// Checks that `position`, which isn't mate, belongs to the first class.
    pub(crate) fn begins_with(
        &self,
        position: &Position,
        remaining: &mut Remaining,
    ) -> Result<(), StepError> {
        let positions = PositionSet::at(position, self.winner);
        match positions.zip(self.classes.first()) {
            Some((positions, first)) if first.includes(&positions, remaining)? => Ok(()),
            _ => Err(StepFault::DoesNotBelong.into()),
        }
    }
}

fn signature(men: &[Man]) -> Signature {
    let pawns = |color| {
        let pawns = men
            .iter()
            .filter(|man| man.is_pawn() && man.piece.color == color);
        pawns.fold(Bitboard::EMPTY, |squares, man| squares | man.squares)
    };
    (ByColor::new_with(pawns), men.len())
}
