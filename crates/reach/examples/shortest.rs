//! Compares shortest mates found by search with the distances in tables, on random positions.
//!
//! ```text
//! cargo run --release -p stillmate-reach --example shortest -- [OPTION…] CLASS…
//! ```
//!
//! A class is written as in `KBNvK`; `3` or `4` stands for all classes of so many men. For each
//! position a number of men is drawn from those of the classes, then a class of so many, then
//! a position of it, turned and with colours exchanged by chance, sometimes with an en passant
//! square. Both colours' mates are asked for. The search has no tables at all. Options:
//!
//! - `--dir DIR` (default `tables`): where tables are; those that are missing are built.
//! - `--positions N` (default 1000): how many.
//! - `--seed N` (default 1): of the generator of random numbers.
//! - `--nodes N`: positions that may be visited for a question.
//!
//! Exit status 1 if a length or a verdict is wrong. What a budget has ended is counted apart, and
//! must not claim more than is true.

use std::{collections::BTreeMap, env, error::Error, process::ExitCode, sync::Arc};

use fastrand::Rng;
use rayon::prelude::*;
use stillmate_core::{Bitboard, Color, Position, Role};
use stillmate_proof::replay;
use stillmate_reach::{
    Analyzer, Budget, Verdict,
    retro::{Class, Distance, Indexing, Tables},
};

/// Faults that are printed.
const MOST_PRINTED: usize = 20;

struct Options {
    dir: String,
    positions: u64,
    seed: u64,
    budget: Budget,
    classes: Vec<Class>,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        dir: "tables".into(),
        positions: 1000,
        seed: 1,
        budget: Budget::default(),
        classes: Vec::new(),
    };
    let mut args = env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} wants a value"));
        match arg.as_str() {
            "--dir" => options.dir = value()?,
            "--positions" => options.positions = value()?.parse()?,
            "--seed" => options.seed = value()?.parse()?,
            "--nodes" => options.budget.nodes = value()?.parse()?,
            _ => match arg.parse() {
                Ok(men @ 2..=5) => options.classes.extend(Class::all(men)),
                _ => options.classes.push(arg.parse()?),
            },
        }
    }
    Ok(options)
}

/// What questions about so many men came to.
#[derive(Default)]
struct Tally {
    positions: u64,
    /// Questions with a mate, all of which are proved to be shortest.
    proved: u64,
    never: u64,
    /// Questions that a budget ended.
    open: u64,
    nodes: u64,
    most_nodes: u64,
    seconds: f64,
    longest: u16,
    faults: Vec<String>,
}

impl Tally {
    fn merge(mut self, other: Tally) -> Tally {
        self.positions += other.positions;
        self.proved += other.proved;
        self.never += other.never;
        self.open += other.open;
        self.nodes += other.nodes;
        self.most_nodes = self.most_nodes.max(other.most_nodes);
        self.seconds += other.seconds;
        self.longest = self.longest.max(other.longest);
        self.faults.extend(other.faults);
        self
    }

    fn check(&mut self, analyzer: &Analyzer, tables: &Tables, position: &Position) {
        self.positions += 1;
        for winner in Color::ALL {
            let known = tables.probe(position, winner);
            let finding = analyzer.decide(position, winner);
            let before = finding.nodes;
            let found = analyzer.shortest(position, winner, finding, analyzer.budget(), false);
            let nodes = found.finding.nodes - before;
            self.nodes += nodes;
            self.most_nodes = self.most_nodes.max(nodes);
            self.seconds += found.finding.elapsed.as_secs_f64();
            let fault = match (&found.finding.verdict, known) {
                (Verdict::Unwinnable(_), Some(Distance::Never)) => {
                    self.never += 1;
                    None
                }
                (_, Some(Distance::Plies(plies))) if found.at_least > plies.into() => {
                    Some(format!("{plies} ruled out"))
                }
                (Verdict::Winnable(line), Some(Distance::Plies(plies))) if found.is_proved() => {
                    self.proved += 1;
                    self.longest = self.longest.max(plies);
                    match replay(position, winner, &line.0) {
                        Err(error) => Some(error.to_string()),
                        Ok(()) => (line.0.len() != usize::from(plies))
                            .then(|| format!("{} plies", line.0.len())),
                    }
                }
                (Verdict::Undetermined(_), Some(_)) | (Verdict::Winnable(_), Some(_))
                    if found.stopped.is_some() =>
                {
                    self.open += 1;
                    None
                }
                (verdict, _) => Some(format!("{verdict:?}")),
            };
            if let Some(fault) = fault {
                self.faults
                    .push(format!("{fault}, {winner}, table {known:?}: {position:?}"));
            }
        }
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let options = options()?;
    let tables = Tables::open(&options.dir);
    let mut classes: BTreeMap<usize, Vec<(Class, Indexing)>> = BTreeMap::new();
    for class in options.classes {
        tables.build(class, &|_| ())?;
        let indexing = Indexing::new(class).ok_or(format!("{class}: too many men"))?;
        let of_so_many = classes.entry(class.men()).or_default();
        of_so_many.push((class, indexing));
    }
    let analyzer = Analyzer::new(options.budget).with_tables(Arc::new(Tables::empty()));
    let men: Vec<usize> = classes.keys().copied().collect();
    println!(
        "| men | positions | shortest, all right | never | open | longest, plies | nodes | most nodes | s |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut faults = Vec::new();
    for &men_on_board in &men {
        let classes = &classes[&men_on_board];
        let share = options.positions / men.len() as u64;
        let mut total = (0..share)
            .into_par_iter()
            .fold(Tally::default, |mut tally, nth| {
                let mut rng = Rng::with_seed(options.seed << 32 ^ nth << 3 ^ men_on_board as u64);
                let position = draw(classes, &mut rng);
                tally.check(&analyzer, &tables, &position);
                tally
            })
            .reduce(Tally::default, Tally::merge);
        println!(
            "| {men_on_board} | {} | {} | {} | {} | {} | {} | {} | {:.1} |",
            total.positions,
            total.proved,
            total.never,
            total.open,
            total.longest,
            total.nodes,
            total.most_nodes,
            total.seconds
        );
        faults.append(&mut total.faults);
    }
    for fault in faults.iter().take(MOST_PRINTED) {
        println!("wrong: {fault}");
    }
    println!("{} wrong", faults.len());
    Ok(if faults.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn draw(classes: &[(Class, Indexing)], rng: &mut Rng) -> Position {
    let (_, indexing) = &classes[rng.usize(..classes.len())];
    let mut position = loop {
        if let Some(position) = indexing.position(rng.usize(..indexing.size())) {
            break position;
        }
    };
    if position.with_role(Role::Pawn).is_empty() && rng.bool() {
        let men = position
            .pieces()
            .map(|(square, piece)| (piece, Bitboard::from(square).flip_diagonal()));
        position = Position::from_pieces(men, position.turn()).unwrap_or(position);
    }
    if rng.bool() {
        position = position.mirrored();
    }
    if rng.bool() {
        position = position.reflected().unwrap_or(position);
    }
    let variants: Vec<Position> = position.en_passant_variants().collect();
    if !variants.is_empty() && rng.bool() {
        position = variants[rng.usize(..variants.len())];
    }
    position
}
