//! The exclusions of the relaxation: fixed men, certain attacks, opposed pawns, the last man,
//! moves that end it, and the special moves that get around them.

use stillmate_reach::rungs::Rung;

use super::Twins;

const RELAXATION: &[Rung] = &[Rung::Relaxation, Rung::Quick];

/// The wall is the same after b7-b6; but b7-b5 lets a pawn through.
#[test]
fn an_en_passant_capture_opens_the_wall() {
    Twins {
        by: RELAXATION,
        never: "1k6/8/p1p5/P1P1p3/4P1p1/3K2P1/8/8 b - -",
        can: "1k6/1p6/p1p5/P1P1p3/4P1p1/3K2P1/8/8 b - -",
        line: "b7b5 a5b6 b8a8 d3c4 a6a5 b6b7 a8a7 b7b8q a7a6 b8b6",
    }
    .check();
}

#[test]
fn an_en_passant_capture_is_at_hand() {
    Twins {
        by: RELAXATION,
        never: "7k/8/7p/p2p2pP/P2P2P1/3K4/8/8 w - -",
        can: "7k/8/7p/p2p2pP/P2P2P1/3K4/8/8 w - g6",
        line: "h5g6 h6h5 g6g7 h8h7 g7g8q h7h6 g4g5",
    }
    .check();
}

#[test]
fn the_other_side_opens_the_wall_by_en_passant() {
    Twins {
        by: RELAXATION,
        never: "8/3k4/8/1p1p2p1/1PpP2P1/2P5/3K4/8 b - -",
        can: "8/3k4/8/1p1p2p1/1PpP2P1/2P5/3K4/8 b - b3",
        line: "c4b3 c3c4 d7c6 d2c3 c6b6 c4d5 b6a5 d5d6 a5a4 d6d7 a4a3 d7d8q a3a4 d8a8",
    }
    .check();
}

#[test]
fn a_pawn_steps_past_an_attacked_square_and_is_taken() {
    Twins {
        by: RELAXATION,
        never: "2k5/8/1p6/1P1p2p1/1K1Pp1P1/4P3/8/8 w - -",
        can: "2k5/8/1p6/1P1p2p1/1K2p1P1/4P3/3P4/8 w - -",
        line: "d2d4 e4d3 e3e4 c8d7 b4c3 d7e6 e4e5 d3d2 c3d3 d5d4 d3d2 e6d5 d2d3 d5e6 d3e2 e6d5 \
               e5e6 d5c5 e6e7 c5d5 e7e8q d5c5 e2d3 c5d6 d3c2 d6c5 c2b3 d4d3 e8e5",
    }
    .check();
}

#[test]
fn a_pawn_mates_by_en_passant() {
    Twins {
        by: RELAXATION,
        never: "6k1/p1b1p1p1/Pp1pPpPp/1P1P1P1P/8/6K1/8/8 b - -",
        can: "6k1/p1b1p1p1/Pp1pPpPp/1P1P1P1P/6b1/6K1/8/8 b - -",
        line: "g4f5 g3f4 f5e6 f4e4 e6f7 e4f5 g8h8 g6f7 h8h7 f7f8q g7g5 h5g6",
    }
    .check();
}

/// King and rook can't get past each other, nor anywhere else, but by castling (the right is
/// the rook's on g1): in this game of Chess960 the king goes to g1 and the rook to f1.
#[test]
fn castling_is_the_only_move_that_frees() {
    Twins {
        by: RELAXATION,
        never: "4k3/8/8/8/3p1p1p/p1pP1P1P/P1PpBRBP/3B1KRB b - -",
        can: "4k3/8/8/8/3p1p1p/p1pP1P1P/P1PpBRBP/3B1KRB b G -",
        line: "e8f8 f1g1 f8g8 f1e1 g8h7 g1f1 h7h6 f1g1 h6h5 f2f1 d2e1n g1f2 e1g2 f1g1 g2e3 g1g2 \
               e3c4 d3c4 d4d3 c4c5 d3c2 c5c6 c2c1q c6c7 c3c2 c7c8q c2d1q c8h8",
    }
    .check();
}

