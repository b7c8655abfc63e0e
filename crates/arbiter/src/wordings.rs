//! What the words mean by which records say how a game ended: the table in `wordings.tsv`.

use std::{collections::HashMap, sync::LazyLock};

use stillmate_core::Color;

use crate::Termination;

/// The table; its first lines say how it is read.
const TABLE: &str = include_str!("wordings.tsv");

/// The names by which the two players of a game are spoken of, White's first, in lower case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Players(pub(crate) [Vec<String>; 2]);

/// A player in a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Unnamed,
    Named,
    TheOther,
    Colour(Color),
}

/// What the words of a row mean.
type Meaning = fn(Option<Color>) -> Termination;

#[derive(Clone, Copy)]
struct Row {
    words: &'static str,
    meaning: Meaning,
    who: Who,
}

struct Table {
    /// Rows without placeholders.
    plain: HashMap<&'static str, Row>,
    /// Rows with placeholders.
    patterns: Vec<Row>,
    colours: Vec<(&'static str, Color)>,
}

static ROWS: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table {
        plain: HashMap::new(),
        patterns: Vec::new(),
        colours: Vec::new(),
    };
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let (words, meaning) = (columns.next(), columns.next());
        let (Some(words), Some(meaning)) = (words, meaning) else {
            panic!("{line:?} is no row of wordings.tsv");
        };
        let (kind, who) = meaning.split_once(' ').unwrap_or((meaning, ""));
        let who = match who {
            "" => Who::Unnamed,
            "p" => Who::Named,
            "-p" => Who::TheOther,
            "white" => Who::Colour(Color::White),
            "black" => Who::Colour(Color::Black),
            _ => panic!("{line:?} names no player"),
        };
        if let ("player", Who::Colour(color)) = (kind, who) {
            table.colours.push((words, color));
            continue;
        }
        let Some(meaning) = meaning_of(kind) else {
            panic!("{line:?} has no meaning");
        };
        let row = Row {
            words,
            meaning,
            who,
        };
        if words.contains('{') {
            table.patterns.push(row);
        } else {
            table.plain.insert(words, row);
        }
    }
    table
});

/// The meaning that a row names.
fn meaning_of(kind: &str) -> Option<Meaning> {
    Some(match kind {
        "normal" => |_| Termination::Normal,
        "nothing" => |_| Termination::Silent,
        "won" => Termination::Won,
        "drawn" => |_| Termination::Drawn,
        "time" => Termination::Time,
        "time-draw" => Termination::TimeDraw,
        "both-flags" => |_| Termination::BothFlags,
        "resigned" => Termination::Resigned,
        "agreed" => |_| Termination::Agreed,
        "mate" => Termination::Checkmate,
        "stalemate" => |_| Termination::Stalemate,
        "repetition" => |_| Termination::Repetition,
        "fifty" => |_| Termination::MoveCount,
        "material" => |_| Termination::Material,
        "illegal" => Termination::Illegal,
        "infraction" => Termination::Infraction,
        "outside" => Termination::Outside,
        "unplayed" => Termination::Unplayed,
        "unfinished" => |_| Termination::Unfinished,
        "unknown" => |_| Termination::Unknown,
        _ => return None,
    })
}

/// What the table says of `text`; `None` if it has no such words.
pub(crate) fn read(text: &str, players: &Players) -> Option<Termination> {
    let words = plain(text);
    if words.is_empty() {
        return Some(Termination::Silent);
    }
    let table = &*ROWS;
    if let Some(row) = table.plain.get(words.as_str()) {
        return Some((row.meaning)(row.who.color(None)));
    }
    table.patterns.iter().find_map(|row| {
        let mut named = Vec::new();
        fits(row.words, &words, players, None, &mut named);
        let &first = named.first()?;
        // Words that could be about either player name neither.
        let same = named.iter().all(|&color| color == first);
        let color = if same { row.who.color(first) } else { None };
        Some((row.meaning)(color))
    })
}

impl Who {
    fn color(self, named: Option<Color>) -> Option<Color> {
        match self {
            Who::Unnamed => None,
            Who::Named => named,
            Who::TheOther => named.map(|color| !color),
            Who::Colour(color) => Some(color),
        }
    }
}

/// Adds to `found` for each way in which `text` fits the pattern the player that is named by
/// `{p}`.
fn fits(
    pattern: &str,
    text: &str,
    players: &Players,
    named: Option<Color>,
    found: &mut Vec<Option<Color>>,
) {
    let Some((before, rest)) = pattern.split_once('{') else {
        if pattern == text {
            found.push(named);
        }
        return;
    };
    let Some(text) = text.strip_prefix(before) else {
        return;
    };
    let Some((name, rest)) = rest.split_once('}') else {
        return;
    };
    if name == "*" {
        let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        for at in ends.skip(1) {
            fits(rest, &text[at..], players, named, found);
        }
        return;
    }
    for color in Color::ALL {
        let index = usize::from(color.is_black());
        let words = ROWS.colours.iter().filter(|(_, of)| *of == color);
        let names = players.0[index].iter().map(String::as_str);
        for name_of in words.map(|(word, _)| *word).chain(names) {
            let Some(after) = text.strip_prefix(name_of) else {
                continue;
            };
            if after.starts_with(char::is_alphanumeric) {
                continue;
            }
            let named = if name == "p" { Some(color) } else { named };
            fits(rest, after, players, named, found);
        }
    }
}

