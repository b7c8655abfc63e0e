//! Asks the engine about every position of whole material classes and compares its verdicts
//! with the tables, which know nothing of the engine.
//!
//! ```text
//! cargo run --release -p stillmate-reach --example crosscheck -- [OPTION…] CLASS…
//! ```
//!
//! A class is written as in `KBNvK`; `2`, `3`, `4` or `5` stands for all classes of so many
//! men. Options:
//!
//! - `--dir DIR` (default `tables`): where tables are, and `crosscheck.md`, to which a row is
//!   added when a class is done, and `crosscheck.parts`, to which a line is added for every
//!   million numbers. What is there with the same options is passed over, so that a run that
//!   was interrupted goes on where it was.
//! - `--nodes N`: positions that the engine may visit for each question.
//! - `--quick`: the sound filter only.
//! - `--every N`: only every Nth number of a class, for a sample.
//!
//! One of the symmetrical positions that share a number is asked about, and those that differ
//! from it by an en passant square. Which one, and whether colours are changed, depends on
//! the number, so that all orientations come up. Every line that the engine gives is replayed.
//!
//! Exit status 1 if a verdict, a line or a material rule is wrong.

use std::{
    borrow::Cow, collections::BTreeMap, env, error::Error, fs, io::Write, path::PathBuf,
    process::ExitCode, time::Duration,
};

use rayon::prelude::*;
use stillmate_core::{Bitboard, Color, Position, insufficient_material};
use stillmate_proof::replay;
use stillmate_reach::{
    Analyzer, Budget, Verdict,
    retro::{Class, Distance, Indexing, Tables},
};

/// Numbers between two signs of life.
const PORTION: usize = 1 << 20;

/// Faults, and undetermined questions, that are printed for a class.
const MOST_PRINTED: usize = 10;

/// What was found in a class.
#[derive(Default)]
struct Tally {
    positions: u64,
    /// Verdicts by method, the undetermined under "none".
    methods: BTreeMap<Cow<'static, str>, u64>,
    undetermined: u64,
    /// Verdicts that a material rule gives.
    material: u64,
    /// Positions in which the rule says "never" and the mate is on the board.
    mate_on_board: u64,
    wrong: u64,
    /// A line for some of the faults.
    faults: Vec<String>,
    /// A line for some of the undetermined.
    open: Vec<String>,
    /// Time that the questions took together.
    spent: Duration,
    /// The longest time that one verdict took, and the question.
    slowest: Option<(Duration, Color, Position)>,
}

impl Tally {
    fn merge(mut self, other: Tally) -> Tally {
        self.positions += other.positions;
        for (method, count) in other.methods {
            *self.methods.entry(method).or_default() += count;
        }
        self.undetermined += other.undetermined;
        self.material += other.material;
        self.mate_on_board += other.mate_on_board;
        self.wrong += other.wrong;
        self.spent += other.spent;
        for (examples, others) in [
            (&mut self.faults, other.faults),
            (&mut self.open, other.open),
        ] {
            examples.extend(others);
            examples.truncate(MOST_PRINTED);
        }
        if let Some(slow) = other.slowest {
            self.time(slow);
        }
        self
    }

    fn time(&mut self, slow: (Duration, Color, Position)) {
        if self.slowest.is_none_or(|(slowest, ..)| slow.0 > slowest) {
            self.slowest = Some(slow);
        }
    }

    fn fault(&mut self, text: String) {
        self.wrong += 1;
        if self.faults.len() < MOST_PRINTED {
            self.faults.push(text);
        }
    }

