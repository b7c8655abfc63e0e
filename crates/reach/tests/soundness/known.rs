//! Positions that somebody found worth keeping, changed a little: near the border between
//! "can" and "can never", where rules are tight.

use std::env;

use fastrand::Rng;
use stillmate_core::{Color, Position};
use stillmate_reach::{Analyzer, Budget, Verdict};
use stillmate_testkit::{
    generate::{self, choose, rng},
    labels,
};

use crate::{
    claims::{Faults, none_says_never},
    playouts,
};

/// The positions of a file of EPD lines: the project's own examples, or `STILLMATE_SEEDS`.
pub(crate) fn positions() -> Vec<Position> {
    let lines = match env::var("STILLMATE_SEEDS") {
        Ok(path) => labels::file(&path),
        Err(_) => labels::seed_examples(),
    };
    lines.iter().map(labels::Labelled::position).collect()
}

/// One of `known` with a few things changed, in which something can move.
pub(crate) fn changed(rng: &mut Rng, known: &[Position]) -> Position {
    loop {
        let position = choose(rng, known).expect("there are some");
        if let Some(position) = generate::changed(rng, position).filter(Position::has_legal_move) {
            return position;
        }
    }
}

/// If `winner` can mate, looks at the positions on the way and at some before each of them,
/// from all of which `winner` can mate; tells how many there were.
pub(crate) fn around_a_line(
    rng: &mut Rng,
    position: &Position,
    winner: Color,
    faults: &Faults,
) -> usize {
    let analyzer = Analyzer::new(Budget {
        nodes: 20_000,
        ..Budget::default()
    });
    let Verdict::Winnable(line) = analyzer.decide(position, winner).verdict else {
        return 0;
    };
    let mut looked_at = 0;
    let mut here = *position;
    for m in line.0 {
        none_says_never(&here, winner, 40, faults);
        looked_at += 1;
        if rng.u8(..4) == 0 {
            playouts::back_from(rng, here, 4, |before| {
                none_says_never(before, winner, 40, faults);
                looked_at += 1;
            });
        }
        here = here.after(m);
    }
    looked_at
}

#[test]
fn nothing_on_or_before_a_line_to_mate_is_called_never() {
    let faults = Faults::default();
    let known = positions();
    let mut looked_at = 0;
    for number in 0..150 {
        let mut rng = rng(70, number);
        let position = changed(&mut rng, &known);
        for winner in Color::ALL {
            looked_at += around_a_line(&mut rng, &position, winner, &faults);
        }
    }
    assert!(looked_at > 1_000, "{looked_at}");
    faults.none();
}
