//! How the cost of a question grows: with the men, with those that are free to move, and with
//! the steps that pawns have left.
//!
//! ```text
//! cargo run --release -p stillmate-benches --bin growth -- --csv docs/growth.csv --svg docs/growth.svg
//! ```
//!
//! Asks positions made by rule, writes what was measured as a table and draws it. The positions
//! with rammed pawns are dead, whatever is added to them; beside the whole ladder they are asked
//! of the enumeration of all positions alone, to show what the proofs save.

#![forbid(unsafe_code)]

mod chart;

use std::{fmt::Write, fs, path::PathBuf, time::Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use stillmate_core::{Bitboard, Color, Piece, Position, Role, Square};
use stillmate_proof::Step;
use stillmate_reach::{Analyzer, Budget, Verdict, rungs::Rung};

use chart::{Chart, Series};

#[derive(Parser)]
struct Args {
    /// Write the measured values here.
    #[arg(long)]
    csv: PathBuf,
    /// Draw them here.
    #[arg(long)]
    svg: PathBuf,
    /// Random positions for each number of men.
    #[arg(long, default_value_t = 200)]
    positions: usize,
    /// How often each question is asked; the fastest counts.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

/// Rams on four files, which no king passes.
const RAMS: &str = "p1p1p1p1/P1P1P1P1";
/// Bishops that are free behind the rams, in the order in which they are added. White's stand on
/// light squares and Black's on a dark one: too few to block Black's king in.
const FREE: [(char, usize); 4] = [('B', 3), ('b', 3), ('B', 1), ('B', 5)];
/// Pawns with a single step behind a ram, in the order in which they are added.
const STEPS: [(char, usize); 8] = [
    ('P', 0),
    ('p', 0),
    ('P', 2),
    ('p', 2),
    ('P', 4),
    ('p', 4),
    ('P', 6),
    ('p', 6),
];
/// Positions that an enumeration may visit.
const MOST: usize = 3_000_000;

/// What was measured of one kind of position.
struct Row {
    what: &'static str,
    count: usize,
    /// Microseconds of a question.
    ladder: f64,
    median: f64,
    /// Microseconds of an enumeration and the positions it visited.
    closure: Option<(f64, usize)>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let analyzer = Analyzer::new(Budget::default());
    let mut rows = Vec::new();
    for men in 3..=16 {
        rows.push(random(&analyzer, men, &args)?);
    }
    for count in 0..=FREE.len() {
        rows.push(walled(
            "free pieces",
            count,
            bishops(count),
            &analyzer,
            &args,
        )?);
    }
    for count in 0..=STEPS.len() {
        rows.push(walled("pawn steps", count, steps(count), &analyzer, &args)?);
    }
    fs::write(&args.csv, csv(&rows))?;
    fs::write(&args.svg, charts(&rows))?;
    print!("{}", csv(&rows));
    Ok(())
}

/// The fastest of some runs in microseconds, and the last result. What takes long is run once.
fn timed<T>(rounds: usize, mut run: impl FnMut() -> T) -> (f64, T) {
    const LONG: f64 = 50_000.0;
    let mut best = f64::INFINITY;
    for round in 1.. {
        let started = Instant::now();
        let result = run();
        best = best.min(started.elapsed().as_secs_f64() * 1e6);
        if round >= rounds || best > LONG {
            return (best, result);
        }
    }
    unreachable!("the rounds end")
}

/// Both colours of random positions with `men` men.
fn random(analyzer: &Analyzer, men: usize, args: &Args) -> Result<Row> {
    let mut rng = fastrand::Rng::with_seed(men as u64);
    let mut times = Vec::new();
    while times.len() < 2 * args.positions {
        let Some(position) = position(&mut rng, men) else {
            continue;
        };
        for winner in Color::ALL {
            let (time, finding) = timed(args.rounds, || analyzer.decide(&position, winner));
            let decided = !matches!(finding.verdict, Verdict::Undetermined(_));
            ensure!(decided, "undetermined: {} for {winner}", position.fen());
            times.push(time);
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(Row {
        what: "men",
        count: men,
        ladder: times.iter().sum::<f64>() / times.len() as f64,
        median: times[times.len() / 2],
        closure: None,
    })
}

/// Kings and other men anywhere, half of them pawns; `None` if that makes no position.
fn position(rng: &mut fastrand::Rng, men: usize) -> Option<Position> {
    const KINDS: [Role; 8] = [
        Role::Pawn,
        Role::Pawn,
        Role::Pawn,
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];
    let placed = (0..men).map(|index| {
        let color = Color::from_white(index % 2 == 0);
        let role = if index < 2 {
            Role::King
        } else {
            KINDS[rng.usize(..KINDS.len())]
        };
        let square = Square::new(rng.u32(..64));
        (Piece { color, role }, Bitboard::from_square(square))
    });
    let placed: Vec<(Piece, Bitboard)> = placed.collect();
    let turn = Color::from_white(rng.bool());
    Position::from_pieces(placed, turn).filter(Position::has_legal_move)
}

/// A rank with a king on e and some more men.
fn rank(king: char, men: impl Iterator<Item = (char, usize)>) -> String {
    let mut rank = ['1'; 8];
    rank[4] = king;
    for (man, file) in men {
        rank[file] = man;
    }
    rank.iter().collect()
}

fn bishops(count: usize) -> String {
    let free = || FREE.into_iter().take(count);
    let black = rank('k', free().filter(|(man, _)| *man == 'b'));
    let white = rank('K', free().filter(|(man, _)| *man == 'B'));
    format!("{black}/8/8/{RAMS}/8/8/{white} w - - 0 1")
}

fn steps(count: usize) -> String {
    let pawns = |color| {
        let mut rank = ['1'; 8];
        for (man, file) in STEPS.into_iter().take(count) {
            if man == color {
                rank[file] = man;
            }
        }
        rank.iter().collect::<String>()
    };
    let (black, white) = (pawns('p'), pawns('P'));
    format!("4k3/{black}/8/{RAMS}/8/{white}/4K3 w - - 0 1")
}

/// A dead position of rams and `count` men more.
fn walled(
    what: &'static str,
    count: usize,
    fen: String,
    analyzer: &Analyzer,
    args: &Args,
) -> Result<Row> {
    let position = Position::from_fen(&fen).with_context(|| fen.clone())?;
    let (ladder, finding) = timed(args.rounds, || analyzer.decide(&position, Color::White));
    let dead = matches!(finding.verdict, Verdict::Unwinnable(_));
    ensure!(dead, "{fen} is not dead: {:?}", finding.verdict);
    let enumerate = || Rung::Closure.ask(&position, Color::White, MOST);
    let (time, verdict) = timed(args.rounds, enumerate);
    let positions = verdict.map(|verdict| match verdict {
        Verdict::Unwinnable(certificate) => match certificate.steps.first() {
            Some(Step::Closed { positions, .. }) => *positions as usize,
            _ => 0,
        },
        _ => 0,
    });
    Ok(Row {
        what,
        count,
        ladder,
        median: ladder,
        closure: positions.map(|positions| (time, positions)),
    })
}

fn csv(rows: &[Row]) -> String {
    let mut text = String::from(
        "what,count,mean_micros,median_micros,enumeration_micros,enumeration_positions\n",
    );
    for row in rows {
        let (time, positions) = row
            .closure
            .map_or_else(Default::default, |(time, positions)| {
                (format!("{time:.1}"), positions.to_string())
            });
        let Row {
            what,
            count,
            ladder,
            median,
            ..
        } = row;
        writeln!(
            text,
            "{what},{count},{ladder:.2},{median:.2},{time},{positions}"
        )
        .expect("memory takes all");
    }
    text
}

fn charts(rows: &[Row]) -> String {
    let of = |what: &str, value: &dyn Fn(&Row) -> Option<f64>| -> Vec<(f64, f64)> {
        let rows = rows.iter().filter(|row| row.what == what);
        rows.filter_map(|row| Some((row.count as f64, value(row)?)))
            .collect()
    };
    let line = |name, points| Series { name, points };
    let dead = |what| {
        vec![
            line("the whole ladder", of(what, &|row| Some(row.ladder))),
            line("enumeration alone", of(what, &|row| Some(row.closure?.0))),
        ]
    };
    chart::page(&[
        Chart {
            title: "men, anywhere",
            series: vec![
                line("mean", of("men", &|row| Some(row.ladder))),
                line("median", of("men", &|row| Some(row.median))),
            ],
        },
        Chart {
            title: "bishops free behind rams",
            series: dead("free pieces"),
        },
        Chart {
            title: "pawn steps left behind rams",
            series: dead("pawn steps"),
        },
    ])
}
