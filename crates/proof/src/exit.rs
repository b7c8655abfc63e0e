//! Steps that prove more than one position.

use std::collections::HashMap;

use stillmate_core::{Bitboard, ByColor, Color, Position, Role};

use crate::{
    classes::Family,
    invariant::Frame,
    limits::{HASHED, Remaining},
    refusal::Limit,
};

/// What has been proved, once, of all positions that a step describes: no mate can follow
/// from them.
pub(crate) enum Exit<'c> {
    /// The positions that fit an invariant.
    Invariant(Frame<'c>),
    /// The positions that belong to one of some classes and are no mate.
    Classes(Family),
}

impl Exit<'_> {
    /// Whether this is known of `position`, which is no mate by W.
    fn covers(&self, position: &Position, remaining: &mut Remaining) -> Result<bool, Limit> {
        match self {
            Exit::Invariant(frame) => frame.fits(position, remaining),
            Exit::Classes(family) => family.has(position, remaining),
        }
    }

    /// Whether it may be known of a position with these pawns and so many men.
    fn allows(
        &self,
        pawns: ByColor<Bitboard>,
        men: usize,
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        match self {
            Exit::Invariant(frame) => frame.allows(pawns, men, remaining),
            Exit::Classes(family) => family.allows(pawns, men, remaining),
        }
    }
}

/// The exits of a *closed* step.
///
/// There may be thousands, and all are asked about every position. Most are ruled out by the
/// pawns alone, which seldom change.
pub(crate) struct Exits<'a, 'c> {
    all: Vec<&'a Exit<'c>>,
    /// By the pawns and the number of men: the exits that aren't ruled out by these.
    likely: HashMap<(ByColor<Bitboard>, usize), Vec<&'a Exit<'c>>>,
    /// How much memory these lists take, in bytes.
    memory: usize,
}

/// How much memory the lists of likely exits may take before they are made anew, in bytes.
const MOST_MEMORY: usize = 16 << 20;

/// What a list takes beside what is in it, in bytes.
const LIST: usize = 160;

impl<'a, 'c> Exits<'a, 'c> {
    pub(crate) fn new(all: Vec<&'a Exit<'c>>) -> Exits<'a, 'c> {
        Exits {
            all,
            likely: HashMap::new(),
            memory: 0,
        }
    }

    /// Whether one of them covers `position`, which is no mate by W.
    ///
    /// # Errors
    ///
    /// A limit, when it takes too long to tell.
    pub(crate) fn cover(
        &mut self,
        position: &Position,
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        let pawns = ByColor::new_with(|color: Color| position.men_of(color, Role::Pawn));
        let men = position.occupied().count();
        remaining.spend_work(HASHED)?;
        if !self.likely.contains_key(&(pawns, men)) {
            let mut likely = Vec::new();
            for exit in &self.all {
                if exit.allows(pawns, men, remaining)? {
                    likely.push(*exit);
                }
            }
            likely.shrink_to_fit();
            if self.memory > MOST_MEMORY {
                remaining.give_memory(self.memory);
                self.memory = 0;
                self.likely = HashMap::new();
            }
            let memory = LIST + size_of_val(&likely[..]);
            remaining.take_memory(memory)?;
            self.memory += memory;
            self.likely.insert((pawns, men), likely);
        }
        for exit in &self.likely[&(pawns, men)] {
            if exit.covers(position, remaining)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
