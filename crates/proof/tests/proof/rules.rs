//! Each rule where it just fires, and a twin where it must not.

use stillmate_core::{Color, Position};
use stillmate_proof::Invariant;

use crate::support::{frozen, position, widen};

/// The invariant that proves that `claim` can't mate, if there is one.
fn proof(position: Position, claim: Color) -> Option<Invariant> {
    widen(position, claim, frozen(&position))
}

#[test]
fn locked_positions_have_invariants() {
    for fen in [
        "8/8/3k1p1p/2p1pPpP/1pP1P1P1/pP1B4/P3K3/8 w - -",
        "4k1br/5p1p/4pPpP/3pP1P1/p1pP4/PpP5/1P6/B3K3 w - -",
        "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - -",
    ] {
        for claim in Color::ALL {
            assert!(proof(position(fen), claim).is_some(), "{claim} in {fen}");
        }
    }
}

#[test]
fn winnable_twins_have_none() {
    for fen in [
        "8/8/3k1p1p/2p1pPpP/1pP1P1P1/pP6/P3K3/2B5 w - -",
        "4k1br/5p1p/4pPpP/3pP1P1/p1pP4/1pP5/PP6/B3K3 w - -",
    ] {
        for claim in Color::ALL {
            assert_eq!(proof(position(fen), claim), None, "{claim} in {fen}");
        }
    }
}
