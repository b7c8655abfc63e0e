//! A stream of games of any length, in pieces of whole games.

use std::io::{self, Read};

use memchr::{memchr_iter, memmem};

/// Bytes that are read at a time at most.
const READ: usize = 1 << 18;

/// Bytes of the longest text without the beginning of a game that is looked at.
pub const LARGEST: usize = 1 << 24;

/// How a game begins, almost everywhere. A line that starts like this is never part of an
/// earlier game, not even of a comment that somebody forgot to close.
pub(super) const FIRST_TAG: &[u8] = b"\n[Event \"";

/// Some games that follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The number of its first line, counted from 1.
    pub line: u64,
    /// The text of whole games.
    pub text: Vec<u8>,
    /// Whether the text had to be cut because it has more than [`LARGEST`] bytes and no
    /// game begins in it; what follows up to the next game is left out.
    pub cut: bool,
}

impl Chunk {
    /// Its games in parts of at least so many bytes, except the last one, that are as short as
    /// can be. Only where a game begins with an `Event` tag is it known to begin.
    pub fn split(self, bytes: usize) -> Vec<Chunk> {
        let games = memmem::Finder::new(FIRST_TAG);
        let Chunk {
            mut line,
            text,
            cut,
        } = self;
        let mut parts = Vec::with_capacity(text.len() / bytes.max(1) + 1);
        let mut rest = &text[..];
        while let Some(at) = rest.get(bytes..).and_then(|rest| games.find(rest)) {
            let (part, after) = rest.split_at(bytes + at + 1);
            parts.push(Chunk {
                line,
                text: part.to_vec(),
                cut: false,
            });
            line += memchr_iter(b'\n', part).count() as u64;
            rest = after;
        }
        parts.push(Chunk {
            line,
            text: rest.to_vec(),
            cut,
        });
        parts
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
    /// Whether the buffer belongs to a text that was cut.
    skipping: bool,
    ended: bool,
    failure: Option<io::Error>,
}

impl<R: Read> Chunks<R> {
    /// The games of `stream`.
    pub fn new(stream: R) -> Chunks<R> {
        Chunks {
            stream,
            buffer: Vec::new(),
            line: 1,
            skipping: false,
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
        let line = self.line;
        self.line += memchr_iter(b'\n', &text).count() as u64;
        Chunk { line, text, cut }
    }

    /// Drops what belongs to a text that was cut, as far as that is known.
    fn skip(&mut self) {
        let length = match memmem::find(&self.buffer, FIRST_TAG) {
            Some(at) => {
                self.skipping = false;
                at + 1
            }
            // The end of the buffer may be the beginning of a first tag.
            None => self.buffer.len().saturating_sub(FIRST_TAG.len()),
        };
        self.take(length, false);
    }
}

impl<R: Read> Iterator for Chunks<R> {
    type Item = io::Result<Chunk>;

    fn next(&mut self) -> Option<io::Result<Chunk>> {
        while !self.ended {
            self.fill();
            if self.skipping {
                self.skip();
            } else if let Some(length) = last_game(&self.buffer) {
                return Some(Ok(self.take(length, false)));
            } else if self.buffer.len() >= LARGEST {
                self.skipping = true;
                return Some(Ok(self.take(LARGEST, true)));
            }
        }
        if self.skipping || self.buffer.is_empty() {
            return self.failure.take().map(Err);
        }
        Some(Ok(self.take(self.buffer.len(), false)))
    }
}

/// Where the last game of `text` begins, so that what is before it is whole games.
fn last_game(text: &[u8]) -> Option<usize> {
    if let Some(at) = memmem::rfind(text, FIRST_TAG) {
        return Some(at + 1);
    }
    // Games without an event: a blank line after a result must do.
    if text.len() < READ {
        return None;
    }
    let blank = memmem::rfind_iter(text, b"\n").find(|&at| {
        let before = text[..at].trim_ascii_end();
        let lines = memchr_iter(b'\n', &text[before.len()..=at]).count();
        let results: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];
        lines >= 2 && results.iter().any(|result| before.ends_with(result))
    });
    blank.map(|at| at + 1)
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
