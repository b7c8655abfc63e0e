//! The line as it came, with the answers added as operations.

use stillmate_core::text::{Record, quoted};
use stillmate_reach::Verdict;

use super::words;
use crate::{answer::Answer, args::Colours, laws::Ruling};

/// The EPD line for an answer, with a line feed. The input's own operations are kept in
/// their order; one that the answer gives anew, such as `winnable`, is replaced in its place.
pub(crate) fn answer(answer: &Answer, flag: Option<Colours>) -> String {
    let mut record = answer.record.clone();
    record.set("winnable", quoted(&answer.label()));
    let dead = answer.dead().map(|dead| u8::from(dead).to_string());
    set_or_remove(&mut record, "dead", dead);
    let case = answer.case.map(|case| quoted(&case.number().to_string()));
    set_or_remove(&mut record, "case", case);
    let both = answer.findings().count() == 2;
    for (color, finding) in answer.findings() {
        if let Some(least) = answer.least(color) {
            let suffix = if both { color.fold_wb("w", "b") } else { "" };
            record.set(&format!("min{suffix}"), least.at_least.to_string());
            if let Some(lines) = least.lines {
                record.set(&format!("lines{suffix}"), lines.to_string());
            }
        }
        if let Verdict::Winnable(line) = &finding.verdict
            && !line.0.is_empty()
            && !answer.too_late(color)
        {
            let opcode = if both {
                color.fold_wb("pvw", "pvb")
            } else {
                "pv"
            };
            let moves = words::san(answer.record.position(), &line.0);
            record.set(opcode, moves.join(" "));
        }
    }
    record.set("acn", answer.nodes().to_string());
    for &flag in flag.map_or(&[][..], Colours::all) {
        let ruling = Ruling::on(answer, flag);
        let text = format!("{} by {}", ruling.result(), ruling.article());
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
