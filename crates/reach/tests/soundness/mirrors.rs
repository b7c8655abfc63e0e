//! Mirrored questions have mirrored answers.

use stillmate_core::{Color, Position};
use stillmate_reach::{Verdict, rungs::Rung};
use stillmate_testkit::generate::{self, rng};

use crate::claims::{Claim, Faults, claim};

/// Rungs that say "never" by a count or a fix-point, which can't depend on the order in which
/// squares are looked at; searches may run into their limits on one side only.
pub(crate) const STATIC: [Rung; 7] = [
    Rung::Material,
    Rung::Wall,
    Rung::Forced,
    Rung::Quick,
    Rung::Relaxation,
    Rung::Classes,
    Rung::Closure,
];

fn is_never(verdict: Option<&Verdict>) -> bool {
    matches!(verdict, Some(Verdict::Unwinnable(_)))
}

/// Compares what each of `rungs` says of a position and its mirror images.
pub(crate) fn images_agree(position: &Position, rungs: &[Rung], effort: usize, faults: &Faults) {
    for winner in Color::ALL {
        let turned = position.mirrored();
        let reflected = position.reflected();
        for &rung in rungs {
            let here = rung.ask(position, winner, effort);
            // With colours changed the rung even sees the same board.
            let there = rung.ask(&turned, !winner, effort);
            let agrees = match (&here, &there) {
                (Some(Verdict::Winnable(a)), Some(Verdict::Winnable(b))) => {
                    a.0.iter().map(|m| m.mirrored()).eq(b.0.iter().copied())
                }
                (Some(Verdict::Unwinnable(a)), Some(Verdict::Unwinnable(b))) => a.mirrored() == *b,
                (None, None) => true,
                _ => false,
            };
            if !agrees {
                faults.add(format!(
                    "{rung:?} differs for {winner} with colours changed: {}",
                    position.fen()
                ));
            }
            let Some(reflected) = &reflected else {
                continue;
            };
            let image = rung.ask(reflected, winner, effort);
            let said = |verdict: &Option<Verdict>, position| {
                let verdict = verdict.as_ref()?;
                claim(verdict, position, winner).ok().flatten()
            };
            let both = (said(&here, position), said(&image, reflected));
            let contradiction = matches!(
                both,
                (Some(Claim::Can), Some(Claim::Never)) | (Some(Claim::Never), Some(Claim::Can))
            );
            let unlike = is_never(here.as_ref()) != is_never(image.as_ref());
            if contradiction || STATIC.contains(&rung) && unlike {
                faults.add(format!(
                    "{rung:?} differs for {winner} with files exchanged: {}",
                    position.fen()
                ));
            }
        }
    }
}

#[test]
fn each_rung_is_blind_to_colours_and_sides() {
    let faults = Faults::default();
    for number in 0..600 {
        let position = generate::some(&mut rng(30, number), generate::any);
        images_agree(&position, &Rung::ALL, 40, &faults);
    }
    faults.none();
}