/// Text as the table has it: in lower case, with single blanks, without what stands around it.
pub(crate) fn plain(text: &str) -> String {
    let lower = text.to_lowercase().replace('’', "'");
    let words: Vec<&str> = lower.split_whitespace().collect();
    let text = words.join(" ");
    let text = without_evaluation(&text);
    let text = without_players(text);
    let around = |c: char| ".!?;,\"".contains(c) || c.is_whitespace();
    let text = text.trim_matches(around);
    let inside = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'))
        .filter(|text| !text.contains(['(', ')']));
    inside.unwrap_or(text).trim_matches(around).to_owned()
}

/// Text without what an engine says of its last move before the words: `-8.11/24 5.0s, White
/// resigns`, or parts such as `d=25` and `n=1234`.
fn without_evaluation(text: &str) -> &str {
    let mut rest = text;
    loop {
        let (part, after) = match rest.split_once(", ") {
            Some((part, after)) => (part, after),
            None => (rest, ""),
        };
        if !is_data(part.trim()) {
            return rest;
        }
        if after.is_empty() {
            return "";
        }
        rest = after;
    }
}

/// Whether a part of a comment is an evaluation with depth and time, a number, or a named value.
fn is_data(part: &str) -> bool {
    let number = |word: &str| {
        let word = word.trim_start_matches(['+', '-', '#', 'm']);
        let word = word.trim_end_matches(['s', 'm', '%', 'k']);
        let signs = |c: char| c.is_ascii_digit() || ".:/+-m#".contains(c);
        word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(signs)
    };
    let value = |word: &str| {
        let named = word.split_once('=');
        named.is_some_and(|(name, _)| !name.is_empty() && name.chars().all(char::is_alphanumeric))
    };
    part.split(' ').all(|word| number(word) || value(word))
}

/// Text without the number and players of a game before the words, as FICS has them.
fn without_players(text: &str) -> &str {
    let rest = text.trim_start_matches('{').strip_prefix("game ");
    let rest = rest.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    match rest.and_then(|rest| rest.split_once(") ")) {
        Some((players, words)) if players.contains(" vs. ") => words,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players() -> Players {
        Players([vec!["ann".to_owned()], vec!["anneliese".to_owned()]])
    }

    /// Each row is found by its own words, about either player, and means what it says.
    #[test]
    fn every_row_is_read() {
        let mut rows = 0;
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            let [words, meaning, source] = columns[..] else {
                panic!("{line:?} has not three columns");
            };
            assert!(!source.is_empty(), "{line:?} has no source");
            assert_eq!(
                plain(words),
                words.trim_matches('?'),
                "{line:?} is written otherwise"
            );
            let (kind, who) = meaning.split_once(' ').unwrap_or((meaning, ""));
            if kind == "player" {
                continue;
            }
            for (p, q, color) in [
                ("white", "black", Color::White),
                ("Black", "White", Color::Black),
                ("Ann", "Anneliese", Color::White),
                ("anneliese", "ann", Color::Black),
            ] {
                let text = words
                    .replace("{p}", p)
                    .replace("{q}", q)
                    .replace("{*}", "Qd8xy");
                let about = match who {
                    "p" => Some(color),
                    "-p" => Some(!color),
                    "white" => Some(Color::White),
                    "black" => Some(Color::Black),
                    _ => None,
                };
                let expected = meaning_of(kind).map(|meaning| meaning(about));
                assert_eq!(read(&text, &players()), expected, "{text}");
                assert_eq!(read(&format!(" {text}. "), &players()), expected, "{text}");
            }
            rows += 1;
        }
        assert!(rows > 500, "only {rows} rows");
    }

    #[test]
    fn words_follow_evaluations() {
        for (text, expected) in [
            (
                "-0.5/12 0.3s, White loses on time",
                Some(Termination::Time(Some(Color::White))),
            ),
            (
                "+M1/127 0.003s, Black mates",
                Some(Termination::Checkmate(Some(Color::Black))),
            ),
            (
                "0.00/30 1.2s, Draw by 3-fold repetition",
                Some(Termination::Repetition),
            ),
            (
                "d=25, sd=40, n=1234, White resigns",
                Some(Termination::Resigned(Some(Color::White))),
            ),
            ("+0.31/18 0.9s", Some(Termination::Silent)),
            ("0.25", Some(Termination::Silent)),
            (
                "Game 12 (Ann vs. Anneliese) Anneliese forfeits by disconnection",
                Some(Termination::Outside(Some(Color::Black))),
            ),
            ("Blackburne wins on time", None),
            ("and White could still win on time here", None),
        ] {
            assert_eq!(read(text, &players()), expected, "{text}");
        }
    }

    #[test]
    fn words_about_either_player_name_neither() {
        let players = Players([vec!["black".to_owned()], vec!["joe".to_owned()]]);
        assert_eq!(
            read("Black resigns", &players),
            Some(Termination::Resigned(None))
        );
        assert_eq!(
            read("Joe resigns", &players),
            Some(Termination::Resigned(Some(Color::Black)))
        );
    }
}
