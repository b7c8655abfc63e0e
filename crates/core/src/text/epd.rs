//! A line: the fields of a position, the counters of a FEN, the operations of an EPD.

use std::{borrow::Cow, fmt};

use super::{
    fault::{Note, TextError, TextFault, clip},
    fen::{self, Leniency},
    hint::Hint,
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
    /// ```
    /// use stillmate_core::text::{Leniency, Record};
    ///
    /// let line = r#"8/8/4k3/8/8/3K4/8/8 w - - 12 40 id "kings"; c0 "a note";"#;
    /// let record = Record::parse(line, Leniency::Strict)?;
    /// assert_eq!(record.half_move(), 12);
    /// assert_eq!(record.value("id").as_deref(), Some("kings"));
    ///
    /// let error = Record::parse("8/8/4k3/8/8/3K4/8 w - -", Leniency::Strict).unwrap_err();
    /// let message = r#"a board has 8 ranks with "/" between them, this one has 7"#;
    /// assert_eq!(error.to_string(), message);
    /// # Ok::<(), stillmate_core::text::TextError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the position, or the first thing that can't be read. The
    /// board is judged before what follows it.
    pub fn parse(line: &str, leniency: Leniency) -> Result<Record, TextError> {
        let mut rest = line;
        let mut fields = [""; 4];
        for (index, field) in fields.iter_mut().enumerate() {
            match next_word(&mut rest) {
                Some(word) => *field = word,
                None => return Err(too_few_fields(line, fields[0], index)),
            }
        }
        // The board first: where it is none, what follows means nothing.
        let (position, notes) = fen::read(fields, leniency).map_err(|error| {
            let hint = error.is_text().then(|| Hint::of(line)).flatten();
            error.with_hint(hint)
        })?;
        let operations = operations(rest).map_err(|fault| {
            let hint = Hint::of(line).filter(|hint| !matches!(hint, Hint::Position(_)));
            TextError::from(fault).with_hint(hint)
        })?;
        let mut record = Record {
            position,
            fields: written(fields, &position, &notes),
            operations,
            notes,
        };
        record.notes.extend(record.clock_note());
        Ok(record)
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

    /// The position as a FEN of six fields: the four of the line as they were written (where
    /// nothing was repaired or oddly spelt), and its counters, or 0 and 1.
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
        COUNTERS.map(|counter| self.counter(&counter).unwrap_or(counter.default))
    }

    /// What the line says of a counter.
    fn counter(&self, counter: &Counter) -> Option<u32> {
        let operation = self.find(counter.opcode)?;
        Some(operation.operands.parse().expect("counters were checked"))
    }

    /// Whether the clock fits the number of the move, where the line gives both.
    fn clock_note(&self) -> Option<Note> {
        let [clock, number] = COUNTERS.map(|counter| self.counter(&counter));
        let (clock, number) = (clock?, number?.max(1));
        let black = u32::from(self.position.turn().is_black());
        let plies = (number - 1).saturating_mul(2).saturating_add(black);
        (clock > plies).then_some(Note::ImpossibleClock {
            clock,
            number,
            plies,
        })
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

/// A move counter of a FEN.
struct Counter {
    /// The operation of the same meaning.
    opcode: &'static str,
    name: &'static str,
    /// What it is where the line doesn't say.
    default: u32,
}

/// The counters of a FEN in their order.
const COUNTERS: [Counter; 2] = [
    Counter {
        opcode: "hmvc",
        name: "halfmove clock",
        default: 0,
    },
    Counter {
        opcode: "fmvn",
        name: "full move number",
        default: 1,
    },
];

impl Counter {
    fn check(&self, text: &str) -> Result<(), TextFault> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        if digits && text.parse::<u32>().is_ok() {
            return Ok(());
        }
        Err(TextFault::Counter {
            counter: self.name,
            found: clip(text),
        })
    }
}

/// What is wrong with a line of `found` fields, of which `board` is the first.
fn too_few_fields(line: &str, board: &str, found: usize) -> TextError {
    let hint = Hint::of(line);
    let is_board = board.contains('/');
    let mut faults: Vec<TextFault> = Vec::new();
    faults.extend(is_board.then(|| fen::board_fault(board)).flatten());
    // Where the position is somewhere else in the line, counting fields says nothing.
    if faults.is_empty() || hint.is_none() {
        faults.push(TextFault::TooFewFields { found });
    }
    TextError::new(faults).with_hint(hint)
}

/// The fields as they were written, but for what was repaired or is oddly spelt.
fn written(fields: [&str; 4], position: &Position, notes: &[Note]) -> String {
    if notes.is_empty() {
        return fields.join(" ");
    }
    let (mut fields, fen) = (fields, position.fen());
    let understood: Vec<&str> = fen.split(' ').collect();
    for note in notes {
        match note {
            Note::SplitSquares(_) => fields[0] = understood[0],
            Note::DroppedCastling { .. } | Note::RepeatedCastling => fields[2] = understood[2],
            Note::DroppedEnPassant(_) => fields[3] = "-",
            _ => {}
        }
    }
    fields.join(" ")
}

/// The counters and operations after a position.
fn operations(mut rest: &str) -> Result<Vec<Operation>, TextFault> {
    let mut operations = Vec::new();
    for counter in &COUNTERS {
        let text = rest.trim_start();
        let end = text.find(|c: char| c.is_whitespace() || c == ';');
        let (word, after) = text.split_at(end.unwrap_or(text.len()));
        if word.is_empty() || begins_with_letter(word) {
            break;
        }
        counter.check(word)?;
        operations.push(Operation {
            opcode: counter.opcode.to_owned(),
            operands: word.to_owned(),
        });
        rest = after;
    }
    while let Some(operation) = next_operation(&mut rest)? {
        let counter = COUNTERS
            .iter()
            .find(|counter| counter.opcode == operation.opcode);
        if let Some(counter) = counter {
            counter.check(&operation.operands)?;
        }
        operations.push(operation);
    }
    Ok(operations)
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
fn next_operation(rest: &mut &str) -> Result<Option<Operation>, TextFault> {
    let text = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
    if text.is_empty() {
        return Ok(None);
    }
    if !begins_with_letter(text) {
        return Err(TextFault::Opcode(clip(text)));
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
        Some(at) => TextFault::OpenQuote(clip(&text[at..])),
        None => TextFault::OpenOperation(clip(text)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINGS: &str = "8/8/4k3/8/8/4K3/8/8 w - -";

    fn parse(rest: &str) -> Result<Record, String> {
        let line = format!("{KINGS}{rest}");
        Record::parse(&line, Leniency::Strict).map_err(|error| error.to_string())
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
            Leniency::Strict,
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
        assert_eq!(parse(" 0 4294967295").unwrap().full_move(), u32::MAX);
        // A semicolon ends a counter as it ends an operation.
        assert_eq!(parse(" 7 33;id \"x\";"), parse(" 7 33 id \"x\";"));
        assert_eq!(parse(" 7;"), parse(" 7"));
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
            (" 0 4294967296", "at most 4294967295"),
            (" 99999999999 1", "halfmove clock is \"99999999999\""),
            (" hmvc 4294967296;", "halfmove clock is \"4294967296\""),
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
    fn repaired_lines_are_written_as_they_were_understood() {
        let line = "4k3/8/8/8/8/8/8/4K3 w K e6 5 60";
        assert!(Record::parse(line, Leniency::Strict).is_err());
        let record = Record::parse(line, Leniency::Lenient).unwrap();
        assert_eq!(record.fen(), "4k3/8/8/8/8/8/8/4K3 w - - 5 60");
        assert_eq!(record.notes().len(), 2);
        // An en passant square that no pawn can use is no fault and stays.
        let line = "4k3/8/8/4p3/8/8/8/4K3 w - e6";
        let record = Record::parse(line, Leniency::Strict).unwrap();
        assert_eq!(record.to_string(), line);
        assert_eq!(record.position().ep_square(), None);
    }

    #[test]
    fn odd_spellings_are_written_as_others_read_them() {
        for (line, written) in [
            ("8/8/4k3/8/17/4K3/8/8 w - -", "8/8/4k3/8/8/4K3/8/8 w - -"),
            (
                "4k3/8/8/8/8/8/8/R3K2R w KKQ -",
                "4k3/8/8/8/8/8/8/R3K2R w KQ -",
            ),
            (
                "4k3/8/8/35/4p3/8/8/R3K3 w QQ -",
                "4k3/8/8/8/4p3/8/8/R3K3 w Q -",
            ),
            // An en passant square that no pawn can use stays.
            (
                "4k3/17/8/4p3/8/8/8/4K3 w - e6",
                "4k3/8/8/4p3/8/8/8/4K3 w - e6",
            ),
        ] {
            let record = Record::parse(line, Leniency::Strict).unwrap();
            assert!(!record.notes().is_empty(), "{line}");
            assert!(
                !record.notes().iter().any(|note| note.is_repair()),
                "{line}"
            );
            assert_eq!(record.to_string(), written);
        }
    }

    #[test]
    fn a_clock_that_the_moves_leave_no_room_for_is_noted() {
        for (rest, noted) in [
            (" 98 50", false),
            (" 99 50", true),
            (" hmvc 500; fmvn 50;", true),
            (" 500", false),
            (" fmvn 1;", false),
            (" 1 0", true),
            (" 4294967295 4294967295", false),
        ] {
            let notes = parse(rest).unwrap().notes().to_vec();
            let is_clock = |note: &Note| matches!(note, Note::ImpossibleClock { .. });
            assert_eq!(notes.iter().any(is_clock), noted, "{rest}");
        }
        let [note] = parse(" 500 50").unwrap().notes().try_into().unwrap();
        let message = "halfmove clock 500 at move 50, before which come at most 98 plies";
        assert_eq!(Note::to_string(&note), message);
        let black = Record::parse("8/8/4k3/8/8/4K3/8/8 b - - 99 50", Leniency::Strict);
        assert_eq!(black.unwrap().notes(), []);
    }

    #[test]
    fn a_board_is_judged_before_what_follows_it() {
        let error = |line| {
            Record::parse(line, Leniency::Strict)
                .unwrap_err()
                .to_string()
        };
        let kings = "White has no king; each side has exactly one";
        assert_eq!(error("8/8/4k3/8/8/8/8/8 w - - 0 x;"), kings);
        let rank = "rank 1 (\"7\") describes 7 squares, a rank has 8";
        assert_eq!(error("8/8/4k3/8/8/3K4/8/7 w - - x"), rank);
        assert!(error("8/8/4k3/8/8/3K4/8/7 w").starts_with(&format!("{rank}; 2 of the 4 fields")));
    }

    /// Whatever a line is, it is read or explained, and what is read is written so that it is
    /// read again as the same.
    #[test]
    fn any_line_is_explained_or_can_be_read_again() {
        const PARTS: [&str; 32] = [
            "8/8/4k3/8/8/4K3/8/8",
            "r3k2r/8/8/8/8/8/8/R3K2R",
            "17/8/4k3/8/8/4K3/8/8",
            "w",
            "b",
            "-",
            "KQkq",
            "KK",
            "e3",
            "0",
            "1",
            "500",
            "99999999999",
            ";",
            " ",
            "\t",
            "\"",
            "\\",
            "id",
            "a \"b;\"",
            "moves",
            "position",
            "startpos",
            "[",
            "1.",
            "e4",
            "_",
            "%20",
            "é",
            "\u{feff}",
            "/",
            "9",
        ];
        let mut rng = fastrand::Rng::with_seed(7);
        let mut read_lines = 0;
        for _ in 0..100_000 {
            let mut line = String::new();
            if rng.u8(..4) > 0 {
                line.push_str("8/8/4k3/8/17/4K3/8/8 w - -");
            }
            for _ in 0..rng.usize(..8) {
                line.push_str(PARTS[rng.usize(..PARTS.len())]);
                line.push_str(["", " "][rng.usize(..2)]);
            }
            match Record::parse(&line, Leniency::Strict) {
                Ok(record) => {
                    let written = record.to_string();
                    let again = Record::parse(&written, Leniency::Strict)
                        .unwrap_or_else(|error| panic!("{line:?}, {written:?}: {error}"));
                    assert_eq!(again.to_string(), written, "{line:?}");
                    assert_eq!(again.fen(), record.fen(), "{line:?}");
                    assert_eq!(again.operations(), record.operations(), "{line:?}");
                    read_lines += 1;
                }
                Err(error) => assert!(!error.to_string().contains('\n'), "{line:?}"),
            }
        }
        assert!(read_lines > 5_000, "{read_lines}");
    }
}
