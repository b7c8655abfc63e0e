//! A set of what lies in a list, found by hash.

use arrayvec::ArrayVec;

use crate::verdict::StopReason;

/// Most entries that are read at once.
const AT_ONCE: usize = 64;

/// The set begins with so many slots.
const FIRST: usize = 1 << 6;

/// Places in a list that the caller keeps, by hash. Small and fast; entries of the list are
/// compared in full, so the hash only says where to look.
pub(crate) struct VisitedSet {
    /// The hash above, one more than the place below; 0 is empty.
    slots: Vec<u64>,
    used: usize,
}

/// 32 bits of hash of the bit planes of a key.
pub(crate) fn hash(planes: &[u64]) -> u64 {
    let mut mixed = 0u64;
    for plane in planes {
        let product = u128::from(mixed ^ plane) * 0x9E37_79B9_7F4A_7C15;
        mixed = (product as u64) ^ (product >> 64) as u64;
    }
    mixed >> 32
}

/// The slot at which a key with this hash is looked for first, of so many.
const fn home(hash: u64, slots: usize) -> usize {
    ((hash * slots as u64) >> 32) as usize
}

/// The slot after this one.
const fn next(slot: usize, slots: usize) -> usize {
    if slot + 1 == slots { 0 } else { slot + 1 }
}

impl VisitedSet {
    pub(crate) fn new() -> VisitedSet {
        VisitedSet {
            slots: vec![0; FIRST],
            used: 0,
        }
    }

    /// The memory it takes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.slots.len() * size_of::<u64>()) as u64
    }

    /// Makes room for `more` keys, which may take `memory` bytes more while it grows. Where that
    /// isn't enough, slots are used that are else left free so that keys are found fast.
    pub(crate) fn reserve(&mut self, more: usize, memory: u64) -> Result<(), StopReason> {
        let wanted = self.used + more;
        let slots = self.slots.len();
        if wanted * 3 <= slots * 2 {
            return Ok(());
        }
        // Grown by half at a time, it is never more than twice as large as need be; and keys
        // keep their order, so that the new slots are filled from the first to the last.
        let larger = (slots + slots / 2).max(wanted * 2);
        if (larger * size_of::<u64>()) as u64 <= memory {
            self.grow(larger);
            Ok(())
        } else if wanted * 8 <= slots * 7 {
            Ok(())
        } else {
            Err(StopReason::Memory)
        }
    }

    /// Forgets all, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.slots.clear();
        self.slots.resize(FIRST, 0);
        self.used = 0;
    }

    /// Reads what [`VisitedSet::insert`] is going to read for each of these hashes, with `at` for
    /// the place of an entry: memory, which is slow for large sets, answers all of them at the same
    /// time.
    pub(crate) fn fetch(&self, hashes: impl Iterator<Item = u64>, at: impl Fn(u32) -> u64) {
        let mut places = ArrayVec::<u32, AT_ONCE>::new();
        for hash in hashes.take(AT_ONCE) {
            let entry = self.slots[home(hash, self.slots.len())];
            if entry != 0 && entry >> 32 == hash {
                places.push(entry as u32 - 1);
            }
        }
        let read = places.into_iter().map(at);
        std::hint::black_box(read.fold(0, |all, plane| all ^ plane));
    }

    /// Notes that what has this hash lies at `place`, unless it is known; where it lies if so.
    /// `is` tells whether it lies at a place noted earlier. Room must have been made.
    pub(crate) fn insert(
        &mut self,
        hash: u64,
        place: u32,
        is: impl Fn(u32) -> bool,
    ) -> Result<(), u32> {
        let slot = match self.find(hash, is) {
            Ok(place) => return Err(place),
            Err(slot) => slot,
        };
        self.slots[slot] = hash << 32 | u64::from(place + 1);
        self.used += 1;
        debug_assert!(
            self.used < self.slots.len(),
            "no slot is left to end a search"
        );
        Ok(())
    }

    /// The place of what has this hash.
    pub(crate) fn get(&self, hash: u64, is: impl Fn(u32) -> bool) -> Option<u32> {
        self.find(hash, is).ok()
    }

    /// The place of what has this hash, or the slot for it.
    fn find(&self, hash: u64, is: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let slots = self.slots.len();
        let mut slot = home(hash, slots);
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                return Err(slot);
            }
            let place = entry as u32;
            if entry >> 32 == hash && is(place - 1) {
                return Ok(place - 1);
            }
            slot = next(slot, slots);
        }
    }

    fn grow(&mut self, slots: usize) {
        let old = std::mem::replace(&mut self.slots, vec![0; slots]);
        for entry in old.into_iter().filter(|entry| *entry != 0) {
            let mut slot = home(entry >> 32, slots);
            while self.slots[slot] != 0 {
                slot = next(slot, slots);
            }
            self.slots[slot] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use stillmate_core::{Key, Position};

    use super::*;

    /// Different keys, some of them many times over.
    fn keys(atleast: usize) -> (Vec<Key>, usize) {
        let start = Position::from_fen("4k3/8/8/8/8/8/8/RN2K1NR w - -").unwrap();
        let mut keys = Vec::new();
        let mut set = VisitedSet::new();
        let mut frontier = vec![start];
        let mut again = 0;
        while keys.len() < atleast {
            let mut next = Vec::new();
            for position in frontier {
                for m in position.legal_moves() {
                    let child = position.after(m);
                    let key = Key::new(&child);
                    let known = keys.contains(&key);
                    let place = keys.len() as u32;
                    set.reserve(1, u64::MAX).unwrap();
                    let hash = hash(&key.planes());
                    let found = set.insert(hash, place, |at| keys[at as usize] == key);
                    assert_eq!(found.is_err(), known);
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
        (keys, again)
    }

    #[test]
    fn keeps_every_key_once_while_it_grows() {
        let (_, again) = keys(5_000);
        assert!(again > 0);
    }

    #[test]
    fn it_fills_up_where_it_must_not_grow_and_stops_before_it_is_full() {
        let (keys, _) = keys(2_000);
        let mut set = VisitedSet::new();
        let mut place = 0;
        while set.reserve(1, 0).is_ok() {
            let key = keys[place];
            let found = set.insert(hash(&key.planes()), place as u32, |at| {
                keys[at as usize] == key
            });
            assert_eq!(found, Ok(()));
            place += 1;
        }
        assert_eq!((place, set.bytes()), (56, 8 * 64));
        for (place, key) in keys[..place].iter().enumerate() {
            let found = set.get(hash(&key.planes()), |at| keys[at as usize] == *key);
            assert_eq!(found, Some(place as u32));
        }
        // What a larger one takes fits now.
        assert_eq!(set.reserve(1, 8 * 114 - 1), Err(StopReason::Memory));
        assert_eq!(set.reserve(1, 8 * 114), Ok(()));
        assert_eq!(set.bytes(), 8 * 114);
    }
}
