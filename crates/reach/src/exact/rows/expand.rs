//! The moves of a row.

use shakmaty::attacks::{between, pawn_attacks};
use stillmate_core::{Bitboard, Color, Role, Square};

use super::{
    Search, Spot,
    graph::{Expansion, Source},
    placement::{Kind, Men},
    structure::Signature,
};
use crate::{
    geometry::{attacks_from, attacks_from_any},
    verdict::StopReason,
};

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The row that moves are made from.
struct Stage {
    us: Color,
    row_man: Kind,
    row: Bitboard,
    /// All men but the row man.
    men: Men,
    occupied: Bitboard,
    signature: Signature,
    source: Source,
    /// Squares of the row man with which our king isn't attacked.
    safe: Bitboard,
    /// Whether that stays so when one of our other men, not the king, goes to an empty square.
    steady: bool,
    /// Squares of the row from which there is a legal move.
    movable: Bitboard,
}

impl Stage {
    /// What castling rights a move leaves.
    fn rights_after(&self, role: Role, from: Bitboard, to: Square) -> Bitboard {
        let rights = self.signature.castling();
        if rights.is_empty() {
            return rights;
        }
        let rights = rights & !(from | to);
        match role {
            Role::King => rights & !home(self.us),
            _ => rights,
        }
    }

    /// The signature after a move to an empty square that isn't a pawn's; `None` if it stays.
    fn quiet(&self, role: Role, from: Bitboard, to: Square) -> Option<Signature> {
        let rights = self.rights_after(role, from, to);
        let stays = rights == self.signature.castling() && self.signature.ep().is_none();
        (!stays).then(|| self.signature.after(rights))
    }

    /// The signature after a move that takes a man of `victim`'s role on `to`.
    fn capture(&self, role: Role, from: Bitboard, to: Square, victim: Role) -> Signature {
        let rights = self.rights_after(role, from, to);
        self.signature.after(rights).without(!self.us, victim, to)
    }

    /// Whether the row man is an enemy that may be taken.
    fn takes_row_man(&self) -> bool {
        self.row_man.color() != self.us && self.row_man.role() != Role::King
    }
}

/// The squares from which a colour castles.
fn home(color: Color) -> Bitboard {
    Bitboard(color.fold_wb(0xFF, 0xFF << 56))
}