#[test]
fn a_man_that_a_pawn_becomes_shuts_its_king_in() {
    Twins {
        by: RELAXATION,
        never: "8/8/1B6/4k3/8/1p6/pP6/K7 w - -",
        can: "8/8/1B6/4k3/8/1p6/p7/K7 w - -",
        line: "a1b2 e5e4 b2c1 e4d3 b6g1 d3c3 c1d1 c3b2 d1d2 b2a1 d2c1 b3b2 c1c2 b2b1r g1f2 b1e1 \
               f2d4",
    }
    .check();
}

/// Nothing follows the capture of White's last man. With one more there is a mate after it.
#[test]
fn the_last_man_but_one_can_be_taken() {
    Twins {
        by: RELAXATION,
        never: "1b6/8/6pk/6pb/6pb/6p1/6P1/7K b - -",
        can: "1B6/8/6pk/6pb/6pb/6p1/6P1/7K b - -",
        line: "h6h7 b8g3 h7h6 g3e5 g4g3 e5g3 h5f3 h1h2 f3g2 g3e1 g2d5 h2h3 h6g7 h3g4 g7h8 e1h4 \
               d5g8 g4g5 g8a2 g5g6 a2g8 h4f6",
    }
    .check();
}

/// A man that can't be taken holds White's king in its corner; one that can step away doesn't.
#[test]
fn a_king_that_never_moves_gets_out() {
    Twins {
        by: RELAXATION,
        never: "8/8/7k/8/8/3B2p1/6Pp/7K w - -",
        can: "8/8/7k/8/8/3B2p1/6Np/7K w - -",
        line: "g2h4 h6h5 h4g6 h5g4 g6h8 g4h4 h8f7 h4h5 f7h8 h5g4 h8g6 g4h3 d3f5",
    }
    .check();
}

#[test]
fn a_king_that_never_moves_is_mated_where_it_stands() {
    Twins {
        by: RELAXATION,
        never: "1b2kBBK/2p1PRPP/1pP1PP2/1P6/8/8/B7/8 b - -",
        can: "1b2kBBK/2p1PRPP/1pP2P2/1P6/8/8/B7/8 b - -",
        line: "b8a7 a2e6 a7b8 e6d7",
    }
    .check();
}

#[test]
fn a_step_of_the_king_discovers_the_mate() {
    Twins {
        by: RELAXATION,
        never: "8/8/8/8/8/1pB2k2/pP6/K7 b - -",
        can: "8/8/8/8/8/1pB2k2/p7/K7 b - -",
        line: "f3e2 a1b2 e2d1 b2b3 d1c1 c3e1 c1b1 b3c3 b1a1 e1f2 a1b1 f2d4 b1a1 c3c2",
    }
    .check();
}

/// The only way out in the end is a6, behind the mated king on the rook's line.
#[test]
fn a_rook_covers_the_square_behind_the_king() {
    Twins {
        by: RELAXATION,
        never: "8/1k6/8/1p2p2p/1P2P2P/2K5/8/8 w - -",
        can: "8/1k6/8/1p2p2p/1R2P2P/2K5/8/8 w - -",
        line: "b4b3 b7b6 c3b4 b6a6 b4c5 a6a5 b3a3",
    }
    .check();
}

#[test]
fn an_opposed_pawn_that_can_capture_lets_its_partner_pass() {
    Twins {
        by: RELAXATION,
        never: "7k/6pP/6P1/7K/8/8/8/8 w - -",
        can: "7k/6pP/6P1/7K/6N1/8/8/8 w - -",
        line: "g4h6 g7h6 h5h4 h6h5 h4g5 h5h4 g5h6 h4h3 g6g7",
    }
    .check();
}

