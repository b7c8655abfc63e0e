//! Third obligation: no position that fits is mate.

use std::collections::HashSet;

use shakmaty::attacks;
use stillmate_core::{Bitboard, Color, Square};

use super::{Frame, size};
use crate::{
    certificate::Man,
    limits::Remaining,
    matching::Matching,
    refusal::{InvariantFault, Limit, Mate, Stop},
};

impl Frame<'_> {
    /// Checks that wherever B's king stands and whatever checks it, the squares around it
    /// that may be neither attacked nor blocked by its own men leave it a way out.
    pub(crate) fn excludes_mate(&self, remaining: &mut Remaining) -> Result<(), Stop> {
        let guards = self.king_squares(self.winner);
        for king in self.king_squares(!self.winner) {
            let men = &self.invariant.men;
            let mate = find_mate(king, guards, men, self.winner, self.fixed, false, remaining)?;
            mate.map_or(Ok(()), |mate| Err(InvariantFault::from(mate)))?;
        }
        Ok(())
    }
}

/// A mate by `winner` to a king on `king` that is not excluded, with its own king on one of
/// `guards` and these men (kings among them don't matter), of which those on `fixed` are always
/// there.
///
/// If it must be `discovered`, only checks count that a move of this king may have discovered:
/// it may have come from between the two, where it isn't now.
///
/// # Errors
///
/// [`Limit::Work`].
pub(crate) fn find_mate(
    king: Square,
    guards: Bitboard,
    men: &[Man],
    winner: Color,
    fixed: Bitboard,
    discovered: bool,
    remaining: &mut Remaining,
) -> Result<Option<Mate>, Limit> {
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
    remaining.spend_work(10 + men.len() + guards.len())?;
    if guards.is_empty() {
        return Ok(None);
    }
    // The squares from which each may cover others and check.
    remaining.spend_work(2 * size(subjects(winner).map(|(_, man)| man)))?;
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

    remaining.spend_work(checks.len() * (1 + guards.len()))?;
    let mut seen = HashSet::new();
    for (open, man, from) in checks {
        let line = attacks::between(from, king);
        for &(guarded, guard) in &guards {
            let from_line = line.intersects(attacks::king_attacks(guard)) && !line.contains(guard);
            if discovered && !from_line {
                continue;
            }
            let open = open & !guarded;
            if seen.insert(open) && may_be_blocked(open, subjects(!winner), remaining)? {
                return Ok(Some(Mate {
                    king,
                    man,
                    from,
                    guard,
                }));
            }
        }
    }
    Ok(None)
}

/// Whether different men may stand on all of `squares`.
fn may_be_blocked<'m>(
    squares: Bitboard,
    men: impl Iterator<Item = (usize, &'m Man)> + Clone,
    remaining: &mut Remaining,
) -> Result<bool, Limit> {
    remaining.spend_work(squares.count() * men.clone().count())?;
    let mut edges = [0; 64];
    for square in squares {
        let may_block = men.clone().filter(|(_, man)| man.may_stand_on(square));
        edges[square as usize] = may_block.fold(0, |set, (place, _)| set | 1 << place);
    }
    let mut matching = Matching::new();
    let blocked = matching.cover(0, squares.into(), &edges);
    remaining.spend_work(matching.work())?;
    Ok(blocked)
}
