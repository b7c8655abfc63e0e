//! What was perhaps meant by a line that is no position.

use std::{borrow::Cow, fmt};

use super::{Leniency, fen};

/// The position that a game begins with.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// What was perhaps meant by a line that is no position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// This position, in a command, a link, quotation marks or a column of a table.
    Position(String),
    /// A position and moves to be played, as in the protocol UCI.
    Moves,
    /// A line of PGN.
    GameRecord,
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hint::Position(fen) => write!(f, "perhaps {fen:?} is meant"),
            Hint::Moves => f.write_str("moves are not played; give the position after them"),
            Hint::GameRecord => f.write_str("this looks like a game record (PGN)"),
        }
    }
}

impl Hint {
    /// What was perhaps meant by `line`.
    pub(super) fn of(line: &str) -> Option<Hint> {
        let line = percent_decoded(line);
        let words = || {
            line.split(|c: char| c.is_whitespace() || DELIMITERS.contains(c))
                .filter(|word| !word.is_empty())
        };
        let position = if words().any(|word| word == "startpos") {
            Some(START.to_owned())
        } else {
            position_in(words())
        };
        if position.is_some() && words().any(|word| word == "moves") {
            return Some(Hint::Moves);
        }
        let hint = position.map(Hint::Position);
        hint.or_else(|| is_game_record(&line).then_some(Hint::GameRecord))
    }
}

/// What stands around the words of a position in links, tags, tables and program text.
const DELIMITERS: &str = "_+\"'`\u{201c}\u{201d}\u{2018}\u{2019}=?&#,;()[]{}<>|";

/// The FEN of the first position among `words`. Fields that are missing after the side to
/// move are taken to be empty.
fn position_in<'a>(words: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut words = words.skip_while(|word| board_in(word).is_none());
    let board = board_in(words.next()?)?;
    let mut words = words.peekable();
    let turn = words.next_if(|word| matches!(*word, "w" | "b"))?;
    let is_castling = |word: &str| word == "-" || word.bytes().all(|b| b.is_ascii_alphabetic());
    let castling = words.next_if(|word| is_castling(word)).unwrap_or("-");
    let en_passant = words.next_if(|word| word.len() <= 2).unwrap_or("-");
    let fields = [board.as_str(), turn, castling, en_passant];
    fen::read(fields, Leniency::Strict).ok()?;
    let mut fen = fields.join(" ");
    let is_counter = |word: &str| word.parse::<u32>().is_ok();
    for _ in 0..2 {
        match words.next_if(|word| is_counter(word)) {
            Some(counter) => fen.extend([" ", counter]),
            None => break,
        }
    }
    Some(fen)
}

/// The last eight ranks of a board in a word, which may be a path.
fn board_in(word: &str) -> Option<String> {
    if word.bytes().filter(|&byte| byte == b'/').count() < 7 {
        return None;
    }
    let parts: Vec<&str> = word.split('/').collect();
    let mut boards = parts.windows(8).rev();
    let board = boards.find(|ranks| ranks.iter().all(|rank| fen::squares(rank) == Some(8)))?;
    Some(board.join("/"))
}

/// Whether `line` is a tag of PGN or has a move number.
fn is_game_record(line: &str) -> bool {
    let is_move_number = |word: &str| {
        let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_move = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_digit());
        rest.len() < word.len() && rest.strip_prefix('.').is_some_and(is_move)
    };
    let tag = line.trim_start().strip_prefix('[');
    tag.is_some_and(|tag| tag.starts_with(|c: char| c.is_ascii_uppercase()) && tag.contains('"'))
        || line.split_whitespace().any(is_move_number)
}

/// `text` with ASCII characters in the place of their codes, such as `%20`.
fn percent_decoded(text: &str) -> Cow<'_, str> {
    let mut parts = text.split('%');
    let first = parts.next().unwrap_or_default();
    if first.len() == text.len() {
        return Cow::Borrowed(text);
    }
    let mut decoded = first.to_owned();
    for part in parts {
        let code = part.get(..2).filter(|code| code.is_ascii());
        let byte = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        match byte.filter(u8::is_ascii) {
            Some(byte) => {
                decoded.push(char::from(byte));
                decoded.push_str(&part[2..]);
            }
            None => decoded.extend(["%", part]),
        }
    }
    Cow::Owned(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_found_wherever_it_stands() {
        let fen = "8/8/4k3/8/8/3K4/8/8 w - - 0 1";
        for line in [
            "position fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1",
            "\"8/8/4k3/8/8/3K4/8/8 w - - 0 1\"",
            "\u{201c}8/8/4k3/8/8/3K4/8/8 w - - 0 1\u{201d}",
            "8/8/4k3/8/8/3K4/8/8_w_-_-_0_1",
            "https://lichess.org/analysis/standard/8/8/4k3/8/8/3K4/8/8_w_-_-_0_1#12",
            "https://lichess.org/editor/8/8/4k3/8/8/3K4/8/8_w_-_-_0_1?color=white",
            "https://www.chess.com/analysis?fen=8%2F8%2F4k3/8/8/3K4/8/8%20w%20-%20-%200%201&x=%",
            "https://example.org/?fen=8/8/4k3/8/8/3K4/8/8+w+-+-+0+1",
            "[FEN \"8/8/4k3/8/8/3K4/8/8 w - - 0 1\"]",
            "17,8/8/4k3/8/8/3K4/8/8 w - - 0 1,draw",
            "{\"fen\": \"8/8/4k3/8/8/3K4/8/8 w - - 0 1\", \"id\": 3}",
            "1. 8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        ] {
            assert_eq!(
                Hint::of(line),
                Some(Hint::Position(fen.to_owned())),
                "{line}"
            );
        }
        let short = "8/8/4k3/8/8/3K4/8/8 w - -";
        assert_eq!(
            Hint::of("8/8/4k3/8/8/3K4/8/8 w"),
            Some(Hint::Position(short.to_owned()))
        );
        for start in ["startpos", "position startpos", "\"startpos\""] {
            assert_eq!(Hint::of(start), Some(Hint::Position(START.to_owned())));
        }
    }

    #[test]
    fn what_is_no_position_is_not_offered() {
        for line in [
            "",
            "%",
            "%é%2",
            "hello",
            "8/8/4k3/8/8/3K4/8/8",
            "8/8/4k3/8/8/8/8/8_w_-_-",
            "8/8/4k3/8/8/3K4/8/9_w_-_-",
            "https://example.org/a/b/c/d/e/f/g/h/i w",
            "3.5 is no move number",
        ] {
            assert_eq!(Hint::of(line), None, "{line}");
        }
    }

    #[test]
    fn moves_and_games_are_told_apart() {
        for line in [
            "position startpos moves e2e4",
            "fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1 moves d3d4",
        ] {
            assert_eq!(Hint::of(line), Some(Hint::Moves), "{line}");
        }
        for line in [
            "[Event \"?\"]",
            "1. e4 e5",
            "1.e4 e5",
            "12... Nf6",
            "Nf3 Nc6 3. Bb5 a6",
        ] {
            assert_eq!(Hint::of(line), Some(Hint::GameRecord), "{line}");
        }
    }
}
