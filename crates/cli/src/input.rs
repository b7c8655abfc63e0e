//! Lines from files and standard input, whatever is in them.
//!
//! Everything comes from outside, so nothing is trusted: a line is never held beyond
//! [`LONGEST`], and what can't be read is reported with its place while the rest of the
//! input is still read.
//!
//! | module | its thought |
//! |---|---|
//! | `packed` | compressed data, by their first bytes |
//! | `encoding` | text that isn't UTF-8, and line ends |

mod encoding;
mod packed;

use std::{
    fmt,
    fs::File,
    io::{self, BufRead, BufReader, Cursor, IsTerminal, Read},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use stillmate_core::text::{Hint, Leniency, Record, TextError};

use crate::render::epd;
use packed::Damage;

/// Bytes of the longest line that is read, without what answers have added to it; positions
/// take about a hundred.
const LONGEST_LINE: usize = 1_000_000;

/// Bytes of the longest line with answers. No longer line is written, so that what is written
/// can be read again.
const LONGEST: usize = 4 * LONGEST_LINE;

/// Where lines come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Stdin,
    File(PathBuf),
}

impl Source {
    /// The sources named on the command line, standard input if there are none.
    pub(crate) fn all(files: &[PathBuf]) -> Vec<Source> {
        let source = |path: &PathBuf| match path.to_str() {
            Some("-") => Source::Stdin,
            _ => Source::File(path.clone()),
        };
        if files.is_empty() {
            vec![Source::Stdin]
        } else {
            files.iter().map(source).collect()
        }
    }

    /// The size in bytes if it is a regular file.
    pub(crate) fn size(&self) -> Option<u64> {
        match self {
            Source::Stdin => None,
            Source::File(path) => {
                let metadata = path.metadata().ok()?;
                metadata.is_file().then_some(metadata.len())
            }
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Stdin => f.write_str("stdin"),
            Source::File(path) => path.display().fmt(f),
        }
    }
}

/// Bytes to be read.
pub(crate) type Stream = Box<dyn Read + Send>;

/// Opens `source`, decompressed, and adds what is read from it to `bytes`, before
/// decompression.
///
/// # Errors
///
/// In words, when the source can't be opened or isn't what its name says.
pub(crate) fn open(source: &Source, bytes: &Arc<AtomicU64>) -> Result<Stream, String> {
    let (raw, name): (Stream, &str) = match source {
        Source::Stdin => (Box::new(io::stdin()), ""),
        Source::File(path) => {
            let file = File::open(path).map_err(|error| describe(&error))?;
            (Box::new(file), path.to_str().unwrap_or_default())
        }
    };
    let counted = Counted {
        inner: raw,
        bytes: Arc::clone(bytes),
    };
    let (head, whole) = peek(counted, packed::HEAD).map_err(|error| describe(&error))?;
    let unpacked = packed::unpacked(whole, &head, name)?;
    let (head, whole) = peek(unpacked, encoding::HEAD).map_err(|error| describe(&error))?;
    encoding::decoded(whole, &head)
}

/// The text of a whole file, as [`open`] gives it.
pub(crate) fn decoded(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    let mut text = Vec::with_capacity(bytes.len());
    let head = bytes[..bytes.len().min(1 << 16)].to_vec();
    let mut stream = encoding::decoded(Box::new(Cursor::new(bytes)), &head)?;
    let read = stream.read_to_end(&mut text);
    read.map_err(|error| describe(&error))?;
    Ok(text)
}

/// Says what is waited for if no file is given and standard input is a terminal.
pub(crate) fn prompt(files: &[PathBuf], what: &str) {
    if files.is_empty() && io::stdin().is_terminal() {
        let end = if cfg!(windows) {
            "Ctrl-Z and Enter"
        } else {
            "Ctrl-D"
        };
        crate::report(&format!(
            "stillmate: no file given; reading {what} from the terminal, {end} ends them"
        ));
    }
}

