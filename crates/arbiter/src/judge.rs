//! Comparing a recorded result with the Laws.
//!
//! The engine is asked as little as possible: a mate at the end needs no question, and if the
//! recorded winner can still mate, nothing was dead.

use stillmate_core::{Color, Position};
use stillmate_reach::Verdict as Decision;

use crate::{
    Adjudication, Arbiter, Basis, Death, EndRule, FlagEvidence, GameEnd, Ground, Mates, Outcome,
    ResultVerdict, Rules, Termination, claims::last_claim, death, pgn::Game, termination::clocks,
};

/// How a game ended by itself, if it did.
pub(crate) enum Ending {
    By(GameEnd, Option<Box<Death>>),
    /// It didn't.
    Open,
    /// A budget ended before that was decided.
    Undecided,
}

/// A game on the arbiter, with what is known of it.
pub(crate) struct Judge<'a, 'g> {
    pub(crate) arbiter: &'a Arbiter,
    pub(crate) game: &'a Game<'g>,
}

impl Judge<'_, '_> {
    /// Compares the result with the Laws. `plain` are the ends that need no analysis.
    pub(crate) fn adjudicate(&self, plain: &[GameEnd]) -> Adjudication {
        let recorded = self.game.result.unwrap_or(Outcome::Unknown);
        let mut known = None;
        let ending = match (plain.first(), recorded) {
            (None, Outcome::Wins(winner)) => {
                let mates = self.arbiter.mates(&self.game.record, winner);
                let ending = match mates.finding.verdict {
                    Decision::Winnable(_) => Ending::Open,
                    _ => self.ending(plain),
                };
                known = Some(mates);
                ending
            }
            _ => self.ending(plain),
        };
        match ending {
            Ending::By(end, death) => {
                compare(recorded, end.rule.outcome(), Basis::Ended(end, death))
            }
            Ending::Undecided => Adjudication {
                verdict: ResultVerdict::Undetermined,
                should: None,
                basis: Basis::Undecided,
            },
            Ending::Open => self.without_end(recorded, known),
        }
    }

    /// How the game ended by itself. `plain` are the ends that need no analysis.
    pub(crate) fn ending(&self, plain: &[GameEnd]) -> Ending {
        let record = &self.game.record;
        let first = plain.first().copied();
        if let Some(
            end @ GameEnd {
                rule: EndRule::Checkmate(_),
                ..
            },
        ) = first
        {
            return Ending::By(end, None);
        }
        let last = first.map_or(record.plies(), |end| end.plies);
        let position = record.position(last);
        let death = match death::is_dead(self.arbiter.analyzer(), position) {
            Some(true) => death::find(self.arbiter.analyzer(), record, last),
            Some(false) => None,
            None if first.is_none() => return Ending::Undecided,
            None => None,
        };
        match (death, first) {
            (Some(death), _) => {
                let end = GameEnd {
                    plies: death.plies,
                    rule: EndRule::Dead,
                };
                Ending::By(end, Some(Box::new(death)))
            }
            (None, Some(end)) => Ending::By(end, None),
            (None, None) => Ending::Open,
        }
    }

    fn last(&self) -> &Position {
        self.game.record.last()
    }

    /// The verdict on a game that didn't end by itself. `known` is what is known of the mates of
    /// the recorded winner.
    fn without_end(&self, recorded: Outcome, known: Option<Mates>) -> Adjudication {
        if self.game.is_broken() {
            return unjudged(Basis::Broken);
        }
        let termination = Termination::of(self.game);
        match (termination, recorded) {
            (Termination::Time(flag), _) => self.flag(flag, recorded, known),
            (Termination::BothFlags, _) => compare(recorded, Outcome::Draw, Basis::BothFlags),
            (Termination::Outside, _) => unjudged(Basis::Outside),
            (Termination::Unfinished, _) => unjudged(Basis::Unfinished),
            (Termination::Checkmate | Termination::Stalemate | Termination::Material, _) => {
                wrong(Basis::Unfounded(termination))
            }
            (Termination::Repetition, _) => self.claimed(Ground::Threefold, termination, recorded),
            (Termination::MoveCount, _) => self.claimed(Ground::Fifty, termination, recorded),
            (Termination::Agreed, Outcome::Wins(_)) => wrong(Basis::Unfounded(termination)),
            (Termination::Normal | Termination::Resigned, Outcome::Wins(winner)) => {
                self.resigned(winner, known)
            }
            (Termination::Resigned, Outcome::Draw) => wrong(Basis::Unfounded(termination)),
            (Termination::Normal, Outcome::Draw) => {
                let claim = last_claim(&self.game.record, &[Ground::Threefold, Ground::Fifty]);
                let basis = claim.map_or(Basis::Agreed, Basis::Claimed);
                compare(recorded, Outcome::Draw, basis)
            }
            (Termination::Agreed, Outcome::Draw) => compare(recorded, Outcome::Draw, Basis::Agreed),
            (
                Termination::Normal | Termination::Agreed | Termination::Resigned,
                Outcome::Unknown,
            ) => unjudged(Basis::Unfinished),
        }
    }

