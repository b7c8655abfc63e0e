//! Labelled positions through the public API: no contradiction, every line replayed, every
//! certificate checked.
//!
//! The project's own file is asked whole. The large corpora live beside the repository
//! (`../shared/corpus`); where they are, a sample of each is asked.

use std::{fs, path::PathBuf};

use stillmate_core::{Color, Position};
use stillmate_proof::{Limits as CheckLimits, replay, verify};
use stillmate_reach::{Analyzer, Budget, Verdict};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The value of an EPD operation with a quoted operand.
fn operand(line: &str, opcode: &str) -> Option<String> {
    let start = line.find(&format!(" {opcode} \""))? + opcode.len() + 3;
    line[start..].split('"').next().map(str::to_owned)
}

fn position(line: &str) -> Position {
    let fen: Vec<&str> = line.split_whitespace().take(4).collect();
    Position::from_fen(&fen.join(" ")).unwrap_or_else(|err| panic!("{line}: {err}"))
}

/// What a verdict says as a character of a label, its evidence checked.
fn label(position: &Position, winner: Color, verdict: &Verdict) -> char {
    match verdict {
        Verdict::Winnable(line) => {
            replay(position, winner, &line.0).unwrap_or_else(|err| panic!("{position:?}: {err}"));
            winner.fold_wb('W', 'B')
        }
        Verdict::Unwinnable(certificate) => {
            assert_eq!(
                (certificate.position, certificate.claim),
                (*position, winner)
            );
            verify(certificate, &CheckLimits::default())
                .unwrap_or_else(|err| panic!("{position:?}, {winner}: {err}"));
            '-'
        }
        Verdict::Undetermined(_) => '?',
    }
}

/// The labels found that differ from those expected, as lines to print.
fn differences(lines: impl Iterator<Item = String>, nodes: u64) -> Vec<String> {
    let analyzer = Analyzer::new(Budget {
        nodes,
        ..Budget::default()
    });
    let mut differences = Vec::new();
    for line in lines.filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let position = position(&line);
        let report = analyzer.report(&position);
        let found = [
            label(&position, Color::White, &report.white.verdict),
            label(&position, Color::Black, &report.black.verdict),
        ];
        let expected = operand(&line, "winnable").expect("every line has a label");
        let same = expected.chars().zip(found).all(|(e, f)| e == '?' || e == f);
        let case = report.case.map(|case| case.number().to_string());
        if !same || operand(&line, "case").is_some_and(|expected| Some(expected) != case) {
            differences.push(format!("found {found:?}, case {case:?}: {line}"));
        }
    }
    differences
}

#[test]
fn the_seed_examples_are_all_right_with_their_cases() {
    let text = fs::read_to_string(root().join("data/seed-examples.epd")).unwrap();
    let lines = text.lines().map(str::to_owned);
    assert_eq!(
        differences(lines, Budget::default().nodes),
        Vec::<String>::new()
    );
}

#[test]
fn samples_of_the_large_corpora_are_not_contradicted() {
    for (file, every) in [("lichess.epd", 40), ("timeouts.epd", 20)] {
        let path = root().join("../shared/corpus").join(file);
        let Ok(text) = fs::read_to_string(&path) else {
            eprintln!("{} is not here", path.display());
            continue;
        };
        let lines = text.lines().step_by(every).map(str::to_owned);
        assert_eq!(
            differences(lines, Budget::default().nodes),
            Vec::<String>::new(),
            "{file}"
        );
    }
}