/// The first bytes of `stream`, at least so many if it has them, and all of it once more.
fn peek(mut stream: impl Read + Send + 'static, least: usize) -> io::Result<(Vec<u8>, Stream)> {
    let mut head = vec![0; 1 << 16];
    let mut length = 0;
    while length < least {
        match stream.read(&mut head[length..]) {
            Ok(0) => {
                // A terminal gives its end once, and is not to be asked again.
                head.truncate(length);
                return Ok((head.clone(), Box::new(Cursor::new(head))));
            }
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    head.truncate(length);
    let whole = Cursor::new(head.clone()).chain(stream);
    Ok((head, Box::new(whole)))
}

/// The position in the text of a line, or why there is none and what to do about it.
pub(crate) fn record(text: &str, leniency: Leniency) -> Result<Record, String> {
    let record = Record::parse(text, leniency).map_err(|error| explained(&error))?;
    if text.len() > LONGEST_LINE {
        let own = epd::own_length(&record);
        if own > LONGEST_LINE {
            return Err(too_long(own));
        }
    }
    Ok(record)
}

/// What is wrong with a line, and what this program can do about it.
fn explained(error: &TextError) -> String {
    if error.is_repairable() {
        format!("{error}; --lenient drops what is impossible")
    } else if error.hint() == Some(&Hint::GameRecord) {
        format!("{error}; games are read by stillmate game")
    } else {
        error.to_string()
    }
}

/// A line to be written, if it is short enough to be read again.
pub(crate) fn checked_length(line: String) -> Result<String, String> {
    if line.len() <= LONGEST {
        Ok(line)
    } else {
        let length = line.len();
        Err(format!(
            "the answer has {length} bytes; more than {LONGEST} can't be read again"
        ))
    }
}

fn too_long(length: usize) -> String {
    format!("the line has {length} bytes, more than {LONGEST_LINE}; it is no position")
}

/// A line with its number, counted from 1, or why it can't be read.
pub(crate) struct Line {
    pub(crate) number: u64,
    pub(crate) text: Result<String, String>,
}

impl Line {
    /// Whether the line is empty or a comment.
    pub(crate) fn is_silent(&self) -> bool {
        let silent = |text: &String| text.is_empty() || text.starts_with('#');
        self.text.as_ref().is_ok_and(silent)
    }
}

/// The lines of a source.
pub(crate) struct Lines {
    reader: BufReader<Stream>,
    number: u64,
    ended: bool,
}

impl Lines {
    /// The lines of `source`; see [`open`].
    pub(crate) fn open(source: &Source, bytes: &Arc<AtomicU64>) -> Result<Lines, String> {
        Ok(Lines {
            reader: BufReader::with_capacity(1 << 16, open(source, bytes)?),
            number: 0,
            ended: false,
        })
    }

    /// Whether the next line may have to be waited for.
    pub(crate) fn may_block(&self) -> bool {
        !self.reader.buffer().contains(&b'\n')
    }

    /// The bytes of the next line, `None` at the end.
    fn next_bytes(&mut self) -> Option<Result<Vec<u8>, String>> {
        let mut line = Vec::new();
        let mut length = 0;
        loop {
            let available = match self.reader.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // The line is whole; the next call meets the error again.
                Err(error) if length > 0 && is_after_end(&error) => {
                    return Some(bounded(line, length));
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(describe(&error)));
                }
            };
            let end = available.iter().position(|&byte| byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            length += part.len();
            if length <= LONGEST {
                line.extend_from_slice(part);
            } else {
                line = Vec::new();
            }
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if used == 0 {
                self.ended = true;
                if length == 0 {
                    return None;
                }
            }
            if end.is_some() || used == 0 {
                return Some(bounded(line, length));
            }
        }
    }
}

/// A line of so many bytes, which isn't all there if it is too long.
fn bounded(line: Vec<u8>, length: usize) -> Result<Vec<u8>, String> {
    if length <= LONGEST {
        Ok(line)
    } else {
        Err(too_long(length))
    }
}

/// Whether all data are read, and something else follows.
pub(crate) fn is_after_end(error: &io::Error) -> bool {
    matches!(Damage::of(error), Some(Damage::After(_)))
}

impl Iterator for Lines {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        if self.ended {
            return None;
        }
        let bytes = self.next_bytes()?;
        self.number += 1;
        Some(Line {
            number: self.number,
            text: bytes.and_then(text),
        })
    }
}

/// A line's bytes as text, without byte order mark and white space at the ends.
fn text(bytes: Vec<u8>) -> Result<String, String> {
    if bytes.contains(&0) {
        return Err("the line contains a NUL byte; it is no text".to_owned());
    }
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        format!("the line is not UTF-8 at byte {at}; save it as UTF-8")
    })?;
    text.truncate(text.trim_end().len());
    if text.contains('\r') {
        let why = "the line contains a carriage return (CR); lines end with LF or CRLF";
        return Err(why.to_owned());
    }
    let start = text.trim_start_matches('\u{feff}').trim_start();
    Ok(if start.len() == text.len() {
        text
    } else {
        start.to_owned()
    })
}

/// What went wrong, for people.
pub(crate) fn describe(error: &io::Error) -> String {
    if let Some(damage) = Damage::of(error) {
        return damage.to_string();
    }
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "no permission to read it".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory, not a file".to_owned(),
        io::ErrorKind::UnexpectedEof => {
            "the compressed data ends too early; the lines before were read".to_owned()
        }
        _ => format!("reading failed: {error}"),
    }
}

/// Counts the bytes that are read.
struct Counted {
    inner: Stream,
    bytes: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
