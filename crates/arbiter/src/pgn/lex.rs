//! The tokens of a text.

use memchr::{memchr, memmem};

use super::{chunks::FIRST_TAG, san::San};

/// A piece of a text that means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A tag with its raw value.
    Tag(&'a [u8], &'a [u8]),
    /// A line that begins like a tag and isn't one.
    BadTag(&'a [u8]),
    /// The number of a move.
    Number(u32),
    /// A move, a result, or nonsense.
    Word(&'a [u8]),
    /// The asterisk, for a game without result.
    Asterisk,
    /// A comment without its braces.
    Comment(&'a [u8]),
    /// A comment that isn't closed.
    Unclosed,
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
}

/// Cuts a text into tokens.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    /// Where the next token is looked for.
    at: usize,
    /// Where the last token began.
    pub(super) start: usize,
    /// Where a line begins without a line feed: after a byte order mark or another tag.
    line_start: usize,
}

/// Whether a byte ends a word.
const ENDS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let ends = b" \t\r\n\x0b\x0c(){};!?$*[].\0";
    let mut index = 0;
    while index < ends.len() {
        table[ends[index] as usize] = true;
        index += 1;
    }
    table
};

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a [u8]) -> Lexer<'a> {
        let at = if text.starts_with("\u{feff}".as_bytes()) {
            3
        } else {
            0
        };
        Lexer {
            text,
            at,
            start: at,
            line_start: at,
        }
    }

    /// Goes back to the last token, which will come again.
    pub(super) fn back(&mut self) {
        self.at = self.start;
    }

    /// Looks back at the last thing that was written before the next token.
    pub(super) fn look_back(&mut self) {
        let before = self.text[..self.at].trim_ascii_end();
        self.start = before.len().saturating_sub(1);
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    pub(super) fn text(&self) -> &'a [u8] {
        self.text
    }

    fn at_line_start(&self) -> bool {
        self.at == self.line_start || self.text[self.at - 1] == b'\n'
    }

    /// The next token, `None` at the end.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let byte = *self.text.get(self.at)?;
            self.start = self.at;
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' | b'.' | b'!' | b'?' | b'\x0b' | b'\x0c' => {
                    self.at += 1;
                }
                b'0'..=b'9' => {
                    if let Some(token) = self.number() {
                        return Some(token);
                    }
                }
                b'{' => return Some(self.comment()),
                b';' => self.skip_line(),
                b'%' if self.at_line_start() => self.skip_line(),
                b'[' if self.at_line_start() => return Some(self.tag()),
                b'$' => {
                    self.at += 1;
                    while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
                        self.at += 1;
                    }
                }
                b'(' => return Some(self.sign(Token::Open)),
                b')' => return Some(self.sign(Token::Close)),
                b'*' => return Some(self.sign(Token::Asterisk)),
                _ => return Some(Token::Word(self.word())),
            }
        }
    }

    /// The next token if it is a plain move with at most its number before it, all on the line
    /// where the last one ended; else nothing happens.
    #[inline]
    pub(super) fn plain_move(&mut self) -> Option<San> {
        let skip = |mut at: usize, meant: fn(u8) -> bool| {
            while self.text.get(at).is_some_and(|&byte| meant(byte)) {
                at += 1;
            }
            at
        };
        let space = |byte| matches!(byte, b' ' | b'.');
        let mut at = skip(self.at, space);
        let number = skip(at, |byte| byte.is_ascii_digit());
        if number > at {
            if self.text.get(number) != Some(&b'.') {
                return None;
            }
            at = skip(number, space);
        }
        let (san, length) = San::plain(&self.text[at..])?;
        self.start = at;
        self.at = at + length;
        Some(san)
    }

    /// The text of the last token.
    pub(super) fn last(&self) -> &'a [u8] {
        &self.text[self.start..self.at]
    }

    fn sign(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += memchr(b'\n', rest).unwrap_or(rest.len());
    }

    /// At least one byte, up to something that ends a word.
    #[inline]
    fn word(&mut self) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let ends = rest[1..]
            .iter()
            .position(|&byte| ENDS_WORD[usize::from(byte)]);
        let length = ends.map_or(rest.len(), |length| length + 1);
        self.at += length;
        &rest[..length]
    }

    /// The number of a move, unless it is the first part of a word such as `0-1`.
    #[inline]
    fn number(&mut self) -> Option<Token<'a>> {
        let rest = &self.text[self.at..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        match rest.get(digits) {
            // A result, or castling written with zeros; a dash may be of any length.
            Some(b'-' | b'/' | 0xe2) => Some(Token::Word(self.word())),
            _ => {
                self.at += digits;
                let value = |value: u32, byte: &u8| {
                    value
                        .saturating_mul(10)
                        .saturating_add(u32::from(byte - b'0'))
                };
                Some(Token::Number(rest[..digits].iter().fold(0, value)))
            }
        }
    }

    #[inline]
    fn comment(&mut self) -> Token<'a> {
        let rest = &self.text[self.at + 1..];
        let length = memchr(b'}', rest);
        let inside = &rest[..length.unwrap_or(rest.len())];
        // Without its brace a comment would swallow whole games.
        let game = memchr(b'\n', inside).and_then(|_| memmem::find(inside, FIRST_TAG));
        match (length, game) {
            (_, Some(game)) => {
                self.at += 1 + game + 1;
                Token::Unclosed
            }
            (Some(length), None) => {
                self.at += 1 + length + 1;
                Token::Comment(inside)
            }
            (None, None) => {
                self.at = self.text.len();
                Token::Unclosed
            }
        }
    }

    fn tag(&mut self) -> Token<'a> {
        let rest = &self.text[self.at..];
        let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
        match tag(line) {
            Some((token, length)) => {
                let spaces = &line[length..];
                self.at += length + spaces.len() - spaces.trim_ascii_start().len();
                // Several tags on a line are as good.
                self.line_start = self.at;
                token
            }
            None => {
                self.at += line.len();
                Token::BadTag(line.trim_ascii_end())
            }
        }
    }
}

/// The tag at the start of a line, and its length with both brackets.
fn tag(line: &[u8]) -> Option<(Token<'_>, usize)> {
    let name = line[1..].trim_ascii_start();
    let length = name
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
    let (name, rest) = name.split_at(length);
    let value = rest.trim_ascii_start().strip_prefix(b"\"")?;
    let mut end = 0;
    while *value.get(end)? != b'"' {
        end += if value[end] == b'\\' { 2 } else { 1 };
    }
    let (value, rest) = value.split_at(end);
    let rest = rest[1..].trim_ascii_start().strip_prefix(b"]")?;
    (!name.is_empty()).then_some((Token::Tag(name, value), line.len() - rest.len()))
}
