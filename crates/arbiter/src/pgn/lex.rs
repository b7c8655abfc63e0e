//! The tokens of a text.

use memchr::{memchr, memchr3};

use super::{san::San, section};

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
    /// Where the last tag began.
    tag_start: usize,
    /// Whether something was passed over, or read though it is written in an odd way.
    pub(super) oddities: Oddities,
    /// The same before the last tag.
    oddities_before: Oddities,
}

/// What was read though PGN has no such thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Oddities {
    pub(super) html: bool,
    pub(super) quotes: bool,
    pub(super) blanks: bool,
}

/// Whether a byte ends a word.
const ENDS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let ends = b" \t\r\n\x0b\x0c(){};!?$*[].<\0";
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
            tag_start: usize::MAX,
            oddities: Oddities::default(),
            oddities_before: Oddities::default(),
        }
    }

    /// Goes back to the last token, which will come again.
    pub(super) fn back(&mut self) {
        self.at = self.start;
        if self.start == self.tag_start {
            self.line_start = self.start;
            self.oddities = self.oddities_before;
        }
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

    /// Whether only blanks stand before the next token on its line.
    fn at_line_start(&self) -> bool {
        let line = &self.text[self.line_start..self.at];
        let blank = |byte: &&u8| matches!(**byte, b' ' | b'\t');
        let before = line.iter().rev().find(|byte| !blank(byte));
        before.is_none_or(|&byte| byte == b'\n')
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
                b'<' if self.html() => {}
                b'(' if self.text[self.at..].get(2..5) == Some(b")-(") => {
                    return Some(self.bracketed_result());
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
    #[inline(always)]
    pub(super) fn plain_move(&mut self) -> Option<San> {
        let text = &self.text[self.at..];
        let before = before_letters(u64::from_le_bytes(*text.first_chunk()?))?;
        let (san, length) = San::plain(&text[before..])?;
        self.start = self.at + before;
        self.at = self.start + length;
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

    /// A result such as `(+)-(-)`.
    fn bracketed_result(&mut self) -> Token<'a> {
        let rest = &self.text[self.at..];
        let word = &rest[..rest.len().min(b"(+)-(-)".len())];
        self.at += word.len();
        Token::Word(word)
    }

    /// Passes over HTML around the text: a tag such as `<pre>`, or a line of nothing but tags and
    /// words, such as a heading. `false` if there is none.
    fn html(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
        let is_tag = matches!(
            line.get(1),
            Some(b'/' | b'!' | b'?' | b'a'..=b'z' | b'A'..=b'Z')
        );
        let Some(end) = memchr(b'>', line).filter(|_| is_tag) else {
            return false;
        };
        let words_alone = line.trim_ascii_end().ends_with(b">")
            && memchr(b'[', line).is_none()
            && !line
                .windows(2)
                .any(|pair| pair[0].is_ascii_digit() && pair[1] == b'.');
        let at_line_start = self.at_line_start();
        self.at += if at_line_start && words_alone {
            line.len()
        } else {
            end + 1
        };
        if at_line_start {
            self.line_start = self.at;
        }
        self.oddities.html = true;
        true
    }

    /// Takes what `found` finds at the beginning of the rest, blanks left out: its length.
    pub(super) fn take(&mut self, found: impl FnOnce(&[u8]) -> Option<usize>) -> Option<&'a [u8]> {
        let rest = self.text[self.at..].trim_ascii_start();
        let length = found(rest)?;
        self.start = self.text.len() - rest.len();
        self.at = self.start + length;
        Some(&rest[..length])
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
        let mut length = ends.map_or(rest.len(), |length| length + 1);
        if rest.get(length) == Some(&b'(') {
            length += bracketed_promotion(rest, length);
        }
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
            Some(b'-' | b'/' | b':' | 0xe2) => Some(Token::Word(self.word())),
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
        let game = memchr(b'\n', inside).and_then(|_| section::first(inside));
        match (length, game) {
            (_, Some(game)) => {
                self.at += 1 + game;
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
        self.tag_start = self.at;
        self.oddities_before = self.oddities;
        let indented = self.at > self.line_start && self.text[self.at - 1] != b'\n';
        let odd = || Some((odd_tag(rest)?, true));
        match tag(rest).map(|found| (found, false)).or_else(odd) {
            Some(((token, length), is_odd)) => {
                self.oddities.quotes |= is_odd;
                self.oddities.blanks |= indented;
                let next = rest[length..].trim_ascii_start();
                self.at = self.text.len() - next.len();
                // Several tags on a line are as good.
                self.line_start = self.at;
                token
            }
            None => {
                let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
                self.at += line.len();
                Token::BadTag(line.trim_ascii_end())
            }
        }
    }
}

/// The low bit of each byte.
const EACH: u64 = 0x0101_0101_0101_0101;

/// How many of the eight bytes of `text`, the lowest first, are spaces, dots and digits before
/// a byte from `@` on; `None` if anything else is, or no such byte. Whether a number comes next
/// can't be foreseen, so that nothing here branches on it.
fn before_letters(text: u64) -> Option<usize> {
    let letters = text & (0xc0 * EACH);
    let length = letters.trailing_zeros() / 8;
    // What comes before as 0 for a space, 0xe for a dot, 0x10 to 0x19 for digits.
    let signs = (text ^ (0x20 * EACH)) & (1_u64.wrapping_shl(8 * length) - 1);
    let digits = signs & (0x10 * EACH);
    let low = signs & (0x0f * EACH);
    let above_nine = (low + 0x06 * EACH) & digits;
    let no_dot = (low + 0x02 * EACH) & (0x0d * EACH) & !((digits >> 4) * 0x0f);
    let control = signs & (0x20 * EACH);
    (length < 8 && (above_nine | no_dot | control) == 0).then_some(length as usize)
}

/// How many bytes longer a word of `length` bytes is if a promotion in brackets follows, as in
/// `b8(N)+`.
#[cold]
fn bracketed_promotion(text: &[u8], length: usize) -> usize {
    let on_last_rank = length > 1 && matches!(text[length - 1], b'1' | b'8');
    match text.get(length + 1..length + 3) {
        Some([b'N' | b'B' | b'R' | b'Q', b')']) if on_last_rank => {
            let signs = text[length + 3..].iter();
            3 + signs.take_while(|byte| b"+#".contains(byte)).count()
        }
        _ => 0,
    }
}

/// The tag that a text begins with though quotation marks or backslashes in its value aren't
/// escaped: the value ends with the first mark before a bracket that ends the line, or that
/// another tag follows.
fn odd_tag(text: &[u8]) -> Option<(Token<'_>, usize)> {
    let line = &text[..memchr(b'\n', text).unwrap_or(text.len())];
    let name = after_blanks(&line[1..]);
    let length = name
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
    let (name, rest) = name.split_at(length);
    let value = after_blanks(rest).strip_prefix(b"\"")?;
    let ends = |at: &usize| {
        let rest = after_blanks(&value[at + 1..]).strip_prefix(b"]");
        rest.is_some_and(|rest| matches!(after_blanks(rest), [] | [b'[', ..]))
    };
    let end = memchr::memchr_iter(b'"', value).find(ends)?;
    let rest = after_blanks(&value[end + 1..]);
    let length = line.len() - rest.len() + 1;
    (!name.is_empty()).then_some((Token::Tag(name, &value[..end]), length))
}

/// The tag that a text begins with, all on a line, and its length with both brackets.
pub(super) fn tag(text: &[u8]) -> Option<(Token<'_>, usize)> {
    let name = after_blanks(&text[1..]);
    let length = name
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
    let (name, rest) = name.split_at(length);
    let value = after_blanks(rest).strip_prefix(b"\"")?;
    let mut end = until_quote(value)?;
    while value[end] != b'"' {
        if value[end] == b'\n' || *value.get(end + 1)? == b'\n' {
            return None;
        }
        end += 2;
        end += until_quote(&value[end..])?;
    }
    let (value, rest) = value.split_at(end);
    let rest = after_blanks(&rest[1..]).strip_prefix(b"]")?;
    (!name.is_empty()).then_some((Token::Tag(name, value), text.len() - rest.len()))
}

/// The text without the blanks that it begins with, on the same line.
pub(super) fn after_blanks(text: &[u8]) -> &[u8] {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\x0c');
    let blanks = text.iter().take_while(|byte| blank(byte)).count();
    &text[blanks..]
}

/// Where the first quotation mark is, or before it a backslash or the end of the line.
fn until_quote(text: &[u8]) -> Option<usize> {
    memchr3(b'"', b'\\', b'\n', text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_a_letter_is_seen_byte_by_byte_or_at_once() {
        let before = |bytes: [u8; 8]| {
            let letter = bytes.iter().position(|&byte| byte >= b'@')?;
            let meant = |byte: &u8| matches!(byte, b' ' | b'.' | b'0'..=b'9');
            bytes[..letter].iter().all(meant).then_some(letter)
        };
        let mut rng = fastrand::Rng::with_seed(1);
        for round in 0..200_000 {
            let mut bytes = *b" 12. Nf3";
            for _ in 0..round % 4 {
                bytes[rng.usize(..8)] = rng.u8(..);
            }
            let found = before_letters(u64::from_le_bytes(bytes));
            assert_eq!(found, before(bytes), "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn tags_end_on_their_line() {
        let read = |text: &'static str| {
            let (token, length) = tag(text.as_bytes())?;
            let Token::Tag(name, value) = token else {
                return None;
            };
            Some((str::from_utf8(name).ok()?, value.len(), length))
        };
        assert_eq!(read("[Event \"a game\"]\n1. e4"), Some(("Event", 6, 16)));
        assert_eq!(read("[ Event\t\"a\" ] [Site"), Some(("Event", 1, 13)));
        assert_eq!(read("[A \"long enough\\\"\"]"), Some(("A", 13, 19)));
        assert_eq!(read("[A \"\\\\\"]"), Some(("A", 2, 8)));
        for bad in [
            "[A \"b",
            "[A \"b\n\"]",
            "[A \"b\\\n\"]",
            "[A \"b\\",
            "[A\n\"b\"]",
            "[A \"b\"\n]",
            "[\"b\"]",
            "[A b]",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
