//! How a game ended by its record: the Termination tag, remarks on the result, the clocks.
//!
//! Understands the words of the PGN standard and of lichess, chess.com and FICS.

use memchr::memmem;
use stillmate_core::Color;

use crate::pgn::Game;

/// How a record says that the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// Nothing is said, or "normal".
    Normal,
    /// A flag fell; whose, if that is said.
    Time(Option<Color>),
    /// Both flags fell.
    BothFlags,
    /// A player resigned.
    Resigned,
    /// The players agreed on a draw.
    Agreed,
    /// Mate on the board.
    Checkmate,
    /// Stalemate on the board.
    Stalemate,
    /// A position was on the board three or five times.
    Repetition,
    /// Fifty or seventy-five moves without a capture or pawn move.
    MoveCount,
    /// Nobody has the men to mate.
    Material,
    /// Something that moves and clocks don't show: a game given up by walking away or losing
    /// the connection, an adjudication, a penalty, an emergency.
    Outside,
    /// The game wasn't finished.
    Unfinished,
}

impl Termination {
    /// What the record of `game` says. The tag goes before remarks, and these before clocks.
    pub fn of(game: &Game<'_>) -> Termination {
        let tag = game.tags.get("Termination");
        match tag.as_deref() {
            // What most games say, without a search for words.
            Some("Normal") => return Termination::Normal,
            Some("Time forfeit") => return Termination::Time(None),
            _ => {}
        }
        let players = Players::of(game);
        if let Some(termination) = tag.and_then(|tag| read(&tag, &players)) {
            return termination;
        }
        let end = game.record.plies();
        let remarks = game.remarks.iter().rev();
        let last = remarks.take_while(|(plies, _)| *plies == end);
        let mut told = last.filter_map(|(_, text)| remark_on_result(text, &players));
        told.next().unwrap_or_else(|| by_clocks(game))
    }
}

impl Termination {
    /// The article of the Laws for a game that ended like this.
    pub const fn article(self) -> Option<&'static str> {
        match self {
            Termination::Time(_) => Some("6.9"),
            Termination::BothFlags => Some("III.3.1.2"),
            Termination::Resigned => Some("5.1.2"),
            Termination::Agreed => Some("5.2.3"),
            Termination::Checkmate => Some("5.1.1"),
            Termination::Stalemate => Some("5.2.1"),
            Termination::Repetition => Some("9.2"),
            Termination::MoveCount => Some("9.3"),
            Termination::Material => Some("5.2.2"),
            Termination::Normal | Termination::Outside | Termination::Unfinished => None,
        }
    }

    /// What is to be said if it isn't so.
    pub const fn denial(self) -> &'static str {
        match self {
            Termination::Checkmate => "the record says checkmate, and it is none",
            Termination::Stalemate => "the record says stalemate, and it is none",
            Termination::Repetition => {
                "the record says repetition, and no position is on the board for the third time"
            }
            Termination::MoveCount => {
                "the record says fifty moves, and a pawn moved or a man was taken since"
            }
            Termination::Material => {
                "the record says that nobody has the men to mate, and somebody can mate"
            }
            Termination::Agreed => "the record says agreement, which makes a draw",
            Termination::Resigned => "the record says resignation, which makes no draw",
            Termination::Normal
            | Termination::Time(_)
            | Termination::BothFlags
            | Termination::Outside
            | Termination::Unfinished => "the record gives another reason",
        }
    }
}

/// What clock comments of zero say. A record in which a clock is never anything else doesn't
/// know the times.
fn by_clocks(game: &Game<'_>) -> Termination {
    let fell = Color::ALL.map(|color| {
        let mut clocks = clocks(game, color);
        clocks.next() == Some(0.0) && clocks.next().is_some_and(|before| before > 0.0)
    });
    match fell {
        [true, true] => Termination::BothFlags,
        [true, false] => Termination::Time(Some(Color::White)),
        [false, true] => Termination::Time(Some(Color::Black)),
        [false, false] => Termination::Normal,
    }
}

/// The clocks of `color` in seconds, as the comments on its moves have them; the last first.
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
        let mut parts = time.split(':').map(|part| part.parse::<f64>().ok());
        parts.try_fold(0.0, |seconds, part| Some(seconds * 60.0 + part?))
    })
}

/// The names by which the players are spoken of.
struct Players([Option<String>; 2]);

impl Players {
    fn of(game: &Game<'_>) -> Players {
        let name = |tag| Some(game.tags.get(tag)?.to_lowercase());
        Players([name("White"), name("Black")])
    }

