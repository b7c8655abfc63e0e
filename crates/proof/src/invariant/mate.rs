//! Third obligation: no position that fits is mate.

use std::collections::HashSet;

use shakmaty::attacks;
use stillmate_core::{Bitboard, Color, Square};

use super::Frame;
use crate::{
    certificate::Man,
    limits::Budget,
    matching::Matching,
    refusal::{InvariantFault, Mate, Stop},
};

impl Frame<'_> {
    /// Checks that wherever B's king stands and whatever checks it, the squares around it
    /// that may be neither attacked nor blocked by its own men leave it a way out.
    pub(crate) fn excludes_mate(&self, budget: &mut Budget) -> Result<(), Stop> {
        let guards = self.king_squares(self.winner);
        for king in self.king_squares(!self.winner) {
            budget.spend_work()?;
            let men = &self.invariant.men;
            mate_on(king, guards, men, self.winner, self.fixed, false)
                .map_err(InvariantFault::from)?;
        }
        Ok(())
    }
}

/// Checks that `winner` can't mate a king on `king` with its own on one of `guards` and these men
/// (kings among them don't matter), of which those on `fixed` are always there.
///
/// If it must be `discovered`, only checks count that a move of this king may have discovered:
/// it may have come from between the two, where it isn't now.
pub(crate) fn mate_on(
    king: Square,
    guards: Bitboard,
    men: &[Man],
    winner: Color,
    fixed: Bitboard,
    discovered: bool,
) -> Result<(), Mate> {
    let around = attacks::king_attacks(king);
    // The king has left its square when the squares around it are asked for.
    let blockers = fixed.without(king);
    let subjects = |color| {
        let men = men.iter().enumerate();
        men.filter(move |(_, man)| man.piece.color == color && !man.is_king())
    };
    // What W's king may cover. Here and below each set of squares is enough once, unless it
    // matters from where it is covered.
    let mut guards: Vec<_> = (guards & !around.with(king))
        .into_iter()
        .map(|guard| (around & attacks::king_attacks(guard), guard))
        .collect();
    if guards.is_empty() {
        return Ok(());
    }
    // What each man of W may cover from any of its squares.
    let reach = |man: &Man| {
        let from = man.squares.into_iter();
        let covered = from.map(|from| attacks::attacks(from, man.piece, blockers));
        around & covered.fold(Bitboard::EMPTY, |all, some| all | some)
    };
    let reaches: Vec<_> = subjects(winner)
        .map(|(man, own)| (man, reach(own)))
        .collect();
    // What a check leaves open at least but for W's king.
    let mut checks = Vec::new();
    for (man, checker) in subjects(winner) {
        let helpers = reaches.iter().filter(|&&(helper, _)| helper != man);
        let help = helpers.fold(Bitboard::EMPTY, |all, &(_, some)| all | some);
        for from in checker.squares {
            let attacked = attacks::attacks(from, checker.piece, blockers);
            if attacked.contains(king) {
                checks.push((around & !(attacked | help), man, from));
            }
        }
    }
    if !discovered {
        guards.sort();
        guards.dedup_by_key(|(covered, _)| *covered);
        checks.sort();
        checks.dedup_by_key(|(open, ..)| *open);
    }

    let mut seen = HashSet::new();
    for (open, man, from) in checks {
        let line = attacks::between(from, king);
        for &(guarded, guard) in &guards {
            let from_line = line.intersects(attacks::king_attacks(guard)) && !line.contains(guard);
            if discovered && !from_line {
                continue;
            }
            let open = open & !guarded;
            if seen.insert(open) && may_be_blocked(open, subjects(!winner)) {
                return Err(Mate {
                    king,
                    man,
                    from,
                    guard,
                });
            }
        }
    }
    Ok(())
}

/// Whether different men may stand on all of `squares`.
fn may_be_blocked<'m>(
    squares: Bitboard,
    men: impl Iterator<Item = (usize, &'m Man)> + Clone,
) -> bool {
    let mut edges = [0; 64];
    for square in squares {
        let may_block = men.clone().filter(|(_, man)| man.may_stand_on(square));
        edges[square as usize] = may_block.fold(0, |set, (place, _)| set | 1 << place);
    }
    Matching::new().cover(0, squares.into(), &edges)
}
