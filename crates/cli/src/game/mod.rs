//! `stillmate game`: what the Laws make of whole games.

mod args;
mod chunks;
mod tally;

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

use anyhow::bail;
use stillmate_arbiter::{
    Arbiter,
    pgn::{Game, Games},
};
use stillmate_core::text::Leniency;
use stillmate_reach::{Analyzer, retro::Tables};

use crate::{
    delivery::{Delivery, Done, Place},
    exit::Status,
    guard::guarded,
    helpmates,
    input::{self, Source},
    interrupt,
    output::{Inputs, Output},
    pipeline::{self, Worker},
    progress,
    proofs::{self, Form, Proofs},
    render::game::{self as render, Ruled},
    report,
};

use args::{GameFormat, OnlyGames};
use chunks::{SourceChunk, SourceChunks};
use tally::GameTally;

pub(crate) use args::{GameArgs, RuleSet};

/// Reports on all games of all files.
pub(crate) fn run(args: &GameArgs) -> anyhow::Result<Status> {
    let started = Instant::now();
    let silent = proofs::replace_answers(args.proofs.as_deref());
    if silent && args.format != GameFormat::Text {
        bail!("--proofs - prints certificates in the place of reports; for both name a file");
    }
    if !args.general.quiet {
        input::prompt(&args.files, "games in PGN");
    }
    let sources = Source::all(&args.files);
    let bar = progress::bar(&sources, args.general.quiet, true);
    let tables = helpmates::open(&args.general)?;
    let job = Job::new(args, Arc::clone(&tables));
    let inputs = helpmates::files(&args.general);
    let inputs = Inputs::of(sources.iter().cloned().chain(inputs));
    let mut reports = Output::stdout("reports", &inputs)?;
    if args.format == GameFormat::Csv {
        reports.heading(render::csv::header().as_bytes());
    }
    let proofs = args.proofs.as_deref();
    let proofs = proofs.map(|path| Proofs::create(path, Form::Bytes, &inputs));
    let mut delivery = Delivery::new(reports, proofs.transpose()?, bar);
    let job = Arc::new(job);
    let cancel = Arc::clone(&job.cancel);
    let clerk = move || Clerk::new(Arc::clone(&job));
    let mut results = pipeline::in_order(args.general.threads, SourceChunks::new(sources), clerk)?;
    results.stop_on_signal(cancel)?;
    for ready in &mut results {
        delivery.take(&ready)?;
    }
    let signal = interrupt::signal();
    let mut tally = GameTally::default();
    results.sums().iter().for_each(|sum| tally.add(sum));
    delivery.finish("", signal.is_some())?;
    if !args.general.quiet {
        report(tally.summary(started.elapsed()).trim_end());
    }
    let mut status = tally.status(args.fail);
    status.bad_input |= helpmates::report_faults(&tables);
    status.signal = signal;
    Ok(status)
}

/// What is to be done with each game.
struct Job {
    arbiter: Arbiter,
    /// Ends the analysis of the positions that the arbiter asks about.
    cancel: Arc<AtomicBool>,
    leniency: Leniency,
    format: GameFormat,
    /// What is asked about a game.
    rule: fn(&Arbiter, &Game<'_>) -> Ruled,
    only: Option<OnlyGames>,
    /// Whether reports aren't printed.
    silent: bool,
    /// Whether certificates are wanted.
    proofs: bool,
    quiet: bool,
    verbose: bool,
}

/// Asks for the result alone.
fn result(arbiter: &Arbiter, game: &Game<'_>) -> Ruled {
    Ruled::Result(arbiter.adjudicate(game))
}

/// Asks for everything.
fn whole(arbiter: &Arbiter, game: &Game<'_>) -> Ruled {
    Ruled::Game(Box::new(arbiter.report(game)))
}

/// One thread's work.
struct Clerk {
    job: Arc<Job>,
    arbiter: Arbiter,
    tally: GameTally,
}

impl Clerk {
    fn new(job: Arc<Job>) -> Clerk {
        Clerk {
            arbiter: if job.verbose {
                job.arbiter.counting()
            } else {
                job.arbiter.clone()
            },
            tally: GameTally::default(),
            job,
        }
    }
}

impl Worker for Clerk {
    type Item = SourceChunk;
    type Done = Done;
    type Sum = GameTally;

    fn parts(chunk: &SourceChunk) -> usize {
        chunk.games.as_ref().map_or(1, Vec::len)
    }

    fn work(&mut self, chunk: &SourceChunk, part: usize) -> Done {
        let mut done = Done {
            read: chunk.read,
            ..Done::default()
        };
        let file = chunk.source.to_string();
        match &chunk.games {
            Ok(parts) => {
                let mut games = Games::new(&parts[part], self.job.leniency);
                let mut game = Game::default();
                while games.read(&mut game) {
                    done.place = Some(Place::Line(Arc::clone(&chunk.source), game.line));
                    self.game(&file, &game, &mut done);
                }
            }
            Err(error) => {
                self.tally.bad_file();
                done.messages += &format!("{file}: {error}\n");
            }
        }
        done
    }

    fn sum(mut self) -> GameTally {
        self.tally.counts(&self.arbiter.counts());
        self.tally
    }
}

impl Job {
    fn new(args: &GameArgs, tables: Arc<Tables>) -> Job {
        let budget = args.general.budget();
        let cancel = budget.cancel.clone().unwrap_or_default();
        let analyzer = Analyzer::new(budget).with_tables(tables);
        let mut arbiter = Arbiter::new(analyzer, args.rules.into());
        arbiter = arbiter.by_laws(args.laws.into());
        if args.seventy_five {
            arbiter = arbiter.counting_moves();
        }
        Job {
            arbiter,
            cancel,
            leniency: args.general.leniency(),
            format: args.format,
            rule: if args.adjudicate { result } else { whole },
            only: args.only,
            silent: proofs::replace_answers(args.proofs.as_deref()),
            proofs: args.proofs.is_some(),
            quiet: args.general.quiet,
            verbose: args.general.verbose,
        }
    }

