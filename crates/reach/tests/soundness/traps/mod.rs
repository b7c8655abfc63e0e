//! For each rule a position where it just holds, and a twin, a small change away, where it
//! must not: someone careless with the rule would lose the twin a win.
//!
//! "Just holds" is checked too: the rungs named must prove the first position, or the twin
//! would show nothing.

mod classes;
mod material;
mod relaxation;
mod walls;

use stillmate_core::{Color, Move, Position};
use stillmate_proof::replay;
use stillmate_reach::rungs::Rung;
use stillmate_testkit::explorer::explore;

use crate::claims::{Claim, Faults, ask, none_says_never};

/// White can never mate from the first position, and can from the second.
struct Twins {
    /// Rungs that prove the first.
    by: &'static [Rung],
    never: &'static str,
    can: &'static str,
    /// A helpmate from the second.
    line: &'static str,
}

/// Positions of the first twin's future that are looked at to make sure.
const EXPLORED: usize = 5_000;

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn moves(start: &Position, line: &str) -> Vec<Move> {
    let mut here = *start;
    let legal = |word: &str| {
        let m = here.legal_moves().into_iter().find(|m| m.uci() == word);
        let m = m.unwrap_or_else(|| panic!("{word} in {}", here.fen()));
        here.play(m);
        m
    };
    line.split_whitespace().map(legal).collect()
}

impl Twins {
    /// Checks both, as they are, with files exchanged and with colours changed.
    fn check(&self) {
        let (never, can) = (position(self.never), position(self.can));
        let line = moves(&can, self.line);
        assert_eq!(replay(&can, Color::White, &line), Ok(()));
        let faults = Faults::default();

        let graph = explore(&never.to_chess(), EXPLORED);
        assert!(graph.winning(Color::White).is_empty(), "{}", self.never);
        let images = [Some(never), never.reflected()];
        for never in images.into_iter().flatten() {
            for (never, winner) in [(never, Color::White), (never.mirrored(), Color::Black)] {
                for &rung in self.by {
                    let said = ask(rung, &never, winner, 200, &faults);
                    assert_eq!(said, Some(Claim::Never), "{rung:?}: {}", never.fen());
                }
            }
        }

        let mut here = can;
        for m in line {
            for image in [Some(here), here.reflected()].into_iter().flatten() {
                none_says_never(&image, Color::White, 200, &faults);
                none_says_never(&image.mirrored(), Color::Black, 200, &faults);
            }
            here = here.after(m);
        }
        faults.none();
    }
}
