//! Builds tables of helpmates and prints what is in them, two rows a class, in Markdown.
//!
//! ```text
//! cargo run --release -p stillmate-reach --example tables -- [--dir DIR] CLASS…
//! ```
//!
//! A class is written as in `KBNvK`; `2`, `3`, `4` or `5` stands for all classes of so many
//! men. Without `--dir`, tables are kept in memory only. Time to build (which leaves out that
//! of smaller classes, unless they are missing) and peak memory go to standard error.

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
        let started = Instant::now();
        let built = AtomicBool::new(false);
        tables.build(class, &|progress| {
            if matches!(progress, Progress::Finished { .. }) {
                built.store(true, Relaxed);
            }
        })?;
        let how = if built.into_inner() { "built" } else { "read" };
        eprintln!(
            "{class}: {how} in {:.3?}, peak {} MiB",
            started.elapsed(),
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

/// The most memory this process has held so far, where Linux tells.
fn peak_mebibytes() -> String {
    fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|status| {
            let line = status
                .lines()
                .find_map(|line| line.strip_prefix("VmHWM:"))?;
            let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
            Some((kibibytes / 1024).to_string())
        })
        .unwrap_or_else(|| "?".to_owned())
}
