//! From when on a game was dead.

use shakmaty::{Bitboard, Color, Role};
use stillmate_core::Position;
use stillmate_reach::{Analyzer, Report};

use crate::GameRecord;

/// The dead position that ended a game, 5.2.2.
#[derive(Clone, Debug)]
pub struct Death {
    /// It arose after this many plies.
    pub plies: usize,
    /// Why nobody can mate there: both verdicts with their certificates, and the case.
    pub report: Report,
    /// Whether the position before it is known to have been alive (or there is none). Else
    /// the game may have been dead even earlier.
    pub first: bool,
}

/// Whether neither colour can mate; `None` if a budget ended before that was decided.
pub(crate) fn is_dead(analyzer: &Analyzer, position: &Position) -> Option<bool> {
    analyzer.is_dead(position, likely_winner(position))
}

/// The colour for which a mate is probably found soonest: the one with more on the board.
fn likely_winner(position: &Position) -> Color {
    let worth = |color| {
        let count = |role| position.pieces_of(color, role).count();
        9 * count(Role::Queen) + 5 * count(Role::Rook) + count(Role::Pawn)
    };
    Color::from_white(worth(Color::White) >= worth(Color::Black))
}

/// The first position of a game up to the one after `plies` plies that the material ends by the
/// Laws before 1997: king against king, with at most one minor piece, or with bishops on squares of
/// one colour. `None` if there is none before a stalemate.
pub(crate) fn by_listed_material(
    analyzer: &Analyzer,
    record: &GameRecord,
    plies: usize,
) -> Option<Death> {
    let listed = |at: &usize| is_listed(record.position(*at));
    let dead = (0..=plies).rev().take_while(listed).last()?;
    let only_stalemate = dead == plies && record.position(plies).is_stalemate();
    (!only_stalemate).then(|| Death {
        plies: dead,
        report: analyzer.report(record.position(dead)),
        first: true,
    })
}

fn is_listed(position: &Position) -> bool {
    let minor = position.with_role(Role::Bishop) | position.with_role(Role::Knight);
    if position.occupied().count() != minor.count() + 2 {
        return false;
    }
    let bishops = position.with_role(Role::Bishop);
    let each = Color::ALL.map(|color| (position.of(color) & bishops).count());
    let one_colour =
        Bitboard::DARK_SQUARES.is_superset(bishops) || Bitboard::LIGHT_SQUARES.is_superset(bishops);
    minor.count() <= 1 || minor == bishops && each == [1, 1] && one_colour
}

/// The first dead position of a game in which the one after `plies` plies is dead, or is
/// stalemate, which may follow from dead ones; `None` if nothing but the stalemate is dead.
///
/// What is dead stays dead, so that a search by halves finds it; it goes back from the end in
/// growing steps first, since most games are stopped soon after.
pub(crate) fn find(analyzer: &Analyzer, record: &GameRecord, plies: usize) -> Option<Death> {
    let dead_at = |at: usize| is_dead(analyzer, record.position(at));
    let mut dead = plies;
    // The last position that isn't known to be dead, and whether it is known to be alive.
    let mut open: Option<(usize, bool)> = None;
    let mut step = 1;
    while open.is_none() && dead > 0 {
        let before = dead.saturating_sub(step);
        match dead_at(before) {
            Some(true) => dead = before,
            verdict => open = Some((before, verdict == Some(false))),
        }
        step *= 2;
    }
    while let Some((before, _)) = open
        && dead - before > 1
    {
        let middle = before.midpoint(dead);
        match dead_at(middle) {
            Some(true) => dead = middle,
            verdict => open = Some((middle, verdict == Some(false))),
        }
    }
    let only_stalemate = dead == plies && record.position(plies).is_stalemate();
    (!only_stalemate).then(|| Death {
        plies: dead,
        report: analyzer.report(record.position(dead)),
        first: open.is_none_or(|(_, alive)| alive),
    })
}
