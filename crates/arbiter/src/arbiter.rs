//! The way in: a game goes in, all that the Laws say of it comes out.

use stillmate_core::Color;
use stillmate_reach::{Analyzer, Budget, Finding, LadderStatistics, Report};

use crate::{
    Adjudication, Claim, Death, FlagFall, GameEnd, GameRecord, Laws, LawsOf, Mates, Rules, claims,
    ends,
    judge::{Ending, Judge},
    pgn::Game,
    seventy_five::is_settled,
};

/// Decides games. Holds no game and no global state: share one between threads.
#[derive(Clone, Debug, Default)]
pub struct Arbiter {
    analyzer: Analyzer,
    rules: Rules,
    laws: LawsOf,
    seventy_five: bool,
}

/// All that the Laws say of a game.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// The Laws by which the game is judged.
    pub laws: Laws,
    /// When each rule that ends a game first applied, in the order of the game: the first of
    /// them ended it.
    pub ends: Vec<GameEnd>,
    /// The dead position, if that is among the ends.
    pub death: Option<Box<Death>>,
    /// Whether a budget ended before it was decided if the last position is dead.
    pub undecided: bool,
    /// The draws that players could have claimed while the game lasted.
    pub claims: Vec<Claim>,
    /// Who can mate in the last position, if the game didn't end before.
    pub last: Option<Report>,
    /// What the fall of White's and of Black's flag would mean in the last position, if the
    /// game didn't end by itself.
    pub flags: Option<[FlagFall; 2]>,
    /// The recorded result beside all this.
    pub adjudication: Adjudication,
}

impl Arbiter {
    /// An arbiter who asks `analyzer` who can mate and judges fallen flags by `rules`.
    pub fn new(analyzer: Analyzer, rules: Rules) -> Arbiter {
        Arbiter {
            analyzer,
            rules,
            laws: LawsOf::default(),
            seventy_five: false,
        }
    }

    /// Judges games by these Laws.
    #[must_use]
    pub fn by_laws(self, laws: LawsOf) -> Arbiter {
        Arbiter { laws, ..self }
    }

    /// Lets a mate count only if it comes before the seventy-five-move rule ends the game, when
    /// it is asked what a player could still win. Finding that out may take the analyzer's budget
    /// of positions once more, and what the verdict has left of its time. Dead positions stay what
    /// they are: those without any mate.
    #[must_use]
    pub fn counting_moves(self) -> Arbiter {
        Arbiter {
            seventy_five: true,
            ..self
        }
    }

    /// The same arbiter, but counting what the rungs of the engine do from now on.
    #[must_use]
    pub fn counting(&self) -> Arbiter {
        let analyzer = self.analyzer.counting();
        Arbiter {
            analyzer,
            ..self.clone()
        }
    }

    /// What was counted since [`Arbiter::counting`].
    pub fn counts(&self) -> LadderStatistics {
        self.analyzer.statistics()
    }

    pub(crate) const fn analyzer(&self) -> &Analyzer {
        &self.analyzer
    }

    pub(crate) const fn rules(&self) -> Rules {
        self.rules
    }

    /// What is known of the mates of `winner` in the last position.
    pub(crate) fn mates(&self, record: &GameRecord, winner: Color) -> Mates {
        let finding = self.analyzer.decide(record.last(), winner);
        let budget = self.analyzer.budget().share(finding.elapsed, 1);
        self.counted(record, winner, finding, &budget)
    }

    fn counted(
        &self,
        record: &GameRecord,
        winner: Color,
        finding: Finding,
        budget: &Budget,
    ) -> Mates {
        if !self.seventy_five {
            return Mates::by_any_moves(finding);
        }
        let (position, clock) = (record.last(), record.clock(record.plies()));
        Mates::in_time(finding, &self.analyzer, position, clock, winner, budget)
    }

    /// What the fall of `flag`'s flag means in the last position, where the game isn't over;
    /// with what may be `known` of the opponent's mates.
    pub(crate) fn fall(
        &self,
        record: &GameRecord,
        laws: Laws,
        flag: Color,
        known: Option<Mates>,
    ) -> FlagFall {
        match self.rules {
            Rules::Fide if !laws.know_dead_positions() => FlagFall::by_men(flag, record.last()),
            Rules::Fide => {
                let mates = known.unwrap_or_else(|| self.mates(record, !flag));
                FlagFall::by_fide(flag, mates)
            }
            Rules::Uscf => FlagFall::by_us_chess(flag, record.last()),
        }
    }

    /// Everything about a game, ply by ply.
    pub fn report(&self, game: &Game<'_>) -> GameReport {
        let record = &game.record;
        let judge = self.judge(game);
        let laws = judge.laws;
        let plain = ends::plain_ends(record, laws);
        let adjudication = judge.adjudicate(&plain);
        let mut ends = plain.clone();
        let (mut death, mut undecided) = (None, false);
        match judge.ending(&plain) {
            Ending::By(end, found) => {
                if found.is_some() {
                    ends.insert(0, end);
                }
                death = found;
            }
            Ending::Open => {}
            Ending::Undecided => undecided = true,
        }
        let over = ends.first().map_or(record.plies() + 1, |end| end.plies);
        let ended_before = over < record.plies();
        let last = (!ended_before).then(|| self.analyzer.report(record.last()));
        let open = last.as_ref().filter(|_| ends.is_empty());
        let flags = open.map(|report| {
            let clock = record.clock(record.plies());
            let findings = [&report.white, &report.black];
            let open = |finding: &&&Finding| !is_settled(&finding.verdict, clock);
            let searches = findings.iter().filter(open).count() as u32;
            let spent = findings.iter().map(|finding| finding.elapsed).sum();
            let budget = self.analyzer.budget().share(spent, searches);
            Color::ALL.map(|flag| {
                let finding = flag.fold_wb(&report.black, &report.white);
                let mates = self.counted(record, !flag, finding.clone(), &budget);
                self.fall(record, laws, flag, Some(mates))
            })
        });
        GameReport {
            laws,
            claims: claims::claims(record, over, laws),
            ends,
            death,
            undecided,
            last,
            flags,
            adjudication,
        }
    }

    /// How the game ended by itself, if it did and a budget doesn't end before that is known; and
    /// the draws that players could have claimed until then.
    pub fn draws(&self, game: &Game<'_>) -> (Option<GameEnd>, Vec<Claim>) {
        let judge = self.judge(game);
        let plain = ends::plain_ends(&game.record, judge.laws);
        let end = match judge.ending(&plain) {
            Ending::By(end, _) => Some(end),
            Ending::Open | Ending::Undecided => None,
        };
        let positions = end.map_or(game.record.plies() + 1, |end| end.plies);
        (end, claims::claims(&game.record, positions, judge.laws))
    }

    /// The recorded result beside what the Laws make of the game; the quick way when nothing
    /// else is wanted.
    pub fn adjudicate(&self, game: &Game<'_>) -> Adjudication {
        let judge = self.judge(game);
        let plain = ends::plain_ends(&game.record, judge.laws);
        judge.adjudicate(&plain)
    }

    fn judge<'a, 'g>(&'a self, game: &'a Game<'g>) -> Judge<'a, 'g> {
        Judge {
            arbiter: self,
            game,
            laws: Laws::of(game, self.laws),
        }
    }
}
