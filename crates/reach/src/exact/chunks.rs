//! A long list that grows without moving what it holds.
//!
//! A vector that doubles holds up to three times what is in it while it grows. Searches hold
//! all the memory there is, so they keep their positions in pieces of one size.

use std::ops::{Index, IndexMut};

/// Entries of a piece.
const PIECE: usize = 512;

/// Entries by their places, in the order in which they were added.
pub(crate) struct Chunks<T>(Vec<Vec<T>>);

impl<T> Chunks<T> {
    pub(crate) const fn new() -> Chunks<T> {
        Chunks(Vec::new())
    }

    pub(crate) fn len(&self) -> usize {
        match self.0.split_last() {
            Some((last, full)) => full.len() * PIECE + last.len(),
            None => 0,
        }
    }

    /// Adds an entry.
    pub(crate) fn push(&mut self, entry: T) {
        match self.0.last_mut() {
            Some(last) if last.len() < PIECE => last.push(entry),
            _ => {
                let mut piece = Vec::with_capacity(PIECE);
                piece.push(entry);
                self.0.push(piece);
            }
        }
    }

    /// Forgets all entries, and keeps the memory for few.
    pub(crate) fn clear(&mut self) {
        self.0.truncate(1);
        self.0.iter_mut().for_each(Vec::clear);
    }

    pub(crate) fn last(&self) -> Option<&T> {
        self.0.last()?.last()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flatten()
    }

    /// The memory it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let piece = size_of::<Vec<T>>() + PIECE * size_of::<T>();
        (self.0.len() * piece) as u64
    }
}

impl<T> Index<usize> for Chunks<T> {
    type Output = T;

    fn index(&self, place: usize) -> &T {
        &self.0[place / PIECE][place % PIECE]
    }
}

impl<T> IndexMut<usize> for Chunks<T> {
    fn index_mut(&mut self, place: usize) -> &mut T {
        &mut self.0[place / PIECE][place % PIECE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_where_they_were_put() {
        let mut list = Chunks::new();
        assert_eq!((list.len(), list.bytes()), (0, 0));
        for entry in 0..3 * PIECE {
            assert_eq!(list.len(), entry);
            list.push(entry);
        }
        list[PIECE] += 1;
        for place in 0..3 * PIECE {
            assert_eq!(list[place], place + usize::from(place == PIECE));
        }
        assert_eq!(list.bytes(), 3 * (24 + 8 * PIECE as u64));
        assert_eq!(list.iter().count(), 3 * PIECE);
        assert_eq!(list.last(), Some(&(3 * PIECE - 1)));
        list.clear();
        assert_eq!((list.len(), list.last()), (0, None));
        list.push(7);
        assert_eq!((list.len(), list[0]), (1, 7));
    }
}
