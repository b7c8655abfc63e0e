//! Random positions by the thousand or million: no two methods may contradict each other.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use fastrand::Rng;
use rayon::prelude::*;
use stillmate_core::{Color, Position};
use stillmate_reach::rungs::Rung;
use stillmate_testkit::{explorer::explore, generate};

use crate::{
    claims::{Claim, Faults, ask_all, none_says_never},
    exact, known, mirrors, playouts, sets, successors,
};

/// How often each rung said what.
#[derive(Default)]
struct Tally {
    positions: usize,
    said: BTreeMap<(Rung, bool), usize>,
    /// Questions that a rung answered with never and play could not refute.
    nevers_stood: usize,
}

impl Tally {
    fn merge(mut self, other: Tally) -> Tally {
        self.positions += other.positions;
        self.nevers_stood += other.nevers_stood;
        for (what, count) in other.said {
            *self.said.entry(what).or_default() += count;
        }
        self
    }

    fn nevers(&self, rung: Rung) -> usize {
        self.said.get(&(rung, false)).copied().unwrap_or(0)
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} positions, {} times never",
            self.positions, self.nevers_stood
        )?;
        for ((rung, can), count) in &self.said {
            let word = if *can { "can" } else { "never" };
            write!(f, ", {rung:?} {word} {count}")?;
        }
        Ok(())
    }
}

/// Asks every rung about a position, and tries to refute a "never" by play.
fn examine(rng: &mut Rng, position: &Position, effort: usize, tally: &mut Tally, faults: &Faults) {
    tally.positions += 1;
    for winner in Color::ALL {
        let claims = ask_all(position, winner, effort, faults);
        for &(rung, claim) in &claims {
            *tally.said.entry((rung, claim == Claim::Can)).or_default() += 1;
        }
        if claims.iter().any(|(_, claim)| *claim != claims[0].1) {
            faults.add(format!(
                "contradiction for {winner}, {claims:?}: {}",
                position.fen()
            ));
        }
        // Exploration is no less than play.
        let never = |(rung, claim): &(Rung, Claim)| {
            *claim == Claim::Never && !matches!(rung, Rung::Material | Rung::Closure)
        };
        if claims.iter().any(never) {
            tally.nevers_stood += 1;
            let games = (0..4).find_map(|_| mate_by_chance(rng, position, winner, 120));
            let mate = games.or_else(|| mate_nearby(position, winner, 400));
            if let Some(mate) = mate {
                faults.add(format!(
                    "{claims:?} for {winner}, but {} follows: {}",
                    mate.fen(),
                    position.fen()
                ));
            }
        }
    }
}

/// A mate by `winner` among the nearest positions that can be reached.
fn mate_nearby(position: &Position, winner: Color, limit: usize) -> Option<Position> {
    let graph = explore(&position.to_chess(), limit);
    let mate = graph.winning(winner).first()?;
    Some(Position::from_chess(&graph.positions[*mate]))
}

/// Plays at random, taking every mate by `winner`; the mate.
fn mate_by_chance(
    rng: &mut Rng,
    position: &Position,
    winner: Color,
    plies: usize,
) -> Option<Position> {
    let mut here = *position;
    for _ in 0..plies {
        let moves = here.legal_moves();
        let mates = |after: &Position| after.turn() != winner && after.is_checkmate();
        if here.turn() == winner
            && let Some(mate) = moves.iter().map(|&m| here.after(m)).find(mates)
        {
            return Some(mate);
        }
        here = here.after(*generate::choose(rng, &moves)?);
    }
    None
}

