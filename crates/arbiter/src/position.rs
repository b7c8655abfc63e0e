//! What the Laws say of a position whose game is not known.

use std::fmt;

use stillmate_core::{Color, Position, color_name};

use crate::{EndRule, FlagFall, Mates, Outcome, Reason, Rules, flags::us_chess};

/// A position, and what is known of the mates of each colour.
#[derive(Clone, Copy, Debug)]
pub struct PositionLaws<'a> {
    /// The position.
    pub position: &'a Position,
    /// What is known of White's mates; `None` if it was not asked.
    pub white: Option<&'a Mates>,
    /// What is known of Black's mates; `None` if it was not asked.
    pub black: Option<&'a Mates>,
    /// Whose Laws decide what a fallen flag means.
    pub rules: Rules,
}

/// An article that applies to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Article {
    /// The game is over, or, by 9.6.2, will be before a mate can come.
    Ends(EndRule),
    /// If this colour's flag falls the game is drawn; by the article named.
    FlagDraw(Color, &'static str),
}

impl PositionLaws<'_> {
    fn mates(&self, color: Color) -> Option<&Mates> {
        color.fold_wb(self.white, self.black)
    }

    /// Whether `color` can mate, as far as that is known.
    pub fn can_mate(&self, color: Color) -> Option<bool> {
        self.mates(color)?.possible()
    }

    /// Whether neither colour can mate, as far as that is known.
    pub fn dead(&self) -> Option<bool> {
        match Color::ALL.map(|color| self.can_mate(color)) {
            [Some(true), _] | [_, Some(true)] => Some(false),
            [Some(false), Some(false)] => Some(true),
            _ => None,
        }
    }

    /// Whether `color` could mate if the seventy-five-move rule didn't end the game first.
    pub fn too_late(&self, color: Color) -> bool {
        self.mates(color).is_some_and(|mates| mates.too_late)
    }

    /// The rule that has ended the game, if one has.
    fn over(&self) -> Option<EndRule> {
        if self.position.is_checkmate() {
            return Some(EndRule::Checkmate(!self.position.turn()));
        }
        if self.position.is_stalemate() {
            return Some(EndRule::Stalemate);
        }
        let late = Color::ALL.into_iter().any(|color| self.too_late(color));
        (self.dead() == Some(true) && !late).then_some(EndRule::Dead)
    }

    /// What becomes of the game if `flag`'s flag falls.
    pub fn fall(&self, flag: Color) -> FlagFall {
        let reason = match (self.over(), self.rules, self.mates(!flag)) {
            (Some(rule), _, _) => Reason::Over(rule),
            (None, Rules::Fide, Some(mates)) => Reason::Fide(mates.clone()),
            (None, Rules::Fide, None) => Reason::NotAsked,
            (None, Rules::Uscf, _) => match us_chess(self.position, flag) {
                // Only in a position that isn't dead does material decide.
                Reason::EnoughMaterial if self.dead().is_none() => Reason::NotAsked,
                reason => reason,
            },
        };
        FlagFall { flag, reason }
    }

    /// The article that applies to the position, if one is known to.
    pub fn article(&self) -> Option<Article> {
        if let Some(rule) = self.over() {
            return Some(Article::Ends(rule));
        }
        if self.dead() == Some(true) {
            return Some(Article::Ends(EndRule::SeventyFive));
        }
        let falls = Color::ALL.into_iter().map(|flag| self.fall(flag));
        let draw = falls
            .into_iter()
            .find(|fall| fall.outcome() == Outcome::Draw)?;
        Some(Article::FlagDraw(draw.flag, draw.article()))
    }
}

/// The article, and on what it depends.
impl fmt::Display for Article {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Article::Ends(rule) => f.write_str(rule.article()),
            Article::FlagDraw(color, article) => {
                write!(f, "{article} if {}'s flag falls", color_name(*color))
            }
        }
    }
}
