//! Classes: positions that reversible moves lead to from one another, and the irreversible
//! moves between them.
//!
//! | file | its thought |
//! |---|---|
//! | this one | a list of classes as a proof |
//! | `stretch` | a single class: it makes sense; what follows from it at once |
//! | `stays` | first obligation: reversible moves stay inside |
//! | `events` | second: the irreversible moves, and what they lead to |
//! | `outcome` | second: what covers that |
//! | `mate` | third: no position is mate |
//! | `pairs` | where the kings may stand |

mod events;
mod mate;
mod outcome;
mod pairs;
mod stays;
mod stretch;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use stillmate_core::{Bitboard, ByColor, Color, Position};

use self::{outcome::Outcome, stretch::Stretch};
use crate::{
    certificate::{Class, Man},
    invariant::{Frame, size},
    limits::{HASHED, Remaining},
    refusal::{ClassFault, Fault, Limit, Stop},
};

/// Operations on all pairs of kings of a class, beside what its men take.
const CLASS_WORK: usize = 1_500;

/// Operations to ask of a set of positions whether it is covered, beside what its men take.
const COVER_WORK: usize = 400;

/// What a place in the index takes at most, in bytes.
const INDEXED: usize = 200;

/// The classes of a step, well formed and with an index.
pub(crate) struct Family {
    winner: Color,
    stretches: Vec<Stretch>,
    /// The places of the classes, by what something must have in common with those that may
    /// include it.
    index: HashMap<Signature, Vec<usize>>,
}

/// What positions have in common with the classes that they may belong to: the pawns, and the
/// number of all men but the kings.
type Signature = (ByColor<Bitboard>, usize);

impl Family {
    /// Checks that the classes make sense.
    pub(crate) fn new(
        classes: &[Class],
        winner: Color,
        remaining: &mut Remaining,
    ) -> Result<Family, Stop> {
        let mut family = Family {
            winner,
            stretches: Vec::new(),
            index: HashMap::new(),
        };
        for (place, class) in classes.iter().enumerate() {
            remaining.spend_class()?;
            remaining.spend_work(CLASS_WORK + size(&class.men))?;
            remaining.take_memory(size_of::<Stretch>() + size_of_val(&class.men[..]) + INDEXED)?;
            let stretch = Stretch::new(class, winner).map_err(|fault| fault.of(place))?;
            let places = family.index.entry(signature(&stretch.men)).or_default();
            places.push(place);
            family.stretches.push(stretch);
        }
        Ok(family)
    }

    pub(crate) fn len(&self) -> usize {
        self.stretches.len()
    }

    /// Checks the obligations of every class. `exits` are invariants that have been proved.
    pub(crate) fn prove(&self, exits: &[&Frame], remaining: &mut Remaining) -> Result<(), Stop> {
        for (place, stretch) in self.stretches.iter().enumerate() {
            remaining.spend_work(CLASS_WORK + size(&stretch.men))?;
            stretch.stays().map_err(|fault| fault.of(place))?;
            stretch.excludes_mate(place, remaining)?;
            let events = stretch.events();
            remaining.spend_work(events.len() * (CLASS_WORK + stretch.men.len()))?;
            for event in events {
                if !self.covers(&stretch.after(event), exits, remaining)? {
                    return Err(ClassFault::Uncovered(event).of(place).into());
                }
            }
        }
        Ok(())
    }

    /// Whether no mate can follow from any position of `outcome`, or be on the board.
    fn covers(
        &self,
        outcome: &Outcome,
        exits: &[&Frame],
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        remaining.spend_work(COVER_WORK + outcome.men.len())?;
        if outcome.kings.is_empty()
            || outcome.is_impossible()
            || outcome.is_insufficient(self.winner)
            || self.includes(outcome, remaining)?
        {
            return Ok(true);
        }
        let men = outcome.with_kings(self.winner);
        for exit in exits {
            if exit.includes(&men, remaining)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether one of the classes includes `outcome`.
    fn includes(&self, outcome: &Outcome, remaining: &mut Remaining) -> Result<bool, Limit> {
        remaining.spend_work(HASHED + outcome.men.len())?;
        let places = self.index.get(&signature(&outcome.men));
        for &place in places.into_iter().flatten() {
            if self.stretches[place].includes(outcome, remaining)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a position with these pawns and so many men, kings included, may belong to one
    /// of the classes.
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
        let officers = men.checked_sub(2);
        Ok(officers.is_some_and(|men| self.index.contains_key(&(pawns, men))))
    }

    /// Whether `position`, which is no mate, belongs to one of the classes.
    pub(crate) fn has(
        &self,
        position: &Position,
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        match Outcome::at(position, self.winner) {
            Some(outcome) => self.includes(&outcome, remaining),
            None => Ok(false),
        }
    }

    /// Checks that `position`, which is no mate, belongs to the first class.
    pub(crate) fn begins_with(
        &self,
        position: &Position,
        remaining: &mut Remaining,
    ) -> Result<(), Stop> {
        let outcome = Outcome::at(position, self.winner);
        match outcome.zip(self.stretches.first()) {
            Some((outcome, first)) if first.includes(&outcome, remaining)? => Ok(()),
            _ => Err(Fault::Belongs.into()),
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
