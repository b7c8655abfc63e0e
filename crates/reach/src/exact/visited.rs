//! A set of exact keys that lie in a list, found by hash.

use arrayvec::ArrayVec;
use stillmate_core::Key;

/// Most keys that are read at once.
const AT_ONCE: usize = 64;

/// Places of keys in somebody else's list, by hash. Small and fast; keys are compared in
/// full, so the hash only says where to look.
pub(crate) struct VisitedSet {
    /// The hash above, one more than the place below; 0 is empty. A power of two of them.
    slots: Vec<u64>,
    used: usize,
}

fn hash(key: &Key) -> u64 {
    let mut mixed = 0u64;
    for plane in key.planes() {
        let product = u128::from(mixed ^ plane) * 0x9E37_79B9_7F4A_7C15;
        mixed = (product as u64) ^ (product >> 64) as u64;
    }
    mixed >> 32
}

impl VisitedSet {
    pub(crate) fn new() -> VisitedSet {
        VisitedSet {
            slots: vec![0; 1 << 10],
            used: 0,
        }
    }

    /// Reads what [`VisitedSet::insert`] is going to read for each of these keys: memory, which is
    /// slow for large tables, answers all of them at the same time.
    pub(crate) fn fetch<'k>(
        &self,
        keys: impl Iterator<Item = &'k Key>,
        at: impl Fn(u32) -> &'k Key,
    ) {
        let mask = self.slots.len() - 1;
        let mut places = ArrayVec::<u32, AT_ONCE>::new();
        for key in keys.take(AT_ONCE) {
            let hash = hash(key);
            let entry = self.slots[hash as usize & mask];
            if entry != 0 && entry >> 32 == hash {
                places.push(entry as u32 - 1);
            }
        }
        let read = places.into_iter().map(|place| at(place).planes()[0]);
        std::hint::black_box(read.fold(0, |all, plane| all ^ plane));
    }

    /// Notes that `key` lies at `place`, unless it is known; tells whether it was new. `at`
    /// tells the key at a place noted earlier.
    pub(crate) fn insert<'k>(&mut self, key: Key, place: u32, at: impl Fn(u32) -> &'k Key) -> bool {
        if self.used * 3 >= self.slots.len() * 2 {
            self.grow();
        }
        let hash = hash(&key);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                self.slots[slot] = hash << 32 | u64::from(place + 1);
                self.used += 1;
                return true;
            }
            if entry >> 32 == hash && *at(entry as u32 - 1) == key {
                return false;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let doubled = vec![0; self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, doubled);
        let mask = self.slots.len() - 1;
        for entry in old.into_iter().filter(|entry| *entry != 0) {
            let mut slot = (entry >> 32) as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use stillmate_core::Position;

    use super::*;

    #[test]
    fn keeps_every_key_once_while_it_grows() {
        let mut keys = Vec::new();
        let mut set = VisitedSet::new();
        let start = Position::from_fen("4k3/8/8/8/8/8/8/RN2K1NR w - -").unwrap();
        let mut frontier = vec![start];
        let mut again = 0;
        while keys.len() < 5_000 {
            let mut next = Vec::new();
            for position in frontier {
                for m in position.legal_moves() {
                    let child = position.after(m);
                    let key = Key::new(&child);
                    let known = keys.contains(&key);
                    let place = keys.len() as u32;
                    assert_eq!(set.insert(key, place, |i| &keys[i as usize]), !known);
                    if known {
                        again += 1;
                    } else {
                        keys.push(key);
                        next.push(child);
                    }
                }
            }
            frontier = next;
        }
        assert!(again > 0);
    }
}
