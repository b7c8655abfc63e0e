//! A game: tags, moves, positions, result.

use std::{borrow::Cow, fmt};

use memchr::{memchr, memchr_iter};
use shakmaty::Color;
use stillmate_core::{
    Move, Position,
    text::{Leniency, Note, Record},
};

use super::{
    chunks::Chunk,
    fault::{Fault, FaultKind},
    lex::{Lexer, Token},
    san::San,
};
use crate::score::Score;

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// `1-0` or `0-1`.
    Wins(Color),
    /// `1/2-1/2`.
    Draw,
    /// `*`: no result.
    Unknown,
}

impl Outcome {
    /// Reads a result with dashes of any length.
    pub fn read(text: &[u8]) -> Option<Outcome> {
        match text {
            b"1-0" => Some(Outcome::Wins(Color::White)),
            b"0-1" => Some(Outcome::Wins(Color::Black)),
            b"1/2-1/2" | b"1/2" => Some(Outcome::Draw),
            b"*" => Some(Outcome::Unknown),
            _ if text.is_ascii() => None,
            _ => {
                let text = std::str::from_utf8(text).ok()?;
                let plain = text.replace(['–', '—', '−'], "-").replace('½', "1/2");
                plain.is_ascii().then(|| Outcome::read(plain.as_bytes()))?
            }
        }
    }

    /// The result as in PGN.
    pub const fn text(self) -> &'static str {
        match self {
            Outcome::Wins(Color::White) => "1-0",
            Outcome::Wins(Color::Black) => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unknown => "*",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// The tags of a game, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags<'a>(Vec<(&'a [u8], &'a [u8])>);

impl<'a> Tags<'a> {
    /// The value of the first tag called `name`, if it isn't empty and says something (`?`
    /// doesn't). Text that isn't UTF-8 is read as Latin-1.
    pub fn get(&self, name: &str) -> Option<Cow<'a, str>> {
        let value = self.raw(name)?;
        let text = match std::str::from_utf8(value) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(value.iter().copied().map(char::from).collect()),
        };
        if memchr(b'\\', value).is_none() {
            return Some(text);
        }
        let unescaped = text.replace("\\\"", "\"").replace("\\\\", "\\");
        Some(Cow::Owned(unescaped))
    }

    fn raw(&self, name: &str) -> Option<&'a [u8]> {
        let found = self.0.iter().find(|(tag, _)| *tag == name.as_bytes());
        let value = found?.1.trim_ascii();
        let silent = value.iter().all(|byte| b"?.".contains(byte));
        (!silent).then_some(value)
    }
}

/// A game as it was recorded, up to the first fault that makes the rest unknowable.
#[derive(Clone, Debug, Default)]
pub struct Game<'a> {
    /// The line on which it begins, counted from 1.
    pub line: u64,
    /// Its tags.
    pub tags: Tags<'a>,
    /// Its moves and positions.
    pub score: Score,
    /// The comments on the game itself, not those in variations, with the number of plies
    /// before them.
    pub remarks: Vec<(usize, &'a [u8])>,
    /// The result after the moves, or else of the Result tag.
    pub result: Option<Outcome>,
    /// What is wrong with the record.
    pub faults: Vec<Fault>,
    /// What is odd about the set-up, or was mended.
    pub notes: Vec<Note>,
}

impl Game<'_> {
    /// Whether the record breaks off before the end of the game.
    pub fn is_broken(&self) -> bool {
        self.faults.iter().any(|fault| fault.kind.ends_moves())
    }

    fn clear(&mut self) {
        self.tags.0.clear();
        self.remarks.clear();
        self.result = None;
        self.faults.clear();
        self.notes.clear();
    }
}

/// The games of a chunk.
#[derive(Debug)]
pub struct Games<'a> {
    lexer: Lexer<'a>,
    leniency: Leniency,
    first: Position,
    /// A place in the text and its line.
    known_line: (usize, u64),
    cut: bool,
}

