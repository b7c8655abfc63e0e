//! Colours that can never mate, by the pieces on the board alone.

use shakmaty::{Bitboard, Color, Role};

use crate::Position;

/// A reason, in the pieces alone, why a colour can't give mate in any position that play can
/// reach from here.
///
/// Each rule is true of what comes after one or more legal moves. [`BishopsOfOneColour`] can
/// be false of an impossible position in which the mate is *already* on the board, such as
/// `8/8/8/8/8/B1K1B3/8/1rkr4 b - -`, a double check that no move gives: ask for mate first.
///
/// Both of the longer arguments begin alike. A checked king on x, a check from the upper
/// right: call the squares to the right, above and between those two r, u and d. All three
/// are on the board, and no king that stands apart from x touches both r and u, as only x and
/// d (and r and u themselves) do.
///
/// The tables of helpmates confirm the rules on every position of up to four pieces and on the
/// classes KQQvKN and KQRvKB: see `docs/tables.md`.
///
/// [`BishopsOfOneColour`]: MaterialRule::BishopsOfOneColour
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MaterialRule {
    /// Only the king is left. A king never gives check.
    BareKing,
    /// King and one knight, while the other side has nothing but queens beside its king. The
    /// knight checks from the square right of d, say; it guards neither r nor u, and the king
    /// doesn't guard both. So a queen stands on one of them. On r it attacks the knight; on u
    /// it does, too, or a piece on d is in between, which is another queen that does. No queen
    /// is ever pinned, so one of them takes the knight.
    KnightAgainstQueens,
    /// King and bishops of one square colour, while there is no knight and no pawn on the
    /// board, and all bishops of both sides are on that one colour. The check comes along the
    /// diagonal through d. The squares r and u have the other colour, so that no bishop guards
    /// or occupies them, and the king doesn't guard both. So a rook or queen stands on one of
    /// them. A bishop can't pin it there; it goes to d, where it blocks the check or takes
    /// the bishop. Only a double check would stop it; but a bishop that uncovers another one
    /// leaves the diagonals through the king, and a king uncovers one at most.
    BishopsOfOneColour,
}

/// The rule by which `color` can't mate from this position on, if there is one.
///
/// An answer is a guarantee (see [`MaterialRule`]); `None` is not: a locked position, for
/// instance, has material enough and no mate.
pub fn insufficient_material(position: &Position, color: Color) -> Option<MaterialRule> {
    let strong = position.with_role(Role::Pawn)
        | position.with_role(Role::Rook)
        | position.with_role(Role::Queen);
    let own = position.of(color);
    if own.intersects(strong) {
        return None;
    }
    let other = position.of(!color);
    let knights = position.with_role(Role::Knight);
    if (own & knights).any() {
        let harmless = position.with_role(Role::King) | position.with_role(Role::Queen);
        return (own.count() == 2 && other.is_subset(harmless))
            .then_some(MaterialRule::KnightAgainstQueens);
    }
    let bishops = position.with_role(Role::Bishop);
    if (own & bishops).is_empty() {
        return Some(MaterialRule::BareKing);
    }
    let one_colour =
        bishops.is_subset(Bitboard::DARK_SQUARES) || bishops.is_subset(Bitboard::LIGHT_SQUARES);
    (one_colour && knights.is_empty() && position.with_role(Role::Pawn).is_empty())
        .then_some(MaterialRule::BishopsOfOneColour)
}
