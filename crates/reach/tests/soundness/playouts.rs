//! Games that end in mate: on the way nobody may have said "never" to who mates in the end.

use fastrand::Rng;
use stillmate_core::{Color, Position};
use stillmate_testkit::generate::{self, choose, rng};

use crate::claims::{Faults, none_says_never};

/// A random game, mates taken when there are any; its positions if it ends in mate.
fn game_to_mate(rng: &mut Rng, start: Position, plies: usize) -> Option<Vec<Position>> {
    let mut game = vec![start];
    for _ in 0..plies {
        let here = game.last()?;
        let after: Vec<Position> = here
            .legal_moves()
            .into_iter()
            .map(|m| here.after(m))
            .collect();
        let mate = after.iter().find(|after| after.is_checkmate());
        let next = mate.or(choose(rng, &after))?;
        game.push(*next);
        if mate.is_some() {
            return Some(game);
        }
    }
    None
}

fn check(game: &[Position], effort: usize, faults: &Faults) {
    let winner = !game.last().expect("a game has positions").turn();
    for position in game {
        none_says_never(position, winner, effort, faults);
    }
}

/// Plays until `games` have ended in mate.
pub(crate) fn from_set_ups(
    salt: u64,
    games: usize,
    maker: fn(&mut Rng) -> Option<Position>,
    faults: &Faults,
) {
    let mut mates = 0;
    for number in 0.. {
        let mut rng = rng(salt, number);
        let start = generate::some(&mut rng, maker);
        if let Some(game) = game_to_mate(&mut rng, start, 60) {
            check(&game, 40, faults);
            mates += 1;
            if mates == games {
                return;
            }
        }
    }
}

#[test]
fn games_from_the_start() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let start = Position::from_fen(start).unwrap();
    let faults = Faults::default();
    let games = (0..).filter_map(|number| game_to_mate(&mut rng(1, number), start, 400));
    for game in games.take(12) {
        check(&game, 20, &faults);
    }
    faults.none();
}

#[test]
fn games_from_scattered_men() {
    let faults = Faults::default();
    from_set_ups(2, 120, generate::scattered, &faults);
    faults.none();
}

#[test]
fn games_from_locked_pawns() {
    let faults = Faults::default();
    from_set_ups(3, 40, generate::locked, &faults);
    from_set_ups(4, 60, generate::half_locked, &faults);
    faults.none();
}

#[test]
fn games_from_crowded_corners() {
    let faults = Faults::default();
    from_set_ups(5, 60, generate::huddled, &faults);
    faults.none();
}

/// Takes moves back from a mate, up to `plies` times, and shows every position on the way to
/// `look`. Most moves taken back are no captures, and positions with few moves are preferred:
/// the crowded ones are the interesting ones.
pub(crate) fn back_from(
    rng: &mut Rng,
    mate: Position,
    plies: usize,
    mut look: impl FnMut(&Position),
) {
    let mut here = mate;
    for _ in 0..plies {
        let (kept, changed): (Vec<_>, Vec<_>) = here
            .predecessors()
            .into_iter()
            .filter(|before| before.occupied().count() <= 20)
            .partition(|before| before.occupied().count() == here.occupied().count());
        let pool = match (kept.is_empty(), changed.is_empty()) {
            (true, true) => return,
            (true, false) => changed,
            (false, true) => kept,
            (false, false) if rng.u8(..4) == 0 => changed,
            (false, false) => kept,
        };
        let mut pick = || *choose(rng, &pool).expect("not empty");
        let (one, other) = (pick(), pick());
        let freedom = |position: &Position| position.legal_moves().len();
        let crowded = rng.bool() && freedom(&one) > freedom(&other);
        here = if crowded { other } else { one };
        look(&here);
    }
}

#[test]
fn games_taken_back_from_mates() {
    let faults = Faults::default();
    let mut looked_at = 0;
    for number in 0..250 {
        let mut rng = rng(6, number);
        let mate = generate::mate(&mut rng);
        let winner: Color = !mate.turn();
        let plies = rng.usize(1..=30);
        back_from(&mut rng, mate, plies, |position| {
            looked_at += 1;
            none_says_never(position, winner, 40, &faults);
        });
    }
    assert!(looked_at > 2_000, "{looked_at}");
    faults.none();
}
