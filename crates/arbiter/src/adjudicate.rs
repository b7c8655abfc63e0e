//! Verdicts on recorded results, and what they rest on.

use stillmate_core::{Color, color_name as name};

use crate::{
    Claim, Death, EndRule, FlagFall, GameEnd, GameRecord, Ground, Laws, Mates, Outcome, Statement,
    Termination, flags::drawn_elsewhere,
};

/// What became of comparing a result with the Laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ResultVerdict {
    /// The result is right, or nothing speaks against it.
    Stands,
    /// The result contradicts the Laws, or what it is said to rest on isn't so.
    Wrong,
    /// There is no result, though the Laws give one.
    Unscored,
    /// Moves, clocks and words don't decide what the result should be.
    Unjudged,
    /// A budget ended before the engine decided what the result depends on.
    Undetermined,
}

impl ResultVerdict {
    /// One word, for programs.
    pub const fn name(self) -> &'static str {
        match self {
            ResultVerdict::Stands => "stands",
            ResultVerdict::Wrong => "wrong",
            ResultVerdict::Unscored => "unscored",
            ResultVerdict::Unjudged => "unjudged",
            ResultVerdict::Undetermined => "undetermined",
        }
    }
}

/// A verdict on a result, and why.
#[derive(Clone, Debug)]
pub struct Adjudication {
    /// What became of the comparison.
    pub verdict: ResultVerdict,
    /// The result by the Laws, where it is known.
    pub should: Option<Outcome>,
    /// What it rests on.
    pub basis: Basis,
    /// The Laws by which the game is judged.
    pub laws: Laws,
}

/// What the result of a game rests on.
#[derive(Clone, Debug)]
pub enum Basis {
    /// The game ended by itself; with the proof if the position was dead.
    Ended(GameEnd, Option<Box<Death>>),
    /// A flag fell.
    Flag(FlagFall, FlagEvidence),
    /// One of the flags fell, or may have fallen: what would follow from White's and from
    /// Black's.
    EitherFlag(Box<[FlagFall; 2]>, FlagEvidence),
    /// Both flags fell; a draw by Guideline III.3.1.2, in the last period of a game.
    BothFlags,
    /// The other player resigned, 5.1.2.
    Resigned {
        /// Who won.
        winner: Color,
        /// What is known of this player's mates, if that was looked at.
        mates: Option<Mates>,
        /// Whether the record says so; else it is assumed.
        said: bool,
    },
    /// The players agreed on a draw, 5.2.3.
    Agreed {
        /// Whether the record says so; else it is assumed.
        said: bool,
    },
    /// A draw could be claimed in the last position.
    Claimed(Claim),
    /// The opponent of this player broke a rule, 7.5.5, by what the record says; with what is
    /// known of this player's mates.
    Infraction(Statement, Color, Mates),
    /// The record names a reason for the end that isn't on the board.
    Unfounded(Statement),
    /// The record names a reason that contradicts the result.
    Contradiction(Statement, Outcome),
    /// No game was played; with what the record says of it.
    NotPlayed(Option<String>),
    /// The game was ended by something that moves and clocks don't show, or the words for it
    /// aren't understood.
    Outside(Statement),
    /// The result is one that only an arbiter can give.
    Score(Outcome),
    /// The game wasn't finished.
    Unfinished,
    /// The record breaks off.
    Broken,
    /// What the result depends on was not decided.
    Undecided,
}

/// What tells whose flag fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagEvidence {
    /// The record says it in words.
    Words,
    /// The result says it: whoever lost.
    Result,
    /// A clock comment of zero says it.
    Clock,
    /// It was this player's turn, so that the other clock stood still.
    Turn,
    /// Nothing says it.
    Nothing,
}

