//! Material rules and what they leave out.

use stillmate_core::{Color, MaterialRule, Position, insufficient_material};

#[test]
fn a_mate_on_the_board_comes_before_the_rules() {
    // Two bishops give check at once, which no move can have brought about.
    let mate = Position::from_fen("8/8/8/8/8/B1K1B3/8/1rkr4 b - -").unwrap();
    assert!(mate.is_checkmate());
    assert_eq!(
        insufficient_material(&mate, Color::White),
        Some(MaterialRule::BishopsOfOneColour)
    );
    assert_eq!(mate.predecessors(), []);
}
