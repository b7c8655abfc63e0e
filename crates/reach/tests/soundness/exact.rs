//! Small worlds, explored by the rules alone: verdicts are compared with the truth both ways.

use std::collections::BTreeMap;

use fastrand::Rng;
use stillmate_core::{Color, Position, insufficient_material};
use stillmate_proof::Step;
use stillmate_reach::{
    Analyzer, Budget, Verdict,
    rungs::{Rung, positions_in_rows},
};
use stillmate_testkit::{
    explorer::{Graph, explore},
    generate::{self, choose, rng},
};

use crate::claims::{Claim, Faults, ask, claim};

/// How often something was compared.
#[derive(Default, Debug)]
pub(crate) struct Compared {
    pub(crate) worlds: usize,
    /// Questions to which the answer is known.
    pub(crate) can: usize,
    pub(crate) never: usize,
    /// Rungs that said never, and were right.
    pub(crate) proved: BTreeMap<Rung, usize>,
}

/// Asks every rung and the whole ladder about one position of a world.
fn compare(graph: &Graph, index: usize, effort: usize, compared: &mut Compared, faults: &Faults) {
    let analyzer = Analyzer::new(Budget {
        nodes: 1_000_000,
        ..Budget::default()
    });
    let position = Position::from_chess(&graph.positions[index]);
    for winner in Color::ALL {
        let Some(truth) = graph.can_mate(index, winner).map(Claim::of) else {
            continue;
        };
        match truth {
            Claim::Can => compared.can += 1,
            Claim::Never => compared.never += 1,
        }
        for rung in Rung::ALL {
            let said = ask(rung, &position, winner, effort, faults);
            if said.is_some_and(|said| said != truth) {
                faults.add(format!(
                    "{rung:?} says {said:?} for {winner}, but {truth:?} is true: {}",
                    position.fen()
                ));
            }
            if said == Some(Claim::Never) {
                *compared.proved.entry(rung).or_default() += 1;
            }
        }
        let finding = analyzer.decide(&position, winner);
        match claim(&finding.verdict, &position, winner) {
            Ok(Some(said)) if said == truth => {}
            other => faults.add(format!(
                "the ladder ({:?}) says {other:?} for {winner}, but {truth:?} is true: {}",
                finding.method,
                position.fen()
            )),
        }
    }
}

/// Explores the first `worlds` worlds of at most `size` positions that begin where `maker`
/// says.
pub(crate) fn closed_worlds(
    salt: u64,
    worlds: usize,
    size: usize,
    maker: fn(&mut Rng) -> Option<Position>,
    faults: &Faults,
) -> Compared {
    let mut compared = Compared::default();
    for number in 0.. {
        let mut rng = rng(salt, number);
        let start = generate::some(&mut rng, maker);
        let graph = explore(&start.to_chess(), size);
        if graph.is_complete() {
            compared.worlds += 1;
            compare(&graph, 0, size, &mut compared, faults);
            for _ in 0..5 {
                let index = rng.usize(..graph.positions.len());
                compare(&graph, index, 200, &mut compared, faults);
            }
            if compared.worlds == worlds {
                break;
            }
        }
    }
    compared
}

/// Explores worlds that begin some moves before a mate, as far as `size` positions.
pub(crate) fn worlds_with_a_mate(
    salt: u64,
    numbers: std::ops::Range<u64>,
    size: usize,
    faults: &Faults,
) -> Compared {
    let mut compared = Compared::default();
    for number in numbers {
        let mut rng = rng(salt, number);
        let mut start = generate::mate_at_a_wall(&mut rng);
        for _ in 0..rng.usize(1..=12) {
            let mut before = Vec::new();
            start.quiet_predecessors(&mut |position| before.push(position));
            if let Some(position) = choose(&mut rng, &before) {
                start = *position;
            }
        }
        let graph = explore(&start.to_chess(), size);
        compared.worlds += 1;
        for winner in Color::ALL {
            // Far from the mate, and anywhere.
            let winning = graph.winning(winner);
            let far = winning.iter().rev().take(3).copied();
            let any = (0..3).filter_map(|_| choose(&mut rng, winning).copied());
            for index in far.chain(any) {
                compare(&graph, index, 200, &mut compared, faults);
            }
        }
    }
    compared
}

#[test]
fn every_rung_is_right_in_closed_worlds() {
    let faults = Faults::default();
    let compared = closed_worlds(10, 60, 3_000, generate::walled, &faults);
    for rung in [
        Rung::Relaxation,
        Rung::Classes,
        Rung::Explore,
        Rung::Rows,
        Rung::Closure,
    ] {
        let proved = compared.proved.get(&rung);
        assert!(proved.is_some_and(|&count| count > 50), "{compared:?}");
    }
    faults.none();
}

#[test]
fn every_rung_is_right_near_mates() {
    let faults = Faults::default();
    let compared = worlds_with_a_mate(11, 0..300, 2_000, &faults);
    assert!(compared.can > 500, "{compared:?}");
    faults.none();
}

/// Positions that the search over sets counts in `worlds` worlds are those that enumeration
/// visits.
pub(crate) fn counts(
    salt: u64,
    worlds: usize,
    size: usize,
    maker: fn(&mut Rng) -> Option<Position>,
    faults: &Faults,
) {
    let mut counted = 0;
    for number in 0.. {
        let mut rng = rng(salt, number);
        let position = generate::some(&mut rng, maker);
        for winner in Color::ALL {
            if !position.has_legal_move() || insufficient_material(&position, winner).is_some() {
                continue;
            }
            let Some(Verdict::Unwinnable(certificate)) = Rung::Closure.ask(&position, winner, size)
            else {
                continue;
            };
            let [Step::Closed { positions, .. }] = certificate.steps[..] else {
                continue;
            };
            counted += 1;
            let in_rows = positions_in_rows(&position, winner, usize::MAX);
            if in_rows != Some(positions) {
                faults.add(format!(
                    "{in_rows:?} in rows for {winner}, {positions} by enumeration: {}",
                    position.fen()
                ));
            }
        }
        if counted >= worlds {
            break;
        }
    }
}

#[test]
fn sets_hold_exactly_what_enumeration_visits() {
    let faults = Faults::default();
    counts(12, 300, 3_000, generate::walled, &faults);
    counts(13, 40, 2_000, generate::any, &faults);
    faults.none();
}