    /// Whether positions before a set-up, which aren't known, could be repeated.
    fn history_is_missing(&self) -> bool {
        let record = &self.game.record;
        record.clock(record.plies()) as usize > record.plies()
    }

    /// The verdict on a draw that is said to have been claimed.
    fn claimed(&self, ground: Ground, termination: Termination, recorded: Outcome) -> Adjudication {
        match last_claim(&self.game.record, &[ground]) {
            Some(claim) => compare(recorded, Outcome::Draw, Basis::Claimed(claim)),
            None if ground == Ground::Threefold && self.history_is_missing() => {
                unjudged(Basis::Outside)
            }
            None => wrong(Basis::Unfounded(termination)),
        }
    }

    /// The verdict on a win without mate or flag.
    fn resigned(&self, winner: Color, known: Option<Mates>) -> Adjudication {
        let possible = known.as_ref().and_then(Mates::possible);
        let draw = self.arbiter.rules() == Rules::Fide && possible == Some(false);
        let should = if draw {
            Outcome::Draw
        } else {
            Outcome::Wins(winner)
        };
        let basis = Basis::Resigned(winner, known);
        compare(Outcome::Wins(winner), should, basis)
    }

    /// The verdict on a game that ended with a fallen flag.
    fn flag(&self, told: Option<Color>, recorded: Outcome, known: Option<Mates>) -> Adjudication {
        let zero = |color: &Color| clocks(self.game, *color).next() == Some(0.0);
        let (flag, told) = match (told, recorded) {
            (Some(flag), _) => (flag, FlagEvidence::Words),
            (None, Outcome::Wins(winner)) => (!winner, FlagEvidence::Result),
            (None, _) => match (zero(&Color::White), zero(&Color::Black)) {
                (true, false) => (Color::White, FlagEvidence::Clock),
                (false, true) => (Color::Black, FlagEvidence::Clock),
                _ => (self.last().turn(), FlagEvidence::Turn),
            },
        };
        // What is known is about the recorded winner.
        let known = known.filter(|_| recorded == Outcome::Wins(!flag));
        let fall = self.arbiter.fall(&self.game.record, flag, known);
        let outcome = fall.outcome();
        if outcome == Outcome::Unknown {
            return Adjudication {
                verdict: ResultVerdict::Undetermined,
                should: None,
                basis: Basis::Flag(fall, told),
            };
        }
        let other = || self.arbiter.fall(&self.game.record, !flag, None).outcome();
        // A player may also overstep the time after a move, before pressing the clock.
        if told == FlagEvidence::Turn && outcome != recorded && other() != outcome {
            return unjudged(Basis::Flag(fall, FlagEvidence::Nothing));
        }
        compare(recorded, outcome, Basis::Flag(fall, told))
    }
}

fn compare(recorded: Outcome, should: Outcome, basis: Basis) -> Adjudication {
    let verdict = if recorded == should {
        ResultVerdict::Stands
    } else if recorded == Outcome::Unknown {
        ResultVerdict::Unscored
    } else {
        ResultVerdict::Wrong
    };
    Adjudication {
        verdict,
        should: Some(should),
        basis,
    }
}

fn wrong(basis: Basis) -> Adjudication {
    Adjudication {
        verdict: ResultVerdict::Wrong,
        should: None,
        basis,
    }
}

fn unjudged(basis: Basis) -> Adjudication {
    Adjudication {
        verdict: ResultVerdict::Unjudged,
        should: None,
        basis,
    }
}
