//! Consecution: the moves that may lead out of an invariant because nothing is left to prove.

use shakmaty::attacks;
use stillmate_core::{Bitboard, Color, Rank, Role, Square};

use super::{InductiveInvariant, certainly_attacked_by_all, size};
use crate::{certificate::Man, limits::Remaining, refusal::Limit};

impl InductiveInvariant<'_> {
    /// The squares to which `man`, the one at `place`, may step without further obligations.
    ///
    /// Such a step gives a check that only the capture of this man can end. Either it is W's last
    /// man and can be captured, or it is a man of B and can't.
    ///
    /// # Errors
    ///
    /// [`Limit::Work`].
    pub(crate) fn terminal_moves(
        &self,
        place: usize,
        man: &Man,
        remaining: &mut Remaining,
    ) -> Result<Bitboard, Limit> {
        let color = man.piece.color;
        let barred = match man.piece.role {
            Role::King => Bitboard::FULL,
            Role::Pawn if color == self.winner => Bitboard::FULL,
            // It has promoted, or may be captured en passant.
            Role::Pawn => {
                let stepped = color.fold_wb(Rank::Fourth, Rank::Fifth);
                Bitboard::BACKRANKS | Bitboard::from_rank(stepped)
            }
            _ => Bitboard::EMPTY,
        };
        // From there it gives check with no square in between, wherever the king is.
        let checker = man.piece.role.of(!color);
        let checks = |king| attacks::attacks(king, checker, Bitboard::FULL);
        let kings = self.king_squares(!color).into_iter();
        let checks = kings.map(checks).reduce(|a, b| a & b).unwrap_or_default();
        let candidates = checks & !barred;
        remaining.spend_work(100 + 4 * size(&self.invariant.men) * candidates.count())?;
        let terminal_moves = |to: &Square| self.is_terminal_move(*to, place, man);
        Ok(candidates.into_iter().filter(terminal_moves).collect())
    }

    /// Whether this is so of a square from which it gives check with no square in between.
    fn is_terminal_move(&self, to: Square, place: usize, man: &Man) -> bool {
        let color = man.piece.color;
        let may_occupy = self.may_occupy.with(to);
        // What the colour's other men attack, with its king or without.
        let certainly_attacked = |color: Color, king: bool| {
            let others = self.men().filter(|&(other, _)| other != place);
            let others = others.map(|(_, other)| other);
            let own = others.filter(|other| other.piece.color == color);
            certainly_attacked_by_all(own.filter(|other| king || !other.is_king()), may_occupy)
        };
        let protected = certainly_attacked(color, true);
        let shut = self.closed_to[!color] | protected | attacks::attacks(to, man.piece, may_occupy);
        let around = self.around_king(!color);
        if !around.without(to).is_subset(shut) {
            return false;
        }
        if self.last == Some(place) {
            let unprotected = certainly_attacked(!color, true) & !self.around_king(color);
            return (unprotected | certainly_attacked(!color, false)).contains(to);
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