    /// The player whom a lower-case sentence begins with.
    fn subject(&self, sentence: &str) -> Option<Color> {
        let begins = |name: &str| {
            let rest = sentence.strip_prefix(name);
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        let [white, black] = &self.0;
        let named = |name: &Option<String>| name.as_deref().is_some_and(begins);
        match (named(white), named(black)) {
            (true, false) => Some(Color::White),
            (false, true) => Some(Color::Black),
            _ if begins("white") => Some(Color::White),
            _ if begins("black") => Some(Color::Black),
            _ => None,
        }
    }
}

/// What the words of a Termination tag say, if they are understood.
fn read(text: &str, players: &Players) -> Option<Termination> {
    let text = text.trim().to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let time = has(&[
        "on time",
        "time forfeit",
        "timeout",
        "time out",
        "out of time",
        "flag",
    ]);
    Some(if time && has(&["both"]) {
        Termination::BothFlags
    } else if time {
        Termination::Time(flagged(&text, players))
    } else if has(&["stalemate"]) {
        Termination::Stalemate
    } else if has(&["checkmate"]) {
        Termination::Checkmate
    } else if has(&["repetition", "threefold", "fivefold"]) {
        Termination::Repetition
    } else if has(&[
        "50 move", "50-move", "fifty", "75 move", "75-move", "seventy",
    ]) {
        Termination::MoveCount
    } else if has(&["insufficient", "mating material", "dead position"]) {
        Termination::Material
    } else if has(&["agree"]) {
        Termination::Agreed
    } else if has(&["resign"]) {
        Termination::Resigned
    } else if has(&["unterminated", "adjourned", "aborted", "in progress"]) {
        Termination::Unfinished
    } else if has(&[
        "abandon",
        "adjudicat",
        "infraction",
        "death",
        "emergency",
        "disconnect",
        "forfeit",
        "connection",
        "cheat",
        "violation",
        "walkover",
    ]) {
        Termination::Outside
    } else if has(&["normal"]) {
        Termination::Normal
    } else {
        return None;
    })
}

/// Whose flag fell, by a lower-case sentence such as "black ran out of time" or "Ann won on
/// time".
fn flagged(sentence: &str, players: &Players) -> Option<Color> {
    let subject = players.subject(sentence)?;
    let won = sentence.contains(" won") || sentence.contains(" wins");
    Some(if won { !subject } else { subject })
}

/// What a remark says if it is a server's sentence on the result, such as "White forfeits on
/// time" or "Game drawn by repetition". What people write about a game is left alone.
fn remark_on_result(text: &[u8], players: &Players) -> Option<Termination> {
    const LONGEST: usize = 80;
    let text = std::str::from_utf8(text).ok()?.trim().to_lowercase();
    let sentence = text.trim_end_matches('.');
    let draws = ["game drawn", "game was drawn", "draw by", "neither player"];
    let verbs = [
        "forfeits",
        "ran out",
        "wins",
        "won",
        "lost on",
        "loses on",
        "time out",
        "resigns",
        "checkmated",
    ];
    let said = match players.subject(sentence) {
        Some(_) => verbs.iter().any(|verb| sentence.contains(verb)),
        None => draws.iter().any(|draw| sentence.starts_with(draw)),
    };
    (said && sentence.len() <= LONGEST)
        .then(|| read(sentence, players))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Termination = Termination::Time(Some(Color::White));
    const BLACK: Termination = Termination::Time(Some(Color::Black));

    fn players() -> Players {
        Players([Some("ann".to_owned()), Some("anneliese".to_owned())])
    }

    #[test]
    fn termination_tags_are_understood() {
        for (text, termination) in [
            ("Time forfeit", Termination::Time(None)),
            ("time forfeit", Termination::Time(None)),
            ("Normal", Termination::Normal),
            ("Abandoned", Termination::Outside),
            ("Rules infraction", Termination::Outside),
            ("Unterminated", Termination::Unfinished),
            ("Ann won on time", BLACK),
            ("Anneliese won on time", WHITE),
            ("Anneliese won by resignation", Termination::Resigned),
            ("Ann won by checkmate", Termination::Checkmate),
            ("Ann won - game abandoned", Termination::Outside),
            (
                "Game drawn by timeout vs insufficient material",
                Termination::Time(None),
            ),
            ("Game drawn by insufficient material", Termination::Material),
            ("Game drawn by agreement", Termination::Agreed),
            ("Game drawn by repetition", Termination::Repetition),
            ("Game drawn by stalemate", Termination::Stalemate),
            ("Game drawn by 50-move rule", Termination::MoveCount),
        ] {
            assert_eq!(read(text, &players()), Some(termination), "{text}");
        }
        assert_eq!(read("whatever", &players()), None);
    }

    #[test]
    fn remarks_of_servers_are_understood() {
        for (text, termination) in [
            ("White forfeits on time", WHITE),
            (" Black wins on time. ", WHITE),
            (
                "White ran out of time and Black has no material to mate",
                WHITE,
            ),
            (
                "Game drawn because both players ran out of time",
                Termination::BothFlags,
            ),
            ("Neither player has mating material", Termination::Material),
            ("Game drawn by the 50 move rule", Termination::MoveCount),
            ("Black checkmated", Termination::Checkmate),
            ("Anneliese resigns", Termination::Resigned),
            ("Black forfeits by disconnection", Termination::Outside),
            ("Game drawn by mutual agreement", Termination::Agreed),
        ] {
            let found = remark_on_result(text.as_bytes(), &players());
            assert_eq!(found, Some(termination), "{text}");
        }
    }

    #[test]
    fn what_people_write_says_nothing() {
        for text in [
            "and stalemate is near",
            "White could still win on time here, but Black had other ideas, as he told me later",
            "A draw by repetition would have been fair",
            "Blackburne wins on time",
            "time",
        ] {
            let found = remark_on_result(text.as_bytes(), &players());
            assert_eq!(found, None, "{text}");
        }
    }
}
