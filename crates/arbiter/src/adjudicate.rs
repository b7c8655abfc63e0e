//! Verdicts on recorded results, and what they rest on.

use stillmate_core::{Color, color_name as name};

use crate::{
    Claim, Death, EndRule, FlagFall, GameEnd, GameRecord, Ground, Mates, Outcome, Termination,
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
}

/// What the result of a game rests on.
#[derive(Clone, Debug)]
pub enum Basis {
    /// The game ended by itself; with the proof if the position was dead.
    Ended(GameEnd, Option<Box<Death>>),
    /// A flag fell.
    Flag(FlagFall, FlagEvidence),
    /// Both flags fell; a draw by Guideline III.3.1.2, in the last period of a game.
    BothFlags,
    /// The other player resigned, 5.1.2; with what is known of this winner's mates, if that
    /// was looked at.
    Resigned(Color, Option<Mates>),
    /// The players agreed on a draw, 5.2.3.
    Agreed,
    /// A draw could be claimed in the last position.
    Claimed(Claim),
    /// The record names a reason for the end that isn't on the board.
    Unfounded(Termination),
    /// The game was ended by something that moves and clocks don't show.
    Outside,
    /// The game wasn't finished.
    Unfinished,
    /// The record breaks off.
    Broken,
    /// Whether the position is dead was not decided.
    Undecided,
}

/// Where it is told whose flag fell.
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
    /// Nothing says it: both flags are possible and would give different results.
    Nothing,
}

impl Basis {
    /// The article of the Laws, where there is one.
    pub const fn article(&self) -> Option<&'static str> {
        match self {
            Basis::Ended(end, _) => Some(end.rule.article()),
            Basis::Flag(fall, _) => Some(fall.article()),
            Basis::BothFlags => Some("III.3.1.2"),
            Basis::Resigned(..) => Some("5.1.2"),
            Basis::Agreed => Some("5.2.3"),
            Basis::Claimed(claim) => Some(claim.article()),
            Basis::Unfounded(termination) => termination.article(),
            Basis::Outside | Basis::Unfinished | Basis::Broken | Basis::Undecided => None,
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
            Basis::Flag(fall, told) => flag(fall, *told),
            Basis::BothFlags => "both flags fell".to_owned(),
            Basis::Resigned(winner, Some(mates)) if self.should == Some(Outcome::Draw) => format!(
                "{} {}, so that even a resignation makes a draw",
                name(*winner),
                mates.impossible()
            ),
            Basis::Resigned(winner, _) => [name(!*winner), " resigned"].concat(),
            Basis::Agreed => "the players agreed".to_owned(),
            Basis::Claimed(claim) => format!(
                "{} could claim {}",
                name(claim.player),
                match claim.ground {
                    Ground::Threefold => "a threefold repetition",
                    Ground::Fifty => "fifty moves without a capture or pawn move",
                }
            ),
            Basis::Unfounded(termination) => termination.denial().to_owned(),
            Basis::Outside => "the record names a reason that moves do not show".to_owned(),
            Basis::Unfinished => "the game was not finished".to_owned(),
            Basis::Broken => "the record breaks off".to_owned(),
            Basis::Undecided => "a budget ended before it was decided who can mate".to_owned(),
        }
    }
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
        FlagEvidence::Clock => ["", player, "'s flag fell by the clock comments"],
        FlagEvidence::Turn => ["the flag fell with ", player, " to move"],
        FlagEvidence::Nothing => ["a flag fell and it is not recorded whose", "", ""],
    };
    [before, player, after, ", and ", &fall.to_string()].concat()
}
