//! Steps that prove more than one position.

use std::collections::HashMap;

use stillmate_core::{Bitboard, ByColor, Color, Position, Role};

use crate::{classes::Family, invariant::Frame, limits::Budget, refusal::Limit};

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
    fn covers(&self, position: &Position, budget: &mut Budget) -> Result<bool, Limit> {
        match self {
            Exit::Invariant(frame) => frame.fits(position, budget),
            Exit::Classes(family) => family.has(position, budget),
        }
    }

    /// Whether it may be known of a position with these pawns and so many men.
    fn allows(&self, pawns: ByColor<Bitboard>, men: usize) -> bool {
        match self {
            Exit::Invariant(frame) => frame.allows(pawns, men),
            Exit::Classes(family) => family.allows(pawns, men),
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
}

impl<'a, 'c> Exits<'a, 'c> {
    pub(crate) fn new(all: Vec<&'a Exit<'c>>) -> Exits<'a, 'c> {
        let likely = HashMap::new();
        Exits { all, likely }
    }

    /// Whether one of them covers `position`, which is no mate by W.
    ///
    /// # Errors
    ///
    /// A limit, when it takes too long to tell.
    pub(crate) fn cover(
        &mut self,
        position: &Position,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        let pawns = ByColor::new_with(|color: Color| position.men_of(color, Role::Pawn));
        let men = position.occupied().count();
        if !self.likely.contains_key(&(pawns, men)) {
            let mut likely = Vec::new();
            for exit in &self.all {
                budget.spend_work()?;
                if exit.allows(pawns, men) {
                    likely.push(*exit);
                }
            }
            self.likely.insert((pawns, men), likely);
        }
        for exit in &self.likely[&(pawns, men)] {
            if exit.covers(position, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
