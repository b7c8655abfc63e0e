//! How a game ended by its record: the Termination tag, remarks on the result.
//!
//! Nothing is guessed. Words that [the table](crate::wordings) doesn't have are [`Unknown`], and
//! where there are none the record is [`Silent`].
//!
//! [`Unknown`]: Termination::Unknown
//! [`Silent`]: Termination::Silent

use memchr::memmem;
use stillmate_core::Color;

use crate::{
    Outcome,
    pgn::Game,
    wordings::{self, Players},
};

/// How a record says that the game ended. A player is named where the record names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// Nothing is said.
    Silent,
    /// In a normal way: which is not told.
    Normal,
    /// This player won: how is not told.
    Won(Option<Color>),
    /// A draw: how is not told.
    Drawn,
    /// The flag of this player fell.
    Time(Option<Color>),
    /// The flag of this player fell, and by somebody's rule the opponent's men didn't suffice.
    TimeDraw(Option<Color>),
    /// Both flags fell.
    BothFlags,
    /// This player resigned.
    Resigned(Option<Color>),
    /// The players agreed on a draw.
    Agreed,
    /// Mate on the board, by this player.
    Checkmate(Option<Color>),
    /// Stalemate on the board.
    Stalemate,
    /// A position was on the board three or five times.
    Repetition,
    /// Fifty or seventy-five moves without a capture or pawn move.
    MoveCount,
    /// Neither player has the men to mate.
    Material,
    /// This player made an illegal move.
    Illegal(Option<Color>),
    /// This player broke another rule.
    Infraction(Option<Color>),
    /// Something that moves and clocks don't show, to the disadvantage of this player: a game
    /// given up by walking away or losing the connection, an adjudication, an emergency.
    Outside(Option<Color>),
    /// No game was played, to the disadvantage of this player.
    Unplayed(Option<Color>),
    /// The game wasn't finished.
    Unfinished,
    /// Words that aren't understood, or say that the reason isn't known.
    Unknown,
}

/// What a record says of the end of its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What it means.
    pub termination: Termination,
    /// The words; `None` if there are none.
    pub words: Option<String>,
}

impl Statement {
    /// What the record of `game` says. Of several sayings the one that says most counts, of
    /// those that say as much the first: tags go before remarks.
    pub fn of(game: &Game<'_>) -> Statement {
        if let Some(mark) = game.forfeit {
            let loser = match Outcome::read_unplayed(mark) {
                Some(Outcome::Wins(winner)) => Some(!winner),
                _ => None,
            };
            return Statement {
                termination: Termination::Unplayed(loser),
                words: Some(String::from_utf8_lossy(mark).into_owned()),
            };
        }
        let mut best = Statement {
            termination: Termination::Silent,
            words: None,
        };
        let mut names = None;
        let mut consider = |text: &str, is_tag: bool| {
            let players = || Players::of(game);
            let read = match text {
                // What most games say, without a look at the table.
                "Normal" => Some(Termination::Normal),
                "Time forfeit" => Some(Termination::Time(None)),
                _ => wordings::read(text, names.get_or_insert_with(players)),
            };
            let understood = read.is_some();
            let termination = read.unwrap_or(Termination::Unknown);
            // What people write about a game that ended normally is about the game.
            if !understood && !is_tag && best.termination == Termination::Normal {
                return;
            }
            if termination.detail() > best.termination.detail() {
                best = Statement {
                    termination,
                    words: Some(text.to_owned()),
                };
            }
        };
        for tag in ["Termination", "TerminationDetails", "ICCResult"] {
            if let Some(text) = game.tags.get(tag) {
                consider(&text, true);
            }
        }
        let end = game.record.plies();
        let remarks = game.remarks.iter().rev();
        for (_, text) in remarks.take_while(|(plies, _)| *plies == end) {
            if let Some(words) = words_of(text) {
                consider(&words, false);
            }
        }
        best
    }
}

/// The words of a remark on the end of a game: without commands such as `[%clk 0:01:00]`. Longer
/// ones are about the game, and left alone.
fn words_of(remark: &[u8]) -> Option<String> {
    const LONGEST: usize = 200;
    let text = String::from_utf8_lossy(remark);
    let mut words = String::new();
    let mut rest = &*text;
    while let Some(at) = rest.find("[%") {
        words += &rest[..at];
        rest = rest[at..].split_once(']').map_or("", |(_, after)| after);
    }
    words += rest;
    let words = words.trim();
    (!words.is_empty() && words.len() <= LONGEST).then(|| words.to_owned())
}