/// Everything that a random position can be put to.
fn one(rng: &mut Rng, position: Position, number: u64, faults: &Faults) -> Tally {
    // The slower methods are given time for one position in eight.
    let effort = if number.is_multiple_of(8) { 100 } else { 20 };
    let mut tally = Tally::default();
    examine(rng, &position, effort, &mut tally, faults);
    let rungs = if number.is_multiple_of(16) {
        &Rung::ALL[..]
    } else {
        &mirrors::STATIC[..5]
    };
    mirrors::images_agree(&position, rungs, effort, faults);
    sets::games_stay_in_relaxations(rng, &position, 1, faults);
    sets::games_stay_in_classes(rng, &position, 1, faults);
    tally
}

/// The `number`-th random position.
fn random(number: u64, faults: &Faults) -> Tally {
    let mut rng = generate::rng(60, number);
    let position = generate::some(&mut rng, generate::any);
    one(&mut rng, position, number, faults)
}

#[test]
fn no_two_rungs_contradict_each_other() {
    let faults = Faults::default();
    let tally = (0..1_000)
        .map(|number| random(number, &faults))
        .fold(Tally::default(), Tally::merge);
    for rung in [Rung::Relaxation, Rung::Classes] {
        assert!(tally.nevers(rung) > 50, "{tally}");
    }
    faults.none();
}

fn add(total: &Mutex<Tally>, tally: Tally) {
    let mut total = total.lock().unwrap();
    *total = std::mem::take(&mut *total).merge(tally);
}

/// Runs `one` for every number below [`crate::positions`], telling how far it has got.
fn many(what: &str, share: u64, one: impl Fn(u64) + Sync) {
    let started = Instant::now();
    let (total, done) = (crate::positions() as u64 / share, AtomicU64::new(0));
    (0..total).into_par_iter().for_each(|number| {
        one(number);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of(total.div_ceil(20)) || done == total {
            println!("{what}: {done} of {total}, {:.0?}", started.elapsed());
        }
    });
}

#[test]
#[ignore = "hours for a million: see the top of main.rs"]
fn a_million_positions() {
    let faults = Faults::default();
    let total = Mutex::new(Tally::default());
    many("positions", 1, |number| {
        add(&total, random(number, &faults));
    });
    println!("{}", total.into_inner().unwrap());
    faults.none();
}

#[test]
#[ignore = "hours for a million: see the top of main.rs"]
fn a_million_positions_before_mates() {
    let faults = Faults::default();
    let asked = AtomicU64::new(0);
    many("mates", 10, |number| {
        let mut rng = generate::rng(61, number);
        let mate = if rng.bool() {
            generate::mate(&mut rng)
        } else {
            generate::mate_at_a_wall(&mut rng)
        };
        let plies = rng.usize(1..=40);
        playouts::back_from(&mut rng, mate, plies, |position| {
            asked.fetch_add(1, Ordering::Relaxed);
            none_says_never(position, !mate.turn(), 100, &faults);
        });
    });
    println!("{} positions before mates", asked.into_inner());
    faults.none();
}

#[test]
#[ignore = "hours for a million: see the top of main.rs"]
fn a_million_in_closed_worlds_and_beside() {
    let faults = Faults::default();
    many("worlds", 100, |number| {
        exact::closed_worlds(1_000 + number, 1, 20_000, generate::walled, &faults);
        exact::worlds_with_a_mate(1_001, number..number + 1, 20_000, &faults);
    });
    many("positions and their successors", 20, |number| {
        let position = generate::some(&mut generate::rng(62, number), generate::any);
        successors::verdicts_agree(&position, 50_000, &faults);
    });
    faults.none();
}

#[test]
#[ignore = "hours for a million: see the top of main.rs"]
fn a_million_changes_of_known_positions() {
    let faults = Faults::default();
    let known = known::positions();
    let total = Mutex::new(Tally::default());
    many("changed positions", 2, |number| {
        let mut rng = generate::rng(63, number);
        let position = known::changed(&mut rng, &known);
        let winner = generate::color(&mut rng);
        known::around_a_line(&mut rng, &position, winner, &faults);
        add(&total, one(&mut rng, position, number, &faults));
    });
    println!("{}", total.into_inner().unwrap());
    faults.none();
}
