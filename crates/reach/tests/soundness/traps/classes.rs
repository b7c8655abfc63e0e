//! The proof by classes: the relation of the kings, passing, irreversible moves, and mates by
//! discovery.

use stillmate_core::Color;
use stillmate_reach::rungs::Rung;

use super::{Twins, position};

const CLASSES: &[Rung] = &[Rung::Classes];

/// Black's bishop is shut in, so that Black's king must step to and fro between a8 and b8.
/// With another man to move it can wait.
#[test]
fn a_side_passes_only_if_a_man_of_its_own_can_move() {
    Twins {
        by: CLASSES,
        never: "1kb5/1p1pB3/1P1P4/2K5/8/8/8/8 b - -",
        can: "1kb5/1p1pB3/1P1P4/2K5/p7/8/8/8 b - -",
        line: "a4a3 c5d4 a3a2 d4e5 a2a1r e7d8 a1a8 d8c7",
    }
    .check();
}

#[test]
fn it_matters_whose_move_it_is() {
    Twins {
        by: &[Rung::Classes, Rung::Forced],
        never: "8/8/8/8/8/8/pp6/Bk1K4 b - -",
        can: "8/8/8/8/8/8/pp6/Bk1K4 w - -",
        line: "a1b2 a2a1n b2c1 a1c2 d1d2 b1a1 d2d1 c2b4 d1d2 b4a2 d2c2 a2c3 c2b3 c3b1 c1b2",
    }
    .check();
}

#[test]
fn a_step_of_the_king_discovers_the_mate() {
    Twins {
        by: CLASSES,
        never: "8/8/b7/8/8/1p1p1k2/1P1P4/K1B5 b - -",
        can: "8/8/b7/8/8/1p1p1k2/3P4/K1B5 b - -",
        line: "f3e4 a1b2 e4d5 b2c3 d5c6 c1a3 c6b5 a3f8 b5a4 f8g7 b3b2 g7h8 a4a3 h8g7 a3a2 g7h8 \
               a2a1 h8g7 a6b7 g7h8 b7c6 h8g7 b2b1b c3b3",
    }
    .check();
}

#[test]
fn a_step_of_the_king_discovers_the_mate_by_one_of_two_bishops() {
    Twins {
        by: CLASSES,
        never: "k1b5/1p1p4/1P1P1K2/4B3/8/8/8/B7 b - -",
        can: "k1b5/1p1p4/1p1P1K2/4B3/8/8/8/B7 b - -",
        line: "a8b8 e5f4 b6b5 a1e5 b7b6 e5a1 c8b7 f4h6 b8c8 h6g5 b7a6 g5e3 c8d8 e3h6 b5b4 h6g5 \
               a6c8 f6f7",
    }
    .check();
}

#[test]
fn pawns_become_whatever_shuts_their_king_in() {
    Twins {
        by: CLASSES,
        never: "6b1/8/8/8/8/1p1pk3/1P1P4/K1B5 b - -",
        can: "6b1/8/8/8/8/1p1pk3/1P1p4/K1B5 b - -",
        line: "e3d4 a1b1 d2d1n c1f4 d1b2 b1c1 d4c3 f4h2 b2d1 c1d1 c3b2 d1d2 b2a1 d2d3 b3b2 d3c2 \
               g8b3 c2b3 b2b1b h2e5",
    }
    .check();
}

#[test]
fn a_bishop_of_the_other_side_makes_the_difference() {
    Twins {
        by: CLASSES,
        never: "5KB1/6p1/5pP1/5P1k/B4P1p/1B5P/2B5/8 b - -",
        can: "5KB1/6p1/5pP1/5P1k/B4P1p/1B5P/2b5/8 b - -",
        line: "c2e4 f8g7 e4a8 g8h7 a8b7 h7g8 b7c8 b3d1",
    }
    .check();
    Twins {
        by: CLASSES,
        never: "B4KB1/1B1B2p1/B4pP1/3B1P1k/2B2P1p/3B3P/8/8 b - -",
        can: "B4KB1/1B1B2p1/B4pP1/3B1P1k/2B2P1p/3b3P/8/8 b - -",
        line: "d3e4 f8g7 e4d3 d5f3",
    }
    .check();
}

#[test]
fn a_double_step_can_be_answered_en_passant() {
    Twins {
        by: CLASSES,
        never: "k1b5/1p1p4/1PpP4/2Pp4/2pP4/1pP1B3/1P1B4/K7 w - -",
        can: "k1b5/1p1p4/1PpP4/2Pp4/2pP4/2P1B3/1P1B4/K7 w - -",
        line: "b2b4 c4b3 c3c4 a8b8 c4d5 b8a8 d5c6 a8b8 c6d7 b8a8 d7c8q",
    }
    .check();
}

#[test]
fn an_en_passant_capture_at_hand_is_no_part_of_a_class() {
    Twins {
        by: CLASSES,
        never: "7k/8/7p/p2p2pP/P2P2P1/3K4/8/8 w - -",
        can: "7k/8/7p/p2p2pP/P2P2P1/3K4/8/8 w - g6",
        line: "h5g6 h6h5 g6g7 h8h7 g7g8q h7h6 g4g5",
    }
    .check();
}

#[test]
fn classes_decline_castling_rights() {
    let locked = "4k3/8/8/1p4p1/1P1p1pP1/BP1P1P2/BP1P4/R1B1K3 w - -";
    let with_right = "4k3/8/8/1p4p1/1P1p1pP1/BP1P1P2/BP1P4/R1B1K3 w Q -";
    for winner in Color::ALL {
        let ask = |fen| Rung::Classes.ask(&position(fen), winner, 1_000);
        assert!(ask(locked).is_some(), "{winner}");
        assert!(ask(with_right).is_none(), "{winner}");
    }
}
