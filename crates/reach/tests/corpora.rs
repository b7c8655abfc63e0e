//! Labelled positions through the public API: no contradiction, every line replayed, every
//! certificate checked.
//!
//! The project's own file is asked whole. The large corpora live beside the repository
//! (`../shared/corpus`); where they are, a sample of each is asked.

use stillmate_core::{Color, Position};
use stillmate_proof::{Limits as CheckLimits, replay, verify};
use stillmate_reach::{Analyzer, Verdict};
use stillmate_testkit::labels::{Labelled, corpus, seed_examples};

/// What a verdict says, its evidence checked; `None` if it is undetermined.
fn can_mate(position: &Position, winner: Color, verdict: &Verdict) -> Option<bool> {
    match verdict {
        Verdict::Winnable(line) => {
            replay(position, winner, &line.0).unwrap_or_else(|err| panic!("{position:?}: {err}"));
            Some(true)
        }
        Verdict::Unwinnable(certificate) => {
            assert_eq!(
                (certificate.position, certificate.claim),
                (*position, winner)
            );
            verify(certificate, &CheckLimits::default())
                .unwrap_or_else(|err| panic!("{position:?}, {winner}: {err}"));
            Some(false)
        }
        Verdict::Undetermined(_) => None,
    }
}

/// The answers that differ from the labels, as lines to print.
fn differences(lines: impl IntoIterator<Item = Labelled>) -> Vec<String> {
    let analyzer = Analyzer::default();
    let mut differences = Vec::new();
    for line in lines {
        let position = line.position();
        let report = analyzer.report(&position);
        let verdicts = [&report.white.verdict, &report.black.verdict];
        let found = [Color::White, Color::Black]
            .map(|color| can_mate(&position, color, verdicts[color.fold_wb(0, 1)]));
        let expected = [Color::White, Color::Black].map(|color| line.can_mate(color));
        assert!(line.record.value("winnable").is_some(), "{}", line.record);
        let same = expected
            .iter()
            .zip(found)
            .all(|(e, f)| e.is_none() || *e == f);
        let case = report.case.map(stillmate_reach::Case::number);
        if !same || line.case().is_some_and(|expected| Some(expected) != case) {
            differences.push(format!("found {found:?}, case {case:?}: {}", line.record));
        }
    }
    differences
}

#[test]
fn the_seed_examples_are_all_right_with_their_cases() {
    assert_eq!(differences(seed_examples()), Vec::<String>::new());
}

#[test]
fn samples_of_the_large_corpora_are_not_contradicted() {
    for (file, every) in [("lichess.epd", 40), ("timeouts.epd", 20)] {
        let Some(lines) = corpus(file) else { continue };
        let sample = lines.into_iter().step_by(every);
        assert_eq!(differences(sample), Vec::<String>::new(), "{file}");
    }
}
