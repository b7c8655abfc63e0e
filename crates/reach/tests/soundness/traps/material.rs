//! The rules of material, and that a mate on the board comes before them.

use stillmate_core::Color;
use stillmate_reach::{Analyzer, Verdict, rungs::Rung};

use super::{Twins, position};

#[test]
fn a_rook_shuts_its_king_in_for_a_knight_and_a_queen_takes_it() {
    Twins {
        by: &[Rung::Material, Rung::Forced],
        never: "kq6/8/K7/3N4/8/8/8/8 w - -",
        can: "kr6/8/K7/3N4/8/8/8/8 w - -",
        line: "d5c7",
    }
    .check();
}

#[test]
fn two_knights_need_no_help() {
    Twins {
        by: &[Rung::Material],
        never: "kq6/8/K7/3N4/8/8/8/8 w - -",
        can: "k7/8/K7/3N4/8/8/5N2/8 w - -",
        line: "f2d3 a8b8 d3b4 b8a8 a6b6 a8b8 b4a6 b8a8 d5c7",
    }
    .check();
}

#[test]
fn bishops_of_both_colours_mate_in_the_corner() {
    Twins {
        by: &[Rung::Material, Rung::Relaxation],
        never: "8/8/8/8/8/1k6/2b5/KB6 w - -",
        can: "8/8/8/8/8/1k6/3b4/KB6 w - -",
        line: "b1a2 b3a4 a1b2 a4a5 b2a3 a5a6 a3a4 a6a7 a4b5 a7a8 b5a6 d2f4 a6b6 f4b8 a2d5",
    }
    .check();
}

#[test]
fn a_pawn_can_become_the_man_that_the_bishop_needs() {
    Twins {
        by: &[Rung::Material],
        never: "8/8/8/8/8/1k6/2b5/KB6 w - -",
        can: "8/8/3B4/8/8/8/p1p5/kBK5 b - -",
        line: "c2b1n d6f8 b1c3 f8e7 c3d5 e7f8 d5e7 f8g7",
    }
    .check();
}

/// Whatever the men: who has mated has mated.
#[test]
fn a_mate_on_the_board_is_no_matter_of_material() {
    let report = |fen| Analyzer::default().report(&position(fen));
    let mated = report("kr6/2N5/K7/8/8/8/8/8 b - -");
    assert!(matches!(&mated.white.verdict, Verdict::Winnable(line) if line.0.is_empty()));
    assert!(matches!(mated.black.verdict, Verdict::Unwinnable(_)));
    // No rung answers for a position in which nothing can move.
    let board = position("kr6/2N5/K7/8/8/8/8/8 b - -");
    for rung in Rung::ALL {
        for winner in Color::ALL {
            assert_eq!(rung.ask(&board, winner, 100), None);
        }
    }
    // The same men without the mate.
    let free = report("kr6/1N6/K7/8/8/8/8/8 b - -");
    assert!(matches!(&free.white.verdict, Verdict::Winnable(line) if !line.0.is_empty()));
}
