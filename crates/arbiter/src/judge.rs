//! Comparing a recorded result with the Laws.
//!
//! The engine is asked as little as possible: a mate at the end needs no question, and if the
//! recorded winner can still mate, nothing was dead.

use stillmate_core::{Color, Position};
use stillmate_reach::Verdict as Decision;

use crate::{
    Adjudication, Arbiter, Basis, Closing, Death, End, Ground, Mates, Outcome, Rule, Rules, Told,
    Verdict, claims::last_claim, closing::clocks, death, pgn::Game,
};

/// How a game ended by itself, if it did.
pub(crate) enum Ending {
    By(End, Option<Box<Death>>),
    /// It didn't.
    Open,
    /// A budget ended before that was decided.
    Undecided,
}

/// A game on the desk, with what is known of it.
pub(crate) struct Judge<'a, 'g> {
    pub(crate) arbiter: &'a Arbiter,
    pub(crate) game: &'a Game<'g>,
}

impl Judge<'_, '_> {
    /// Compares the result with the Laws. `plain` are the ends that need no analysis.
    pub(crate) fn adjudicate(&self, plain: &[End]) -> Adjudication {
        let recorded = self.game.result.unwrap_or(Outcome::Unknown);
        let mut known = None;
        let ending = match (plain.first(), recorded) {
            (None, Outcome::Wins(winner)) => {
                let mates = self.arbiter.mates(&self.game.score, winner);
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
                verdict: Verdict::Undetermined,
                should: None,
                basis: Basis::Undecided,
            },
            Ending::Open => self.without_end(recorded, known),
        }
    }

    /// How the game ended by itself. `plain` are the ends that need no analysis.
    pub(crate) fn ending(&self, plain: &[End]) -> Ending {
        let score = &self.game.score;
        let first = plain.first().copied();
        if let Some(
            end @ End {
                rule: Rule::Checkmate(_),
                ..
            },
        ) = first
        {
            return Ending::By(end, None);
        }
        let last = first.map_or(score.plies(), |end| end.plies);
        let position = score.position(last);
        let death = match death::is_dead(self.arbiter.analyzer(), position) {
            Some(true) => death::find(self.arbiter.analyzer(), score, last),
            Some(false) => None,
            None if first.is_none() => return Ending::Undecided,
            None => None,
        };
        match (death, first) {
            (Some(death), _) => {
                let end = End {
                    plies: death.plies,
                    rule: Rule::Dead,
                };
                Ending::By(end, Some(Box::new(death)))
            }
            (None, Some(end)) => Ending::By(end, None),
            (None, None) => Ending::Open,
        }
    }

    fn last(&self) -> &Position {
        self.game.score.last()
    }

    /// The verdict on a game that didn't end by itself. `known` is what is known of the mates of
    /// the recorded winner.
    fn without_end(&self, recorded: Outcome, known: Option<Mates>) -> Adjudication {
        if self.game.is_broken() {
            return unjudged(Basis::Broken);
        }
        let closing = Closing::of(self.game);
        match (closing, recorded) {
            (Closing::Time(flag), _) => self.flag(flag, recorded, known),
            (Closing::BothFlags, _) => compare(recorded, Outcome::Draw, Basis::BothFlags),
            (Closing::Outside, _) => unjudged(Basis::Outside),
            (Closing::Unfinished, _) => unjudged(Basis::Unfinished),
            (Closing::Checkmate | Closing::Stalemate | Closing::Material, _) => {
                wrong(Basis::Unfounded(closing))
            }
            (Closing::Repetition, _) => self.claimed(Ground::Threefold, closing, recorded),
            (Closing::MoveCount, _) => self.claimed(Ground::Fifty, closing, recorded),
            (Closing::Agreed, Outcome::Wins(_)) => wrong(Basis::Unfounded(closing)),
            (Closing::Normal | Closing::Resigned, Outcome::Wins(winner)) => {
                self.resigned(winner, known)
            }
            (Closing::Resigned, Outcome::Draw) => wrong(Basis::Unfounded(closing)),
            (Closing::Normal, Outcome::Draw) => {
                let claim = last_claim(&self.game.score, &[Ground::Threefold, Ground::Fifty]);
                let basis = claim.map_or(Basis::Agreed, Basis::Claimed);
                compare(recorded, Outcome::Draw, basis)
            }
            (Closing::Agreed, Outcome::Draw) => compare(recorded, Outcome::Draw, Basis::Agreed),
            (Closing::Normal | Closing::Agreed | Closing::Resigned, Outcome::Unknown) => {
                unjudged(Basis::Unfinished)
            }
        }
    }

    /// Whether positions before a set-up, which aren't known, could be repeated.
    fn history_is_missing(&self) -> bool {
        let score = &self.game.score;
        score.clock(score.plies()) as usize > score.plies()
    }

    /// The verdict on a draw that is said to have been claimed.
    fn claimed(&self, ground: Ground, closing: Closing, recorded: Outcome) -> Adjudication {
        match last_claim(&self.game.score, &[ground]) {
            Some(claim) => compare(recorded, Outcome::Draw, Basis::Claimed(claim)),
            None if ground == Ground::Threefold && self.history_is_missing() => {
                unjudged(Basis::Outside)
            }
            None => wrong(Basis::Unfounded(closing)),
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
            (Some(flag), _) => (flag, Told::Words),
            (None, Outcome::Wins(winner)) => (!winner, Told::Result),
            (None, _) => match (zero(&Color::White), zero(&Color::Black)) {
                (true, false) => (Color::White, Told::Clock),
                (false, true) => (Color::Black, Told::Clock),
                _ => (self.last().turn(), Told::Turn),
            },
        };
        // What is known is about the recorded winner.
        let known = known.filter(|_| recorded == Outcome::Wins(!flag));
        let fall = self.arbiter.fall(&self.game.score, flag, known);
        let outcome = fall.outcome();
        if outcome == Outcome::Unknown {
            return Adjudication {
                verdict: Verdict::Undetermined,
                should: None,
                basis: Basis::Flag(fall, told),
            };
        }
        let other = || self.arbiter.fall(&self.game.score, !flag, None).outcome();
        // A player may also overstep the time after a move, before pressing the clock.
        if told == Told::Turn && outcome != recorded && other() != outcome {
            return unjudged(Basis::Flag(fall, Told::Nothing));
        }
        compare(recorded, outcome, Basis::Flag(fall, told))
    }
}

fn compare(recorded: Outcome, should: Outcome, basis: Basis) -> Adjudication {
    let verdict = if recorded == should {
        Verdict::Stands
    } else if recorded == Outcome::Unknown {
        Verdict::Unscored
    } else {
        Verdict::Wrong
    };
    Adjudication {
        verdict,
        should: Some(should),
        basis,
    }
}

fn wrong(basis: Basis) -> Adjudication {
    Adjudication {
        verdict: Verdict::Wrong,
        should: None,
        basis,
    }
}

fn unjudged(basis: Basis) -> Adjudication {
    Adjudication {
        verdict: Verdict::Unjudged,
        should: None,
        basis,
    }
}
