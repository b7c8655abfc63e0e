//! A game: tags, moves, positions, result.

use std::{borrow::Cow, fmt};

use memchr::{memchr, memchr_iter};
use shakmaty::Color;
use stillmate_core::{
    Move, Position,
    text::{Leniency, Record},
};

use super::{
    chunks::Chunk,
    fault::{PgnFault, PgnFaultKind, PgnNote},
    lex::{Lexer, Token},
    san::{San, has_figurines},
};
use crate::record::GameRecord;

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// `1-0` or `0-1`.
    Wins(Color),
    /// `1/2-1/2`.
    Draw,
    /// `0-0`: both players lose, which no rule of the game itself gives.
    BothLose,
    /// `1/2-0` or `0-1/2`: half a point for this player and nothing for the other, which no rule
    /// of the game itself gives.
    Half(Color),
    /// `*`: no result.
    Unknown,
}

impl Outcome {
    /// Reads a result of a game that was played, with dashes of any length.
    pub fn read(text: &[u8]) -> Option<Outcome> {
        match text {
            b"1-0" | b"1:0" => Some(Outcome::Wins(Color::White)),
            b"0-1" | b"0:1" => Some(Outcome::Wins(Color::Black)),
            b"1/2-1/2" | b"1/2" | b"1/2:1/2" | b"0.5-0.5" => Some(Outcome::Draw),
            b"*" => Some(Outcome::Unknown),
            b"0-0" | b"0:0" => Some(Outcome::BothLose),
            b"1/2-0" | b"0.5-0" => Some(Outcome::Half(Color::White)),
            b"0-1/2" | b"0-0.5" => Some(Outcome::Half(Color::Black)),
            _ if text.is_ascii() => None,
            _ => {
                let text = std::str::from_utf8(text).ok()?;
                let plain = text.replace(['–', '—', '−'], "-").replace('½', "1/2");
                plain.is_ascii().then(|| Outcome::read(plain.as_bytes()))?
            }
        }
    }

    /// Reads a result that federations and broadcasts give without a game.
    pub fn read_unplayed(text: &[u8]) -> Option<Outcome> {
        match text {
            b"+:-" | b"(+)-(-)" | b"1-0F" | b"1-0f" | b"1-0FF" | b"1-0ff" => {
                Some(Outcome::Wins(Color::White))
            }
            b"-:+" | b"(-)-(+)" | b"0-1F" | b"0-1f" | b"0-1FF" | b"0-1ff" => {
                Some(Outcome::Wins(Color::Black))
            }
            b"=:=" | b"(=)-(=)" => Some(Outcome::Draw),
            b"-:-" | b"(-)-(-)" => Some(Outcome::BothLose),
            _ => None,
        }
    }

    /// The result of a Result tag, and whether it says that no game was played.
    fn of_tag(value: &[u8]) -> Option<(Outcome, bool)> {
        let (first, rest) = match memchr(b' ', value) {
            Some(at) => value.split_at(at),
            None => (value, &b""[..]),
        };
        let rest = rest.trim_ascii_start();
        let forfeit = forfeit_mark(rest) == Some(rest.len());
        match Outcome::read(first) {
            Some(outcome) if forfeit || rest.is_empty() => Some((outcome, forfeit)),
            _ => match value {
                // Among the moves these are signs of evaluation.
                b"+-" | b"+ -" | b"+/-" | b"+--" => Some((Outcome::Wins(Color::White), true)),
                b"-+" | b"- +" | b"-/+" | b"--+" => Some((Outcome::Wins(Color::Black), true)),
                _ => Some((Outcome::read_unplayed(value)?, true)),
            },
        }
    }

