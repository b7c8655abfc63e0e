//! Stillmate and its peer, on the same questions, in one process.
//!
//! ```text
//! cargo run --release -p stillmate-benches --bin versus -- [--no-peer] FILE.epd…
//! ```
//!
//! Every line of each file is asked for both colours. Each line found is replayed with
//! shakmaty, and each answer is compared with the file's `winnable` label and with the peer's.

#![forbid(unsafe_code)]

use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    str::FromStr,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use clap::Parser;
use stillmate_core::{
    Color, Position,
    text::{Leniency, Record},
};
use stillmate_proof::replay;
use stillmate_reach::{Analyzer, Budget, Method, Verdict, quick_unwinnable};

#[derive(Parser)]
struct Args {
    /// EPD files with `winnable` labels.
    files: Vec<PathBuf>,
    /// Ask Stillmate only.
    #[arg(long)]
    no_peer: bool,
    /// Ask for the sound filter only.
    #[arg(long)]
    quick: bool,
    /// Ask only for colours labelled as unable to mate (the side of a real time-out).
    #[arg(long)]
    never_only: bool,
    /// Take every n-th line.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Nodes per question.
    #[arg(long, default_value_t = 20_000_000)]
    nodes: u64,
    /// Go through the questions so many times and count the fastest answer to each: on a busy
    /// machine the slowest times are those of the interruptions. Questions that take longer than
    /// 50 ms are asked twice.
    #[arg(long, default_value_t = 1)]
    rounds: usize,
    /// Print the questions that took longest.
    #[arg(long, default_value_t = 0)]
    worst: usize,
}

/// One question: a position, a colour, and what the file says.
struct Question {
    id: String,
    fen: String,
    position: Position,
    winner: Color,
    label: Option<bool>,
}

/// What one side made of one question.
struct Answer {
    can: Option<bool>,
    plies: Option<usize>,
    time: Duration,
    method: Option<Method>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    for file in &args.files {
        let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let mut questions = Vec::new();
        for line in text.lines().step_by(args.every) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            for winner in [Color::White, Color::Black] {
                let question = question(line, winner).with_context(|| line.to_owned())?;
                if !args.never_only || question.label == Some(false) {
                    questions.push(question);
                }
            }
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        println!("{name}: {} questions", questions.len());
        let analyzer = Analyzer::new(Budget {
            nodes: args.nodes,
            ..Budget::default()
        });
        let ours = passes(args.rounds, &questions, |q| {
            Ok(match args.quick {
                true => ask_us_quickly(q),
                false => ask_us(&analyzer, q),
            })
        })?;
        summary("stillmate", &questions, &ours, args.worst);
        if !args.no_peer {
            let theirs = passes(args.rounds, &questions, |q| ask_peer(q, args.quick))?;
            summary("chasolver", &questions, &theirs, args.worst);
            compare(&questions, &ours, &theirs);
        }
    }
    Ok(())
}

fn question(line: &str, winner: Color) -> Result<Question> {
    let record = Record::parse(line, Leniency::Strict)?;
    let label = record.value("winnable").and_then(|label| {
        match label.as_bytes().get(usize::from(winner == Color::Black))? {
            b'?' => None,
            b'-' => Some(false),
            _ => Some(true),
        }
    });
    Ok(Question {
        id: record.value("id").unwrap_or_default().into_owned(),
        fen: record.fen(),
        position: *record.position(),
        winner,
        label,
    })
}

/// Asks all questions, so many times over, and gives for each the fastest answer.
fn passes(
    rounds: usize,
    questions: &[Question],
    ask: impl Fn(&Question) -> Result<Answer>,
) -> Result<Vec<Answer>> {
    const LONG: Duration = Duration::from_millis(50);
    let mut best: Vec<Answer> = questions.iter().map(&ask).collect::<Result<_>>()?;
    for pass in 1..rounds {
        for (question, answer) in questions.iter().zip(&mut best) {
            // Interruptions, too, may take that long: so ask twice at least.
            if pass == 1 || answer.time < LONG {
                let again = ask(question)?;
                if again.time < answer.time {
                    *answer = again;
                }
            }
        }
    }
    Ok(best)
}

fn ask_us(analyzer: &Analyzer, question: &Question) -> Answer {
    let start = Instant::now();
    let finding = analyzer.decide(&question.position, question.winner);
    let time = start.elapsed();
    let (can, plies) = match &finding.verdict {
        Verdict::Winnable(line) => {
            replay(&question.position, question.winner, &line.0)
                .unwrap_or_else(|err| panic!("{}: {err}", question.fen));
            (Some(true), Some(line.0.len()))
        }
        Verdict::Unwinnable(_) => (Some(false), None),
        Verdict::Undetermined(_) => (None, None),
    };
    Answer {
        can,
        plies,
        time,
        method: Some(finding.method),
    }
}