impl Termination {
    /// How much it says: nothing, a kind of end that may be any of several, or one end.
    const fn detail(self) -> u8 {
        match self {
            Termination::Silent => 0,
            Termination::Normal => 1,
            Termination::Time(None)
            | Termination::Won(_)
            | Termination::Drawn
            | Termination::Outside(None)
            | Termination::Unknown => 2,
            _ => 3,
        }
    }

    /// The article of the Laws for a game that ended like this.
    pub const fn article(self) -> Option<&'static str> {
        match self {
            Termination::Time(_) | Termination::TimeDraw(_) => Some("6.9"),
            Termination::BothFlags => Some("III.3.1.2"),
            Termination::Resigned(_) => Some("5.1.2"),
            Termination::Agreed => Some("5.2.3"),
            Termination::Checkmate(_) => Some("5.1.1"),
            Termination::Stalemate => Some("5.2.1"),
            Termination::Repetition => Some("9.2"),
            Termination::MoveCount => Some("9.3"),
            Termination::Material => Some("5.2.2"),
            Termination::Illegal(_) | Termination::Infraction(_) => Some("7.5.5"),
            Termination::Silent
            | Termination::Normal
            | Termination::Won(_)
            | Termination::Drawn
            | Termination::Outside(_)
            | Termination::Unplayed(_)
            | Termination::Unfinished
            | Termination::Unknown => None,
        }
    }

    /// Whether a record can say this beside a result without contradicting itself.
    pub(crate) fn allows(self, result: Outcome) -> bool {
        let Outcome::Wins(winner) = result else {
            return match self {
                Termination::Won(_) => result != Outcome::Draw,
                Termination::Checkmate(_) => result == Outcome::Unknown,
                _ => true,
            };
        };
        match self {
            Termination::Won(Some(color)) | Termination::Checkmate(Some(color)) => color == winner,
            Termination::Time(Some(loser))
            | Termination::Resigned(Some(loser))
            | Termination::Illegal(Some(loser))
            | Termination::Infraction(Some(loser))
            | Termination::Outside(Some(loser))
            | Termination::Unplayed(Some(loser)) => loser != winner,
            Termination::Drawn
            | Termination::TimeDraw(_)
            | Termination::Agreed
            | Termination::Stalemate
            | Termination::Repetition
            | Termination::MoveCount
            | Termination::Material => false,
            _ => true,
        }
    }
}

/// The clocks of `color` in seconds, as the comments on its moves have them; the last first.
/// `[%clk 01:30]` is hours and minutes, and doesn't tell the seconds.
pub(crate) fn clocks(game: &Game<'_>, color: Color) -> impl Iterator<Item = f64> {
    let first = game.record.position(0).turn();
    game.remarks.iter().rev().filter_map(move |(plies, text)| {
        let mover = if plies % 2 == 1 { first } else { !first };
        if *plies == 0 || mover != color {
            return None;
        }
        let at = memmem::find(text, b"[%clk")?;
        let rest = std::str::from_utf8(&text[at + 5..]).ok()?;
        let time = rest.split(']').next()?.trim();
        let mut parts = time.split(':');
        let mut part = || parts.next().map(|part| part.parse::<f64>().ok());
        let (hours, minutes, seconds) = (part()??, part()??, part());
        // Somewhere in the minute that is told.
        let seconds = seconds.unwrap_or(Some(30.0))?;
        Some((hours * 60.0 + minutes) * 60.0 + seconds)
    })
}

/// Whether the last clock of `color` is zero and the one before wasn't. A record in which a clock
/// is never anything else doesn't know the times.
pub(crate) fn shows_zero(game: &Game<'_>, color: Color) -> bool {
    let mut clocks = clocks(game, color);
    clocks.next() == Some(0.0) && clocks.next().is_some_and(|before| before > 0.0)
}

impl Players {
    fn of(game: &Game<'_>) -> Players {
        let names = |tag| {
            let Some(name) = game.tags.get(tag) else {
                return Vec::new();
            };
            let name = name.to_lowercase();
            match name.split_once(',') {
                Some((last, first)) => {
                    let both = format!("{} {}", first.trim(), last.trim());
                    vec![name.clone(), last.trim().to_owned(), both]
                }
                None => vec![name],
            }
        };
        Players([names("White"), names("Black")])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_no_words() {
        let words = |text: &str| words_of(text.as_bytes());
        assert_eq!(words("[%clk 0:01:00]"), None);
        assert_eq!(
            words(" [%eval 0.2] [%clk 0:00:00] White resigns"),
            Some("White resigns".into())
        );
        assert_eq!(words("[%clk"), None);
        assert_eq!(words(&"so it goes ".repeat(20)), None);
    }
}