/// White's king may take the black pawn of each file below, but never gets further; Black's bars
/// its own men the way, and is barred by a white pawn that nothing can take. With one of these
/// away, a black pawn promotes and helps.
#[test]
fn an_opposed_pawn_that_stays_bars_one_that_may_be_lost() {
    Twins {
        by: RELAXATION,
        never: "1b1k4/p1p1pBp1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/3K4 w - -",
        can: "1b1k4/p1p1pBp1/P1P1P1P1/p1p1p1p1/8/8/P1P3P1/3K4 w - -",
        line: "d1d2 d8c8 d2d3 g5g4 d3e4 c5c4 e4f5 e5e4 a2a3 a5a4 c2c3 g4g3 f7g8 e4e3 g8h7 e3e2 \
               h7g8 e2e1n g8h7 e1c2 h7g8 c2a1 g8h7 a1b3 h7g8 b3a5 g8h7 a5b7 h7g8 b7d8 g8h7 d8f7 \
               e6f7 e7e5 f7f8q",
    }
    .check();
}

/// All checks of White's queen but on c2 are beside Black's king, which takes it; on c2 White's
/// king protects it, but the knight takes it if that is on a1.
#[test]
fn the_last_man_must_be_taken_and_can_be() {
    Twins {
        by: &[Rung::Relaxation],
        never: "8/8/8/8/ppp5/bkp4Q/qnp5/n1K5 b - -",
        can: "8/8/8/8/ppp5/bkp4Q/qnp5/1nK5 b - -",
        line: "b1d2 h3d3 d2b1 d3c2",
    }
    .check();
}

/// Any move of Black's queen mates. A bishop in its place makes way for the king.
#[test]
fn black_mates_by_leaving_the_lock() {
    Twins {
        by: &[Rung::Relaxation],
        never: "8/7p/8/8/ppp5/bkp4Q/qnp5/n1K5 b - -",
        can: "8/7p/8/8/ppp5/bkp4Q/bnp5/n1K5 b - -",
        line: "a2b1 h3d7 b1a2 d7d6 a2b1 d6b6 b3a2 b6b8 b4b3 b8a7 a3f8 a7e7 b2d1 e7f8 d1f2 f8b4 \
               f2d1 b4a4",
    }
    .check();
}

/// The pawn's step to c2 mates, so that it never becomes anything. Without the one on b2 White's
/// king gets out, and the pawn becomes a knight that opens a file.
#[test]
fn black_mates_with_a_pawn() {
    Twins {
        by: &[Rung::Relaxation],
        never: "8/8/2k5/1p1p4/1P1Pp1pB/1pp1P1P1/1p6/bK6 b - -",
        can: "8/8/2k5/1p1p4/1P1Pp1pB/1pp1P1P1/8/bK6 b - -",
        line: "c6d7 b1c1 d7e8 c1d1 b3b2 d1e2 c3c2 e2f2 c2c1n f2g2 c1d3 g2h2 d3e5 d4e5 e8f7 h2g2 \
               f7g6 e5e6 g6h5 e6e7 d5d4 e7e8q h5h6 e8e7 h6h5 e7g5",
    }
    .check();
}

/// A pawn leaves the lock only by taking the queen. There is nothing more to fear if this is
/// White's last man.
#[test]
fn a_pawn_takes_the_last_man() {
    Twins {
        by: &[Rung::Relaxation],
        never: "8/7p/8/8/ppp5/bkp4Q/qnp5/n1K5 b - -",
        can: "8/7p/8/8/ppp4B/bkp4Q/qnp5/n1K5 b - -",
        line: "h7h6 h3g2 h6h5 h4d8 h5h4 d8e7 h4h3 e7b4 h3h2 g2d2 h2h1n d2c3",
    }
    .check();
}

/// White's bishop, alone above the wall, mates in the corner of its colour if g8 and h7 are
/// both occupied. One bishop may stand on either, but not on both.
#[test]
fn one_man_blocks_one_square() {
    Twins {
        by: RELAXATION,
        never: "4k1b1/2B5/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/4K3 w - -",
        can: "2b1k1b1/2B5/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/4K3 w - -",
        line: "e1d2 c8d7 c7d6 g8e6 d6e7 e6f7 e7f6 e8f8 d2c2 f8g8 f6g7 d7c6 g7h6 g8h8 c2b2 f7g8 \
               b2c2 c6e8 c2b2 e8g6 h6g5 g6h7 g5f6",
    }
    .check();
}
