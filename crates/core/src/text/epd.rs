//! A line: the fields of a position, the counters of a FEN, the operations of an EPD.

use std::{borrow::Cow, fmt};

use super::{
    fault::{Fault, Note, TextError, clip},
    fen::{self, Mending},
};
use crate::Position;

/// A position as a line gives it, with what else the line says.
///
/// The counters of a FEN are kept as the operations `hmvc` and `fmvn`, which is how an EPD
/// gives them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    position: Position,
    fields: String,
    operations: Vec<Operation>,
    notes: Vec<Note>,
}

/// One operation of an EPD line, such as `id "name";`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its name.
    pub opcode: String,
    /// Its operands as they are written, without the closing semicolon.
    pub operands: String,
}

impl Operation {
    /// The operand without quotation marks, if it is one quoted text; else all operands as
    /// they stand. In a quoted text `\"` stands for `"` and `\\` for `\`.
    pub fn value(&self) -> Cow<'_, str> {
        let inner = self
            .operands
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'));
        match inner {
            Some(inner) if !inner.contains(['\\', '"']) => Cow::Borrowed(inner),
            Some(_) => {
                unquoted(&self.operands).map_or(Cow::Borrowed(self.operands.as_str()), Cow::Owned)
            }
            None => Cow::Borrowed(&self.operands),
        }
    }
}

/// `text` as a quoted operand.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The text of an operand that is one quoted text.
fn unquoted(operand: &str) -> Option<String> {
    let mut chars = operand.strip_prefix('"')?.chars();
    let mut text = String::new();
    loop {
        match chars.next()? {
            '"' => break,
            '\\' => text.push(chars.next()?),
            other => text.push(other),
        }
    }
    chars.as_str().is_empty().then_some(text)
}

impl Record {
    /// Reads a line: four fields, then optionally the halfmove clock and the number of the
    /// full move, then optionally operations. Castling may be written as in FEN, X-FEN or
    /// Shredder-FEN.
    ///
    /// # Errors
    ///
    /// All that is wrong with the position, or the first thing that can't be read.
    pub fn parse(line: &str, mending: Mending) -> Result<Record, TextError> {
        let mut rest = line;
        let mut fields = [""; 4];
        for (index, field) in fields.iter_mut().enumerate() {
            *field = next_word(&mut rest).ok_or(Fault::TooFewFields { found: index })?;
        }
        let mut operations = Vec::new();
        for (opcode, counter) in COUNTERS {
            let mut after = rest;
            match next_word(&mut after) {
                Some(word) if !begins_with_letter(word) => {
                    check_counter(counter, word)?;
                    operations.push(Operation {
                        opcode: opcode.to_owned(),
                        operands: word.to_owned(),
                    });
                    rest = after;
                }
                _ => break,
            }
        }
        while let Some(operation) = next_operation(&mut rest)? {
            if let Some((_, counter)) = COUNTERS.iter().find(|(name, _)| *name == operation.opcode)
            {
                check_counter(counter, &operation.operands)?;
            }
            operations.push(operation);
        }
        let (position, notes) = fen::read(fields, mending)?;
        let fields = if notes.iter().any(|note| note.is_mending()) {
            let fen = position.fen();
            fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
        } else {
            fields.join(" ")
        };
        Ok(Record {
            position,
            fields,
            operations,
            notes,
        })
    }

    /// The position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// What is odd about the line.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The operations, in the order of the line.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The value of the first operation called `opcode`; see [`Operation::value`].
    pub fn value(&self, opcode: &str) -> Option<Cow<'_, str>> {
        self.find(opcode).map(Operation::value)
    }

    /// Gives the operation `opcode` these operands, at its place in the line or at the end.
    /// Operands with a semicolon must be [`quoted`].
    pub fn set(&mut self, opcode: &str, operands: impl Into<String>) {
        let operands = operands.into();
        match self.operations.iter_mut().find(|op| op.opcode == opcode) {
            Some(operation) => operation.operands = operands,
            None => self.operations.push(Operation {
                opcode: opcode.to_owned(),
                operands,
            }),
        }
    }

    /// Takes away the operations called `opcode`.
    pub fn remove(&mut self, opcode: &str) {
        self.operations.retain(|op| op.opcode != opcode);
    }

    /// The position as a FEN of six fields: the four of the line as they were written (after
    /// mending), and its counters, or 0 and 1.
    pub fn fen(&self) -> String {
        let [halfmoves, fullmoves] = self.counters();
        format!("{} {halfmoves} {fullmoves}", self.fields)
    }

    /// The number of the full move, 1 if the line doesn't say.
    pub fn full_move(&self) -> u32 {
        self.counters()[1].max(1)
    }

    /// The halfmove clock: plies since the last capture or pawn move, 0 if the line doesn't
    /// say.
    pub fn half_move(&self) -> u32 {
        self.counters()[0]
    }

    fn counters(&self) -> [u32; 2] {
        let read = |opcode| Some(self.find(opcode)?.operands.parse().unwrap_or(u32::MAX));
        [read("hmvc").unwrap_or(0), read("fmvn").unwrap_or(1)]
    }

    fn find(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|op| op.opcode == opcode)
    }
}

/// Writes the line as EPD.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fields)?;
        for Operation { opcode, operands } in &self.operations {
            if operands.is_empty() {
                write!(f, " {opcode};")?;
            } else {
                write!(f, " {opcode} {operands};")?;
            }
        }
        Ok(())
    }
}

/// The counters of a FEN in their order: the operation of the same meaning, and its name.
const COUNTERS: [(&str, &str); 2] = [("hmvc", "halfmove clock"), ("fmvn", "full move number")];

