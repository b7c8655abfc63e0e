//! Third obligation: no position that fits is mate.

use std::collections::HashSet;

use shakmaty::attacks;
use stillmate_core::{Bitboard, Square};

use super::Frame;
use crate::{certificate::Man, matching::Matching, refusal::InvariantFault};

impl Frame<'_> {
    /// Checks that wherever B's king stands and whatever checks it, the squares around it
    /// that may be neither attacked nor blocked by its own men leave it a way out.
    pub(crate) fn excludes_mate(&self) -> Result<(), InvariantFault> {
        self.king_squares(!self.winner)
            .into_iter()
            .try_for_each(|king| self.excludes_mate_on(king))
    }

    fn excludes_mate_on(&self, king: Square) -> Result<(), InvariantFault> {
        let around = attacks::king_attacks(king);
        // The king has left its square when the squares around it are asked for.
        let blockers = self.fixed.without(king);
        let covers = |man: &Man, from| around & attacks::attacks(from, man.piece, blockers);
        // What W's king may cover, each set of squares once.
        let guards = self.king_squares(self.winner) & !around.with(king);
        let mut guards: Vec<_> = guards
            .into_iter()
            .map(|guard| (around & attacks::king_attacks(guard), guard))
            .collect();
        guards.sort();
        guards.dedup_by_key(|(covered, _)| *covered);

        let mut seen = HashSet::new();
        for (man, checker) in self.subjects(self.winner) {
            let help = self
                .subjects(self.winner)
                .filter(|&(helper, _)| helper != man)
                .flat_map(|(_, helper)| {
                    let from = helper.squares.into_iter();
                    from.map(|from| covers(helper, from))
                })
                .fold(Bitboard::EMPTY, |all, some| all | some);
            for from in checker.squares {
                if !attacks::attacks(from, checker.piece, blockers).contains(king) {
                    continue;
                }
                for &(guarded, guard) in &guards {
                    let open = around & !(covers(checker, from) | help | guarded);
                    if seen.insert(open) && self.may_be_blocked(open) {
                        return Err(InvariantFault::Mate {
                            king,
                            man,
                            from,
                            guard,
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether different men of B may stand on all of `squares`.
    fn may_be_blocked(&self, squares: Bitboard) -> bool {
        let mut edges = [0; 64];
        for square in squares {
            let own = self.subjects(!self.winner);
            edges[square as usize] = own
                .filter(|(_, man)| man.may_stand_on(square))
                .fold(0, |set, (place, _)| set | 1 << place);
        }
        Matching::new().cover(0, squares.into(), &edges)
    }
}
