//! Second obligation: the irreversible moves that may end a stretch, and what they lead to.

use shakmaty::attacks;
use stillmate_core::{Bitboard, Color, Rank, Square};

use super::{
    outcome::{Check, Outcome},
    pairs::{Pairs, too_near},
    stretch::Stretch,
};
use crate::refusal::Event;

impl Stretch {
    /// Every capture and every pawn move that may be possible in a position of this class.
    /// Some of them aren't possible after all; nothing follows from these.
    pub(super) fn events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        for (man, own) in self.men.iter().enumerate() {
            match own.squares.single_square().filter(|_| own.is_pawn()) {
                Some(from) => self.pawn_events(man, own.piece.color, from, &mut events),
                None => {
                    let victims = self.of(!own.piece.color);
                    events.extend(victims.map(|(victim, _)| Event::Takes { man, victim }));
                }
            }
        }
        for king in Color::ALL {
            let victims = self.of(!king);
            events.extend(victims.map(|(victim, _)| Event::KingTakes { king, victim }));
        }
        events
    }

    fn pawn_events(&self, man: usize, color: Color, from: Square, events: &mut Vec<Event>) {
        let victim = None;
        let ahead = |square: Square| {
            let next = square.offset(color.fold_wb(8, -8));
            next.filter(|&next| !self.fixed.contains(next))
        };
        if let Some(to) = ahead(from) {
            events.push(Event::Pawn { man, to, victim });
            let home = from.rank() == color.fold_wb(Rank::Second, Rank::Seventh);
            if let Some(far) = ahead(to).filter(|_| home) {
                let to_far = Event::Pawn {
                    man,
                    to: far,
                    victim,
                };
                events.push(to_far);
                let takers = self.of(!color).filter(|(_, taker)| {
                    let from = taker.squares.single_square().filter(|_| taker.is_pawn());
                    from.is_some_and(|from| attacks::pawn_attacks(!color, from).contains(to))
                });
                events.extend(takers.map(|(taker, _)| Event::EnPassant {
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
                events.push(Event::Pawn { man, to, victim });
            }
        }
    }

    /// What `event` leads to, from any position of this class.
    pub(super) fn after(&self, event: Event) -> Outcome {
        match event {
            Event::Takes { man, victim } => {
                self.moved(man, self.captures(man, victim), Some(victim))
            }
            Event::KingTakes { king, victim } => self.king_takes(king, victim),
            Event::Pawn { man, to, victim } => self.moved(man, to.into(), victim),
            Event::EnPassant {
                man,
                to,
                taker,
                passed,
            } => {
                let mut outcome = self.moved(man, to.into(), None);
                outcome.men[taker].squares = passed.into();
                outcome.men.remove(man);
                outcome.kings = outcome.kings.without(passed);
                outcome.turn = !outcome.turn;
                outcome
            }
        }
    }

    /// The squares on which a man that isn't a pawn may take another.
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

    /// After a man has moved to one of `targets`, which a victim has left by that.
    fn moved(&self, man: usize, targets: Bitboard, victim: Option<usize>) -> Outcome {
        let mut men = self.men.clone();
        let mover = &mut men[man];
        let color = mover.piece.color;
        if mover.is_pawn() && targets.intersects(Bitboard::BACKRANKS) {
            // No class and no invariant has such a man of W, so it is never covered.
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
            None if targets.is_empty() => Pairs::NONE,
            None => kings.clone(),
        };
        Outcome {
            men,
            turn: !color,
            kings,
            check: Check::Any,
        }
    }

    fn king_takes(&self, king: Color, victim: usize) -> Outcome {
        let targets = self.men[victim].may_stand() & !self.certain[!king];
        let mut kings = Pairs::NONE;
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
        Outcome {
            men,
            turn: !king,
            kings,
            check: Check::Discovered,
        }
    }
}