/// The filter alone, which like the peer's says yes or nothing.
fn ask_us_quickly(question: &Question) -> Answer {
    let start = Instant::now();
    let never = quick_unwinnable(&question.position, question.winner);
    let time = start.elapsed();
    Answer {
        can: never.then_some(false),
        plies: None,
        time,
        method: None,
    }
}

fn ask_peer(question: &Question, quick: bool) -> Result<Answer> {
    let fen = &question.fen;
    let board = chess::Board::from_str(fen)
        .map_err(|err| anyhow::anyhow!("the peer rejects {fen}: {err}"))?;
    let winner = match question.winner {
        Color::White => chess::Color::White,
        Color::Black => chess::Color::Black,
    };
    let start = Instant::now();
    if quick {
        let never = chasolver::is_unwinnable_fast(&board, winner);
        let time = start.elapsed();
        return Ok(Answer {
            can: never.then_some(false),
            plies: None,
            time,
            method: None,
        });
    }
    let verdict = chasolver::winnability(&board, winner);
    let time = start.elapsed();
    let (can, plies) = match verdict {
        Some(chasolver::Winnability::Winnable { helpmate }) => (Some(true), Some(helpmate.len())),
        Some(chasolver::Winnability::Unwinnable) => (Some(false), None),
        None => (None, None),
    };
    Ok(Answer {
        can,
        plies,
        time,
        method: None,
    })
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn summary(who: &str, questions: &[Question], answers: &[Answer], worst: usize) {
    let mut times: Vec<f64> = answers.iter().map(|a| micros(a.time)).collect();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
        times.get(index).copied().unwrap_or(0.0)
    };
    let sum: f64 = times.iter().sum();
    let plies: Vec<usize> = answers.iter().filter_map(|a| a.plies).collect();
    let undetermined = answers.iter().filter(|a| a.can.is_none()).count();
    let wrong: Vec<&Question> = questions
        .iter()
        .zip(answers)
        .filter(|(q, a)| q.label.is_some() && a.can.is_some() && q.label != a.can)
        .map(|(q, _)| q)
        .collect();
    println!(
        "  {who:9} mean {:.2} us, median {:.2}, p99 {:.1}, max {:.0}, sum {:.2} s; undetermined {undetermined} ({:.3} %), contradictions {}; lines {:.1} plies, longest {}",
        sum / times.len().max(1) as f64,
        at(0.5),
        at(0.99),
        times.last().copied().unwrap_or(0.0),
        sum / 1e6,
        100.0 * undetermined as f64 / answers.len().max(1) as f64,
        wrong.len(),
        plies.iter().sum::<usize>() as f64 / plies.len().max(1) as f64,
        plies.iter().max().unwrap_or(&0),
    );
    for question in wrong {
        println!(
            "    contradicts {} {:?}: {}",
            question.id, question.winner, question.fen
        );
    }
    let mut methods: BTreeMap<Method, (usize, f64, f64)> = BTreeMap::new();
    for answer in answers {
        if let Some(method) = answer.method {
            let entry = methods.entry(method).or_default();
            entry.0 += 1;
            entry.1 += micros(answer.time);
            entry.2 = entry.2.max(micros(answer.time));
        }
    }
    for (method, (count, time, max)) in methods {
        println!(
            "    {:11} {count:7} {:10.1} us mean {:6.2} % of time, max {max:.0} us",
            method.name(),
            time / count as f64,
            100.0 * time / sum
        );
    }
    let mut slow: Vec<(&Question, &Answer)> = questions.iter().zip(answers).collect();
    slow.sort_by_key(|(_, answer)| std::cmp::Reverse(answer.time));
    for (question, answer) in slow.iter().take(worst) {
        println!(
            "    {:9.0} us {:11} {:?} {:?} {:5} {} {}",
            micros(answer.time),
            answer.method.map_or("", Method::name),
            answer.can,
            answer.plies,
            question.winner.to_string(),
            question.id,
            question.fen
        );
    }
}

fn compare(questions: &[Question], ours: &[Answer], theirs: &[Answer]) {
    let sum = |answers: &[Answer]| answers.iter().map(|a| micros(a.time)).sum::<f64>();
    let median = |answers: &[Answer]| {
        let mut times: Vec<f64> = answers.iter().map(|a| micros(a.time)).collect();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(0.0)
    };
    let max = |answers: &[Answer]| {
        answers
            .iter()
            .map(|a| micros(a.time))
            .fold(0.0_f64, f64::max)
    };
    println!(
        "  ratios    mean {:.2}x, median {:.2}x, max {:.2}x",
        sum(theirs) / sum(ours),
        median(theirs) / median(ours),
        max(theirs) / max(ours)
    );
    for ((question, a), b) in questions.iter().zip(ours).zip(theirs) {
        if a.can.is_some() && b.can.is_some() && a.can != b.can {
            println!(
                "    disagree on {} {:?}: {}",
                question.id, question.winner, question.fen
            );
        }
    }
}