impl<'a> Games<'a> {
    /// The games of `chunk`; `leniency` says what to do about set-ups that are nearly right.
    pub fn new(chunk: &'a Chunk, leniency: Leniency) -> Games<'a> {
        Games {
            lexer: Lexer::new(&chunk.text),
            leniency,
            first: Position::from_chess(&shakmaty::Chess::default()),
            known_line: (0, chunk.line),
            cut: chunk.cut,
        }
    }

    /// Reads the next game into `game`, whatever it held before; `false` if there is none.
    ///
    /// A game ends with its result, or where another begins: at a tag, or at a move numbered 1
    /// after a blank line.
    pub fn read(&mut self, game: &mut Game<'a>) -> bool {
        game.clear();
        if !self.tags(game) {
            return false;
        }
        self.set_up(game);
        self.moves(game);
        if game.result.is_none() {
            let tag = game.tags.raw("Result");
            game.result = tag.and_then(Outcome::read);
            if self.cut && self.lexer.is_at_end() {
                self.fault_in_moves(game, FaultKind::TooLong, b"");
            } else if !game.is_broken() {
                self.fault_in_moves(game, FaultKind::NoResult, tag.unwrap_or_default());
            }
        }
        true
    }

    /// The tags; `false` if there is nothing more in the text.
    fn tags(&mut self, game: &mut Game<'a>) -> bool {
        loop {
            let token = self.lexer.next();
            if game.tags.0.is_empty() && game.faults.is_empty() {
                game.line = self.line();
            }
            match token {
                Some(Token::Tag(name, value)) => game.tags.0.push((name, value)),
                Some(Token::BadTag(text)) => self.fault(game, FaultKind::Tag, None, text),
                // Something about the file or about the game before.
                Some(Token::Comment(_)) if game.tags.0.is_empty() => {}
                Some(_) => {
                    self.lexer.back();
                    return true;
                }
                None => return !game.tags.0.is_empty() || !game.faults.is_empty(),
            }
        }
    }

    /// The first position.
    fn set_up(&mut self, game: &mut Game<'a>) {
        game.score.begin(self.first, 0, 1);
        if let Some(variant) = game.tags.get("Variant")
            && !is_chess(&variant)
        {
            self.fault(game, FaultKind::Variant, None, variant.as_bytes());
        }
        if let Some(fen) = game.tags.get("FEN") {
            match Record::parse(&fen, self.leniency) {
                Ok(record) => {
                    let (clock, number) = (record.half_move(), record.full_move());
                    game.score.begin(*record.position(), clock, number);
                    game.notes.extend(record.notes());
                }
                // Whole: the message ends with what would be right.
                Err(error) => game.faults.push(Fault {
                    line: self.line(),
                    ply: None,
                    text: error.to_string(),
                    kind: FaultKind::SetUp,
                }),
            }
        }
    }

    /// The moves and the result.
    ///
    /// That no move leaves a king attacked is looked at when all are played, since then nothing
    /// waits for it; if one does, they are read again, each looked at before the next.
    fn moves(&mut self, game: &mut Game<'a>) {
        let (lexer, known_line) = (self.lexer.clone(), self.known_line);
        let (faults, remarks) = (game.faults.len(), game.remarks.len());
        self.moves_with(game, San::find_trusting);
        if !game.score.is_safe() {
            (self.lexer, self.known_line) = (lexer, known_line);
            game.faults.truncate(faults);
            game.remarks.truncate(remarks);
            game.result = None;
            game.score.rewind();
            self.moves_with(game, San::find);
        }
    }

    /// The moves and the result; `find` finds out what is meant.
    fn moves_with(
        &mut self,
        game: &mut Game<'a>,
        find: impl Fn(San, &Position) -> Result<Move, FaultKind>,
    ) {
        let mut broken = game.is_broken();
        let mut depth = 0_usize;
        loop {
            if depth == 0
                && !broken
                && let Some(san) = self.lexer.plain_move()
            {
                broken = !self.play(game, find(san, game.score.last()));
                continue;
            }
            let Some(token) = self.lexer.next() else {
                break;
            };
            match token {
                Token::Tag(..) => {
                    self.lexer.back();
                    break;
                }
                Token::BadTag(text) => {
                    if text.get(1).is_some_and(u8::is_ascii_uppercase) {
                        self.lexer.back();
                        break;
                    }
                    self.fault_in_moves(game, FaultKind::Tag, text);
                }
                Token::Unclosed => {
                    self.fault_in_moves(game, FaultKind::Comment, b"");
                    broken = true;
                }
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                Token::Comment(text) => game.remarks.push((game.score.plies(), text)),
                Token::Asterisk => return self.end(game, Outcome::Unknown),
                Token::Number(1) if game.score.plies() > 1 && self.follows_blank_line() => {
                    self.lexer.back();
                    break;
                }
                Token::Number(_) => {}
                Token::Word(word) => {
                    let san = San::read(word);
                    if let Some(san) = san
                        && !broken
                    {
                        broken = !self.play(game, San::find(san, game.score.last()));
                    } else if san.is_none() {
                        if let Some(outcome) = Outcome::read(word) {
                            return self.end(game, outcome);
                        }
                        if !broken && let Some(kind) = nonsense(word) {
                            self.fault_in_moves(game, kind, word);
                            broken = true;
                        }
                    }
                }
            }
        }
        self.lexer.look_back();
        if depth > 0 {
            self.fault_in_moves(game, FaultKind::Variation, b"");
        }
    }

    /// Plays the move that the last token means; `false` if there is none.
    #[inline(always)]
    fn play(&mut self, game: &mut Game<'a>, meant: Result<Move, FaultKind>) -> bool {
        match meant {
            Ok(m) => {
                game.score.play(m);
                true
            }
            Err(kind) => {
                self.fault_in_moves(game, kind, self.lexer.last());
                false
            }
        }
    }

    /// The result, and comments on it.
    fn end(&mut self, game: &mut Game<'a>, outcome: Outcome) {
        game.result = Some(outcome);
        let tag = game.tags.raw("Result").and_then(Outcome::read);
        if let Some(tag) = tag
            && tag != outcome
        {
            let text = format!("{outcome} after the moves and {tag} in the Result tag");
            self.fault_in_moves(game, FaultKind::TwoResults, text.as_bytes());
        }
        while let Some(token) = self.lexer.next() {
            match token {
                Token::Comment(text) => game.remarks.push((game.score.plies(), text)),
                _ => return self.lexer.back(),
            }
        }
    }

    /// Notes a fault at the last token, among the moves.
    fn fault_in_moves(&mut self, game: &mut Game<'a>, kind: FaultKind, text: &[u8]) {
        let ply = game.score.plies() + 1;
        self.fault(game, kind, Some(ply), text);
    }

    /// Notes a fault at the last token.
    fn fault(&mut self, game: &mut Game<'a>, kind: FaultKind, ply: Option<usize>, text: &[u8]) {
        const LONGEST: usize = 80;
        let text = String::from_utf8_lossy(text);
        let clipped = text.char_indices().nth(LONGEST).map(|(at, _)| at);
        let text = match clipped {
            Some(at) => format!("{}…", &text[..at]),
            None => text.into_owned(),
        };
        game.faults.push(Fault {
            line: self.line(),
            ply,
            text,
            kind,
        });
    }

    /// The line of the last token. Each is looked for from the one before.
    fn line(&mut self) -> u64 {
        let (from, line) = self.known_line;
        let to = self.lexer.start.max(from);
        let between = &self.lexer.text()[from..to];
        let line = line + memchr_iter(b'\n', between).count() as u64;
        self.known_line = (to, line);
        line
    }

    fn follows_blank_line(&self) -> bool {
        let before = &self.lexer.text()[..self.lexer.start];
        let space = &before[before.trim_ascii_end().len()..];
        memchr_iter(b'\n', space).count() > 1
    }
}

/// Whether a game of this Variant tag is played by the Laws of Chess, Chess960 included.
fn is_chess(variant: &str) -> bool {
    let plain: String = variant
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let chess = [
        "",
        "standard",
        "chess",
        "normal",
        "fromposition",
        "classical",
    ];
    let random = ["chess960", "fischerandom", "fischerrandom", "freestyle"];
    chess.contains(&plain.as_str())
        || random.iter().any(|name| plain.starts_with(name))
        || plain.starts_with("wild")
}

/// What is wrong with a word that is neither a move nor a result; `None` if it does no harm.
fn nonsense(word: &[u8]) -> Option<FaultKind> {
    match word {
        b"--" | b"Z0" | b"@@@@" | b"null" | b"pass" => Some(FaultKind::NullMove),
        // Glyphs for novelties and diagrams, and the rest of "e.p.".
        b"N" | b"D" | b"e" | b"p" | b"ep" | b"ch" | b"mate" => None,
        // Signs of evaluation such as +- or ∞.
        _ if word.iter().any(u8::is_ascii_alphanumeric) => Some(FaultKind::Unreadable),
        _ if word.iter().any(u8::is_ascii_control) => Some(FaultKind::Unreadable),
        _ => None,
    }
}
