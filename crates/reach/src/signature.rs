//! What irreversible moves change: pawns and material.

use stillmate_core::{Bitboard, Color, Position, Role};

/// The pawns of both colours and the number of each kind of piece. Reversible moves keep it;
/// every capture and pawn move changes it for good.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Signature {
    pawns: [Bitboard; 2],
    pieces: u64,
}

impl Signature {
    /// The signature of `position`.
    pub(crate) fn new(position: &Position) -> Signature {
        let men = |color, role| position.pieces_of(color, role);
        Signature::of(
            Color::ALL.map(|color| men(color, Role::Pawn)),
            |color, role| men(color, role).count(),
        )
    }

    /// The signature of these pawns, White's first, and counts of pieces.
    pub(crate) fn of(pawns: [Bitboard; 2], count: impl Fn(Color, Role) -> usize) -> Signature {
        let mut pieces = 0;
        for color in Color::ALL {
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                pieces = pieces << 5 | count(color, role) as u64;
            }
        }
        let [one, other] = pawns;
        Signature {
            pawns: [one, other],
            pieces,
        }
    }
}
