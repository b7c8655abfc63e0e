//! Where the two kings may stand in relation to each other.

use shakmaty::attacks;
use stillmate_core::{Bitboard, Square};

/// Pairs of squares, one of each king: for each square of the first, those of the second.
#[derive(Clone, Debug)]
pub(super) struct KingPairs([Bitboard; 64]);

impl KingPairs {
    pub(super) const NONE: KingPairs = KingPairs([Bitboard::EMPTY; 64]);

    pub(super) fn new(rows: [Bitboard; 64]) -> KingPairs {
        KingPairs(rows)
    }

    pub(super) fn add(&mut self, first: Square, seconds: Bitboard) {
        self.0[usize::from(first)] |= seconds;
    }

    /// Where the second king may stand when the first stands on `first`.
    pub(super) fn row(&self, first: Square) -> Bitboard {
        self.0[usize::from(first)]
    }

    /// The squares of the first king, each with those of the second.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Square, Bitboard)> {
        let rows = Square::ALL.into_iter().zip(self.0);
        rows.filter(|(_, seconds)| seconds.any())
    }

    /// The same pairs with the kings exchanged.
    pub(super) fn turned(&self) -> KingPairs {
        let mut turned = KingPairs::NONE;
        for (first, seconds) in self.rows() {
            for second in seconds {
                turned.add(second, first.into());
            }
        }
        turned
    }

    /// The pairs with neither king on `square`.
    pub(super) fn without(&self, square: Square) -> KingPairs {
        let mut others = KingPairs(self.0.map(|seconds| seconds.without(square)));
        others.0[usize::from(square)] = Bitboard::EMPTY;
        others
    }

    pub(super) fn union(&self, other: &KingPairs) -> KingPairs {
        let mut both = self.clone();
        for (first, seconds) in other.rows() {
            both.add(first, seconds);
        }
        both
    }

    /// All squares of the first king.
    pub(super) fn firsts(&self) -> Bitboard {
        self.rows().map(|(first, _)| first).collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows().next().is_none()
    }

    pub(super) fn is_subset(&self, of: &KingPairs) -> bool {
        self.rows()
            .all(|(first, seconds)| seconds.is_subset(of.row(first)))
    }
}

/// Where no king may stand while the other stands on `king`.
pub(super) fn too_near(king: Square) -> Bitboard {
    attacks::king_attacks(king).with(king)
}
