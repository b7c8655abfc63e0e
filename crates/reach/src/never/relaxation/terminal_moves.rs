//! Moves that lead out of the sets, but never to a mate: nothing of theirs need be followed.
//!
//! After a check at hand, with nothing in between, a king that has no way out can only be helped
//! by taking what checks. If that is White's last man and Black surely can take it, White is left
//! with its king. If it is a man of Black that White surely can't take, White is mated. The
//! rules, with their soundness, are in `docs/certificates.md`.

use shakmaty::attacks::king_attacks;
use stillmate_core::{Bitboard, Color, Rank, Role, Square};

use super::{AbstractPiece, Relaxation, index};
use crate::geometry::{attacks_from, attacks_from_any};

/// A king that may be shut in by the time that a man checks it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Corner {
    /// The squares around its own; none if it is out of the question.
    around: Bitboard,
    /// Under: of these the ones to which it may step as the men stand by now.
    open: Bitboard,
}

/// Most squares that a man which checks a king at hand can cover or stand on.
const MOST_COVERED: usize = 6;

impl Relaxation {
    /// Looks how far `color`'s king is shut in.
    pub(super) fn corner(&self, color: Color) -> Corner {
        if color == Color::Black && self.last.is_none() {
            return Corner::default();
        }
        let own = self.fixed_of[index(color)];
        let shut = own | self.fixed_kings | self.certainly_attacked[index(!color)];
        let mut around = Bitboard::EMPTY;
        for king in self.king(color).squares {
            around |= king_attacks(king);
            if (around & !shut).count() > MOST_COVERED {
                return Corner::default();
            }
        }
        let open = around & !shut;
        Corner { around, open }
    }

    /// Under: squares to which the steps of a man, not the king, need not be followed (but those
    /// of a pawn in passing).
    pub(super) fn terminal_moves(&self, i: usize) -> Bitboard {
        let man = &self.men[i];
        let corner = self.corners[index(!man.color)];
        if corner.around.is_empty() || man.color == Color::White && self.last != Some(i) {
            return Bitboard::EMPTY;
        }
        let mut checks = match (man.role, man.color) {
            (Role::Pawn, Color::White) => Bitboard::EMPTY,
            // It is a pawn no more, or may be taken in passing.
            (Role::Pawn, Color::Black) => !(Bitboard::BACKRANKS | Bitboard::from_rank(Rank::Fifth)),
            _ => Bitboard::FULL,
        };
        for king in self.king(!man.color).squares {
            // From where it attacks the king: a pawn the other way round.
            checks &= attacks_from(man.role, !man.color, king, Bitboard::FULL);
            if checks.is_empty() {
                return checks;
            }
        }
        let terminal_moves = |to: &Square| self.is_terminal(*to, i, corner);
        checks.into_iter().filter(terminal_moves).collect()
    }

    /// Whether this is so of a square from which man `i` checks with nothing in between, wherever
    /// the king of this corner stands.
    fn is_terminal(&self, to: Square, i: usize, corner: Corner) -> bool {
        let man = &self.men[i];
        let may_occupy = self.may_occupy.with(to);
        let covered = attacks_from(man.role, man.color, to, may_occupy).with(to);
        if !corner.open.is_subset(covered) {
            return false;
        }
        let others = |color| {
            let men = self.men.iter().enumerate();
            let others = men.filter(move |&(j, other)| j != i && other.color == color);
            others.map(|(_, other)| other)
        };
        let certainly_attacked = |color| {
            let steady = others(color).filter(|other| other.steady());
            steady.map(move |other| (other.role, other.certainly_attacked(may_occupy)))
        };
        let all = |some: Bitboard, (_, more): (Role, Bitboard)| some | more;
        let protected = certainly_attacked(man.color).fold(Bitboard::EMPTY, all);
        let own = self.fixed_of[index(!man.color)];
        let shut = own | self.fixed_kings | protected | covered;
        if !corner.around.is_subset(shut) {
            return false;
        }
        if self.last == Some(i) {
            let guarded = self.king(Color::White).squares;
            let guarded = attacks_from_any(Role::King, Color::White, guarded, Bitboard::EMPTY);
            let mut takers = certainly_attacked(Color::Black).map(|(role, attacks)| {
                if role == Role::King {
                    attacks & !guarded
                } else {
                    attacks
                }
            });
            return takers.any(|attacks| attacks.contains(to));
        }
        let free = self.fixed & !man.squares;
        let takes = |other: &AbstractPiece| {
            other.role != Role::King
                && attacks_from_any(other.role, other.color, other.squares, free).contains(to)
        };
        (protected.contains(to) || !corner.around.contains(to)) && !others(Color::White).any(takes)
    }
}
