//! A colour can mate from a position exactly if it can after some move.

use stillmate_core::{Color, Position};
use stillmate_reach::{Analyzer, Budget};
use stillmate_testkit::generate::{self, rng};

use crate::claims::{Claim, Faults, claim};

/// What the whole ladder says, its evidence checked.
fn decide(
    analyzer: &Analyzer,
    position: &Position,
    winner: Color,
    faults: &Faults,
) -> Option<Claim> {
    let finding = analyzer.decide(position, winner);
    claim(&finding.verdict, position, winner).unwrap_or_else(|fault| {
        faults.add(format!(
            "the ladder ({:?}), {winner}: {fault}: {}",
            finding.method,
            position.fen()
        ));
        None
    })
}

/// Compares the verdicts on a position with those on what follows; tells how many of the two
/// were compared and were "never".
pub(crate) fn verdicts_agree(position: &Position, nodes: u64, faults: &Faults) -> usize {
    let analyzer = Analyzer::new(Budget {
        nodes,
        ..Budget::default()
    });
    let moves = position.legal_moves();
    if moves.is_empty() {
        return 0;
    }
    let mut nevers = 0;
    for winner in Color::ALL {
        let Some(here) = decide(&analyzer, position, winner, faults) else {
            continue;
        };
        let after: Option<Vec<Claim>> = moves
            .iter()
            .map(|&m| decide(&analyzer, &position.after(m), winner, faults))
            .collect();
        let Some(after) = after else { continue };
        let expected = if after.contains(&Claim::Can) {
            Claim::Can
        } else {
            Claim::Never
        };
        if here != expected {
            faults.add(format!(
                "{here:?} for {winner}, but what follows says {expected:?}: {}",
                position.fen()
            ));
        }
        nevers += usize::from(here == Claim::Never);
    }
    nevers
}

#[test]
fn a_position_can_be_won_exactly_if_a_successor_can() {
    let faults = Faults::default();
    let mut nevers = 0;
    for (salt, maker) in [
        (40, generate::scattered as fn(&mut fastrand::Rng) -> _),
        (41, generate::walled),
        (42, generate::half_locked),
        (43, generate::huddled),
    ] {
        for number in 0..80 {
            let position = generate::some(&mut rng(salt, number), maker);
            nevers += verdicts_agree(&position, 5_000, &faults);
        }
    }
    assert!(nevers > 60, "{nevers}");
    faults.none();
}
