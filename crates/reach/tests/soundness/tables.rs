//! The tables of few men, which were made backwards from the mates, as an oracle.

use std::{env, path::PathBuf};

use fastrand::Rng;
use stillmate_core::{Color, Position};
use stillmate_reach::{
    Analyzer, Budget,
    retro::{Class, Distance, Indexing, Tables},
};
use stillmate_testkit::generate::{choose, rng};

use crate::claims::{Claim, Faults, ask_all, claim};

/// Some position of the class, in some orientation, now and then with an en passant capture
/// at hand.
fn sample(rng: &mut Rng, indexing: &Indexing) -> Option<Position> {
    let mut position = indexing.position(rng.usize(..indexing.size()))?;
    if rng.bool() {
        position = position.mirrored();
    }
    if rng.bool() {
        position = position.reflected()?;
    }
    let variants: Vec<_> = position.en_passant_variants().collect();
    Some(
        *choose(rng, &variants)
            .filter(|_| rng.bool())
            .unwrap_or(&position),
    )
}

/// Compares `samples` random positions of `class` with its table; tells how often a rung was
/// right with "never".
fn compare(rng: &mut Rng, tables: &Tables, class: Class, samples: usize, faults: &Faults) -> usize {
    tables.build(class, &|_| ()).expect("few men");
    let indexing = Indexing::new(class).expect("few men");
    let analyzer = Analyzer::new(Budget {
        nodes: 3_000,
        ..Budget::default()
    });
    let mut proved = 0;
    for _ in 0..samples {
        let Some(position) = sample(rng, &indexing) else {
            continue;
        };
        for winner in Color::ALL {
            let distance = tables.probe(&position, winner).expect("the table is there");
            let truth = match distance {
                Distance::Plies(_) => Claim::Can,
                Distance::Never => Claim::Never,
            };
            for (rung, said) in ask_all(&position, winner, 20, faults) {
                if said != truth {
                    faults.add(format!(
                        "{rung:?} says {said:?} for {winner}, the table {distance:?}: {}",
                        position.fen()
                    ));
                }
                proved += usize::from(said == Claim::Never);
            }
            let finding = analyzer.decide(&position, winner);
            match claim(&finding.verdict, &position, winner) {
                Ok(None) => {}
                Ok(Some(said)) if said == truth => {}
                other => faults.add(format!(
                    "the ladder ({:?}) says {other:?} for {winner}, the table {distance:?}: {}",
                    finding.method,
                    position.fen()
                )),
            }
        }
    }
    proved
}

fn class(name: &str) -> Class {
    name.parse().expect("a class")
}

#[test]
fn every_rung_agrees_with_tables() {
    let faults = Faults::default();
    let tables = Tables::builtin();
    let mut rng = rng(50, 0);
    let mut proved = 0;
    for name in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"] {
        proved += compare(&mut rng, &tables, class(name), 2_000, &faults);
    }
    for name in ["KBvKB", "KNvKN"] {
        proved += compare(&mut rng, &tables, class(name), 5_000, &faults);
    }
    assert!(proved > 5_000, "{proved}");
    faults.none();
}

/// `STILLMATE_TABLES` names a directory with tables, which are added to.
#[test]
#[ignore = "an hour: all classes of four men are built"]
fn every_rung_agrees_with_all_tables_of_four_men() {
    let faults = Faults::default();
    let dir = env::var_os("STILLMATE_TABLES").map_or_else(env::temp_dir, PathBuf::from);
    let tables = Tables::open(dir);
    let samples = crate::positions() / 50;
    for (number, class) in (3..=4).flat_map(Class::all).enumerate() {
        let mut rng = rng(51, number as u64);
        let proved = compare(&mut rng, &tables, class, samples, &faults);
        println!("{class}: {samples} positions, {proved} times never");
        tables.forget();
    }
    faults.none();
}
