//! Taking moves back: the positions that stood on the board before this one.
//!
//! The position here is called *after*, the one to be found *before*; *the mover* is
//! the side that made the move between them, which is the side not to move here.

use std::{
    convert::Infallible,
    ops::ControlFlow::{self, Break, Continue},
};

use shakmaty::{
    Bitboard, CastlingSide, Color, Rank, Role, Square,
    attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks},
};

use crate::position::Position;

/// A side never has more pieces, nor more pawns, than it began with.
const MOST_PIECES: usize = 16;
const MOST_PAWNS: usize = 8;

const CAPTURABLE: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// How a piece can have come to where it stands.
struct Arrival {
    /// Where it stands.
    to: Square,
    /// What it is.
    role: Role,
    /// What it was: the same, or a pawn that promoted.
    was: Role,
    /// From where, if nothing was taken.
    quiet: Bitboard,
    /// From where, if something was taken.
    capturing: Bitboard,
}

impl Position {
    /// Every position with a legal move to this one, each once, in an order that depends on
    /// nothing but the position.
    ///
    /// Exactly: the positions that [`Position::from_setup`] accepts, with at most 16 pieces and
    /// 8 pawns a side, in which some legal move gives a position equal to this one. Moves,
    /// captures, promotions, en passant and castling (of Chess960, too) are taken back, and
    /// castling rights and en passant squares that the move gave up are restored in every
    /// combination. Whether the position before can itself arise in a game isn't asked.
    pub fn predecessors(&self) -> Vec<Position> {
        let mut found = Vec::new();
        let Continue(()) = self.retract::<Infallible>(&mut |before| {
            found.push(before);
            Continue(())
        });
        found
    }

    /// Whether [`Position::predecessors`] finds any. Stops at the first, so that it takes a
    /// fraction of a microsecond for a position of a game.
    ///
    /// ```
    /// use stillmate_core::Position;
    ///
    /// let mated = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - -")?;
    /// assert!(mated.has_predecessor());
    /// // The bishop can't have come to b1, and no other white piece was in its way.
    /// let checked = Position::from_fen("8/8/8/8/2N5/8/k1K5/1B6 b - -")?;
    /// assert!(!checked.has_predecessor());
    /// # Ok::<(), stillmate_core::PositionError>(())
    /// ```
    pub fn has_predecessor(&self) -> bool {
        self.retract(&mut |_| Break(())).is_break()
    }

    /// Hands the predecessors to `take` until it breaks off.
    fn retract<B>(&self, take: &mut impl FnMut(Position) -> ControlFlow<B>) -> ControlFlow<B> {
        let mover = !self.turn;
        let mut add = |before: Position| {
            let fits = before.of(mover).count() <= MOST_PIECES
                && before.pieces_of(mover, Role::Pawn).count() <= MOST_PAWNS;
            if fits { take(before) } else { Continue(()) }
        };
        let may_have_lost_piece = self.of(self.turn).count() < MOST_PIECES;
        let may_have_lost_pawn = self.pieces_of(self.turn, Role::Pawn).count() < MOST_PAWNS;
        self.arrivals(&mut |arrival| {
            for from in arrival.quiet {
                if let Some(before) = self.before(&arrival, from, None) {
                    let kept = before.rights_at_stake(mover, arrival.was, from);
                    before.restore(kept, &mut add)?;
                }
            }
            if !may_have_lost_piece {
                return Continue(());
            }
            for from in arrival.capturing {
                for taken in CAPTURABLE {
                    if taken == Role::Pawn
                        && (!may_have_lost_pawn || Bitboard::BACKRANKS.contains(arrival.to))
                    {
                        continue;
                    }
                    if let Some(before) = self.before(&arrival, from, Some(taken)) {
                        let kept = before.rights_at_stake(mover, arrival.was, from)
                            | before.rights_at_stake(self.turn, taken, arrival.to);
                        before.restore(kept, &mut add)?;
                    }
                }
            }
            if may_have_lost_pawn && arrival.role == Role::Pawn {
                self.undo_en_passant(&arrival, &mut add)?;
            }
            Continue(())
        })?;
        self.undo_castling(&mut add)
    }