impl Basis {
    /// The article of the Laws, where there is one.
    pub const fn article(&self) -> Option<&'static str> {
        match self {
            Basis::Ended(end, _) => Some(end.rule.article()),
            Basis::Flag(fall, _) => Some(fall.article()),
            Basis::EitherFlag(falls, _) => Some(falls[0].article()),
            Basis::BothFlags => Some("III.3.1.2"),
            Basis::Resigned { .. } => Some("5.1.2"),
            Basis::Agreed { .. } => Some("5.2.3"),
            Basis::Claimed(claim) => Some(claim.article()),
            Basis::Infraction(..) => Some("7.5.5"),
            Basis::Unfounded(said) => said.termination.article(),
            Basis::Contradiction(..)
            | Basis::NotPlayed(_)
            | Basis::Outside(_)
            | Basis::Score(_)
            | Basis::Unfinished
            | Basis::Broken
            | Basis::Undecided => None,
        }
    }
}

impl Adjudication {
    /// The position that decides, by the plies before it.
    pub fn plies(&self, record: &GameRecord) -> usize {
        match &self.basis {
            Basis::Ended(end, _) => end.plies,
            _ => record.plies(),
        }
    }

    /// The verdict's grounds in a sentence without its full stop. Moves are named as in
    /// `record`.
    pub fn reason(&self, record: &GameRecord) -> String {
        match &self.basis {
            Basis::Ended(end, death) => ended(record, *end, death.as_deref()),
            Basis::Flag(fall, evidence) => {
                let drawn = self.verdict == ResultVerdict::Wrong && self.recorded_draw();
                flag(fall, *evidence) + &elsewhere(record, drawn.then_some(fall.flag).as_slice())
            }
            Basis::EitherFlag(falls, evidence) => self.either_flag(record, falls, *evidence),
            Basis::BothFlags => "both flags fell".to_owned(),
            Basis::Resigned {
                winner,
                mates: Some(mates),
                said,
            } if self.should == Some(Outcome::Draw) => format!(
                "{} {}, so that even a resignation makes a draw{}",
                name(*winner),
                mates.impossible(),
                if *said {
                    ""
                } else {
                    "; the record doesn't say how the game ended"
                }
            ),
            Basis::Resigned { winner, said, .. } if *said => [name(!*winner), " resigned"].concat(),
            Basis::Resigned { winner, .. } => {
                ["taken as a resignation of ", name(!*winner)].concat()
            }
            Basis::Agreed { said: true } => "the players agreed".to_owned(),
            Basis::Agreed { said: false } => "taken as agreed".to_owned(),
            Basis::Claimed(claim) => format!(
                "{} could claim {}",
                name(claim.player),
                match claim.ground {
                    Ground::Threefold => "a threefold repetition",
                    Ground::Fifty => "fifty moves without a capture or pawn move",
                }
            ),
            Basis::Infraction(said, winner, mates) => format!(
                "{}, and {} {}",
                says(said),
                name(*winner),
                mates.impossible()
            ),
            Basis::Unfounded(said) => denial(said, record),
            Basis::Contradiction(said, result) => {
                format!("{}, and the result is {result}", says(said))
            }
            Basis::NotPlayed(None) => "the game was not played".to_owned(),
            Basis::NotPlayed(Some(words)) => {
                format!("the game was not played: the record says {}", quoted(words))
            }
            Basis::Outside(said) => says(said),
            Basis::Score(_) => "only an arbiter can give this result".to_owned(),
            Basis::Unfinished => "the game was not finished".to_owned(),
            Basis::Broken => "the record breaks off".to_owned(),
            Basis::Undecided => "a budget ended before it was decided who can mate".to_owned(),
        }
    }

    /// Whether the record has a draw where the Laws give a win.
    fn recorded_draw(&self) -> bool {
        matches!(
            (&self.basis, self.should),
            (Basis::Flag(fall, _), Some(Outcome::Wins(winner))) if winner != fall.flag
        )
    }