fn check_counter(counter: &'static str, text: &str) -> Result<(), Fault> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        let found = clip(text);
        return Err(Fault::Counter { counter, found });
    }
    Ok(())
}

/// The next word of `rest`, which is shortened.
fn next_word<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let text = rest.trim_start();
    let (word, after) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    *rest = after;
    (!word.is_empty()).then_some(word)
}

/// Whether `text` can be an operation; a move counter can't.
fn begins_with_letter(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// The next operation of `rest`, which is shortened, or `None` at the end of the line.
fn next_operation(rest: &mut &str) -> Result<Option<Operation>, Fault> {
    let text = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
    if text.is_empty() {
        return Ok(None);
    }
    if !begins_with_letter(text) {
        return Err(Fault::Opcode(clip(text)));
    }
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quote.is_some() => escaped = true,
            '"' => quote = if quote.is_some() { None } else { Some(at) },
            ';' if quote.is_none() => {
                let body = text[..at].trim_end();
                *rest = &text[at + 1..];
                let (opcode, operands) =
                    body.split_at(body.find(char::is_whitespace).unwrap_or(body.len()));
                return Ok(Some(Operation {
                    opcode: opcode.to_owned(),
                    operands: operands.trim_start().to_owned(),
                }));
            }
            _ => {}
        }
    }
    Err(match quote {
        Some(at) => Fault::OpenQuote(clip(&text[at..])),
        None => Fault::OpenOperation(clip(text)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINGS: &str = "8/8/4k3/8/8/4K3/8/8 w - -";

    fn parse(rest: &str) -> Result<Record, String> {
        let line = format!("{KINGS}{rest}");
        Record::parse(&line, Mending::Strict).map_err(|error| error.to_string())
    }

    #[test]
    fn operations_keep_their_order_and_text() {
        let rest = r#" hmvc 3; c0 "a ; \" b \\"; pv Ke4  Ke7; noop; id "x";"#;
        let record = parse(rest).unwrap();
        assert_eq!(record.to_string(), format!("{KINGS}{rest}"));
        assert_eq!(record.value("c0").as_deref(), Some(r#"a ; " b \"#));
        assert_eq!(record.value("pv").as_deref(), Some("Ke4  Ke7"));
        assert_eq!(record.value("noop").as_deref(), Some(""));
        assert_eq!(record.value("winnable"), None);
        assert_eq!(quoted(&record.value("c0").unwrap()), r#""a ; \" b \\""#);
    }

    #[test]
    fn white_space_between_the_parts_is_free() {
        let record = Record::parse(
            "  8/8/4k3/8/8/4K3/8/8\tw  -   -  id  \"x\" ;; c0\t\"y\";  ",
            Mending::Strict,
        )
        .unwrap();
        assert_eq!(record.to_string(), format!("{KINGS} id \"x\"; c0 \"y\";"));
    }

    #[test]
    fn counters_are_read_as_fields_and_as_operations() {
        for (rest, fen) in [
            ("", "0 1"),
            (" 7", "7 1"),
            (" 7 33", "7 33"),
            (" 7 33 id \"x\";", "7 33"),
            (" hmvc 7; id \"x\"; fmvn 33;", "7 33"),
            (" 7 fmvn 33;", "7 33"),
        ] {
            let record = parse(rest).unwrap();
            assert_eq!(record.fen(), format!("{KINGS} {fen}"), "{rest}");
        }
        assert_eq!(parse(" 0 0").unwrap().full_move(), 1);
        assert_eq!(parse(" 0 99999999999").unwrap().full_move(), u32::MAX);
    }

    #[test]
    fn operations_that_cannot_be_read_are_explained() {
        for (rest, message) in [
            (" id \"x\"", "neither a move counter nor an operation"),
            (" a 1; id \"x\"", "\"id \\\"x\\\"\" after the position"),
            (
                " id \"x; c0 \"y\";",
                "a quotation mark is missing after \"\\\";\"",
            ),
            (" 0 1 2", "\"2\" is no operation; one begins with a letter"),
            (
                " +x 1;",
                "halfmove clock is \"+x\"; it must be a whole number",
            ),
            (" -", "halfmove clock is \"-\""),
            (" 3.5 1", "halfmove clock is \"3.5\""),
            (" fmvn \"7\";", "full move number is \"\\\"7\\\"\""),
        ] {
            let error = parse(rest).expect_err(rest);
            assert!(error.contains(message), "{rest}: {error}");
        }
    }

    #[test]
    fn an_operation_is_set_at_its_place() {
        let mut record = parse(" a 1; b 2; c 3;").unwrap();
        record.set("b", "x");
        record.set("d", quoted("y;"));
        record.remove("a");
        record.remove("none");
        assert_eq!(record.to_string(), format!("{KINGS} b x; c 3; d \"y;\";"));
    }

    #[test]
    fn mended_lines_are_written_as_they_were_understood() {
        let line = "4k3/8/8/8/8/8/8/4K3 w K e6 5 60";
        assert!(Record::parse(line, Mending::Strict).is_err());
        let record = Record::parse(line, Mending::Lenient).unwrap();
        assert_eq!(record.fen(), "4k3/8/8/8/8/8/8/4K3 w - - 5 60");
        assert_eq!(record.notes().len(), 2);
        // An en passant square that no pawn can use is no fault and stays.
        let line = "4k3/8/8/4p3/8/8/8/4K3 w - e6";
        let record = Record::parse(line, Mending::Strict).unwrap();
        assert_eq!(record.to_string(), line);
        assert_eq!(record.position().ep_square(), None);
    }
}
