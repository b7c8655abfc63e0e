//! All positions of some pieces.

use stillmate_core::{Bitboard, Color, Piece, Position, Square};

/// Shows `look` every position of these pieces besides those in `fixed`, by putting each on
/// each square in turn: symmetrical positions and those with en passant squares, too. Equal
/// pieces must follow each other.
pub fn position(pieces: &[Piece], fixed: &[(Piece, Square)], look: &mut impl FnMut(&Position)) {
    let mut placed: Vec<(Piece, Bitboard)> = Vec::new();
    placed.extend(fixed.iter().map(|&(piece, square)| (piece, square.into())));
    let first = placed.len();
    place(pieces, first, &mut placed, &mut |placed| {
        for turn in Color::ALL {
            let Some(position) = Position::from_pieces(placed.iter().copied(), turn) else {
                continue;
            };
            look(&position);
            position.en_passant_variants().for_each(|one| look(&one));
        }
    });
}

/// Puts the first of `pieces` on each square, and the others after it; those before `first` are
/// fixed.
fn place(
    pieces: &[Piece],
    first: usize,
    placed: &mut Vec<(Piece, Bitboard)>,
    done: &mut impl FnMut(&[(Piece, Bitboard)]),
) {
    let Some((&piece, others)) = pieces.split_first() else {
        return done(placed);
    };
    let twin = placed[first..].last().filter(|(last, _)| *last == piece);
    let from = twin.and_then(|(_, square)| square.first());
    for square in (from.map_or(0, |square| square as u32 + 1)..64).map(Square::new) {
        placed.push((piece, square.into()));
        place(others, first, placed, done);
        placed.pop();
    }
}
