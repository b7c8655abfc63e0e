//! Lemmas: steps that prove many positions at once. Other steps name them as exits.

use std::collections::HashMap;

use stillmate_core::{Bitboard, ByColor, Color, Position, Role};

use crate::{
    classes::ClassGraph,
    invariant::InductiveInvariant,
    limits::{HASHED, Remaining},
    refusal::Limit,
};

/// What has been proved once of all positions that a step describes: none of them can lead to a
/// mate.
pub(crate) enum Lemma<'c> {
    /// The positions that fit an invariant.
    Invariant(InductiveInvariant<'c>),
    /// The positions that belong to one of these classes and aren't mate.
    Classes(ClassGraph),
}

impl Lemma<'_> {
    /// Whether the lemma is about `position`, which isn't mate by W.
    fn covers(&self, position: &Position, remaining: &mut Remaining) -> Result<bool, Limit> {
        match self {
            Lemma::Invariant(inductive) => inductive.fits(position, remaining),
            Lemma::Classes(graph) => graph.has(position, remaining),
        }
    }

    /// Whether the lemma may be about a position with these pawns and so many men.
    fn allows(
        &self,
        pawns: ByColor<Bitboard>,
        men: usize,
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        match self {
            Lemma::Invariant(inductive) => inductive.allows(pawns, men, remaining),
            Lemma::Classes(graph) => graph.allows(pawns, men, remaining),
        }
    }
}

/// The lemmas that a *closed* step names.
///
/// There may be thousands, and each may be about any position. The pawns alone, which seldom
/// change, rule out most of them.
pub(crate) struct Lemmas<'a, 'c> {
    all: Vec<&'a Lemma<'c>>,
    /// By the pawns and the number of men: the lemmas that these don't rule out.
    likely: HashMap<(ByColor<Bitboard>, usize), Vec<&'a Lemma<'c>>>,
    /// The memory that these lists take, in bytes.
    memory: usize,
}

/// The memory that the lists of likely lemmas may take, in bytes. Beyond it they are made anew.
const MOST_MEMORY: usize = 16 << 20;

/// What an empty list takes, in bytes.
const LIST: usize = 160;

impl<'a, 'c> Lemmas<'a, 'c> {
    pub(crate) fn new(all: Vec<&'a Lemma<'c>>) -> Lemmas<'a, 'c> {
        Lemmas {
            all,
            likely: HashMap::new(),
            memory: 0,
        }
    }

    /// Whether any of them is about `position`, which isn't mate by W.
    ///
    /// # Errors
    ///
    /// [`Limit::Work`] or [`Limit::Memory`].
    pub(crate) fn cover(
        &mut self,
        position: &Position,
        remaining: &mut Remaining,
    ) -> Result<bool, Limit> {
        let pawns = ByColor::new_with(|color: Color| position.pieces_of(color, Role::Pawn));
        let men = position.occupied().count();
        remaining.spend_work(HASHED)?;
        if !self.likely.contains_key(&(pawns, men)) {
            let mut likely = Vec::new();
            for lemma in &self.all {
                if lemma.allows(pawns, men, remaining)? {
                    likely.push(*lemma);
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
        for lemma in &self.likely[&(pawns, men)] {
            if lemma.covers(position, remaining)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