    /// Hands to `take` the predecessors with the same pieces, the same castling rights and no en
    /// passant square: what one step backwards is in a table of positions without castling.
    /// The move between is neither a capture nor a promotion nor castling.
    #[inline]
    pub fn quiet_predecessors(&self, take: &mut impl FnMut(Position)) {
        let Continue(()) = self.arrivals::<Infallible>(&mut |arrival| {
            if arrival.role == arrival.was {
                for from in arrival.quiet {
                    if let Some(before) = self.before(&arrival, from, None) {
                        take(before);
                    }
                }
            }
            Continue(())
        });
    }

    /// This position once more for each double step that the other side can have made just
    /// now and that could be answered by a legal en passant capture.
    pub fn en_passant_variants(&self) -> impl Iterator<Item = Position> + '_ {
        let (us, them) = (self.turn, !self.turn);
        let passed = self.pieces_of(them, Role::Pawn) & us.relative_rank(Rank::Fifth);
        passed
            .shift(us.fold_wb(8, -8))
            .into_iter()
            .filter(move |&passed| {
                self.ep.is_none()
                    && !self.occupied().contains(passed)
                    && !self.occupied().contains(ahead(us, passed))
                    && self.en_passant_is_possible(passed)
            })
            .map(|passed| Position {
                ep: Some(passed),
                ..*self
            })
    }

    /// Every arrival of a piece of the mover that castling rights and the en passant square
    /// here don't rule out. A piece with a castling right hasn't moved; an en passant square
    /// tells the last move.
    #[inline]
    fn arrivals<B>(&self, take: &mut impl FnMut(Arrival) -> ControlFlow<B>) -> ControlFlow<B> {
        let mover = !self.turn;
        let occupied = self.occupied();
        if let Some(passed) = self.ep {
            let (to, from) = (ahead(mover, passed), ahead(self.turn, passed));
            return take(Arrival {
                to,
                role: Role::Pawn,
                was: Role::Pawn,
                quiet: from.into(),
                capturing: Bitboard::EMPTY,
            });
        }
        let mut unmoved = self.castling;
        if self.castling.intersects(Position::rights_of_home(mover)) {
            unmoved.add(self.king(mover));
        }
        let mut piece = |to, role, origins| {
            take(Arrival {
                to,
                role,
                was: role,
                quiet: origins,
                capturing: origins,
            })
        };
        let movable = self.of(mover) & !unmoved;
        for to in movable & self.with_role(Role::King) {
            piece(to, Role::King, king_attacks(to) & !occupied)?;
        }
        for to in movable & self.with_role(Role::Queen) {
            let lines = rook_attacks(to, occupied) | bishop_attacks(to, occupied);
            piece(to, Role::Queen, lines & !occupied)?;
        }
        for to in movable & self.with_role(Role::Rook) {
            piece(to, Role::Rook, rook_attacks(to, occupied) & !occupied)?;
        }
        for to in movable & self.with_role(Role::Bishop) {
            piece(to, Role::Bishop, bishop_attacks(to, occupied) & !occupied)?;
        }
        for to in movable & self.with_role(Role::Knight) {
            piece(to, Role::Knight, knight_attacks(to) & !occupied)?;
        }
        let last_rank = Bitboard::from_rank(mover.relative_rank(Rank::Eighth));
        let promoted = last_rank & !self.with_role(Role::King);
        for to in movable & (self.with_role(Role::Pawn) | promoted) {
            take(self.pawn_arrival(to, mover))?;
        }
        Continue(())
    }

    /// How a pawn of the mover can have come to `to`, where it stands or has promoted.
    fn pawn_arrival(&self, to: Square, mover: Color) -> Arrival {
        let free = !self.occupied() & !Bitboard::BACKRANKS;
        let back = mover.fold_wb(-8, 8);
        let mut quiet = Bitboard::from_square(to).shift(back) & free;
        if to.rank() == mover.relative_rank(Rank::Fourth) {
            let twice = quiet.shift(back) & free;
            // If this double step could be answered en passant, it has led to another
            // position: to this one with an en passant square.
            if twice.any() && !self.en_passant_is_possible(ahead(self.turn, to)) {
                quiet |= twice;
            }
        }
        Arrival {
            to,
            role: self.role_at(to).unwrap_or(Role::Pawn),
            was: Role::Pawn,
            quiet,
            capturing: pawn_attacks(!mover, to) & free,
        }
    }

    /// The position before `arrival` from `from` with `taken` on the square of arrival;
    /// `None` if the side not to move would be in check there.
    #[inline]
    fn before(&self, arrival: &Arrival, from: Square, taken: Option<Role>) -> Option<Position> {
        let mut before = *self;
        before.turn = !self.turn;
        before.ep = None;
        before.lift(arrival.to, before.turn, arrival.role);
        before.put(from, before.turn, arrival.was);
        if let Some(taken) = taken {
            before.put(arrival.to, self.turn, taken);
        }
        before.is_quiet_for(self.turn).then_some(before)
    }

    /// Whether `color`'s king isn't attacked.
    #[inline]
    fn is_quiet_for(&self, color: Color) -> bool {
        self.attackers(self.king(color), !color, self.occupied())
            .is_empty()
    }

    fn undo_en_passant<B>(
        &self,
        arrival: &Arrival,
        add: &mut impl FnMut(Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mover = !self.turn;
        if arrival.to.rank() != mover.relative_rank(Rank::Sixth) {
            return Continue(());
        }
        let victim = ahead(self.turn, arrival.to);
        let (occupied, start) = (self.occupied(), ahead(mover, arrival.to));
        if occupied.contains(victim) || occupied.contains(start) {
            return Continue(());
        }
        for from in arrival.capturing {
            let mut before = *self;
            before.turn = mover;
            before.ep = Some(arrival.to);
            before.lift(arrival.to, mover, Role::Pawn);
            before.put(from, mover, Role::Pawn);
            before.put(victim, self.turn, Role::Pawn);
            if before.is_quiet_for(self.turn) {
                add(before)?;
            }
        }
        Continue(())
    }

    fn undo_castling<B>(&self, add: &mut impl FnMut(Position) -> ControlFlow<B>) -> ControlFlow<B> {
        let mover = !self.turn;
        let home = Position::rights_of_home(mover);
        if self.ep.is_some() || self.castling.intersects(home) {
            return Continue(());
        }
        for side in CastlingSide::ALL {
            let (king_to, rook_to) = (side.king_to(mover), side.rook_to(mover));
            if self.king(mover) != king_to || !self.pieces_of(mover, Role::Rook).contains(rook_to) {
                continue;
            }
            let mut without = *self;
            without.turn = mover;
            without.lift(king_to, mover, Role::King);
            without.lift(rook_to, mover, Role::Rook);
            let free = home & !without.occupied();
            for king in free {
                for rook in free.without(king) {
                    if side != CastlingSide::from_king_side(king < rook) {
                        continue;
                    }
                    let mut before = without;
                    before.put(king, mover, Role::King);
                    before.put(rook, mover, Role::Rook);
                    before.castling.add(rook);
                    if before.is_quiet_for(mover)
                        && before.is_quiet_for(self.turn)
                        && before.may_castle(king, rook)
                    {
                        let others = before.rights_at_stake(mover, Role::King, king);
                        before.restore(others.without(rook), add)?;
                    }
                }
            }
        }
        Continue(())
    }

    /// Squares of rooks whose castling right, if there was one, ends when `color`'s piece of
    /// `role` leaves `from` or is taken there.
    fn rights_at_stake(&self, color: Color, role: Role, from: Square) -> Bitboard {
        match role {
            Role::King => self.pieces_of(color, Role::Rook) & Position::rights_of_home(color),
            Role::Rook => Bitboard::from_square(from) & Position::rights_of_home(color),
            _ => Bitboard::EMPTY,
        }
    }

    /// Hands this position to `take` with every combination of castling rights of the rooks
    /// on `at_stake` and of en passant squares that makes sense.
    fn restore<B>(
        &self,
        at_stake: Bitboard,
        take: &mut impl FnMut(Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for restored in at_stake.carry_rippler() {
            let mut before = *self;
            before.castling |= restored;
            if restored.is_empty() || before.rights_make_sense() {
                take(before)?;
                before.en_passant_variants().try_for_each(&mut *take)?;
            }
        }
        Continue(())
    }

    /// Whether each side's rights belong to at most one rook on either hand of a king on its
    /// first rank.
    fn rights_make_sense(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            let home = Position::rights_of_home(color);
            let (rights, king) = (self.castling & home, self.king(color));
            let left = rights & Bitboard((1 << king as u32) - 1);
            rights.is_empty()
                || home.contains(king) && !left.more_than_one() && !(rights ^ left).more_than_one()
        })
    }
}

/// The square before `square` as `color` sees it; the square must not be on the last rank.
fn ahead(color: Color, square: Square) -> Square {
    square.offset(color.fold_wb(8, -8)).unwrap_or(square)
}
