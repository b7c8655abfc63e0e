//! Certificates from files, whatever is in them.

use std::{
    io::{self, BufRead, BufReader, Cursor, Read},
    sync::Arc,
};

use stillmate_proof::{BatchReader, Certificate, FormatError, Limits};

use crate::input::{self, Source, describe};

/// What the binary form begins with, as `docs/certificates.md` says.
const MAGIC: &[u8; 4] = b"STMC";

/// A message that quotes a file has at most so many characters: these at the beginning, where
/// it says what is wrong, and at the end, where it says what would be right.
const MESSAGE: [usize; 2] = [150, 250];

/// Why a certificate can't be had.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// It is none.
    Malformed(String),
    /// It can be read so far as to know that it proves nothing.
    Wrong { step: usize, fault: String },
    /// It is beyond a limit.
    Beyond(String),
}

/// The certificates of a file, one after another.
pub(crate) type Certificates = Box<dyn Iterator<Item = Result<Certificate, Unread>>>;

/// The certificates in `source`, in JSON or bytes, compressed or not. Nothing is held in
/// memory but the one that is read.
///
/// # Errors
///
/// In words, when the source can't be opened or holds no certificates.
pub(crate) fn read(source: &Source, limits: &Limits) -> Result<Certificates, String> {
    let stream = input::open(source, &Arc::default())?;
    let mut stream = BufReader::with_capacity(1 << 16, stream);
    let mut head = Vec::new();
    let read = stream
        .by_ref()
        .take(MAGIC.len() as u64)
        .read_to_end(&mut head);
    read.map_err(|error| describe(&error))?;
    let is_batch = head == MAGIC;
    let whole = Cursor::new(head).chain(stream);
    if is_batch {
        let batch = BatchReader::new(whole, *limits);
        let batch = batch.map_err(|error| match error {
            FormatError::Io(error) => cut_short(&error),
            error => plain(&error.to_string()),
        })?;
        return Ok(Box::new(batch.map(|read| read.map_err(|e| unread(&e, 0)))));
    }
    let mut documents = Documents::new(whole, *limits).peekable();
    match documents.peek() {
        Some(_) => Ok(Box::new(documents)),
        None => Err("there is no certificate in it".to_owned()),
    }
}

/// Certificates in JSON: each begins on a line that begins with a brace, and goes on to the
/// next such line, so that a damaged one doesn't hide those after it.
struct Documents<R> {
    from: R,
    limits: Limits,
    /// Lines read so far.
    line: u64,
    ended: bool,
}

impl<R: BufRead> Documents<R> {
    fn new(from: R, limits: Limits) -> Documents<R> {
        Documents {
            from,
            limits,
            line: 0,
            ended: false,
        }
    }

    /// The next lines that belong together and their length in bytes, which is 0 at the end;
    /// without the text if it is longer than the limit.
    fn next_text(&mut self) -> io::Result<(Vec<u8>, u64)> {
        let mut text = Vec::new();
        let mut length = 0;
        let mut line_begins = true;
        loop {
            let available = match self.from.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // The text is whole; the next call meets the error again.
                Err(error) if length > 0 && input::is_after_end(&error) => {
                    return Ok((text, length));
                }
                available => available?,
            };
            if available.is_empty() || line_begins && length > 0 && available[0] == b'{' {
                return Ok((text, length));
            }
            let end = available.iter().position(|&byte| byte == b'\n');
            let used = end.map_or(available.len(), |end| end + 1);
            length += used as u64;
            if length <= self.limits.bytes as u64 {
                text.extend_from_slice(&available[..used]);
            } else {
                text = Vec::new();
            }
            line_begins = end.is_some();
            self.line += u64::from(line_begins);
            self.from.consume(used);
        }
    }

    /// The certificate in the text, the first line of which has the number `first`.
    fn certificate(&self, text: &[u8], length: u64, first: u64) -> Result<Certificate, Unread> {
        let limit = self.limits.bytes;
        if length > limit as u64 {
            let bytes = length;
            return Err(unread(&FormatError::Length { bytes, limit }, first));
        }
        let text = std::str::from_utf8(text).map_err(|error| {
            let before = &text[..error.valid_up_to()];
            let line = first + before.iter().filter(|&&byte| byte == b'\n').count() as u64;
            Unread::Malformed(format!("line {line} is not UTF-8"))
        })?;
        let text = text.trim_start_matches('\u{feff}');
        Certificate::from_json(text, &self.limits).map_err(|error| unread(&error, first))
    }
}

impl<R: BufRead> Iterator for Documents<R> {
    type Item = Result<Certificate, Unread>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let first = self.line + 1;
            match self.next_text() {
                Ok((_, 0)) => self.ended = true,
                Ok((text, _)) if !text.is_empty() && text.trim_ascii().is_empty() => {}
                Ok((text, length)) => return Some(self.certificate(&text, length, first)),
                Err(error) => {
                    self.ended = true;
                    return Some(Err(Unread::Malformed(describe(&error))));
                }
            }
        }
        None
    }
}

