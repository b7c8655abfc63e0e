//! Safety: no position that fits is mate.

use std::collections::HashSet;

use shakmaty::attacks;
use stillmate_core::{Bitboard, Color, Square};

use super::{InductiveInvariant, size};
use crate::{
    certificate::Man,
    limits::Remaining,
    matching::Matching,
    refusal::{InvariantFault, Limit, PossibleMate, StepError},
};

impl InductiveInvariant<'_> {
    /// Checks that B's king has a way out wherever it stands and whatever gives check: a square next
    /// to it that is neither attacked nor occupied by a man of its own.
    pub(crate) fn check_safety(&self, remaining: &mut Remaining) -> Result<(), StepError> {
        let guards = self.king_squares(self.winner);
        for king in self.king_squares(!self.winner) {
            let men = &self.invariant.men;
            let mate = find_mate(king, guards, men, self.winner, self.fixed, false, remaining)?;
            mate.map_or(Ok(()), |mate| Err(InvariantFault::from(mate)))?;
        }
        Ok(())
    }
}

/// A mate of the king on `king` that these men and `winner`'s king on one of `guards` may give, if
/// any. Kings among the men don't matter. The men on `fixed` never move.
///
/// With `discovered`, only checks count that a move of `winner`'s king may have discovered: it may
/// have come from between the two and isn't there now.
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
) -> Result<Option<PossibleMate>, Limit> {
    let around = attacks::king_attacks(king);
    // When it steps to a square next to it, the king no longer blocks lines.
    let blockers = fixed.without(king);
    let subjects = |color| {
        let men = men.iter().enumerate();
        men.filter(move |(_, man)| man.piece.color == color && !man.is_king())
    };
    // What W's king may cover. Here and below, one of several equal sets is enough, unless it
    // matters from where the squares are covered.
    let mut guards: Vec<_> = (guards & !around.with(king))
        .into_iter()
        .map(|guard| (around & attacks::king_attacks(guard), guard))
        .collect();
    remaining.spend_work(10 + men.len() + guards.len())?;
    if guards.is_empty() {
        return Ok(None);
    }
    // Each man is looked at on each square once for what it covers and once for its checks.
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
    // The squares that remain open after each check, apart from those that W's king covers.
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
                return Ok(Some(PossibleMate {
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
