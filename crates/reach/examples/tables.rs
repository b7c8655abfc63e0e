//! Builds tables of helpmates and prints what is in them, two rows a class, in Markdown.
//!
//! ```text
//! cargo run --release -p stillmate-reach --example tables -- [--dir DIR] CLASS…
//! ```
//!
//! A class is written as in `KBNvK`; `2`, `3`, `4` or `5` stands for all classes of so many
//! men. Without `--dir`, tables are kept in memory only. Time to build each class (smaller ones
//! that it needs are built before), processor time of all threads and peak memory go to
//! standard error, and so do examples of the greatest distances.

use std::{
    env,
    error::Error,
    fs,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Instant,
};

use stillmate_reach::retro::{Class, Mates, Progress, SideToMove, Tables};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args: Vec<String> = env::args().skip(1).collect();
    let tables = match args.iter().position(|arg| arg == "--dir") {
        Some(at) if at + 1 < args.len() => {
            let dir = args.drain(at..at + 2).nth(1);
            Tables::open(dir.unwrap_or_default())
        }
        Some(_) => return Err("--dir wants a directory".into()),
        None => Tables::builtin(),
    };
    let mut classes = Vec::new();
    for arg in &args {
        match arg.parse() {
            Ok(men @ 2..=5) => classes.extend(Class::all(men)),
            _ => classes.push(arg.parse()?),
        }
    }
    println!(
        "| class | to move | positions | mates | stalemates | dead | White never | longest | Black never | longest |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for class in classes {
        for smaller in class.conversions() {
            tables.build(smaller, &|_| ())?;
        }
        let (started, worked) = (Instant::now(), processor_seconds());
        let built = AtomicBool::new(false);
        tables.build(class, &|progress| {
            if matches!(progress, Progress::Finished { .. }) {
                built.store(true, Relaxed);
            }
        })?;
        let how = if built.into_inner() { "built" } else { "read" };
        eprintln!(
            "{class}: {how} in {:.2} s, {:.2} s of processor time, peak {} MiB",
            started.elapsed().as_secs_f64(),
            processor_seconds() - worked,
            peak_mebibytes()
        );
        let statistics = tables.statistics(class)?;
        print_row(&class.to_string(), "White", &statistics.strong);
        print_row("", "Black", &statistics.weak);
        for (side, to_move) in [(&statistics.strong, "White"), (&statistics.weak, "Black")] {
            for (mates, winner) in [(&side.white, "White"), (&side.black, "Black")] {
                if let Some((plies, example)) = &mates.longest {
                    let fen = example.position.fen();
                    eprintln!("{class}: {to_move} to move, mate by {winner} in {plies}: {fen}");
                }
            }
        }
        tables.forget();
    }
    Ok(())
}

fn print_row(class: &str, to_move: &str, side: &SideToMove) {
    let longest = |mates: &Mates| {
        mates
            .longest
            .map_or("-".to_owned(), |(plies, _)| plies.to_string())
    };
    println!(
        "| {class} | {to_move} | {} | {} | {} | {} | {} | {} | {} | {} |",
        grouped(side.positions),
        grouped(side.mates),
        grouped(side.stalemates),
        grouped(side.dead),
        grouped(side.white.never),
        longest(&side.white),
        grouped(side.black.never),
        longest(&side.black),
    );
}

/// A number with a comma after every third digit.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// The most memory this process has held so far; 0 where Linux doesn't tell.
fn peak_mebibytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kibibytes = status.lines().find_map(|line| {
        line.strip_prefix("VmHWM:")?
            .trim()
            .strip_suffix(" kB")?
            .parse()
            .ok()
    });
    kibibytes.unwrap_or(0) / 1024
}

/// Time for which all threads of this process have run so far; 0 where Linux doesn't tell.
fn processor_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Fields count after the name, which ends with the last bracket; there are 100 ticks a
    // second.
    let fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let ticks: u64 = fields
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<u64>().ok())
        .sum();
    ticks as f64 / 100.0
}
