//! How text is written down: which files aren't UTF-8, and which ends lines have.

use std::io::{self, Read};

use super::Stream;

/// So many first bytes tell which encoding a text has.
pub(super) const HEAD: usize = 4;

/// `stream` with line feeds for carriage returns if its lines end with these alone; `head` is
/// how it begins, which may be all of it.
///
/// # Errors
///
/// In words, if it is written in another encoding than UTF-8.
pub(super) fn decoded(stream: Stream, head: &[u8]) -> Result<Stream, String> {
    if let Some(encoding) = foreign(head) {
        return Err(format!("the file is {encoding}; save it as UTF-8"));
    }
    let is_text = |byte: &u8| matches!(byte, b' '..|b'\t'| b'\r');
    let by_returns = head.contains(&b'\r') && head.iter().all(is_text);
    Ok(if by_returns {
        Box::new(LineFeeds {
            stream,
            after_return: false,
        })
    } else {
        stream
    })
}

/// An encoding of two or four bytes a character, by a byte order mark or by the zero bytes of
/// the first characters, which are ASCII where there is a position or a tag.
fn foreign(head: &[u8]) -> Option<&'static str> {
    match head {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Some("UTF-32"),
        [1..=0xff, 0, 0, 0, ..] | [0, 0, 0, 1..=0xff, ..] => Some("UTF-32"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("UTF-16"),
        [1..=0xff, 0, 1..=0xff, 0, ..] | [0, 1..=0xff, 0, 1..=0xff, ..] => Some("UTF-16"),
        _ => None,
    }
}

/// Text with line feeds in the place of carriage returns.
struct LineFeeds {
    stream: Stream,
    /// Whether a carriage return was the last byte, so that a line feed belongs to it.
    after_return: bool,
}

impl Read for LineFeeds {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.stream.read(buffer)?;
            let mut kept = 0;
            for at in 0..read {
                let byte = buffer[at];
                if !(byte == b'\n' && self.after_return) {
                    buffer[kept] = if byte == b'\r' { b'\n' } else { byte };
                    kept += 1;
                }
                self.after_return = byte == b'\r';
            }
            if kept > 0 || read == 0 {
                return Ok(kept);
            }
        }
    }
}
