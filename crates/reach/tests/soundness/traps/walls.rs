//! The rule of walls: kings that get at a pawn, and pawns that aren't stuck.

use stillmate_reach::rungs::Rung;

use super::Twins;

const WALL: &[Rung] = &[Rung::Wall, Rung::Relaxation, Rung::Quick];

/// Without the pawns on the g-file the king goes around.
#[test]
fn a_king_gets_at_a_pawn() {
    Twins {
        by: WALL,
        never: "8/8/4k3/p2p2p1/P2P2P1/4K3/8/8 w - -",
        can: "8/8/4k3/p2p4/P2P4/4K3/8/8 w - -",
        line: "e3f3 e6f5 f3e3 f5g4 e3d3 g4g3 d3e3 g3g2 e3f4 g2f1 f4e5 f1g2 e5d5 g2f1 d5e4 f1g2 \
               d4d5 g2f1 d5d6 f1g2 d6d7 g2f1 d7d8q f1g2 e4e3 g2f1 d8d2 f1g1 e3f3 g1f1 d2c1",
    }
    .check();
}

#[test]
fn a_pawn_has_a_capture_or_a_free_way() {
    Twins {
        by: WALL,
        never: "8/8/7k/1p1p1p1p/1P1P1P1P/8/8/7K w - -",
        can: "8/8/7k/1p1p1p1p/PP1P1P1P/8/8/7K w - -",
        line: "a4a5 h6g6 a5a6 g6h6 a6a7 h6g6 a7a8q g6h6 h1g1 h6g6 g1f1 g6h6 a8a2 h6g6 a2d5 g6h6 \
               f1f2 h6g6 d5f3 g6h6 d4d5 h6h7 f2e3 h7h6 e3d4 h6h7 d4e5 h7h6 e5f6 h6h7 f3g2 h7h6 \
               g2g6",
    }
    .check();
}

#[test]
fn a_pawn_may_take_en_passant() {
    Twins {
        by: WALL,
        never: "7k/8/7p/p2p2pP/P2P2P1/3K4/8/8 w - -",
        can: "7k/8/7p/p2p2pP/P2P2P1/3K4/8/8 w - g6",
        line: "h5g6 h6h5 g6g7 h8h7 g7g8q h7h6 g4g5",
    }
    .check();
}
