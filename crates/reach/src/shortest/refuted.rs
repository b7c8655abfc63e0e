//! What is known to lead nowhere in time, in a memory of bounded size.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;
use stillmate_core::Key;

/// The memory begins with this many places, a power of two.
const FIRST: usize = 1 << 10;

/// And grows to this many, of 40 bytes each.
const MOST: usize = 1 << 23;

/// Positions are looked for in this many places.
const NEIGHBOURS: usize = 4;

/// Positions from which there is no mate in so many plies or fewer, by their exact keys. When
/// it is full, some are forgotten, which costs time and is never wrong.
pub(super) struct Refuted {
    places: Vec<Option<(Key, u16)>>,
    taken: usize,
}

impl Refuted {
    pub(super) fn new() -> Refuted {
        Refuted {
            places: vec![None; FIRST],
            taken: 0,
        }
    }

    fn place(&self, key: &Key) -> usize {
        let hash = FxBuildHasher.hash_one(key) as usize;
        hash & (self.places.len() - NEIGHBOURS)
    }

    /// Whether there is known to be no mate within `plies` from `key`.
    pub(super) fn knows(&self, key: &Key, plies: u16) -> bool {
        let first = self.place(key);
        let known = self.places[first..first + NEIGHBOURS].iter().flatten();
        known
            .filter(|(other, _)| other == key)
            .any(|&(_, refuted)| refuted >= plies)
    }

    /// Whether there was remembered to be no mate in just `plies` from `key`.
    pub(super) fn knows_exactly(&self, key: &Key, plies: u16) -> bool {
        let first = self.place(key);
        self.places[first..first + NEIGHBOURS].contains(&Some((*key, plies)))
    }

    /// Remembers that there is no mate within `plies` from `key`.
    pub(super) fn add(&mut self, key: Key, plies: u16) {
        if self.taken * 2 > self.places.len() && self.places.len() < MOST {
            self.grow();
        }
        let first = self.place(&key);
        let places = &mut self.places[first..first + NEIGHBOURS];
        // The position itself, a free place, or what was the least work, in this order.
        let worth = |place: &Option<(Key, u16)>| match place {
            Some((other, _)) if *other == key => (0, 0),
            None => (1, 0),
            Some((_, plies)) => (2, *plies),
        };
        if let Some(place) = places.iter_mut().min_by_key(|place| worth(place)) {
            self.taken += usize::from(place.is_none());
            *place = Some((key, plies));
        }
    }

    fn grow(&mut self) {
        let larger = vec![None; self.places.len() * 4];
        let old = std::mem::replace(&mut self.places, larger);
        self.taken = 0;
        for (key, plies) in old.into_iter().flatten() {
            self.add(key, plies);
        }
    }
}

#[cfg(test)]
mod tests {
    use stillmate_core::Position;

    use super::*;

    #[test]
    fn what_is_remembered_is_true_and_mostly_there() {
        let start = Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
        let mut keys = vec![Key::new(&start.unwrap())];
        let mut next = 0;
        while keys.len() < 20_000 {
            let position = keys[next].position();
            next += 1;
            let moves = position.legal_moves();
            keys.extend(moves.into_iter().map(|m| Key::new(&position.after(m))));
        }
        keys.sort_unstable();
        keys.dedup();
        let plies = |index: usize| (index % 7) as u16;
        let mut refuted = Refuted::new();
        for (index, key) in keys.iter().enumerate() {
            refuted.add(*key, plies(index));
        }
        let mut found = 0;
        for (index, key) in keys.iter().enumerate() {
            assert!(!refuted.knows(key, plies(index) + 1));
            found += usize::from(refuted.knows(key, plies(index)));
        }
        assert!(found * 10 > keys.len() * 9, "{found} of {}", keys.len());
    }
}
