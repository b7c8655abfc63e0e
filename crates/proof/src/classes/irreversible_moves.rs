//! Consecution of irreversible moves: which there may be in a class, and where they lead.

use shakmaty::attacks;
use stillmate_core::{Bitboard, Color, Rank, Square};

use super::{
    king_pairs::{KingPairs, too_near},
    position_set::{Checks, PositionSet},
    reversible_class::ReversibleClass,
};
use crate::refusal::IrreversibleMove;

impl ReversibleClass {
    /// All captures and pawn moves that may be possible in a position of this class. Some of them
    /// aren't possible after all, and lead to no position.
    pub(super) fn irreversible_moves(&self) -> Vec<IrreversibleMove> {
        let mut moves = Vec::new();
        for (man, own) in self.men.iter().enumerate() {
            match own.squares.single_square().filter(|_| own.is_pawn()) {
                Some(from) => self.pawn_moves(man, own.piece.color, from, &mut moves),
                None => {
                    let victims = self.of(!own.piece.color);
                    moves
                        .extend(victims.map(|(victim, _)| IrreversibleMove::Takes { man, victim }));
                }
            }
        }
        for king in Color::ALL {
            let victims = self.of(!king);
            moves.extend(victims.map(|(victim, _)| IrreversibleMove::KingTakes { king, victim }));
        }
        moves
    }

    fn pawn_moves(
        &self,
        man: usize,
        color: Color,
        from: Square,
        moves: &mut Vec<IrreversibleMove>,
    ) {
        let victim = None;
        let ahead = |square: Square| {
            let next = square.offset(color.fold_wb(8, -8));
            next.filter(|&next| !self.fixed.contains(next))
        };
        if let Some(to) = ahead(from) {
            moves.push(IrreversibleMove::Pawn { man, to, victim });
            let home = from.rank() == color.fold_wb(Rank::Second, Rank::Seventh);
            if let Some(far) = ahead(to).filter(|_| home) {
                let to_far = IrreversibleMove::Pawn {
                    man,
                    to: far,
                    victim,
                };
                moves.push(to_far);
                let takers = self.of(!color).filter(|(_, taker)| {
                    let from = taker.squares.single_square().filter(|_| taker.is_pawn());
                    from.is_some_and(|from| attacks::pawn_attacks(!color, from).contains(to))
                });
                moves.extend(takers.map(|(taker, _)| IrreversibleMove::EnPassant {
                    man,
                    to: far,
                    taker,
                    passed: to,
                }));
            }
        }
        for to in attacks::pawn_attacks(color, from) {
            for (victim, _) in self.of(!color).filter(|(_, man)| man.may_stand_on(to)) {
                let victim = Some(victim);
                moves.push(IrreversibleMove::Pawn { man, to, victim });
            }
        }
    }

    /// Where `irreversible_move` leads from the positions of this class.
    pub(super) fn after(&self, irreversible_move: IrreversibleMove) -> PositionSet {
        match irreversible_move {
            IrreversibleMove::Takes { man, victim } => {
                self.moved(man, self.captures(man, victim), Some(victim))
            }
            IrreversibleMove::KingTakes { king, victim } => self.king_takes(king, victim),
            IrreversibleMove::Pawn { man, to, victim } => self.moved(man, to.into(), victim),
            IrreversibleMove::EnPassant {
                man,
                to,
                taker,
                passed,
            } => {
                let mut positions = self.moved(man, to.into(), None);
                positions.men[taker].squares = passed.into();
                positions.men.remove(man);
                positions.kings = positions.kings.without(passed);
                positions.turn = !positions.turn;
                positions
            }
        }
    }

    /// The squares on which a man that isn't a pawn may capture another.
    fn captures(&self, man: usize, victim: usize) -> Bitboard {
        let (man, victims) = (&self.men[man], self.men[victim].may_stand());
        if man.promotes {
            return victims;
        }
        let attacked = man
            .squares
            .into_iter()
            .map(|from| attacks::attacks(from, man.piece, self.fixed));
        victims & attacked.fold(Bitboard::EMPTY, |all, some| all | some)
    }

    /// After a man has moved to one of `targets` and captured the victim there, if any.
    fn moved(&self, man: usize, targets: Bitboard, victim: Option<usize>) -> PositionSet {
        let mut men = self.men.clone();
        let mover = &mut men[man];
        let color = mover.piece.color;
        if mover.is_pawn() && targets.intersects(Bitboard::BACKRANKS) {
            // No class and no invariant has such a man of W, so this is never covered.
            mover.promotes = true;
        }
        if mover.promotes {
            mover.squares = Bitboard::EMPTY;
        } else {
            mover.squares = targets;
        }
        if let Some(victim) = victim {
            men.remove(victim);
        }
        let kings = &self.kings[color];
        let kings = match targets.single_square() {
            Some(target) => kings.without(target),
            None if targets.is_empty() => KingPairs::NONE,
            None => kings.clone(),
        };
        PositionSet {
            men,
            turn: !color,
            kings,
            checks: Checks::Any,
        }
    }

    fn king_takes(&self, king: Color, victim: usize) -> PositionSet {
        let targets = self.men[victim].may_stand() & !self.certainly_attacked[!king];
        let mut kings = KingPairs::NONE;
        for (from, others) in self.kings_from(king, king).rows() {
            for to in attacks::king_attacks(from) & targets {
                kings.add(to, others & !too_near(to));
            }
        }
        if king != self.winner {
            kings = kings.turned();
        }
        let mut men = self.men.clone();
        men.remove(victim);
        PositionSet {
            men,
            turn: !king,
            kings,
            checks: Checks::Discovered,
        }
    }
}
