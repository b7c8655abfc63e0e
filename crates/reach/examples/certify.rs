//! Holds the engine against the checker: every certificate verified, every line replayed.
//!
//! ```text
//! cargo run --release -p stillmate-reach --example certify -- [--nodes N] FILE.epd…
//! ```
//!
//! Asks about both colours of every position of the files, on one thread. Prints every refusal,
//! every line that is no mate and every verdict that differs from the EPD operation `winnable`;
//! then of all certificates together, and of those that begin with each kind of step: how many
//! there were, how long they are in bytes (median and largest, in the binary form), their most
//! classes, how long proving and checking took in all, and the median and longest check. Exits 1
//! if anything was refused.

use std::{
    collections::BTreeMap,
    process::ExitCode,
    time::{Duration, Instant},
};

use stillmate_core::Color;
use stillmate_proof::{Certificate, Limits, Step, replay, verify};
use stillmate_reach::{Analyzer, Verdict};
use stillmate_testkit::labels;

/// What is printed of certificates.
#[derive(Default)]
struct Row {
    sizes: Vec<usize>,
    classes: usize,
    proving: Duration,
    checks: Vec<Duration>,
}

fn main() -> ExitCode {
    let mut nodes = 200_000;
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        if arg == "--nodes" {
            nodes = args.next().and_then(|n| n.parse().ok()).expect("a number");
        } else {
            files.push(arg);
        }
    }
    let refused = files.iter().map(|file| run(file, nodes)).sum::<usize>();
    ExitCode::from(u8::from(refused > 0))
}

/// Goes through one file; how much was refused.
fn run(file: &str, nodes: u64) -> usize {
    let analyzer = Analyzer::new(stillmate_reach::Budget {
        nodes,
        ..stillmate_reach::Budget::default()
    });
    let (mut lines, mut undetermined, mut refused) = (0, 0, 0);
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    for line in labels::file(file) {
        let position = line.position();
        for color in Color::ALL {
            let finding = analyzer.decide(&position, color);
            if line
                .can_mate(color)
                .is_some_and(|label| differs(label, &finding.verdict))
            {
                println!("LABEL {color} {}", position.fen());
            }
            match finding.verdict {
                Verdict::Winnable(line) => {
                    lines += 1;
                    if let Err(error) = replay(&position, color, &line.0) {
                        refused += 1;
                        println!("LINE {color} {}: {error}", position.fen());
                    }
                }
                Verdict::Unwinnable(certificate) => {
                    let start = Instant::now();
                    let verdict = verify(&certificate, &Limits::default());
                    let check = start.elapsed();
                    for name in [" all", name(&certificate.steps[0])] {
                        let row = rows.entry(name).or_default();
                        row.checks.push(check);
                        row.proving += finding.elapsed;
                        row.sizes.push(certificate.to_bytes().len());
                        row.classes = row.classes.max(classes(&certificate));
                    }
                    if (certificate.position, certificate.claim) != (position, color) {
                        refused += 1;
                        println!("OTHER CLAIM {color} {}", position.fen());
                    }
                    if let Err(refusal) = verdict {
                        refused += 1;
                        println!("REFUSED {color} {}: {refusal}", position.fen());
                    }
                }
                Verdict::Undetermined(_) => undetermined += 1,
            }
        }
    }
    println!("{file}: {lines} lines, {undetermined} undetermined, {refused} refused");
    println!(
        "{:10} {:>6} {:>7} {:>9} {:>7} {:>9} {:>9} {:>9} {:>9}",
        "first step",
        "count",
        "bytes",
        "at most",
        "classes",
        "proving",
        "checking",
        "median",
        "at most"
    );
    for (name, mut row) in rows {
        row.sizes.sort_unstable();
        row.checks.sort_unstable();
        let (middle, last) = (row.sizes.len() / 2, row.sizes.len() - 1);
        println!(
            "{:10} {:6} {:7} {:9} {:7} {:9.1?} {:9.1?} {:9.1?} {:9.1?}",
            name.trim(),
            row.sizes.len(),
            row.sizes[middle],
            row.sizes[last],
            row.classes,
            row.proving,
            row.checks.iter().sum::<Duration>(),
            row.checks[middle],
            row.checks[last],
        );
    }
    refused
}

const fn differs(label: bool, verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Winnable(_) => !label,
        Verdict::Unwinnable(_) => label,
        Verdict::Undetermined(_) => false,
    }
}

const fn name(step: &Step) -> &'static str {
    match step {
        Step::Terminal => "terminal",
        Step::Material(_) => "material",
        Step::Moves(_) => "moves",
        Step::Closed { .. } => "closed",
        Step::Invariant(_) => "invariant",
        Step::Classes { .. } => "classes",
    }
}

fn classes(certificate: &Certificate) -> usize {
    let classes = certificate.steps.iter().map(|step| match step {
        Step::Classes { classes, .. } => classes.len(),
        _ => 0,
    });
    classes.sum()
}
