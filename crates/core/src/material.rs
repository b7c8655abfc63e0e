//! Colours that can never mate, by the men on the board alone.

use shakmaty::{Bitboard, Color, Role};

use crate::Position;

/// A reason, in the men alone, why a colour can't give mate in any position that play can
/// reach from here.
///
/// Each rule is true of what comes after one or more legal moves. It can be false of an
/// impossible position in which the mate is *already* on the board (a bare king "mating"
/// does not exist, but a set-up can be wrong in other ways): ask for mate first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MaterialRule {
    /// Only the king is left. A king never gives check.
    BareKing,
    /// King and one knight, while the other side has nothing but queens beside its king. A
    /// knight checks without guarding any square next to the king it checks, its own king
    /// guards too few, and a queen on a flight square always has a capture of the knight or
    /// is able to take the guard away; with a rook, bishop, knight or pawn in its way the
    /// king can be smothered.
    KnightAgainstQueens,
    /// King and bishops of one square colour, and no man on the board that could ever stand
    /// immovably on the other colour next to a mated king: no knight, no pawn, and all
    /// bishops of both sides on that one colour. Flight squares of the other colour are then
    /// covered by nothing but the king, which never covers enough.
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
