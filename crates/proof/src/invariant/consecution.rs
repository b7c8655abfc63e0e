//! Consecution: no legal move leads out of the invariant.

use shakmaty::{CastlingSide, attacks};
use stillmate_core::{Bitboard, Color, Rank, Role, Square};

use super::{InductiveInvariant, size};
use crate::{
    certificate::{Invariant, Man},
    limits::Remaining,
    refusal::{InvariantFault, StepError},
};

/// A man that is about to step from one of its squares.
#[derive(Clone, Copy)]
struct Mover<'m> {
    /// Its place among the men.
    place: usize,
    man: &'m Man,
    from: Square,
}

impl InductiveInvariant<'_> {
    /// Checks that every step a man may make leads to one of its own squares and captures only men
    /// that are marked as `lost`.
    ///
    /// These steps include all legal moves: lines are blocked only by men that never move, and a
    /// step is left out only for a reason that makes it illegal in every position that fits.
    pub(crate) fn check_consecution(&self, remaining: &mut Remaining) -> Result<(), StepError> {
        let Invariant { men, opposed, .. } = self.invariant;
        let pawns = men.iter().filter(|man| man.is_pawn());
        let of_pawns = size(pawns) * (men.len() + opposed.len());
        remaining.spend_work(2 * size(men) + of_pawns)?;
        for (place, man) in self.men() {
            let mut terminal_moves = None;
            for from in man.squares {
                if self.steps(place, from, Bitboard::EMPTY).is_ok() {
                    continue;
                }
                // They cost more than all the rest and seldom matter.
                let terminal_moves = match terminal_moves {
                    Some(terminal_moves) => terminal_moves,
                    None => *terminal_moves.insert(self.terminal_moves(place, man, remaining)?),
                };
                self.steps(place, from, terminal_moves)?;
            }
        }
        remaining.spend_work(8 * self.invariant.castling.count() * men.len())?;
        Ok(self.castling()?)
    }

    /// Checks the steps of one man from one square, apart from castling and from those to
    /// `terminal_moves`.
    pub(crate) fn steps(
        &self,
        place: usize,
        from: Square,
        terminal_moves: Bitboard,
    ) -> Result<(), InvariantFault> {
        let man = &self.invariant.men[place];
        let mover = Mover { place, man, from };
        if man.is_pawn() {
            self.pushes(mover, terminal_moves)?;
            self.pawn_captures(mover, terminal_moves)?;
            self.en_passant(mover)
        } else {
            self.piece_steps(mover, terminal_moves)
        }
    }

    fn piece_steps(
        &self,
        mover: Mover<'_>,
        terminal_moves: Bitboard,
    ) -> Result<(), InvariantFault> {
        let Mover { man, from, .. } = mover;
        let color = man.piece.color;
        let barred = self.closed_to[color] | terminal_moves;
        let mut targets = attacks::attacks(from, man.piece, self.fixed) & !barred;
        if man.is_king() {
            targets &= !self.certainly_attacked[!color];
        }
        for to in targets & (!man.squares | self.uncapturable_squares[!color]) {
            self.arrive(mover, to)?;
            self.take_any(mover, to)?;
        }
        Ok(())
    }

    fn pushes(&self, mover: Mover<'_>, terminal_moves: Bitboard) -> Result<(), InvariantFault> {
        let Mover { place, man, from } = mover;
        let color = man.piece.color;
        let home = from.rank() == color.fold_wb(Rank::Second, Rank::Seventh);
        let mut ahead = Bitboard::from_square(from);
        for _ in 0..if home { 2 } else { 1 } {
            ahead = ahead.shift(color.fold_wb(8, -8)) & !self.fixed;
            let Some(to) = ahead.first().filter(|&to| !self.is_barred(place, to)) else {
                break;
            };
            if !terminal_moves.contains(to) {
                self.arrive(mover, to)?;
            }
        }
        Ok(())
    }

    /// Whether a push of an opposed pawn to `to` would reach or pass its partner, which is always on
    /// the board, wherever that stands.
    fn is_barred(&self, place: usize, to: Square) -> bool {
        self.invariant.opposed.iter().any(|&(white, black)| {
            let squares = |man: usize| {
                let man = &self.invariant.men[man];
                Some(man.squares).filter(|_| man.is_steady())
            };
            // On one file the last square of a set is the highest.
            let highest = squares(black).and_then(Bitboard::last);
            let lowest = squares(white).and_then(Bitboard::first);
            place == white && highest.is_some_and(|highest| to.rank() >= highest.rank())
                || place == black && lowest.is_some_and(|lowest| to.rank() <= lowest.rank())
        })
    }

    fn pawn_captures(
        &self,
        mover: Mover<'_>,
        terminal_moves: Bitboard,
    ) -> Result<(), InvariantFault> {
        let Mover { man, from, .. } = mover;
        let color = man.piece.color;
        let barred = self.closed_to[color] | terminal_moves;
        for to in attacks::pawn_attacks(color, from) & self.capture_squares[!color] & !barred {
            self.arrive(mover, to)?;
            self.take_any(mover, to)?;
        }
        Ok(())
    }

    fn en_passant(&self, mover: Mover<'_>) -> Result<(), InvariantFault> {
        let Mover { man, from, .. } = mover;
        let color = man.piece.color;
        if from.rank() != color.fold_wb(Rank::Fifth, Rank::Fourth) {
            return Ok(());
        }
        let home = color.fold_wb(Rank::Seventh, Rank::Second);
        for to in attacks::pawn_attacks(color, from) & !self.fixed {
            let beside = Square::from_coords(to.file(), from.rank());
            let origin = Square::from_coords(to.file(), home);
            for (victim, pawn) in self.subjects(!color) {
                let stepped =
                    pawn.squares.contains(origin) || self.invariant.en_passant == Some(to);
                let taken = pawn.is_pawn() && pawn.squares.contains(beside) && stepped;
                if taken && !self.is_last(victim) {
                    self.arrive(mover, to)?;
                    self.take(mover, to, victim)?;
                }
            }
        }
        Ok(())
    }

    /// Castling needs a right, a king anywhere on its first rank, and a rook on the square of the
    /// right. Any rook with that square may be the one.
    pub(super) fn castling(&self) -> Result<(), InvariantFault> {
        for right in self.invariant.castling {
            let color = Color::from_white(right.rank() == Rank::First);
            let first_rank = Bitboard::from_rank(right.rank());
            for from in (self.king_squares(color) & first_rank).without(right) {
                let side = CastlingSide::from_king_side(from < right);
                for (place, man) in self.men().filter(|(_, man)| man.piece.color == color) {
                    let mover = |from| Mover { place, man, from };
                    if man.is_king() {
                        self.arrive(mover(from), side.king_to(color))?;
                    }
                    if man.piece.role == Role::Rook && man.squares.contains(right) {
                        self.arrive(mover(right), side.rook_to(color))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether nothing need be proved after the capture of this man: it is W's last one, and a bare
    /// king never mates.
    fn is_last(&self, victim: usize) -> bool {
        self.last == Some(victim)
    }

    /// Captures each man of the other colour that may stand on `to`.
    fn take_any(&self, mover: Mover<'_>, to: Square) -> Result<(), InvariantFault> {
        let victims = self.subjects(!mover.man.piece.color);
        let mut victims = victims.filter(|(_, man)| man.may_stand_on(to));
        victims.try_for_each(|(victim, _)| self.take(mover, to, victim))
    }

    fn arrive(&self, mover: Mover<'_>, to: Square) -> Result<(), InvariantFault> {
        let Mover { place, man, from } = mover;
        let last_rank = man.is_pawn() && Bitboard::BACKRANKS.contains(to);
        let allowed = if last_rank {
            man.promotes
        } else {
            man.squares.contains(to)
        };
        if allowed {
            return Ok(());
        }
        let man = place;
        Err(InvariantFault::Leaves { man, from, to })
    }

    fn take(&self, mover: Mover<'_>, to: Square, victim: usize) -> Result<(), InvariantFault> {
        if self.invariant.men[victim].lost || self.is_last(victim) {
            return Ok(());
        }
        let (man, from) = (mover.place, mover.from);
        Err(InvariantFault::Takes {
            man,
            from,
            to,
            victim,
        })
    }
}
