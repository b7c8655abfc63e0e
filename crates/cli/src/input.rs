//! Lines from files and standard input, whatever is in them.
//!
//! Everything comes from outside, so nothing is trusted: a line is never held beyond
//! [`LONGEST_LINE`], and what can't be read is reported with its place while the rest of the
//! input is still read.

use std::{
    fmt,
    fs::File,
    io::{self, BufRead, BufReader, Cursor, Read},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use flate2::read::MultiGzDecoder;

/// Bytes of the longest line that is read; positions take about a hundred.
const LONGEST_LINE: usize = 1_000_000;

/// What is said of a file in UTF-16.
pub(crate) const UTF16: &str = "the file is UTF-16; save it as UTF-8";

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
    decoded(counted, name)
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
                Err(error) => {
                    self.ended = true;
                    return Some(Err(describe(&error)));
                }
            };
            let end = available.iter().position(|&byte| byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            length += part.len();
            if length <= LONGEST_LINE {
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
                return Some(if length <= LONGEST_LINE {
                    Ok(line)
                } else {
                    Err(format!(
                        "the line has {length} bytes, more than {LONGEST_LINE}; it is no position"
                    ))
                });
            }
        }
    }
}

impl Iterator for Lines {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        if self.ended {
            return None;
        }
        let bytes = self.next_bytes()?;
        self.number += 1;
        let text = if self.number == 1 && bytes.as_ref().is_ok_and(|line| is_utf16(line)) {
            self.ended = true;
            Err(UTF16.to_owned())
        } else {
            bytes.and_then(text)
        };
        Some(Line {
            number: self.number,
            text,
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
        format!("the line is not UTF-8 at byte {at}")
    })?;
    text.truncate(text.trim_end().len());
    let start = text.trim_start_matches('\u{feff}').trim_start();
    Ok(if start.len() == text.len() {
        text
    } else {
        start.to_owned()
    })
}

/// Whether a file that begins like this is UTF-16.
pub(crate) fn is_utf16(line: &[u8]) -> bool {
    line.starts_with(&[0xff, 0xfe]) || line.starts_with(&[0xfe, 0xff])
}

/// `raw` decompressed if it begins like gzip or zstd data. `name` may promise that.
fn decoded(mut raw: Counted, name: &str) -> Result<Stream, String> {
    let mut head = Vec::new();
    let read = raw.by_ref().take(4).read_to_end(&mut head);
    read.map_err(|error| describe(&error))?;
    let kind = head.clone();
    let whole = Cursor::new(head).chain(raw);
    match kind[..] {
        [0x1f, 0x8b, ..] => Ok(Box::new(MultiGzDecoder::new(whole))),
        // A frame, or a frame to skip, with which some compressors begin.
        [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => {
            let decoder = zstd::Decoder::new(whole).map_err(|error| describe(&error))?;
            Ok(Box::new(decoder))
        }
        _ => match name.rsplit_once('.') {
            Some((_, suffix @ ("gz" | "zst"))) => Err(format!(
                "the file is no {suffix} data, although its name ends like that"
            )),
            _ => Ok(Box::new(whole)),
        },
    }
}

/// What went wrong, for people.
pub(crate) fn describe(error: &io::Error) -> String {
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