    fn either_flag(
        &self,
        record: &GameRecord,
        falls: &[FlagFall; 2],
        evidence: FlagEvidence,
    ) -> String {
        let [white, black] = falls;
        if self.verdict == ResultVerdict::Wrong {
            let flags = Color::ALL;
            return format!(
                "whoever's flag fell, the opponent could win: {white}, and {black}{}",
                elsewhere(record, &flags)
            );
        }
        let what = match evidence {
            FlagEvidence::Clock => {
                "a clock comment shows zero, which alone doesn't say that a flag fell"
            }
            _ => "a flag fell, and it is not recorded whose",
        };
        let follows =
            |fall: &FlagFall| format!("if {}'s fell, {}: {fall}", name(fall.flag), fall.outcome());
        format!("{what}; {}; {}", follows(white), follows(black))
    }
}

/// Whose rules give a draw after the fall of one of these flags, in words that follow a reason.
fn elsewhere(record: &GameRecord, flags: &[Color]) -> String {
    let mut rules: Vec<&str> = Vec::new();
    for &flag in flags {
        for rule in drawn_elsewhere(record.last(), flag) {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
    }
    match rules.as_slice() {
        [] => String::new(),
        rules => format!("; a draw only by the rules of {}", rules.join(", ")),
    }
}

/// What the record says, with its words.
fn says(said: &Statement) -> String {
    match &said.words {
        Some(words) => format!("the record says {}", quoted(words)),
        None => "the record does not say how the game ended".to_owned(),
    }
}

fn quoted(words: &str) -> String {
    format!("'{}'", words.trim())
}

/// What is to be said if what the record says isn't so.
fn denial(said: &Statement, record: &GameRecord) -> String {
    let why = match said.termination {
        Termination::Checkmate(_) => "it is not checkmate".to_owned(),
        Termination::Stalemate => "it is not stalemate".to_owned(),
        Termination::Repetition => "no position is on the board for the third time".to_owned(),
        Termination::MoveCount => {
            let clock = record.clock(record.plies());
            let quiet = match clock {
                0 => "the last move was a capture or pawn move".to_owned(),
                1 => "only 1 move was made without a capture or pawn move".to_owned(),
                _ => format!("only {clock} moves were made without a capture or pawn move"),
            };
            format!("{quiet}; a claim takes 50 by each player, 100 in all")
        }
        Termination::Material => "a player can still mate".to_owned(),
        Termination::Resigned(_) => "a resignation makes no draw here".to_owned(),
        _ => "the record gives another reason".to_owned(),
    };
    format!("{}, and {why}", says(said))
}

fn ended(record: &GameRecord, end: GameEnd, death: Option<&Death>) -> String {
    let what = match end.rule {
        EndRule::Checkmate(_) => "checkmate",
        EndRule::Stalemate => "stalemate",
        EndRule::Dead => "the position is dead",
        EndRule::Fivefold => "the position is on the board for the fifth time",
        EndRule::SeventyFive => "75 moves without a capture or pawn move",
    };
    let since = match death {
        Some(death) if !death.first => " at the latest",
        _ => "",
    };
    let place = match end.plies {
        0 => "from the first position on".to_owned(),
        plies => ["after ", &record.label(plies)].concat(),
    };
    let left = record.plies() - end.plies;
    let more = match left {
        0 => String::new(),
        1 => "; 1 move was played after the end".to_owned(),
        _ => format!("; {left} moves were played after the end"),
    };
    [what, " ", &place, since, &more].concat()
}

fn flag(fall: &FlagFall, told: FlagEvidence) -> String {
    let player = name(fall.flag);
    let [before, player, after] = match told {
        FlagEvidence::Words | FlagEvidence::Result => ["", player, "'s flag fell"],
        FlagEvidence::Clock => ["", player, "'s clock shows zero in the comments"],
        FlagEvidence::Turn => ["the flag fell with ", player, " to move"],
        FlagEvidence::Nothing => ["a flag fell and it is not recorded whose", "", ""],
    };
    [before, player, after, ", and ", &fall.to_string()].concat()
}
