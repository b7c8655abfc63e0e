//! Maximum matchings in bipartite graphs: pairing men one to one.

/// A matching between two sets of at most 64 things each, as it grows by Kuhn's algorithm. A thing
/// that has a partner always keeps one, but not always the same.
pub(crate) struct Matching {
    /// The partner of each thing on the left and on the right.
    partners: [[Option<usize>; 64]; 2],
    /// The number of possible partners that have been looked at.
    looked_at: usize,
}

impl Matching {
    pub(crate) fn new() -> Matching {
        Matching {
            partners: [[None; 64]; 2],
            looked_at: 0,
        }
    }

    /// The work done so far: the number of possible partners that have been looked at.
    pub(crate) fn work(&self) -> usize {
        self.looked_at
    }

    /// Finds a partner for each thing on `side` in the set `wanted`. For each thing on that side,
    /// `edges` has the set of possible partners on the other.
    ///
    /// Tells whether all have one. By Berge's theorem, `false` is final: no matching has partners
    /// for all of these and for all that had one before.
    pub(crate) fn cover(&mut self, side: usize, wanted: u64, edges: &[u64; 64]) -> bool {
        bits(wanted).all(|thing| {
            self.partners[side][thing].is_some() || self.augment(side, thing, edges, &mut 0)
        })
    }

    /// Gives `thing` a partner, and new ones to those that lose theirs. Recurses at most 64 deep.
    fn augment(&mut self, side: usize, thing: usize, edges: &[u64; 64], tried: &mut u64) -> bool {
        for partner in bits(edges[thing]) {
            self.looked_at += 1;
            if *tried >> partner & 1 == 1 {
                continue;
            }
            *tried |= 1 << partner;
            let rival = self.partners[1 - side][partner];
            if rival.is_none_or(|rival| self.augment(side, rival, edges, tried)) {
                self.partners[side][thing] = Some(partner);
                self.partners[1 - side][partner] = Some(thing);
                return true;
            }
        }
        false
    }
}

/// The numbers of the bits that are set.
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(lowest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(rows: &[u64]) -> [u64; 64] {
        let mut edges = [0; 64];
        edges[..rows.len()].copy_from_slice(rows);
        edges
    }

    #[test]
    fn partners_are_exchanged_when_needed() {
        let rows = edges(&[0b011, 0b001, 0b110]);
        assert!(Matching::new().cover(0, 0b111, &rows));
    }

    #[test]
    fn three_cannot_share_two() {
        let rows = edges(&[0b011, 0b011, 0b011]);
        assert!(!Matching::new().cover(0, 0b111, &rows));
        assert!(Matching::new().cover(0, 0b101, &rows));
    }

    #[test]
    fn both_sides_are_covered_in_turn() {
        // Left 0 may have 0 or 1, left 1 only 1; right 1 must have a partner.
        let mut matching = Matching::new();
        assert!(matching.cover(1, 0b10, &edges(&[0b01, 0b11])));
        assert!(matching.cover(0, 0b11, &edges(&[0b11, 0b10])));
        assert!(matching.partners[1][1].is_some());
    }
}