    fn shows(&self, game: &Game<'_>, ruled: &Ruled) -> bool {
        match self.only {
            None => true,
            Some(OnlyGames::Wrong) => ruled.is_wrong(),
            Some(OnlyGames::Broken) => !game.faults.is_empty(),
            Some(OnlyGames::Undetermined) => ruled.is_undetermined(),
        }
    }
}

impl Clerk {
    fn game(&mut self, file: &str, game: &Game<'_>, done: &mut Done) {
        let job = &*self.job;
        for fault in &game.faults {
            let place = fault.line;
            let at = render::words::fault(game, fault);
            done.messages += &format!("{file}:{place}: {at}\n");
        }
        for note in &game.notes {
            if (note.is_repair() || job.verbose) && !job.quiet {
                done.messages += &format!("{file}:{}: note: {note}\n", game.line);
            }
        }
        let ruled = match guarded(|| (job.rule)(&self.arbiter, game)) {
            Ok(ruled) => ruled,
            Err(error) => {
                self.tally.internal_error();
                let line = game.line;
                done.messages += &format!("{file}:{line}: {error}\n");
                if job.only.is_none() {
                    let place = render::Place { file, line };
                    done.answers += &match job.format {
                        GameFormat::Text => String::new(),
                        GameFormat::Jsonl => render::json::failed(&place, &error),
                        GameFormat::Csv => render::csv::failed(&place, &error),
                    };
                }
                return;
            }
        };
        self.tally.game(game, &ruled);
        if !job.shows(game, &ruled) {
            return;
        }
        if job.proofs {
            match Form::Bytes.encode(ruled.certificates()) {
                Ok(certificates) => done.certificates.extend(certificates),
                Err(error) => {
                    self.tally.internal_error();
                    let line = game.line;
                    done.messages += &format!("{file}:{line}: no certificate: {error}\n");
                    return;
                }
            }
        }
        if job.silent {
            return;
        }
        let place = render::Place {
            file,
            line: game.line,
        };
        match job.format {
            GameFormat::Text => {
                let verbose = job.verbose;
                render::text::game(&mut done.answers, file, game, &ruled, verbose);
            }
            GameFormat::Jsonl => done.answers += &render::json::game(&place, game, &ruled),
            GameFormat::Csv => done.answers += &render::csv::game(&place, game, &ruled),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use stillmate_arbiter::pgn::Chunk;

    use super::*;
    use crate::{
        args::{Cli, Command},
        pipeline::Meeting,
    };

    /// An arbiter who cannot stand the Latvian Gambit.
    fn rule(arbiter: &Arbiter, game: &Game<'_>) -> Ruled {
        let latvian = game.record.moves().len() == 4;
        assert!(!latvian, "not this one");
        result(arbiter, game)
    }

    fn args() -> GameArgs {
        let args = ["stillmate", "game", "--adjudicate", "--format", "jsonl"];
        match Cli::parse_from(args).command {
            Command::Game(args) => args,
            _ => panic!("another command"),
        }
    }

    #[test]
    fn a_short_file_occupies_all_threads() {
        static MEETING: Meeting = Meeting::new();
        let rule = |arbiter: &Arbiter, game: &Game<'_>| {
            MEETING.wait_for(4);
            result(arbiter, game)
        };
        let name = format!("stillmate-short-{}.pgn", std::process::id());
        let path = std::env::temp_dir().join(name);
        let game = format!(
            "[Event \"?\"]\n\n{}*\n\n",
            "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(30)
        );
        std::fs::write(&path, game.repeat(60)).unwrap();
        let job = Arc::new(Job {
            rule,
            ..Job::new(&args(), Arc::default())
        });
        let clerk = move || Clerk::new(Arc::clone(&job));
        let chunks = SourceChunks::new(vec![Source::File(path.clone())]);
        let results = pipeline::in_order(4, chunks, clerk).unwrap();
        let answers: String = results.flatten().map(|done| done.answers).collect();
        assert_eq!(answers.lines().count(), 60);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_panic_of_the_engine_costs_one_game() {
        let job = Job {
            rule,
            ..Job::new(&args(), Arc::default())
        };
        let games = ["1. e4 e5", "1. e4 e5 2. Nf3 f5", "1. e4 c5"];
        let text = games.map(|moves| format!("[Event \"?\"]\n\n{moves} 1-0\n\n"));
        let games = Chunk {
            text: text.concat().into(),
            line: 1,
            ..Chunk::default()
        };
        let chunk = SourceChunk {
            source: Arc::new(Source::Stdin),
            games: Ok(vec![games]),
            read: 0,
        };
        let mut clerk = Clerk::new(Arc::new(job));
        let done = clerk.work(&chunk, 0);
        let error = "internal error: not this one; please report this";
        assert_eq!(done.messages, format!("stdin:5: {error}\n"));
        let answers: Vec<&str> = done.answers.lines().collect();
        let place = render::Place {
            file: "stdin",
            line: 5,
        };
        assert_eq!(answers[1], render::json::failed(&place, error).trim_end());
        for answer in [answers[0], answers[2]] {
            assert!(answer.contains(r#""verdict":"stands""#), "{answer}");
        }
        let tally = clerk.sum();
        assert!(tally.status(false).bad_input);
        let summary = tally.summary(std::time::Duration::ZERO);
        assert!(summary.contains("1 internal error"), "{summary}");
    }
}
