//! What keeping evidence costs: the engine with certificates and without.
//!
//! ```text
//! cargo run --release -p stillmate-reach --example emission -- [--rounds N] FILE.epd…
//! ```
//!
//! Asks about both colours of every position of the files on one thread, in each round once as
//! always, the certificate being built, turned around for Black and dropped, and once with the
//! evidence of "never" thrown away as it arises. The two take turns at being first. Of the times
//! of one question in all rounds the least counts, since other programs on the machine only ever
//! make it longer. What takes more than a millisecond is measured on the processor's clock for this
//! thread, where the system tells it (Linux does).

use std::time::{Duration, Instant};

use stillmate_core::Color;
use stillmate_reach::{Analyzer, Verdict, rungs};
use stillmate_testkit::labels;

fn main() {
    let mut rounds = 5;
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        if arg == "--rounds" {
            rounds = args.next().and_then(|n| n.parse().ok()).expect("a number");
        } else {
            files.push(arg);
        }
    }
    println!(
        "{:24} {:>9} {:>12} {:>12} {:>6}",
        "questions", "count", "with", "without", "cost"
    );
    for file in files {
        run(&file, rounds);
    }
}

/// Measures how long this thread works.
struct Clock {
    processor: Option<Duration>,
    wall: Instant,
}

impl Clock {
    fn start() -> Clock {
        Clock {
            processor: on_processor(),
            wall: Instant::now(),
        }
    }

    fn elapsed(&self) -> Duration {
        let wall = self.wall.elapsed();
        if wall < Duration::from_millis(1) {
            return wall;
        }
        let spent = on_processor().zip(self.processor);
        spent.map_or(wall, |(now, then)| now - then)
    }
}

/// How long this thread has been on a processor.
fn on_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}

/// Times of one question: with and without evidence.
struct Times {
    never: bool,
    with: Duration,
    without: Duration,
}

fn run(file: &str, rounds: usize) {
    let lines = labels::file(file);
    let positions = lines.iter().map(labels::Labelled::position);
    let analyzer = Analyzer::default();
    let mut all = Vec::new();
    for position in positions {
        for color in Color::ALL {
            let mut times = Times {
                never: false,
                with: Duration::MAX,
                without: Duration::MAX,
            };
            for round in 0..rounds {
                for turn in 0..2 {
                    let start = Clock::start();
                    if (round + turn) % 2 == 0 {
                        let finding = analyzer.decide(&position, color);
                        times.never = matches!(finding.verdict, Verdict::Unwinnable(_));
                        drop(finding);
                        times.with = times.with.min(start.elapsed());
                    } else {
                        std::hint::black_box(rungs::without_evidence(
                            &position,
                            color,
                            analyzer.budget(),
                        ));
                        times.without = times.without.min(start.elapsed());
                    }
                }
            }
            all.push(times);
        }
    }
    println!("{file}");
    print("  all", &mut all.iter());
    print(
        "  that can mate",
        &mut all.iter().filter(|times| !times.never),
    );
    print("  that cannot", &mut all.iter().filter(|times| times.never));
}

fn print(what: &str, times: &mut dyn Iterator<Item = &Times>) {
    let (mut count, mut with, mut without) = (0, Duration::ZERO, Duration::ZERO);
    for one in times {
        count += 1;
        with += one.with;
        without += one.without;
    }
    let cost = with.as_secs_f64() / without.as_secs_f64() - 1.0;
    println!(
        "{what:24} {count:9} {with:12.1?} {without:12.1?} {:5.1}%",
        100.0 * cost
    );
}
