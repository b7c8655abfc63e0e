//! Second obligation: the steps that lead out of an invariant, and yet never to a mate.

use shakmaty::attacks;
use stillmate_core::{Bitboard, Color, Rank, Role, Square};

use super::{Frame, certain_attacks_of, size};
use crate::{certificate::Man, limits::Remaining, refusal::Limit};

impl Frame<'_> {
    /// The squares to which `man`, the one at `place`, may step without further obligations:
    /// the other side is in check then, can do nothing but take it, and either it is W's last
    /// man and can be taken, or a man of B and can't.
    ///
    /// # Errors
    ///
    /// [`Limit::Work`].
    pub(crate) fn ends(
        &self,
        place: usize,
        man: &Man,
        remaining: &mut Remaining,
    ) -> Result<Bitboard, Limit> {
        let color = man.piece.color;
        let barred = match man.piece.role {
            Role::King => Bitboard::FULL,
            Role::Pawn if color == self.winner => Bitboard::FULL,
            // It is a pawn no more, or may be taken in passing.
            Role::Pawn => {
                let stepped = color.fold_wb(Rank::Fourth, Rank::Fifth);
                Bitboard::BACKRANKS | Bitboard::from_rank(stepped)
            }
            _ => Bitboard::EMPTY,
        };
        // From there it checks with nothing in between, wherever the king is.
        let checker = man.piece.role.of(!color);
        let checks = |king| attacks::attacks(king, checker, Bitboard::FULL);
        let kings = self.king_squares(!color).into_iter();
        let checks = kings.map(checks).reduce(|a, b| a & b).unwrap_or_default();
        let candidates = checks & !barred;
        remaining.spend_work(100 + 4 * size(&self.invariant.men) * candidates.count())?;
        let ends = |to: &Square| self.ends_on(*to, place, man);
        Ok(candidates.into_iter().filter(ends).collect())
    }

    /// Whether this is so of a square from which it checks with nothing in between.
    fn ends_on(&self, to: Square, place: usize, man: &Man) -> bool {
        let color = man.piece.color;
        let may = self.may.with(to);
        // What the other men attack, with the king or without.
        let certain = |color: Color, king: bool| {
            let others = self.men().filter(|&(other, _)| other != place);
            let others = others.map(|(_, other)| other);
            let own = others.filter(|other| other.piece.color == color);
            certain_attacks_of(own.filter(|other| king || !other.is_king()), may)
        };
        let protected = certain(color, true);
        let shut = self.closed_to[!color] | protected | attacks::attacks(to, man.piece, may);
        let around = self.around_king(!color);
        if !around.without(to).is_subset(shut) {
            return false;
        }
        if self.last == Some(place) {
            let unprotected = certain(!color, true) & !self.around_king(color);
            return (unprotected | certain(!color, false)).contains(to);
        }
        let free = self.fixed & !man.squares;
        let takes = |(_, other): (usize, &Man)| {
            let mut from = other.squares.into_iter();
            from.any(|from| attacks::attacks(from, other.piece, free).contains(to))
        };
        color != self.winner
            && (protected.contains(to) || !around.contains(to))
            && !self.subjects(!color).any(takes)
    }

    /// The squares next to those of `color`'s king.
    fn around_king(&self, color: Color) -> Bitboard {
        let kings = self.king_squares(color).into_iter();
        kings.fold(Bitboard::EMPTY, |all, king| {
            all | attacks::king_attacks(king)
        })
    }
}