/// What `error` comes to; a text begins on line `first` of its file.
fn unread(error: &FormatError, first: u64) -> Unread {
    let message = plain(&error.to_string());
    match error {
        limit if limit.is_limit() => Unread::Beyond(message),
        FormatError::Move { step, place } => Unread::Wrong {
            step: *step,
            fault: format!("move {place} of its list is not legal"),
        },
        FormatError::Unreached { step } => Unread::Wrong {
            step: *step,
            fault: "no move of another step leads to its moves".to_owned(),
        },
        FormatError::Json(error) => {
            let (line, column) = (error.line() as u64, error.column());
            let fault = error.to_string();
            let here = format!(" at line {line} column {column}");
            let fault = plain(fault.strip_suffix(&here).unwrap_or(&fault));
            let line = first + line.saturating_sub(1);
            Unread::Malformed(format!(
                "not the JSON of a certificate: line {line}, column {column}: {fault}"
            ))
        }
        FormatError::Io(error) => Unread::Malformed(cut_short(error)),
        _ => Unread::Malformed(message),
    }
}

fn cut_short(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the data ends too early".to_owned(),
        _ => describe(error),
    }
}

/// A message that may quote a file: without control characters, and cut in the middle if it
/// is too long.
fn plain(message: &str) -> String {
    let mut plain = String::new();
    for c in message.chars() {
        if c.is_control() {
            plain.extend(c.escape_default());
        } else {
            plain.push(c);
        }
    }
    let [first, last] = MESSAGE;
    let mut places = plain.char_indices().map(|(at, _)| at);
    let start = places.clone().nth(first);
    let end = places.nth_back(last - 1);
    match (start, end) {
        (Some(start), Some(end)) if start < end => {
            format!("{}…{}", &plain[..start], &plain[end..])
        }
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CERTIFICATE: &str = r#"{"format":1,"program":"x","position":"4k3/8/8/8/8/8/8/4K3 w - - 0 1","claim":"white","steps":[{"material":"bare-king"}]}"#;

    fn read(text: &str, limits: Limits) -> Vec<Result<(), Unread>> {
        // A small buffer, so that lines come in pieces.
        let reader = BufReader::with_capacity(7, text.as_bytes());
        let documents = Documents::new(reader, limits);
        documents.map(|read| read.map(|_| ())).collect()
    }

    #[test]
    fn certificates_may_take_one_line_or_many() {
        let pretty = CERTIFICATE.replace(',', ",\n ").replace(":[{", ":[\n  {");
        for (text, count) in [
            (CERTIFICATE.to_owned(), 1),
            (pretty.clone(), 1),
            (format!("\u{feff}{CERTIFICATE}\r\n"), 1),
            (format!("\n \n{pretty}\n\n{CERTIFICATE}\n{pretty}\n\n"), 3),
            ("\n".to_owned(), 0),
        ] {
            let read = read(&text, Limits::default());
            assert!(read.iter().all(Result::is_ok), "{text:?}: {read:?}");
            assert_eq!(read.len(), count, "{text:?}");
        }
    }

    #[test]
    fn what_is_no_certificate_does_not_hide_those_after_it() {
        let cut = &CERTIFICATE[..CERTIFICATE.len() / 2];
        let text = format!("hello\nyou\n{CERTIFICATE}\n{cut}\n{CERTIFICATE}\n{{\n\n1}}");
        let read = read(&text, Limits::default());
        let [hello, Ok(()), cut, Ok(()), last] = &read[..] else {
            panic!("{read:?}");
        };
        for (read, place) in [(hello, "line 1, "), (cut, "line 4, "), (last, "line 8, ")] {
            let Err(Unread::Malformed(message)) = read else {
                panic!("{read:?}");
            };
            assert!(message.contains(place), "{message}");
        }
    }

    #[test]
    fn long_texts_are_skipped() {
        let limits = Limits {
            bytes: CERTIFICATE.len() + 1,
            ..Limits::default()
        };
        let long = format!("{}\n{}", CERTIFICATE, " ".repeat(1000));
        let read = read(&format!("{CERTIFICATE}\n{long}\n{CERTIFICATE}\n"), limits);
        assert!(
            matches!(read[..], [Ok(()), Err(Unread::Beyond(_)), Ok(())]),
            "{read:?}"
        );
    }

    #[test]
    fn messages_are_plain() {
        let text = CERTIFICATE.replace("\"program\"", "\"\\u001b[31m\"");
        let read = read(&text, Limits::default());
        let [Err(Unread::Malformed(message))] = &read[..] else {
            panic!("{read:?}");
        };
        assert!(message.contains("\\u{1b}[31m"), "{message}");
    }

    #[test]
    fn long_messages_are_cut_in_the_middle() {
        let remedy = ", expected one of `material`, `moves`";
        let message = format!("unknown variant `{}`{remedy}", "é".repeat(9999));
        let cut = plain(&message);
        assert_eq!(cut.chars().count(), MESSAGE[0] + 1 + MESSAGE[1]);
        assert!(
            cut.starts_with("unknown variant `é") && cut.ends_with(remedy),
            "{cut}"
        );
        let whole = "x".repeat(MESSAGE[0] + MESSAGE[1]);
        assert_eq!(plain(&whole), whole);
    }
}
