//! Asks one rung alone: prints verdict, effort and time for every question of the files.
//!
//! ```text
//! cargo run --release -p stillmate-reach --example alone -- closure 3000000 FILE.epd…
//! ```
//!
//! Lines are FEN or EPD; `c0 "white"` or `c0 "black"` asks about that colour alone.

use std::time::Duration;

use stillmate_core::Color;
use stillmate_proof::Step;
use stillmate_reach::{Analyzer, Budget, Verdict, rungs::Rung};
use stillmate_testkit::labels;

fn main() {
    let mut args = std::env::args().skip(1);
    let name = args.next().expect("a rung");
    let effort = args.next().and_then(|n| n.parse().ok()).expect("a number");
    let rung = Rung::ALL
        .into_iter()
        .find(|rung| format!("{rung:?}").eq_ignore_ascii_case(&name));
    assert!(
        rung.is_some() || name == "ladder",
        "no rung is called {name}"
    );
    let analyzer = Analyzer::new(Budget {
        nodes: effort as u64,
        ..Budget::default()
    });
    let (mut sum, mut most, mut open) = (Duration::ZERO, Duration::ZERO, 0);
    for file in args {
        for line in labels::file(&file) {
            let (line, position) = (&line.record, line.position());
            for color in Color::ALL {
                let other = (!color).fold_wb("white", "black");
                if line.value("c0").is_some_and(|asked| asked == other) {
                    continue;
                }
                let started = busy();
                let (verdict, how) = match rung {
                    Some(rung) => (rung.ask(&position, color, effort), ""),
                    None => {
                        let finding = analyzer.decide(&position, color);
                        (Some(finding.verdict), finding.method.name())
                    }
                };
                let took = busy() - started;
                let what = match verdict {
                    None => "open".to_string(),
                    Some(Verdict::Winnable(line)) => format!("mate in {} plies", line.0.len()),
                    Some(Verdict::Unwinnable(certificate)) => match &certificate.steps[0] {
                        Step::Closed { positions, exits } => {
                            format!("never {positions}/{}", exits.len())
                        }
                        _ => "never".to_string(),
                    },
                    Some(Verdict::Undetermined(effort)) => format!("open {}", effort.nodes),
                };
                sum += took;
                most = most.max(took);
                open += usize::from(what.starts_with("open"));
                let took = took.as_secs_f64() * 1e3;
                println!("{took:9.1} ms  {how:9} {what:18} {color:?} {line}");
            }
        }
    }
    println!("sum {sum:?}, most {most:?}, open {open}");
}

/// Processor time of all threads, where the system tells it.
fn busy() -> Duration {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten();
    let nanos = threads.filter_map(|thread| {
        let text = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanos.sum())
}