    fn check(&mut self, analyzer: &Analyzer, tables: &Tables, position: &Position) {
        self.positions += 1;
        for winner in Color::ALL {
            let Some(distance) = tables.probe(position, winner) else {
                self.fault(format!("no table for {position:?}"));
                continue;
            };
            if insufficient_material(position, winner).is_some() {
                self.material += 1;
                self.mate_on_board += u64::from(distance == Distance::Plies(0));
                if matches!(distance, Distance::Plies(1..)) {
                    self.fault(format!(
                        "material rule, {winner}, {distance:?}: {position:?}"
                    ));
                }
            }
            let finding = analyzer.decide(position, winner);
            *self
                .methods
                .entry(finding.method.name().into())
                .or_default() += 1;
            self.spent += finding.elapsed;
            self.time((finding.elapsed, winner, *position));
            let fault = match finding.verdict {
                Verdict::Winnable(line) => match replay(position, winner, &line.0) {
                    Err(err) => Some(err.to_string()),
                    Ok(()) => (Distance::Plies(line.0.len() as u16) < distance).then(|| {
                        format!("a line of {} plies, which the table misses", line.0.len())
                    }),
                },
                Verdict::Unwinnable(_) if distance != Distance::Never => {
                    Some("\"never\"".to_owned())
                }
                Verdict::Unwinnable(_) => None,
                Verdict::Undetermined(_) => {
                    self.undetermined += 1;
                    if self.open.len() < MOST_PRINTED {
                        self.open.push(format!(
                            "undetermined, {winner}, {distance:?}: {position:?}"
                        ));
                    }
                    None
                }
            };
            if let Some(fault) = fault {
                let method = finding.method.name();
                self.fault(format!(
                    "{fault} by {method}, {winner}, {distance:?}: {position:?}"
                ));
            }
        }
    }
}

/// What has been done of a class, in a line of `crosscheck.parts` after what begins it.
impl Tally {
    fn to_fields(&self) -> String {
        let methods = self.methods.iter();
        let methods: Vec<String> = methods.map(|(name, n)| format!("{name}={n}")).collect();
        let (slow, winner, fen) = match &self.slowest {
            Some((slow, winner, position)) => (slow.as_nanos(), winner.char(), position.fen()),
            None => (0, 'w', String::new()),
        };
        format!(
            "{}\t{}\t{}\t{}\t{}\t{}\t{slow}\t{winner}\t{fen}\t{}",
            self.positions,
            self.wrong,
            self.undetermined,
            self.material,
            self.mate_on_board,
            self.spent.as_nanos(),
            methods.join(",")
        )
    }

    /// `None` if the line was cut off.
    fn from_fields(fields: &str) -> Option<Tally> {
        let fields: Vec<&str> = fields.split('\t').collect();
        let &[
            positions,
            wrong,
            open,
            material,
            mates,
            spent,
            slow,
            winner,
            fen,
            methods,
        ] = &fields[..]
        else {
            return None;
        };
        let nanos = |text: &str| Some(Duration::from_nanos(text.parse().ok()?));
        let method = |text: &str| {
            let (name, count) = text.split_once('=')?;
            Some((name.to_owned().into(), count.parse().ok()?))
        };
        let winner = Color::from_char(winner.chars().next()?)?;
        let slowest = Position::from_fen(fen).ok();
        let slow = nanos(slow)?;
        Some(Tally {
            positions: positions.parse().ok()?,
            methods: methods.split(',').map(method).collect::<Option<_>>()?,
            undetermined: open.parse().ok()?,
            material: material.parse().ok()?,
            mate_on_board: mates.parse().ok()?,
            wrong: wrong.parse().ok()?,
            spent: nanos(spent)?,
            slowest: slowest.map(|position| (slow, winner, position)),
            ..Tally::default()
        })
    }
}

