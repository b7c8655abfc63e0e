//! A stream of games of any length, in chunks of whole games.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter};

use super::{
    lex::{Lexer, Token},
    section,
};

/// Bytes that are read at a time at most.
const READ: usize = 1 << 18;

/// Bytes of the longest text without the beginning of a game that is looked at.
pub const LARGEST: usize = 1 << 24;

/// Bytes that are kept of a comment that makes a text longer than that.
const KEPT: usize = 1 << 16;

/// Some games that follow each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chunk {
    /// The number of its first line, counted from 1.
    pub line: u64,
    /// The text of whole games.
    pub text: Vec<u8>,
    /// Whether the text had to be cut because it has more than [`LARGEST`] bytes and no
    /// game begins in it; what follows up to the next game is left out.
    pub cut: bool,
    /// Where comments too long to be held were shortened: the place in the text, and how many
    /// lines are left out there.
    pub shortened: Vec<(usize, u64)>,
}

impl Chunk {
    /// Its games in parts of at least so many bytes, except the last one, that are as short as
    /// can be. A part ends only where a tag section begins for certain.
    pub fn split(self, bytes: usize) -> Vec<Chunk> {
        let Chunk {
            mut line,
            text,
            cut,
            mut shortened,
        } = self;
        let mut parts = Vec::with_capacity(text.len() / bytes.max(1) + 1);
        let mut start = 0;
        loop {
            let end = section::next(&text, start + bytes.max(1));
            let part = &text[start..end.unwrap_or(text.len())];
            let later =
                shortened.split_off(shortened.partition_point(|(at, _)| *at < start + part.len()));
            let own = std::mem::replace(&mut shortened, later);
            let left_out: u64 = own.iter().map(|(_, lines)| lines).sum();
            parts.push(Chunk {
                line,
                text: part.to_vec(),
                cut: cut && end.is_none(),
                shortened: own.iter().map(|(at, lines)| (at - start, *lines)).collect(),
            });
            line += memchr_iter(b'\n', part).count() as u64 + left_out;
            match end {
                Some(end) => start = end,
                None => return parts,
            }
        }
    }
}

/// The chunks of a stream. Where the stream fails, what was read is handed out first and
/// the error is the last item. Holds at most [`LARGEST`] bytes and a little more.
#[derive(Debug)]
pub struct Chunks<R> {
    stream: R,
    buffer: Vec<u8>,
    /// The number of the line at the start of the buffer.
    line: u64,
    /// Where comments in the buffer were shortened.
    shortened: Vec<(usize, u64)>,
    state: State,
    ended: bool,
    failure: Option<io::Error>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Looking for the beginnings of games.
    Games,
    /// The buffer belongs to a text that was cut.
    Skipping,
    /// The buffer ends in a comment of which enough is held.
    Comment,
}

impl<R: Read> Chunks<R> {
    /// The games of `stream`.
    pub fn new(stream: R) -> Chunks<R> {
        Chunks {
            stream,
            buffer: Vec::new(),
            line: 1,
            shortened: Vec::new(),
            state: State::Games,
            ended: false,
            failure: None,
        }
    }

