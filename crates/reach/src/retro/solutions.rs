//! How many shortest helpmates each position of a class has.
//!
//! A position at *n* plies has as many as all positions together that a legal move leads to at
//! *n* - 1 plies. So they are counted by distance, the mates first, in the class itself and
//! before in all smaller ones that captures and promotions lead to.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::Relaxed},
};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use stillmate_core::{Color, Position};

use super::{
    class::Class,
    file::TableError,
    table::{Distance, Table},
};

/// Counts end here: so many helpmates or more.
pub const MOST_COUNTED: u32 = u32::MAX;

/// The shortest helpmates of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solutions {
    /// The class.
    pub class: Class,
    /// By winner, side to move and length. Where a side never mates there is nothing.
    pub lengths: Vec<OfLength>,
}

/// The positions of a class with helpmates of a length.
///
/// Colours are as in the name of the class, the stronger side as White.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfLength {
    /// The colour that mates.
    pub winner: Color,
    /// The side to move.
    pub turn: Color,
    /// Plies of the shortest helpmates.
    pub plies: u16,
    /// Positions, each of the symmetrical ones by itself.
    pub positions: u64,
    /// How many of them have one helpmate only.
    pub unique: u64,
    /// The most helpmates that one of them has; [`MOST_COUNTED`] for so many or more.
    pub most: u32,
    /// The first of those with one helpmate, one of each symmetrical set.
    pub examples: Vec<Position>,
}

type Counts = Arc<Vec<AtomicU32>>;

/// Reads or builds a table.
pub(super) type Source<'a> = &'a (dyn Fn(Class) -> Result<Arc<Table>, TableError> + Sync);

/// Counts helpmates in one class after another.
pub(super) struct Counter<'a> {
    table: Source<'a>,
    tables: FxHashMap<Class, Arc<Table>>,
    /// Those of each number; `None` where the winner never mates.
    counts: FxHashMap<(Class, Color), Option<Counts>>,
}

impl<'a> Counter<'a> {
    pub(super) fn new(table: Source<'a>) -> Counter<'a> {
        Counter {
            table,
            tables: FxHashMap::default(),
            counts: FxHashMap::default(),
        }
    }

    /// The helpmates of `class`, with at most `examples` for each length.
    pub(super) fn solutions(
        mut self,
        class: Class,
        examples: usize,
    ) -> Result<Solutions, TableError> {
        let mut lengths = Vec::new();
        for winner in Color::ALL {
            let counts = self.of_class(class, winner)?;
            if let Some(counts) = counts {
                lengths.extend(summary(&self.tables[&class], winner, &counts, examples));
            }
            // One colour's counts may take all the memory there is.
            self.counts.clear();
        }
        Ok(Solutions { class, lengths })
    }

    /// Counts for every number of `class`; `None` if `winner` never mates there.
    fn of_class(&mut self, class: Class, winner: Color) -> Result<Option<Counts>, TableError> {
        if let Some(counts) = self.counts.get(&(class, winner)) {
            return Ok(counts.clone());
        }
        let table = (self.table)(class)?;
        self.tables.insert(class, Arc::clone(&table));
        for smaller in class.conversions() {
            // Which of them has the stronger side's colours exchanged is seen later.
            for winner in Color::ALL {
                self.of_class(smaller, winner)?;
            }
        }
        let Some(farthest) = table.farthest(winner) else {
            self.counts.insert((class, winner), None);
            return Ok(None);
        };
        let size = table.indexing.size();
        let counts: Counts = Arc::new((0..size).map(|_| AtomicU32::new(0)).collect());
        let shared = Some(Arc::clone(&counts));
        self.counts.insert((class, winner), shared);
        for plies in 0..=farthest {
            (0..size).into_par_iter().for_each(|number| {
                if !table.is_at(number, winner, plies) {
                    return;
                }
                if let Some(position) = table.indexing.position(number) {
                    let count = match plies {
                        0 => 1,
                        _ => self.after(&position, winner, plies),
                    };
                    counts[number].store(count, Relaxed);
                }
            });
        }
        Ok(Some(counts))
    }

    /// Helpmates of `plies`, at least one, from `position`.
    fn after(&self, position: &Position, winner: Color, plies: u16) -> u32 {
        position.legal_moves().into_iter().fold(0_u32, |all, m| {
            all.saturating_add(self.from(&position.after(m), winner, plies - 1))
        })
    }

    /// Helpmates of `plies` from `position`, whose distance may be another.
    fn from(&self, position: &Position, winner: Color, plies: u16) -> u32 {
        if position.ep_square().is_some() {
            // The capture is legal, so that this is no mate.
            return if plies == 0 {
                0
            } else {
                self.after(position, winner, plies)
            };
        }
        let class = Class::of(position);
        let Some(table) = self.tables.get(&class) else {
            return 0;
        };
        let (position, winner) = if class.is_turned(position) {
            (position.mirrored(), !winner)
        } else {
            (*position, winner)
        };
        let number = table.indexing.number(&position);
        if table.of_number(number, winner) != Distance::Plies(plies) {
            return 0;
        }
        let counts = self.counts.get(&(class, winner)).and_then(Option::as_ref);
        counts.map_or(0, |counts| counts[number].load(Relaxed))
    }
}

/// What is in the counts of one winner.
fn summary(table: &Table, winner: Color, counts: &Counts, examples: usize) -> Vec<OfLength> {
    type Found = FxHashMap<(Color, u16), OfLength>;
    let of_number = |mut found: Found, number: usize| {
        let count = counts[number].load(Relaxed);
        // Other numbers have no position, or no mate.
        let Some(position) = table.indexing.position(number).filter(|_| count > 0) else {
            return found;
        };
        let Distance::Plies(plies) = table.of_number(number, winner) else {
            return found;
        };
        let turn = position.turn();
        let length = found.entry((turn, plies)).or_insert_with(|| OfLength {
            winner,
            turn,
            plies,
            positions: 0,
            unique: 0,
            most: 0,
            examples: Vec::new(),
        });
        let images = table.indexing.images(&position);
        length.positions += images;
        length.most = length.most.max(count);
        if count == 1 {
            length.unique += images;
            if length.examples.len() < examples {
                length.examples.push(position);
            }
        }
        found
    };
    let merge = |mut found: Found, other: Found| {
        for (key, other) in other {
            match found.entry(key) {
                std::collections::hash_map::Entry::Vacant(entry) => {
                    entry.insert(other);
                }
                std::collections::hash_map::Entry::Occupied(mut entry) => {
                    let length = entry.get_mut();
                    length.positions += other.positions;
                    length.unique += other.unique;
                    length.most = length.most.max(other.most);
                    length.examples.extend(other.examples);
                    length.examples.truncate(examples);
                }
            }
        }
        found
    };
    let found = (0..table.indexing.size())
        .into_par_iter()
        .fold(Found::default, of_number)
        .reduce(Found::default, merge);
    let mut lengths: Vec<OfLength> = found.into_values().collect();
    lengths.sort_by_key(|length| (length.turn == Color::Black, length.plies));
    lengths
}
