//! Comparing a recorded result with the Laws.
//!
//! The engine is asked as little as possible: a mate at the end needs no question, and if the
//! recorded winner can still mate, nothing was dead.

use stillmate_core::{Color, Position};
use stillmate_reach::Verdict as Decision;

use crate::{
    Adjudication, Arbiter, Basis, Death, EndRule, FlagEvidence, FlagFall, GameEnd, Ground, Laws,
    Mates, Outcome, ResultVerdict, Rules, Statement, Termination, claims::last_claim, death,
    pgn::Game, termination::shows_zero,
};

/// How a game ended by itself, if it did.
pub(crate) enum Ending {
    By(GameEnd, Option<Box<Death>>),
    /// It didn't.
    Open,
    /// A budget ended before that was decided.
    Undecided,
}

/// A game before the arbiter, with what is known of it.
pub(crate) struct Judge<'a, 'g> {
    pub(crate) arbiter: &'a Arbiter,
    pub(crate) game: &'a Game<'g>,
    pub(crate) laws: Laws,
}

impl Judge<'_, '_> {
    /// Compares the result with the Laws. `plain` are the ends that need no analysis.
    pub(crate) fn adjudicate(&self, plain: &[GameEnd]) -> Adjudication {
        let recorded = self.game.result.unwrap_or(Outcome::Unknown);
        if matches!(recorded, Outcome::BothLose | Outcome::Half(_)) {
            return self.unjudged(match Statement::of(self.game) {
                said if said.termination == Termination::Silent => Basis::Score(recorded),
                said => Basis::Outside(said),
            });
        }
        if let Some(basis) = self.not_played() {
            return self.unjudged(basis);
        }
        let mut known = None;
        let ending = match (plain.first(), recorded) {
            (None, Outcome::Wins(winner)) if self.laws.know_dead_positions() => {
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
                self.compare(recorded, end.rule.outcome(), Basis::Ended(end, death))
            }
            Ending::Undecided => self.undetermined(Basis::Undecided),
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
        let analyzer = self.arbiter.analyzer();
        let death = if self.laws.know_dead_positions() {
            match death::is_dead(analyzer, record.position(last)) {
                Some(true) => death::find(analyzer, record, last),
                Some(false) => None,
                None if first.is_none() => return Ending::Undecided,
                None => None,
            }
        } else {
            death::by_listed_material(analyzer, record, last)
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

    /// The grounds if no game was played, or the record says so.
    fn not_played(&self) -> Option<Basis> {
        let game = self.game;
        // A set-up of fewer men is a question about its position.
        let is_start = game.tags.get("FEN").is_none() || self.last().occupied().count() == 32;
        let empty = game.record.plies() == 0 && is_start;
        if game.is_broken() || !(empty || game.forfeit.is_some()) {
            return None;
        }
        let said = Statement::of(game);
        let known = !matches!(said.termination, Termination::Silent | Termination::Normal);
        let words = said.words.filter(|_| known);
        Some(Basis::NotPlayed(words.or_else(|| bye(game))))
    }

    /// The verdict on a game that didn't end by itself. `known` is what is known of the mates of
    /// the recorded winner.
    fn without_end(&self, recorded: Outcome, known: Option<Mates>) -> Adjudication {
        if self.game.is_broken() {
            return self.unjudged(Basis::Broken);
        }
        let said = Statement::of(self.game);
        if !said.termination.allows(recorded) {
            return self.wrong(Basis::Contradiction(said, recorded));
        }
        match said.termination {
            Termination::Time(flag) => self.flag(flag, recorded, known),
            Termination::TimeDraw(flag) => self.flag(flag, Outcome::Draw, known),
            Termination::BothFlags => self.compare(recorded, Outcome::Draw, Basis::BothFlags),
            Termination::Outside(_) | Termination::Unknown => self.unjudged(Basis::Outside(said)),
            Termination::Unplayed(_) => self.unjudged(Basis::NotPlayed(said.words)),
            Termination::Unfinished => self.unjudged(Basis::Unfinished),
            Termination::Illegal(_) | Termination::Infraction(_) => {
                self.infraction(said, recorded, known)
            }
            Termination::Checkmate(_) | Termination::Stalemate | Termination::Material => {
                self.wrong(Basis::Unfounded(said))
            }
            Termination::Repetition => self.claimed(Ground::Threefold, said, recorded),
            Termination::MoveCount => self.claimed(Ground::Fifty, said, recorded),
            Termination::Agreed => {
                self.compare(recorded, Outcome::Draw, Basis::Agreed { said: true })
            }
            Termination::Resigned(loser) => self.resignation(loser, said, recorded, known),
            Termination::Silent
            | Termination::Normal
            | Termination::Won(_)
            | Termination::Drawn => self.untold(recorded, known),
        }
    }

    /// The verdict on a game of whose end the record says no more than the result.
    fn untold(&self, recorded: Outcome, known: Option<Mates>) -> Adjudication {
        let grounds = [Ground::Threefold, Ground::Fifty];
        match recorded {
            Outcome::Wins(winner) => {
                let possible = known.as_ref().and_then(Mates::possible) != Some(false);
                match self.by_clocks(recorded) {
                    Some(adjudication) if possible => adjudication,
                    _ => self.resigned(winner, false, known),
                }
            }
            Outcome::Draw => {
                if let Some(claim) = last_claim(&self.game.record, &grounds, self.laws) {
                    return self.compare(recorded, Outcome::Draw, Basis::Claimed(claim));
                }
                self.by_clocks(recorded).unwrap_or_else(|| {
                    self.compare(recorded, Outcome::Draw, Basis::Agreed { said: false })
                })
            }
            _ => self.unjudged(Basis::Unfinished),
        }
    }

    /// The verdict where a clock comment shows zero and nothing else is said: that a flag fell
    /// isn't sure, since whole seconds are rounded and broadcasts show zero at a time control.
    fn by_clocks(&self, recorded: Outcome) -> Option<Adjudication> {
        let zero = Color::ALL.map(|color| shows_zero(self.game, color));
        if zero == [false, false] {
            return None;
        }
        let [white, black] = Color::ALL.map(|flag| self.fall(flag));
        for (fall, zero) in [(&white, zero[0]), (&black, zero[1])] {
            if zero && fall.outcome() == recorded {
                let basis = Basis::Flag(fall.clone(), FlagEvidence::Clock);
                return Some(self.compare(recorded, recorded, basis));
            }
        }
        Some(self.unjudged(Basis::EitherFlag(
            Box::new([white, black]),
            FlagEvidence::Clock,
        )))
    }

    fn fall(&self, flag: Color) -> FlagFall {
        let record = &self.game.record;
        self.arbiter.fall(record, self.laws, flag, None)
    }

    /// Whether positions before a set-up, which aren't known, could be repeated.
    fn history_is_missing(&self) -> bool {
        let record = &self.game.record;
        record.clock(record.plies()) as usize > record.plies()
    }

    /// The verdict on a draw that is said to have been claimed.
    fn claimed(&self, ground: Ground, said: Statement, recorded: Outcome) -> Adjudication {
        match last_claim(&self.game.record, &[ground], self.laws) {
            Some(claim) => self.compare(recorded, Outcome::Draw, Basis::Claimed(claim)),
            None if ground == Ground::Threefold && self.history_is_missing() => {
                self.unjudged(Basis::Outside(said))
            }
            None => self.wrong(Basis::Unfounded(said)),
        }
    }

    /// The verdict on a win without mate or flag: by a resignation, if that is `said`.
    fn resigned(&self, winner: Color, said: bool, known: Option<Mates>) -> Adjudication {
        let applies = self.arbiter.rules() == Rules::Fide && self.laws.draw_resignations();
        let possible = known.as_ref().and_then(Mates::possible);
        let should = if applies && possible == Some(false) {
            Outcome::Draw
        } else {
            Outcome::Wins(winner)
        };
        let basis = Basis::Resigned {
            winner,
            mates: known.filter(|_| applies),
            said,
        };
        self.compare(Outcome::Wins(winner), should, basis)
    }

    /// The verdict on a game that ended with a resignation, by its record.
    fn resignation(
        &self,
        loser: Option<Color>,
        said: Statement,
        recorded: Outcome,
        known: Option<Mates>,
    ) -> Adjudication {
        match (recorded, loser) {
            (Outcome::Wins(winner), _) => self.resigned(winner, true, known),
            (Outcome::Unknown, None) => self.unjudged(Basis::Unfinished),
            (_, None) => self.wrong(Basis::Unfounded(said)),
            (_, Some(loser)) => {
                let mates = self.arbiter.mates(&self.game.record, !loser);
                let draws = self.arbiter.rules() == Rules::Fide && self.laws.draw_resignations();
                let should = match mates.possible() {
                    Some(false) if draws => Outcome::Draw,
                    None if draws => return self.undetermined(Basis::Undecided),
                    _ if recorded == Outcome::Draw => return self.wrong(Basis::Unfounded(said)),
                    _ => Outcome::Wins(!loser),
                };
                let basis = Basis::Resigned {
                    winner: !loser,
                    mates: Some(mates),
                    said: true,
                };
                self.compare(recorded, should, basis)
            }
        }
    }

    /// The verdict on a game that a player lost by breaking a rule, by its record: 7.5.5 makes it
    /// a draw if the opponent cannot mate. Whether the rule was broken can't be seen.
    fn infraction(&self, said: Statement, recorded: Outcome, known: Option<Mates>) -> Adjudication {
        let offender = match (said.termination, recorded) {
            (_, Outcome::Wins(winner)) => Some(!winner),
            (Termination::Illegal(offender) | Termination::Infraction(offender), _) => offender,
            _ => None,
        };
        let applies = self.arbiter.rules() == Rules::Fide && self.laws.draw_illegal_moves();
        let Some(offender) = offender.filter(|_| applies) else {
            return self.unjudged(Basis::Outside(said));
        };
        let mates = known.unwrap_or_else(|| self.arbiter.mates(&self.game.record, !offender));
        match mates.possible() {
            Some(true) => self.unjudged(Basis::Outside(said)),
            Some(false) => {
                let basis = Basis::Infraction(said, !offender, mates);
                self.compare(recorded, Outcome::Draw, basis)
            }
            None => self.undetermined(Basis::Undecided),
        }
    }

    /// The verdict on a game that ended with a fallen flag: `told` if the record says whose.
    fn flag(&self, told: Option<Color>, recorded: Outcome, known: Option<Mates>) -> Adjudication {
        let (flag, evidence) = match (told, recorded) {
            (Some(flag), _) => (flag, FlagEvidence::Words),
            (None, Outcome::Wins(winner)) => (!winner, FlagEvidence::Result),
            (None, _) => return self.either_flag(recorded),
        };
        // What is known is about the recorded winner.
        let known = known.filter(|_| recorded == Outcome::Wins(!flag));
        let record = &self.game.record;
        let fall = self.arbiter.fall(record, self.laws, flag, known);
        self.by_flag(fall, evidence, recorded)
    }

    fn by_flag(&self, fall: FlagFall, evidence: FlagEvidence, recorded: Outcome) -> Adjudication {
        match fall.outcome() {
            Outcome::Unknown => self.undetermined(Basis::Flag(fall, evidence)),
            outcome => self.compare(recorded, outcome, Basis::Flag(fall, evidence)),
        }
    }

    /// The verdict on a draw, or a game without result, after one of the flags fell. If both give
    /// the same it needn't be known which.
    fn either_flag(&self, recorded: Outcome) -> Adjudication {
        let falls = Color::ALL.map(|flag| self.fall(flag));
        let draws = falls.each_ref().map(|fall| fall.outcome() == Outcome::Draw);
        let unknown = falls.iter().any(|fall| fall.outcome() == Outcome::Unknown);
        let zero = Color::ALL.map(|color| shows_zero(self.game, color));
        let turn = self.last().turn();
        let (flag, evidence) = match zero {
            [true, false] => (Color::White, FlagEvidence::Clock),
            [false, true] => (Color::Black, FlagEvidence::Clock),
            _ => (turn, FlagEvidence::Turn),
        };
        let [white, black] = falls;
        let index = usize::from(flag.is_black());
        let likely = if flag.is_white() { &white } else { &black };
        match draws {
            // A player may also overstep the time after a move, before pressing the clock, so
            // that the turn alone decides nothing.
            _ if draws[index] && recorded == Outcome::Draw => self.compare(
                recorded,
                Outcome::Draw,
                Basis::Flag(likely.clone(), evidence),
            ),
            _ if unknown => self.undetermined(Basis::Undecided),
            [true, true] => self.compare(
                recorded,
                Outcome::Draw,
                Basis::Flag(likely.clone(), evidence),
            ),
            [false, false] if recorded == Outcome::Draw => self.wrong(Basis::EitherFlag(
                Box::new([white, black]),
                FlagEvidence::Nothing,
            )),
            _ => self.unjudged(Basis::EitherFlag(
                Box::new([white, black]),
                FlagEvidence::Nothing,
            )),
        }
    }

    fn compare(&self, recorded: Outcome, should: Outcome, basis: Basis) -> Adjudication {
        let verdict = if recorded == should {
            ResultVerdict::Stands
        } else if recorded == Outcome::Unknown {
            ResultVerdict::Unscored
        } else {
            ResultVerdict::Wrong
        };
        self.adjudication(verdict, Some(should), basis)
    }

    fn wrong(&self, basis: Basis) -> Adjudication {
        self.adjudication(ResultVerdict::Wrong, None, basis)
    }

    fn unjudged(&self, basis: Basis) -> Adjudication {
        self.adjudication(ResultVerdict::Unjudged, None, basis)
    }

    fn undetermined(&self, basis: Basis) -> Adjudication {
        self.adjudication(ResultVerdict::Undetermined, None, basis)
    }

    const fn adjudication(
        &self,
        verdict: ResultVerdict,
        should: Option<Outcome>,
        basis: Basis,
    ) -> Adjudication {
        Adjudication {
            verdict,
            should,
            basis,
            laws: self.laws,
        }
    }
}

/// The name of a player who is none, if there is one.
fn bye(game: &Game<'_>) -> Option<String> {
    let names = ["White", "Black"]
        .iter()
        .filter_map(|tag| game.tags.get(tag));
    let mut byes = names.filter(|name| {
        let plain = name.trim().to_lowercase();
        ["bye", "spielfrei", "exempt", "freilos"].contains(&plain.as_str())
    });
    byes.next().map(std::borrow::Cow::into_owned)
}