    /// Reads on, as much as there is without waiting for more.
    fn fill(&mut self) {
        let before = self.buffer.len();
        self.buffer.resize(before + READ, 0);
        let read = loop {
            match self.stream.read(&mut self.buffer[before..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.buffer.truncate(before + *read.as_ref().unwrap_or(&0));
        self.ended = matches!(read, Ok(0) | Err(_));
        self.failure = read.err();
    }

    /// Takes the first `length` bytes out of the buffer.
    fn take(&mut self, length: usize, cut: bool) -> Chunk {
        let rest = self.buffer.split_off(length);
        let text = std::mem::replace(&mut self.buffer, rest);
        let later = self.shortened.iter().filter(|(at, _)| *at >= length);
        let later = later.map(|(at, lines)| (at - length, *lines)).collect();
        let mut shortened = std::mem::replace(&mut self.shortened, later);
        shortened.retain(|(at, _)| *at < length);
        let line = self.line;
        let left_out: u64 = shortened.iter().map(|(_, lines)| lines).sum();
        self.line += memchr_iter(b'\n', &text).count() as u64 + left_out;
        Chunk {
            line,
            text,
            cut,
            shortened,
        }
    }

    /// Drops what belongs to a text that was cut, as far as that is known.
    fn skip(&mut self) {
        let length = match section::first(&self.buffer) {
            Some(at) => {
                self.state = State::Games;
                at
            }
            // The end of the buffer may be the beginning of a section.
            None => self.buffer.len().saturating_sub(KEPT),
        };
        self.take(length, false);
    }

    /// Whether the buffer ends in a comment; if so, it is shortened.
    fn shorten(&mut self) -> bool {
        let mut lexer = Lexer::new(&self.buffer);
        let mut comment = None;
        while let Some(token) = lexer.next() {
            if token == Token::Unclosed && lexer.is_at_end() {
                comment = Some(lexer.start);
            }
        }
        let Some(comment) = comment else {
            return false;
        };
        let keep = (comment + 1 + KEPT).min(self.buffer.len());
        self.shortened.push((keep, 0));
        self.state = State::Comment;
        self.drop_comment();
        true
    }

    /// Drops what belongs to a comment of which enough is held, as far as that is known.
    fn drop_comment(&mut self) {
        let Some((at, lines)) = self.shortened.last_mut() else {
            return;
        };
        let rest = &self.buffer[*at..];
        let game = section::first(rest);
        let end = memchr(b'}', &rest[..game.unwrap_or(rest.len())]);
        let length = match end.or(game) {
            Some(length) => {
                self.state = State::Games;
                // A section is known by the blank line before it.
                end.unwrap_or(rest[..length].trim_ascii_end().len())
            }
            None => rest.len().saturating_sub(KEPT),
        };
        *lines += memchr_iter(b'\n', &rest[..length]).count() as u64;
        let at = *at;
        self.buffer.drain(at..at + length);
    }
}

impl<R: Read> Iterator for Chunks<R> {
    type Item = io::Result<Chunk>;

    fn next(&mut self) -> Option<io::Result<Chunk>> {
        while !self.ended {
            self.fill();
            match self.state {
                State::Skipping => self.skip(),
                State::Comment => self.drop_comment(),
                State::Games => {
                    if let Some(length) = last_game(&self.buffer) {
                        return Some(Ok(self.take(length, false)));
                    }
                    if self.buffer.len() >= LARGEST && !self.shorten() {
                        self.state = State::Skipping;
                        return Some(Ok(self.take(LARGEST, true)));
                    }
                }
            }
        }
        if self.state == State::Skipping || self.buffer.is_empty() {
            return self.failure.take().map(Err);
        }
        Some(Ok(self.take(self.buffer.len(), false)))
    }
}

/// Where the last game of `text` begins, so that what is before it is whole games.
fn last_game(text: &[u8]) -> Option<usize> {
    let section = section::last(text);
    if section.is_some() || text.len() < READ {
        return section;
    }
    // Games without tags, or with blanks before them: one begins with the first tag or number
    // after a result.
    let mut lexer = Lexer::new(text);
    let (mut depth, mut ended, mut last) = (0_usize, false, None);
    while let Some(token) = lexer.next() {
        match token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Number(1) | Token::Tag(..) if ended => {
                last = Some(lexer.start);
                ended = false;
            }
            Token::Asterisk if depth == 0 => ended = true,
            Token::Word(b"1-0" | b"0-1" | b"1/2-1/2") if depth == 0 => ended = true,
            Token::Comment(_) => {}
            _ => ended = false,
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out its bytes a few at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.0.len().min(self.1);
            let (now, later) = self.0.split_at(length);
            buffer[..length].copy_from_slice(now);
            self.0 = later;
            Ok(length)
        }
    }

    fn chunks(stream: impl Read) -> Vec<Chunk> {
        Chunks::new(stream).map(Result::unwrap).collect()
    }

    #[test]
    fn chunks_are_whole_games_with_their_lines_however_the_bytes_come() {
        let game = "[Event \"a\"]\n\n1. e4 {\n[%clk 0:01:00]} *\n\n";
        let text = game.repeat(50);
        for step in [1, 7, 41, 10_000] {
            let chunks = chunks(Slow(text.as_bytes(), step));
            let joined: Vec<u8> = chunks.iter().flat_map(|chunk| chunk.text.clone()).collect();
            assert_eq!(joined, text.as_bytes());
            for chunk in &chunks {
                assert!(chunk.text.starts_with(b"[Event"));
                assert_eq!(chunk.line % 5, 1, "games have five lines");
            }
        }
        assert!(chunks(Slow(text.as_bytes(), 41)).len() > 20);
    }

    #[test]
    fn chunks_are_split_between_games() {
        let game = "[Event \"a\"]\n\n1. e4 {\n[%clk 0:01:00]} *\n\n";
        let chunk = |text: &str| Chunk {
            line: 3,
            text: text.into(),
            cut: true,
            shortened: Vec::new(),
        };
        let text = game.repeat(50);
        for bytes in [
            0,
            1,
            game.len() - 1,
            game.len(),
            100,
            1000,
            text.len(),
            usize::MAX,
        ] {
            let parts = chunk(&text).split(bytes);
            let joined: Vec<u8> = parts.iter().flat_map(|part| part.text.clone()).collect();
            assert_eq!(joined, text.as_bytes());
            let mut line = 3;
            for (number, part) in (1..).zip(&parts) {
                assert!(part.text.starts_with(b"[Event"));
                assert_eq!(part.line, line);
                assert_eq!(part.cut, number == parts.len());
                line += part.text.iter().filter(|&&byte| byte == b'\n').count() as u64;
                // No game more than is needed.
                assert!(number == parts.len() || part.text.len() < bytes + game.len() + 1);
            }
        }
        assert_eq!(chunk(&text).split(1).len(), 50);
        for whole in ["", "1. e4 *\n\n1. d4 *\n"] {
            assert_eq!(chunk(whole).split(1), [chunk(whole)]);
        }
    }

    #[test]
    fn games_without_events_are_cut_after_results() {
        let text = "1. e4 e5 1/2-1/2\r\n\r\n".repeat(3 * READ / 20);
        let chunks = chunks(text.as_bytes());
        assert!(chunks.len() > 1);
        assert!(chunks.iter().all(|chunk| chunk.text.starts_with(b"1. e4")));
    }

    #[test]
    fn a_text_without_end_is_cut_and_the_next_game_is_found() {
        let mut text = vec![b'x'; LARGEST + 5 * READ];
        text.extend_from_slice(b"\n[Event \"a\"]\n1. d4 *");
        let chunks = chunks(text.as_slice());
        let cut: Vec<bool> = chunks.iter().map(|chunk| chunk.cut).collect();
        assert_eq!(cut, [true, false]);
        assert_eq!((chunks[1].line, &chunks[1].text[..6]), (2, &b"[Event"[..]));
    }

    #[test]
    fn a_comment_of_any_length_is_read() {
        let long = "so it goes\n".repeat((LARGEST + 5 * READ) / 11);
        for end in ["} e5 1-0\n", ""] {
            let text = format!("1. e4 {{{long}{end}\n\n[White \"a\"]\n[Event \"b\"]\n\n1. d4 *");
            let chunks = chunks(text.as_bytes());
            assert_eq!(chunks.len(), 2);
            assert!(chunks[0].text.len() < 2 * KEPT && !chunks[0].cut);
            let before = &text[..text.find("[White").unwrap()];
            assert_eq!(chunks[1].line, before.matches('\n').count() as u64 + 1);
            assert_eq!(chunks[1].text, b"[White \"a\"]\n[Event \"b\"]\n\n1. d4 *");
        }
    }

    #[test]
    fn an_error_comes_after_what_was_read() {
        struct Torn(bool);
        impl Read for Torn {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                if std::mem::replace(&mut self.0, true) {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                buffer[..5].copy_from_slice(b"1. e4");
                Ok(5)
            }
        }
        let items: Vec<_> = Chunks::new(Torn(false)).collect();
        assert_eq!(items[0].as_ref().unwrap().text, b"1. e4");
        assert!(items[1].is_err());
        assert_eq!(items.len(), 2);
    }
}