impl Search<'_> {
    /// Makes all moves from a row of the structure that is being closed, and notes a mate.
    pub(super) fn expand(&mut self, expansion: Expansion) -> Result<(), StopReason> {
        let source = self.graph.expand(expansion);
        let structure = &self.structures[self.here as usize];
        let (row_man, signature) = (structure.row_man, structure.signature);
        let placement = self.graph.placement(expansion.node);
        let (us, men) = (expansion.turn, placement.unpack());
        let steady = match men.pieces_of(us, Role::King).first() {
            None => !men.has_sliders(!us),
            Some(king) => {
                let shoots = matches!(row_man.role(), Role::Bishop | Role::Rook | Role::Queen);
                !(row_man.color() != us && shoots) && men.is_off_lines(!us, king)
            }
        };
        let mut stage = Stage {
            us,
            row_man,
            row: expansion.row,
            occupied: men.occupied(),
            safe: men.safe(row_man, us),
            men,
            signature,
            source,
            steady,
            movable: Bitboard::EMPTY,
        };
        self.move_row_man(&mut stage)?;
        self.move_pieces(&mut stage)?;
        self.move_pawns(&mut stage)?;
        self.castle(&stage)?;
        self.make_room(0)?;
        self.graph.flush();
        if us == Color::Black {
            let mated = stage.row & !stage.safe & !stage.movable;
            if let Some(square) = mated.first() {
                self.mate = Some(Spot {
                    placement,
                    square,
                    turn: us,
                });
            }
        }
        Ok(())
    }

    /// Moves of another man than the row man, which `bars` from where the row man stands in the
    /// way; the squares from which it is legal.
    fn carry(
        &mut self,
        stage: &mut Stage,
        men: &Men,
        bars: Bitboard,
        steady: bool,
        signature: Option<Signature>,
    ) -> Result<(), StopReason> {
        let mut legal = stage.row & !bars;
        if legal.any() {
            legal &= match steady {
                true => stage.safe,
                false => men.safe(stage.row_man, stage.us),
            };
        }
        if legal.is_empty() {
            return Ok(());
        }
        stage.movable |= legal;
        match signature {
            Some(signature) => self.enter(men, signature, !stage.us, legal),
            None => {
                self.graph.defer(men.pack(), !stage.us, legal, stage.source);
                Ok(())
            }
        }
    }

    /// Takes the row man on `square`: `men` are those that are left.
    fn take_row_man(
        &mut self,
        stage: &mut Stage,
        men: &Men,
        square: Square,
        signature: Signature,
    ) -> Result<(), StopReason> {
        if !men.is_safe(stage.us) {
            return Ok(());
        }
        stage.movable |= square;
        self.enter_position(men, signature, !stage.us)
    }

    fn move_row_man(&mut self, stage: &mut Stage) -> Result<(), StopReason> {
        let (us, role) = (stage.us, stage.row_man.role());
        if stage.row_man.color() != us {
            return Ok(());
        }
        let reach = attacks_from_any(role, us, stage.row, stage.occupied) & !stage.men.of(us);
        let mut legal = reach & !stage.occupied & stage.safe;
        if let Some(first) = legal.first() {
            // Of the rights only those of our king change: rooks with rights are no row men.
            match stage.quiet(role, Bitboard::EMPTY, first) {
                None => {
                    let placement = stage.men.pack();
                    self.graph.defer(placement, !us, legal, stage.source);
                }
                Some(signature) => self.enter(&stage.men, signature, !us, legal)?,
            }
        }
        for to in reach & stage.men.of(!us) {
            let victim = stage.men.role_at(to).unwrap_or(Role::King);
            let men = stage.men.without(to);
            if victim != Role::King && men.safe(stage.row_man, us).contains(to) {
                legal |= to;
                let signature = stage.capture(role, Bitboard::EMPTY, to, victim);
                self.enter(&men, signature, !us, to.into())?;
            }
        }
        if !stage.row.is_subset(stage.safe) {
            // Pieces go back the way they came.
            stage.movable |= attacks_from_any(role, us, legal, stage.occupied);
        }
        Ok(())
    }

    fn move_pieces(&mut self, stage: &mut Stage) -> Result<(), StopReason> {
        let (us, row_man) = (stage.us, stage.row_man);
        let kept = stage.men.of(us) | stage.men.pieces_of(!us, Role::King);
        for role in [
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
            Role::King,
        ] {
            let steady = stage.steady && role != Role::King;
            for from in stage.men.pieces_of(us, role) {
                let lifted = stage.men.without(from);
                for to in attacks_from(role, us, from, stage.occupied) & !kept {
                    let bars = between(from, to).with(to);
                    if stage.men.of(!us).contains(to) {
                        let victim = stage.men.role_at(to).unwrap_or(Role::King);
                        let men = lifted.without(to).with(to, us, role);
                        let signature = stage.capture(role, from.into(), to, victim);
                        self.carry(stage, &men, bars, false, Some(signature))?;
                        continue;
                    }
                    let men = lifted.with(to, us, role);
                    let signature = stage.quiet(role, from.into(), to);
                    self.carry(stage, &men, bars, steady, signature)?;
                    if stage.takes_row_man() && stage.row.contains(to) {
                        let signature = stage.capture(role, from.into(), to, row_man.role());
                        self.take_row_man(stage, &men, to, signature)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn move_pawns(&mut self, stage: &mut Stage) -> Result<(), StopReason> {
        for from in stage.men.pieces_of(stage.us, Role::Pawn) {
            self.push_pawn(stage, from)?;
            self.take_with_pawn(stage, from)?;
        }
        self.take_en_passant(stage)
    }

    fn push_pawn(&mut self, stage: &mut Stage, from: Square) -> Result<(), StopReason> {
        let us = stage.us;
        let ahead = |square: Square| Bitboard::from_square(square).shift(us.fold_wb(8, -8));
        let Some(to) = (ahead(from) & !stage.occupied).first() else {
            return Ok(());
        };
        let lifted = stage.men.without(from);
        let rights = stage.signature.castling();
        let left = stage.signature.after(rights).without(us, Role::Pawn, from);
        if Bitboard::BACKRANKS.contains(to) {
            for role in PROMOTIONS {
                let signature = left.with(us, role, to);
                let men = lifted.with(to, us, role);
                self.carry(stage, &men, to.into(), stage.steady, Some(signature))?;
            }
            return Ok(());
        }
        let signature = left.with(us, Role::Pawn, to);
        let men = lifted.with(to, us, Role::Pawn);
        self.carry(stage, &men, to.into(), stage.steady, Some(signature))?;
        let starts = Bitboard(us.fold_wb(0xFF << 8, 0xFF << 48)).contains(from);
        if !starts {
            return Ok(());
        }
        let Some(beyond) = (ahead(to) & !stage.occupied).first() else {
            return Ok(());
        };
        let men = lifted.with(beyond, us, Role::Pawn);
        let safe = match stage.steady {
            true => stage.safe,
            false => men.safe(stage.row_man, us),
        };
        let legal = stage.row & safe & !Bitboard::from_square(to).with(beyond);
        stage.movable |= legal;
        // Where the pawn can legally be taken, that belongs to the structure for a move.
        let mut taken = Bitboard::EMPTY;
        for taker in pawn_attacks(us, to) & men.pieces_of(!us, Role::Pawn) {
            let men = men.without(taker).without(beyond);
            let men = men.with(to, !us, Role::Pawn);
            taken |= legal & men.safe(stage.row_man, !us);
        }
        let signature = left.with(us, Role::Pawn, beyond);
        self.enter(&men, signature.with_ep(Some(to)), !us, taken)?;
        self.enter(&men, signature, !us, legal & !taken)
    }

    fn take_with_pawn(&mut self, stage: &mut Stage, from: Square) -> Result<(), StopReason> {
        let (us, row_man) = (stage.us, stage.row_man);
        let lifted = stage.men.without(from);
        let victims = stage.men.of(!us) & !stage.men.pieces_of(!us, Role::King);
        let rows = match stage.takes_row_man() {
            true => stage.row,
            false => Bitboard::EMPTY,
        };
        for to in pawn_attacks(us, from) & (victims | rows) {
            let victim = stage.men.role_at(to);
            let left = stage.capture(
                Role::Pawn,
                from.into(),
                to,
                victim.unwrap_or(row_man.role()),
            );
            let left = left.without(us, Role::Pawn, from);
            let becomes: &[Role] = match Bitboard::BACKRANKS.contains(to) {
                true => &PROMOTIONS,
                false => &[Role::Pawn],
            };
            for &role in becomes {
                let signature = left.with(us, role, to);
                if victim.is_some() {
                    let men = lifted.without(to).with(to, us, role);
                    self.carry(stage, &men, Bitboard::EMPTY, false, Some(signature))?;
                } else {
                    let men = lifted.with(to, us, role);
                    self.take_row_man(stage, &men, to, signature)?;
                }
            }
        }
        Ok(())
    }

    fn take_en_passant(&mut self, stage: &mut Stage) -> Result<(), StopReason> {
        let us = stage.us;
        let Some(passed) = stage.signature.ep() else {
            return Ok(());
        };
        let victim = Square::new(u32::from(passed) ^ 8);
        let rights = stage.signature.castling();
        for from in pawn_attacks(!us, passed) & stage.men.pieces_of(us, Role::Pawn) {
            let men = stage.men.without(from).without(victim);
            let men = men.with(passed, us, Role::Pawn);
            let left = stage.signature.after(rights).without(us, Role::Pawn, from);
            let left = left.without(!us, Role::Pawn, victim);
            let signature = left.with(us, Role::Pawn, passed);
            self.carry(stage, &men, passed.into(), false, Some(signature))?;
        }
        Ok(())
    }

    /// Castles, one position at a time: it is rare.
    fn castle(&mut self, stage: &Stage) -> Result<(), StopReason> {
        if !stage.signature.castling().intersects(home(stage.us)) {
            return Ok(());
        }
        let placement = stage.men.pack();
        for square in stage.row & stage.safe {
            let spot = Spot {
                placement,
                square,
                turn: stage.us,
            };
            let position = self.position(spot, self.here);
            for m in position.castling_moves() {
                let next = position.after(m);
                let signature = stage.signature.after(next.castling());
                self.enter_position(&Men::new(&next), signature, !stage.us)?;
            }
        }
        Ok(())
    }
}
