//! Shortest mates of rising length: the work that it takes to find and prove them, in Markdown.
//!
//! ```text
//! cargo run --release -p stillmate-reach --example problems
//! ```
//!
//! The lengths are asserted. There are no tables but those of up to three men, and those with
//! `--bare` neither.

use std::{env, error::Error, sync::Arc};

use stillmate_core::{Color, Position};
use stillmate_proof::replay;
use stillmate_reach::{Analyzer, Budget, Verdict, retro::Tables};

/// Positions with the colour that mates and the length in plies.
const PROBLEMS: &[(&str, Color, usize)] = &[
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        Color::Black,
        4,
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        Color::White,
        5,
    ),
    (
        "4k3/ppp2ppp/2n2n2/8/8/2N2N2/PPP2PPP/4K3 w - -",
        Color::White,
        7,
    ),
    ("8/8/8/8/8/2k5/8/1R2K3 b - -", Color::White, 8),
    ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -", Color::White, 9),
    (
        "8/4k3/2b1p3/2p1P1p1/1pP3P1/1P2B3/4K3/8 w - -",
        Color::Black,
        10,
    ),
    ("8/5k1p/6p1/8/8/1P6/P1K5/8 w - -", Color::White, 11),
    ("8/8/8/7k/6R1/8/8/K7 b - -", Color::White, 14),
    ("8/8/N7/8/8/6q1/3K2k1/3b4 b - -", Color::White, 16),
    ("8/8/8/8/8/8/8/K2n2Rk b - -", Color::Black, 19),
    ("8/8/8/8/8/nB6/k7/2K5 b - -", Color::White, 24),
    ("8/8/8/8/8/8/8/K3BnkQ b - -", Color::White, 24),
    ("8/8/8/8/8/7p/7P/K1k5 w - -", Color::White, 29),
    ("8/8/1p6/1B6/8/8/8/k1K5 b - -", Color::White, 32),
];

fn main() -> Result<(), Box<dyn Error>> {
    let bare = env::args().any(|arg| arg == "--bare");
    let budget = Budget {
        nodes: 200_000_000,
        ..Budget::default()
    };
    let tables = if bare {
        Tables::empty()
    } else {
        Tables::builtin()
    };
    let analyzer = Analyzer::new(budget).with_tables(Arc::new(tables));
    println!("| position | mate by | plies | of the verdict | nodes | ms |");
    println!("|---|---|--:|--:|--:|--:|");
    for &(fen, winner, plies) in PROBLEMS {
        let position = Position::from_fen(fen)?;
        let verdict = analyzer.decide(&position, winner);
        let Verdict::Winnable(first) = &verdict.verdict else {
            return Err(format!("{fen}: {:?}", verdict.verdict).into());
        };
        let (first, before) = (first.0.len(), (verdict.nodes, verdict.elapsed));
        let shortest = analyzer.shortest(&position, winner, verdict, analyzer.budget(), false);
        let Verdict::Winnable(line) = &shortest.finding.verdict else {
            unreachable!("a verdict is kept");
        };
        replay(&position, winner, &line.0)?;
        println!(
            "| `{fen}` | {winner} | {} | {first} | {} | {:.1} |",
            line.0.len(),
            shortest.finding.nodes - before.0,
            (shortest.finding.elapsed - before.1).as_secs_f64() * 1e3
        );
        if !shortest.is_proved() || line.0.len() != plies {
            let at_least = shortest.at_least;
            return Err(format!("{fen}: {plies} plies expected, {at_least} proved").into());
        }
    }
    Ok(())
}