    /// The result as in PGN.
    pub const fn text(self) -> &'static str {
        match self {
            Outcome::Wins(Color::White) => "1-0",
            Outcome::Wins(Color::Black) => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::BothLose => "0-0",
            Outcome::Half(Color::White) => "1/2-0",
            Outcome::Half(Color::Black) => "0-1/2",
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
    pub record: GameRecord,
    /// The comments on the game itself, not those in variations, with the number of plies
    /// before them.
    pub remarks: Vec<(usize, &'a [u8])>,
    /// The result after the moves, or else of the Result tag.
    pub result: Option<Outcome>,
    /// What says that no game was played: a result such as `+:-`, or a word such as `ff`
    /// after it.
    pub forfeit: Option<&'a [u8]>,
    /// What is wrong with the record.
    pub faults: Vec<PgnFault>,
    /// What was read though PGN has it in another way, and what is odd about the set-up, each kind
    /// once.
    pub notes: Vec<PgnNote>,
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
        self.forfeit = None;
        self.faults.clear();
        self.notes.clear();
    }

    fn note(&mut self, note: PgnNote) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
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
    chunk: &'a Chunk,
}

impl<'a> Games<'a> {
    /// The games of `chunk`; `leniency` says what to do about set-ups that are nearly right.
    pub fn new(chunk: &'a Chunk, leniency: Leniency) -> Games<'a> {
        Games {
            lexer: Lexer::new(&chunk.text),
            leniency,
            first: Position::from_chess(&shakmaty::Chess::default()),
            known_line: (0, chunk.line),
            chunk,
        }
    }

    /// Reads the next game into `game`, whatever it held before; `false` if there is none.
    ///
    /// A game ends with its result, or where another begins: at a tag, or at a move numbered 1
    /// after a blank line. Tags without any moves are a game, too; a result without either isn't.
    pub fn read(&mut self, game: &mut Game<'a>) -> bool {
        loop {
            game.clear();
            let header = match self.tags(game) {
                Section::Nothing => return false,
                Section::Header => true,
                Section::Game => false,
            };
            self.set_up(game);
            if !header {
                self.moves(game);
            }
            self.conclude(game, header);
            let is_game = !game.tags.0.is_empty() || game.record.plies() > 0;
            if is_game || !game.faults.is_empty() {
                return true;
            }
        }
    }

    /// The result where none stands after the moves, and notes on the whole.
    fn conclude(&mut self, game: &mut Game<'a>, header: bool) {
        let oddities = std::mem::take(&mut self.lexer.oddities);
        for (found, note) in [
            (oddities.html, PgnNote::Html),
            (oddities.quotes, PgnNote::Quotes),
            (oddities.blanks, PgnNote::Blanks),
        ] {
            if found {
                game.note(note);
            }
        }
        let value = game.tags.raw("Result");
        let tag = value.and_then(Outcome::of_tag);
        if let Some((_, true)) = tag {
            game.forfeit = game.forfeit.or(value);
        }
        if game.result.is_some() {
            return;
        }
        game.result = tag.map(|(outcome, _)| outcome);
        if self.chunk.cut && self.lexer.is_at_end() {
            self.fault_in_moves(game, PgnFaultKind::TooLong, b"");
        } else if !header && !game.is_broken() {
            self.fault_in_moves(game, PgnFaultKind::NoResult, value.unwrap_or_default());
        }
    }

    /// The tags, and what comes after them.
    fn tags(&mut self, game: &mut Game<'a>) -> Section {
        loop {
            let token = self.lexer.next();
            if game.tags.0.is_empty() && game.faults.is_empty() {
                game.line = self.line();
            }
            match token {
                Some(Token::Tag(name, _)) if self.begins_section(game, name) => {
                    self.lexer.back();
                    return Section::Header;
                }
                Some(Token::Tag(name, value)) => game.tags.0.push((name, value)),
                Some(Token::BadTag(text)) => self.fault(game, PgnFaultKind::Tag, None, text),
                // Something about the file or about the game before.
                Some(Token::Comment(_)) if game.tags.0.is_empty() => {}
                Some(_) => {
                    self.lexer.back();
                    return Section::Game;
                }
                None if !game.faults.is_empty() => return Section::Game,
                None if game.tags.0.is_empty() => return Section::Nothing,
                None => return Section::Header,
            }
        }
    }

    /// Whether another section begins with the tag `name`, the last token: where the first tag
    /// comes again, or after a blank line any of them.
    fn begins_section(&self, game: &Game<'a>, name: &[u8]) -> bool {
        let tags = &game.tags.0;
        let Some((first, _)) = tags.first() else {
            return false;
        };
        if *first == name {
            return true;
        }
        if !self.follows_blank_line() {
            return false;
        }
        let known = |name: &[u8]| tags.iter().any(|(tag, _)| *tag == name);
        let mut ahead = Games {
            lexer: self.lexer.clone(),
            ..*self
        };
        let mut next = Some(name);
        while let Some(name) = next {
            if known(name) {
                return true;
            }
            next = match ahead.lexer.next() {
                Some(Token::Tag(name, _)) if !ahead.follows_blank_line() => Some(name),
                _ => None,
            };
        }
        false
    }

    /// The first position.
    fn set_up(&mut self, game: &mut Game<'a>) {
        game.record.begin(self.first, 0, 1);
        if let Some(variant) = game.tags.get("Variant") {
            match variant_of(&variant) {
                Variant::Chess => {}
                Variant::ByAnotherName => game.note(PgnNote::Variant),
                Variant::Other => {
                    self.fault(game, PgnFaultKind::Variant, None, variant.as_bytes());
                }
            }
        }
        if let Some(fen) = game.tags.get("FEN") {
            match Record::parse(&fen, self.leniency) {
                Ok(record) => {
                    let (clock, number) = (record.half_move(), record.full_move());
                    game.record.begin(*record.position(), clock, number);
                    for &note in record.notes() {
                        game.note(PgnNote::SetUp(note));
                    }
                }
                Err(error) => {
                    let error = error.to_string();
                    let kind = match Record::parse(&fen, Leniency::Lenient) {
                        Ok(_) => PgnFaultKind::NearlySetUp,
                        Err(_) => PgnFaultKind::SetUp,
                    };
                    self.fault(game, kind, None, error.as_bytes());
                }
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
        if !game.record.is_safe() {
            (self.lexer, self.known_line) = (lexer, known_line);
            game.faults.truncate(faults);
            game.remarks.truncate(remarks);
            game.result = None;
            game.forfeit = None;
            game.record.rewind();
            self.moves_with(game, San::find);
        }
    }

    /// The moves and the result; `find` finds out what is meant.
    fn moves_with(
        &mut self,
        game: &mut Game<'a>,
        find: impl Fn(San, &Position) -> Result<Move, PgnFaultKind>,
    ) {
        let mut broken = game.is_broken();
        let mut depth = 0_usize;
        loop {
            if depth == 0
                && !broken
                && let Some(san) = self.lexer.plain_move()
            {
                broken = !self.play(game, find(san, game.record.last()));
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
                    self.fault_in_moves(game, PgnFaultKind::Tag, text);
                }
                Token::Unclosed => {
                    self.fault_in_moves(game, PgnFaultKind::Comment, b"");
                    broken = true;
                }
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                Token::Comment(text) => self.remark(game, text),
                Token::Asterisk => return self.end(game, Outcome::Unknown),
                Token::Number(1) if game.record.plies() > 1 && self.follows_blank_line() => {
                    self.lexer.back();
                    break;
                }
                Token::Number(_) => {}
                Token::Word(word) => {
                    if is_double_zero(word)
                        && let Some(outcome) = Outcome::read(word)
                        && self.ends_with_double_zero(game, outcome)
                    {
                        return self.end(game, outcome);
                    }
                    let san = San::read(word);
                    if san.is_some() {
                        note_signs(game, word);
                    }
                    if let Some(san) = san
                        && !broken
                    {
                        broken = !self.play(game, San::find(san, game.record.last()));
                    } else if san.is_none() {
                        if let Some(outcome) = Outcome::read(word) {
                            return self.end(game, outcome);
                        }
                        if let Some(outcome) = Outcome::read_unplayed(word) {
                            game.forfeit = Some(word);
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
            self.fault_in_moves(game, PgnFaultKind::Variation, b"");
        }
    }

    /// Plays the move that the last token means; `false` if there is none.
    #[inline(always)]
    fn play(&mut self, game: &mut Game<'a>, meant: Result<Move, PgnFaultKind>) -> bool {
        match meant {
            Ok(m) => {
                game.record.play(m);
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
        let tag = game.tags.raw("Result").and_then(Outcome::of_tag);
        if let Some((tag, _)) = tag
            && tag != outcome
        {
            let text = format!("{outcome} after the moves and {tag} in the Result tag");
            self.fault_in_moves(game, PgnFaultKind::TwoResults, text.as_bytes());
        }
        loop {
            if let Some(mark) = self.lexer.take(forfeit_mark) {
                game.forfeit = Some(mark);
                game.note(PgnNote::AfterResult);
                continue;
            }
            match self.lexer.next() {
                Some(Token::Comment(text)) => self.remark(game, text),
                Some(Token::Asterisk) => game.note(PgnNote::AfterResult),
                Some(Token::Word(word)) => match Outcome::read(word) {
                    // The same again.
                    Some(again) if again == outcome => game.note(PgnNote::AfterResult),
                    Some(other) => {
                        let text = format!("{outcome} after the moves, and then {other}");
                        self.fault_in_moves(game, PgnFaultKind::TwoResults, text.as_bytes());
                    }
                    None => return self.lexer.back(),
                },
                Some(_) => return self.lexer.back(),
                None => return,
            }
        }
    }

    /// Keeps a comment, the last token.
    fn remark(&self, game: &mut Game<'a>, text: &'a [u8]) {
        game.remarks.push((game.record.plies(), text));
        let end = self.lexer.start + text.len();
        let within = |&(at, _): &(usize, u64)| (self.lexer.start..=end).contains(&at);
        if self.chunk.shortened.iter().any(within) {
            game.note(PgnNote::LongComment);
        }
    }

    /// Whether two zeros, the last token, are the result of both players and not castling: where
    /// nothing of the game follows and the Result tag says so, or castling isn't legal.
    fn ends_with_double_zero(&self, game: &Game<'a>, outcome: Outcome) -> bool {
        let castles = !game.is_broken() && {
            let castle = San::read(b"O-O").map(|san| san.find(game.record.last()));
            castle.is_some_and(|found| found.is_ok())
        };
        let mut ahead = self.lexer.clone();
        let ends = loop {
            match ahead.next() {
                Some(Token::Comment(_)) => {}
                // Castling by both, or the same result again.
                Some(Token::Word(word)) => break is_double_zero(word) && !castles,
                None | Some(Token::Tag(..) | Token::BadTag(_) | Token::Number(1)) => break true,
                Some(_) => break false,
            }
        };
        let tag = game.tags.raw("Result").and_then(Outcome::of_tag);
        ends && (!castles || tag.is_some_and(|(tag, _)| tag == outcome))
    }

    /// Notes a fault at the last token, among the moves.
    fn fault_in_moves(&mut self, game: &mut Game<'a>, kind: PgnFaultKind, text: &[u8]) {
        let ply = game.record.plies() + 1;
        self.fault(game, kind, Some(ply), text);
    }

    /// Notes a fault at the last token.
    fn fault(&mut self, game: &mut Game<'a>, kind: PgnFaultKind, ply: Option<usize>, text: &[u8]) {
        game.faults.push(PgnFault {
            line: self.line(),
            ply,
            text: String::from_utf8_lossy(text).into_owned(),
            kind,
        });
    }

    /// The line of the last token. Each is looked for from the one before.
    fn line(&mut self) -> u64 {
        let (from, line) = self.known_line;
        let to = self.lexer.start.max(from);
        let between = &self.lexer.text()[from..to];
        let left_out = self.chunk.shortened.iter();
        let left_out = left_out.filter(|(at, _)| (from..to).contains(at));
        let left_out: u64 = left_out.map(|(_, lines)| lines).sum();
        let line = line + memchr_iter(b'\n', between).count() as u64 + left_out;
        self.known_line = (to, line);
        line
    }

    fn follows_blank_line(&self) -> bool {
        let before = &self.lexer.text()[..self.lexer.start];
        let space = &before[before.trim_ascii_end().len()..];
        memchr_iter(b'\n', space).count() > 1
    }
}

/// What a section of tags is followed by.
enum Section {
    /// There are no tags and no moves.
    Nothing,
    /// Another section, or the end: these tags are a game without moves.
    Header,
    /// Moves or a result.
    Game,
}

/// What game a Variant tag means.
enum Variant {
    /// Chess, Chess960 included.
    Chess,
    /// Chess, called by a name that isn't a variant's: "Regular", or an opening.
    ByAnotherName,
    /// A game with Laws of its own.
    Other,
}

/// Words in the names of variants that have Laws of their own, in lower case without spaces.
const VARIANTS: [&str; 42] = [
    "atomic",
    "antichess",
    "suicide",
    "giveaway",
    "losers",
    "loser",
    "losing",
    "crazyhouse",
    "bughouse",
    "kingofthehill",
    "koth",
    "threecheck",
    "3check",
    "fivecheck",
    "5check",
    "horde",
    "racingkings",
    "shogi",
    "xiangqi",
    "makruk",
    "janggi",
    "shatranj",
    "capablanca",
    "gothic",
    "seirawan",
    "schess",
    "courier",
    "cylinder",
    "berolina",
    "placement",
    "fogofwar",
    "darkchess",
    "duck",
    "knightmate",
    "grandchess",
    "extinction",
    "checkless",
    "twokings",
    "progressive",
    "kriegspiel",
    "4player",
    "fourplayer",
];

fn variant_of(name: &str) -> Variant {
    let plain: String = name
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
    if VARIANTS.iter().any(|variant| plain.contains(variant)) {
        Variant::Other
    } else if chess.contains(&plain.as_str())
        || random.iter().any(|name| plain.starts_with(name))
        || plain.starts_with("wild")
    {
        Variant::Chess
    } else {
        Variant::ByAnotherName
    }
}

/// How long a remark at the beginning of `text` is that says that no game was played, such as the
/// `ff` of `1-0 ff`; if there is one.
fn forfeit_mark(text: &[u8]) -> Option<usize> {
    let inside = text.strip_prefix(b"(").unwrap_or(text);
    let length = inside
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'.');
    let (word, rest) = inside.split_at(length.count());
    let marks = [
        "f", "ff", "forfeit", "forfait", "def", "default", "bye", "wo", "w.o.", "walkover",
        "unplayed", "kampflos",
    ];
    let known = marks
        .iter()
        .any(|mark| word.eq_ignore_ascii_case(mark.as_bytes()));
    let bracketed = inside.len() < text.len();
    let ends = match rest.first() {
        Some(b')') => bracketed,
        Some(byte) => !bracketed && !byte.is_ascii_alphanumeric(),
        None => !bracketed,
    };
    (known && ends).then_some(word.len() + 2 * usize::from(bracketed))
}

/// Whether a word can be the result of both players as well as castling.
fn is_double_zero(word: &[u8]) -> bool {
    word.first() == Some(&b'0') && Outcome::read(word) == Some(Outcome::BothLose)
}

/// Notes how a move is written.
fn note_signs(game: &mut Game<'_>, word: &[u8]) {
    if word.contains(&b'(') {
        game.note(PgnNote::BracketedPromotion);
    }
    if !word.is_ascii() && has_figurines(word) {
        game.note(PgnNote::Figurines);
    }
}

/// What is wrong with a word that is neither a move nor a result; `None` if it does no harm.
fn nonsense(word: &[u8]) -> Option<PgnFaultKind> {
    match word {
        b"--" | b"Z0" | b"@@@@" | b"null" | b"pass" => Some(PgnFaultKind::NullMove),
        // Glyphs for novelties and diagrams, and the rest of "e.p.".
        b"N" | b"D" | b"e" | b"p" | b"ep" | b"ch" | b"mate" => None,
        // Signs of evaluation such as +- or ∞.
        _ if word.iter().any(u8::is_ascii_alphanumeric) => Some(PgnFaultKind::Unreadable),
        _ if word.iter().any(u8::is_ascii_control) => Some(PgnFaultKind::Unreadable),
        _ => None,
    }
}
