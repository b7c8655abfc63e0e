//! The line as it came, with the answers added as operations.

use stillmate_core::text::{Record, quoted};
use stillmate_reach::Verdict;

use super::words;
use crate::{answer::Answer, args::Colours};

/// The EPD line for an answer, with a line feed. The input's own operations are kept in
/// their order; one that the answer gives anew, such as `winnable`, is replaced in its place,
/// or removed where this answer has no value for it.
///
/// Text is quoted, a series of moves included. The EPD standard knows bare moves only as
/// operands of its own opcodes, `pv` among them, and readers such as python-chess take the
/// operand of any other opcode for a single move.
pub(crate) fn answer(answer: &Answer, flag: Option<Colours>) -> String {
    let mut record = answer.record.clone();
    record.set("winnable", quoted(&answer.label()));
    let dead = answer.dead().map(|dead| u8::from(dead).to_string());
    set_or_remove(&mut record, "dead", dead);
    let case = answer.case.map(|case| quoted(&case.number().to_string()));
    set_or_remove(&mut record, "case", case);
    let both = answer.findings().count() == 2;
    for (color, finding) in answer.findings() {
        let opcode = |name: &str| {
            let suffix = if both { color.fold_wb("w", "b") } else { "" };
            format!("{name}{suffix}")
        };
        let least = answer.least(color);
        let at_least = least.map(|least| least.at_least.to_string());
        set_or_remove(&mut record, &opcode("min"), at_least);
        let lines = least.and_then(|least| Some(least.lines?.to_string()));
        set_or_remove(&mut record, &opcode("lines"), lines);
        let moves = match &finding.verdict {
            Verdict::Winnable(line) if !line.0.is_empty() && !answer.too_late(color) => {
                let moves = words::san(answer.record.position(), &line.0).join(" ");
                Some(if both { quoted(&moves) } else { moves })
            }
            _ => None,
        };
        set_or_remove(&mut record, &opcode("pv"), moves);
    }
    record.set("acn", answer.nodes().to_string());
    for &flag in flag.map_or(&[][..], Colours::all) {
        let ruling = answer.fall(flag);
        let text = format!("{} by {}", ruling.outcome().text(), ruling.article());
        record.set(flag.fold_wb("flagw", "flagb"), quoted(&text));
    }
    format!("{record}\n")
}

/// All that an answer may add to a line.
const ANSWERS: [&str; 15] = [
    "winnable", "dead", "case", "min", "minw", "minb", "lines", "linesw", "linesb", "pv", "pvw",
    "pvb", "acn", "flagw", "flagb",
];

/// The length in bytes of the line without answers, as it is written.
pub(crate) fn own_length(record: &Record) -> usize {
    let mut record = record.clone();
    ANSWERS.iter().for_each(|opcode| record.remove(opcode));
    record.to_string().len()
}

fn set_or_remove(record: &mut Record, opcode: &str, operands: Option<String>) {
    match operands {
        Some(operands) => record.set(opcode, operands),
        None => record.remove(opcode),
    }
}