struct Options {
    dir: PathBuf,
    budget: Budget,
    every: usize,
    classes: Vec<Class>,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        dir: "tables".into(),
        // Positions are shared out between threads, so that one is enough for each.
        budget: Budget::default(),
        every: 1,
        classes: Vec::new(),
    };
    let mut args = env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} wants a value"));
        match arg.as_str() {
            "--dir" => options.dir = value()?.into(),
            "--nodes" => options.budget.nodes = value()?.parse()?,
            "--every" => options.every = value()?.parse::<usize>()?.max(1),
            "--quick" => options.budget.quick = true,
            _ => match arg.parse() {
                Ok(men @ 2..=5) => options.classes.extend(Class::all(men)),
                _ => options.classes.push(arg.parse()?),
            },
        }
    }
    Ok(options)
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let Options {
        dir,
        budget,
        every,
        classes,
    } = options()?;
    let tables = Tables::open(&dir);
    let analyzer = Analyzer::new(budget.clone());
    let record = dir.join("crosscheck.md");
    let how = format!(
        "{}{}, every {every}",
        budget.nodes,
        if budget.quick { " quick" } else { "" }
    );
    let done = fs::read_to_string(&record).unwrap_or_default();
    let parts = dir.join("crosscheck.parts");
    let parts_done = fs::read_to_string(&parts).unwrap_or_default();
    let mut sound = true;
    for class in classes {
        let begins = format!("| {class} | {how} |");
        if done.lines().any(|row| row.starts_with(&begins)) {
            continue;
        }
        tables.build(class, &|_| ())?;
        let Some(indexing) = Indexing::new(class) else {
            return Err(format!("{class}: too many men").into());
        };
        let mut total = Tally::default();
        for portion in (0..indexing.size()).step_by(PORTION) {
            let begins = format!("{class}\t{how}\t{portion}\t");
            let done = parts_done
                .lines()
                .find_map(|line| line.strip_prefix(&begins));
            if let Some(tally) = done.and_then(Tally::from_fields) {
                total = total.merge(tally);
                continue;
            }
            let end = indexing.size().min(portion + PORTION);
            let tally = (portion.next_multiple_of(every)..end)
                .into_par_iter()
                .step_by(every)
                .filter_map(|number| Some(image(&indexing.position(number)?, number)))
                .fold(Tally::default, |mut tally, position| {
                    tally.check(&analyzer, &tables, &position);
                    for variant in position.en_passant_variants() {
                        tally.check(&analyzer, &tables, &variant);
                    }
                    tally
                })
                .reduce(Tally::default, Tally::merge);
            for example in tally.faults.iter().chain(&tally.open) {
                println!("{class}: {example}");
            }
            append(&parts, &format!("{begins}{}", tally.to_fields()))?;
            total = total.merge(tally);
            eprintln!(
                "{class}: {end} of {}, {} wrong",
                indexing.size(),
                total.wrong
            );
        }
        if let Some((elapsed, winner, position)) = total.slowest {
            println!("{class}: slowest, {winner}, {elapsed:.1?}: {position:?}");
        }
        sound &= total.wrong == 0;
        let row = row(&begins, &total);
        println!("{row}");
        add_row(&record, &row)?;
        tables.forget();
    }
    Ok(if sound {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn row(begins: &str, total: &Tally) -> String {
    let methods: Vec<String> = total
        .methods
        .iter()
        .map(|(method, count)| format!("{method} {count}"))
        .collect();
    format!(
        "{begins} {} | {} | {} | {} | {} | {:.1} | {:.1} | {} |",
        total.positions,
        total.wrong,
        total.undetermined,
        total.material,
        total.mate_on_board,
        total.spent.as_secs_f64(),
        total
            .slowest
            .map_or(0.0, |(elapsed, ..)| elapsed.as_secs_f64() * 1e3),
        methods.join(", "),
    )
}

fn add_row(record: &PathBuf, row: &str) -> Result<(), Box<dyn Error>> {
    if !record.exists() {
        append(
            record,
            "| class | nodes | positions | wrong | undetermined | material | mate on board | s | slowest, ms | verdicts by method |",
        )?;
        append(record, "|---|---|--:|--:|--:|--:|--:|--:|--:|---|")?;
    }
    append(record, row)
}

fn append(path: &PathBuf, line: &str) -> Result<(), Box<dyn Error>> {
    let mut file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)?;
    writeln!(file, "{line}")?;
    Ok(())
}

/// One of the positions that are symmetrical to this one, or have colours changed.
fn image(position: &Position, number: usize) -> Position {
    // Neighbouring numbers should not all get the same image.
    let choice = (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60;
    let mut image = *position;
    let has_pawns = position.with_role(stillmate_core::Role::Pawn).any();
    if choice & 1 != 0 {
        image = image.mirrored();
    }
    if choice & 2 != 0 {
        image = mapped(&image, Bitboard::flip_horizontal);
    }
    if choice & 4 != 0 && !has_pawns {
        image = mapped(&image, Bitboard::flip_diagonal);
    }
    if choice & 8 != 0 && !has_pawns {
        image = mapped(&image, Bitboard::flip_vertical);
    }
    image
}

/// The position with every man where `map` takes it; `map` is a symmetry.
fn mapped(position: &Position, map: fn(Bitboard) -> Bitboard) -> Position {
    let men = position
        .pieces()
        .map(|(square, piece)| (piece, map(square.into())));
    Position::from_pieces(men, position.turn()).unwrap_or(*position)
}
