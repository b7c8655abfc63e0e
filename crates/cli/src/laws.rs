//! What the FIDE Laws of Chess say of an answer.

use std::fmt;

use stillmate_core::Color;

use crate::answer::Answer;

/// An article of the Laws that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// 5.1.1: this colour has checkmated.
    Checkmate(Color),
    /// 5.2.1: stalemate.
    Stalemate,
    /// 5.2.2: dead position.
    Dead,
    /// 9.6.2: the moves without a capture or pawn move have ended the game, or will before
    /// anybody can mate; only where that is asked for.
    SeventyFive,
    /// 6.9, if this colour's flag falls: the opponent can't mate, so the game is drawn.
    FlagDraw(Color),
}

impl Rule {
    /// The rule that applies to the position of `answer`, if one is known to.
    pub(crate) fn of(answer: &Answer) -> Option<Rule> {
        let position = answer.record.position();
        if position.is_checkmate() {
            return Some(Rule::Checkmate(!position.turn()));
        }
        if position.is_stalemate() {
            return Some(Rule::Stalemate);
        }
        if answer.dead() == Some(true) {
            let late = Color::ALL.into_iter().any(|color| answer.too_late(color));
            return Some(if late { Rule::SeventyFive } else { Rule::Dead });
        }
        let draws = |flag: &Color| answer.can_mate(!*flag) == Some(false);
        Color::ALL.into_iter().find(draws).map(Rule::FlagDraw)
    }

    /// The rule if it has ended the game.
    fn ends_game(self) -> bool {
        !matches!(self, Rule::FlagDraw(_) | Rule::SeventyFive)
    }

    /// The number of the article.
    pub(crate) const fn article(self) -> &'static str {
        match self {
            Rule::Checkmate(_) => "5.1.1",
            Rule::Stalemate => "5.2.1",
            Rule::Dead => "5.2.2",
            Rule::SeventyFive => "9.6.2",
            Rule::FlagDraw(_) => "6.9",
        }
    }
}

/// The article, and on what it depends.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::FlagDraw(color) => {
                write!(f, "{} if {}'s flag falls", self.article(), name(*color))
            }
            _ => f.write_str(self.article()),
        }
    }
}

/// How a game ends when a flag falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ruling {
    /// Whose flag falls.
    pub(crate) flag: Color,
    /// Who wins, `None` for a draw; nothing if that isn't known.
    pub(crate) outcome: Option<Option<Color>>,
    /// The rule that had ended the game before, if one had.
    over: Option<Rule>,
    /// Whether the opponent could mate but for the seventy-five-move rule.
    late: bool,
}

impl Ruling {
    /// What becomes of the game in `answer` if `flag`'s flag falls.
    pub(crate) fn on(answer: &Answer, flag: Color) -> Ruling {
        let over = Rule::of(answer).filter(|rule| rule.ends_game());
        let outcome = match over {
            Some(Rule::Checkmate(winner)) => Some(Some(winner)),
            Some(_) => Some(None),
            None => answer
                .can_mate(!flag)
                .map(|can_mate| can_mate.then_some(!flag)),
        };
        Ruling {
            flag,
            outcome,
            over,
            late: answer.too_late(!flag),
        }
    }

    /// The result as in PGN, `*` if it isn't known.
    pub(crate) const fn result(&self) -> &'static str {
        match self.outcome {
            Some(Some(Color::White)) => "1-0",
            Some(Some(Color::Black)) => "0-1",
            Some(None) => "1/2-1/2",
            None => "*",
        }
    }

    /// The number of the article that decides.
    pub(crate) fn article(&self) -> &'static str {
        self.over.map_or("6.9", Rule::article)
    }

    /// Why, in words.
    pub(crate) fn reason(&self) -> String {
        let opponent = name(!self.flag);
        match (self.over, self.outcome) {
            (Some(Rule::Checkmate(winner)), _) => {
                format!("the game is over, {} has checkmated", name(winner))
            }
            (Some(Rule::Stalemate), _) => "the game is over, it is stalemate".to_owned(),
            (Some(_), _) => "the game is over, the position is dead".to_owned(),
            (None, Some(Some(_))) => format!("{opponent} can still checkmate"),
            (None, Some(None)) if self.late => {
                format!(
                    "{opponent} cannot checkmate before the seventy-five-move rule ends the game"
                )
            }
            (None, Some(None)) => {
                format!("{opponent} cannot checkmate by any possible series of legal moves")
            }
            (None, None) => format!("it is not known whether {opponent} can still checkmate"),
        }
    }
}

/// Who wins or that nobody does, by which article and why.
impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.outcome {
            Some(Some(winner)) => write!(f, "{} wins", name(winner))?,
            Some(None) => f.write_str("draw")?,
            None => return write!(f, "undetermined: {}", self.reason()),
        }
        write!(f, " by {}: {}", self.article(), self.reason())
    }
}

/// A colour's name.
pub(crate) const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
