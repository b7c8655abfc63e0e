//! `stillmate game`: what the Laws make of whole games.

mod args;
mod chunks;
mod tally;

use std::{sync::Arc, time::Instant};

use anyhow::bail;
use stillmate_arbiter::{
    Arbiter,
    pgn::{Game, Games},
};
use stillmate_core::text::Mending;
use stillmate_reach::{Analyzer, retro::Tables};

use crate::{
    exit::Status,
    guard::guarded,
    helpmates,
    input::Source,
    output::{Inputs, Output},
    pipeline, progress,
    proofs::{self, Form, Proofs},
    render::game::{self as render, Place, Ruled},
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
    let sources = Source::all(&args.files);
    let bar = progress::bar(&sources, args.general.quiet, true);
    let tables = helpmates::open(&args.general)?;
    let job = Job::new(args, Arc::clone(&tables));
    let inputs = Inputs::of(
        sources
            .iter()
            .cloned()
            .chain(helpmates::files(&args.general)),
    );
    let proofs = args.proofs.as_deref();
    let proofs = proofs.map(|path| Proofs::create(path, Form::Bytes, &inputs));
    let mut proofs = proofs.transpose()?;
    let mut out = Output::stdout("reports", &inputs)?;
    if args.format == GameFormat::Csv {
        out.heading(render::csv::header().as_bytes());
    }
    let mut tally = GameTally::default();
    let chunks = SourceChunks::new(sources);
    for done in pipeline::in_order(args.general.threads, chunks, move |chunk| job.work(chunk))? {
        if let Some(proofs) = &mut proofs {
            proofs.add(&done.certificates);
            proofs.flush()?;
        }
        bar.suspend(|| {
            if !done.messages.is_empty() {
                report(done.messages.trim_end());
            }
            if silent {
                return Ok(());
            }
            out.record(done.answers.as_bytes());
            out.flush()
        })?;
        tally.add(&done.tally);
        bar.set_position(done.bytes);
    }
    bar.finish_and_clear();
    proofs.map_or(Ok(()), Proofs::finish)?;
    out.finish()?;
    if !args.general.quiet {
        report(tally.summary(started.elapsed()).trim_end());
    }
    let mut status = tally.status(args.fail);
    status.bad_input |= helpmates::report_faults(&tables);
    Ok(status)
}

/// What is to be done with each game.
struct Job {
    arbiter: Arbiter,
    mending: Mending,
    format: GameFormat,
    /// What is asked about a game.
    rule: fn(&Arbiter, &Game<'_>) -> Ruled,
    only: Option<OnlyGames>,
    /// Whether certificates are wanted.
    proofs: bool,
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

/// What a chunk came to.
#[derive(Default)]
struct Done {
    /// For standard output.
    answers: String,
    /// For standard error.
    messages: String,
    certificates: Vec<u8>,
    tally: GameTally,
    bytes: u64,
}

impl Job {
    fn new(args: &GameArgs, tables: Arc<Tables>) -> Job {
        let analyzer = Analyzer::new(args.general.budget()).with_tables(tables);
        let mut arbiter = Arbiter::new(analyzer, args.rules.into());
        arbiter = arbiter.by_laws(args.laws.into());
        if args.seventy_five {
            arbiter = arbiter.counting_moves();
        }
        Job {
            arbiter,
            mending: args.general.mending(),
            format: args.format,
            rule: if args.adjudicate { result } else { whole },
            only: args.only,
            proofs: args.proofs.is_some(),
            verbose: args.general.verbose,
        }
    }

    fn work(&self, chunk: SourceChunk) -> Done {
        let mut done = Done {
            bytes: chunk.bytes,
            ..Done::default()
        };
        let file = chunk.source.to_string();
        match chunk.games {
            Ok(chunk) => {
                let arbiter = self.verbose.then(|| self.arbiter.counting());
                let arbiter = arbiter.as_ref().unwrap_or(&self.arbiter);
                let mut games = Games::new(&chunk, self.mending);
                let mut game = Game::default();
                while games.read(&mut game) {
                    self.game(arbiter, &file, &game, &mut done);
                }
                done.tally.counts(&arbiter.counts());
            }
            Err(error) => {
                done.tally.bad_file();
                done.messages += &format!("{file}: {error}\n");
            }
        }
        done
    }

    fn game(&self, arbiter: &Arbiter, file: &str, game: &Game<'_>, done: &mut Done) {
        for fault in &game.faults {
            let place = fault.line;
            let at = render::words::fault(game, fault);
            done.messages += &format!("{file}:{place}: {at}\n");
        }
        let ruled = match guarded(|| (self.rule)(arbiter, game)) {
            Ok(ruled) => ruled,
            Err(error) => {
                done.tally.internal_error();
                let line = game.line;
                done.messages += &format!("{file}:{line}: {error}\n");
                if self.only.is_none() {
                    let place = Place { file, line };
                    done.answers += &match self.format {
                        GameFormat::Text => String::new(),
                        GameFormat::Jsonl => render::json::failed(&place, &error),
                        GameFormat::Csv => render::csv::failed(&place, &error),
                    };
                }
                return;
            }
        };
        done.tally.game(game, &ruled);
        if !self.shows(game, &ruled) {
            return;
        }
        if self.proofs {
            let certificates = Form::Bytes.encode(ruled.certificates());
            done.certificates.extend(certificates.expect("TODO"));
        }
        let place = Place {
            file,
            line: game.line,
        };
        match self.format {
            GameFormat::Text => {
                let verbose = self.verbose;
                render::text::game(&mut done.answers, file, game, &ruled, verbose);
            }
            GameFormat::Jsonl => done.answers += &render::json::game(&place, game, &ruled),
            GameFormat::Csv => done.answers += &render::csv::game(&place, game, &ruled),
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

#[cfg(test)]
mod tests {
    use clap::Parser;
    use stillmate_arbiter::pgn::Chunk;

    use super::*;
    use crate::args::{Cli, Command};

    /// An arbiter who cannot stand the Latvian Gambit.
    fn rule(arbiter: &Arbiter, game: &Game<'_>) -> Ruled {
        let latvian = game.record.moves().len() == 4;
        assert!(!latvian, "not this one");
        result(arbiter, game)
    }

    #[test]
    fn a_panic_of_the_engine_costs_one_game() {
        let args = ["stillmate", "game", "--adjudicate", "--format", "jsonl"];
        let Command::Game(args) = Cli::parse_from(args).command else {
            panic!("another command");
        };
        let job = Job {
            rule,
            ..Job::new(&args, Arc::default())
        };
        let games = ["1. e4 e5", "1. e4 e5 2. Nf3 f5", "1. e4 c5"];
        let text = games.map(|moves| format!("[Event \"?\"]\n\n{moves} 1-0\n\n"));
        let done = job.work(SourceChunk {
            source: std::sync::Arc::new(Source::Stdin),
            games: Ok(Chunk {
                text: text.concat().into(),
                line: 1,
                ..Chunk::default()
            }),
            bytes: 0,
        });
        let error = "internal error: not this one; please report this";
        assert_eq!(done.messages, format!("stdin:5: {error}\n"));
        let answers: Vec<&str> = done.answers.lines().collect();
        let place = Place {
            file: "stdin",
            line: 5,
        };
        assert_eq!(answers[1], render::json::failed(&place, error).trim_end());
        for answer in [answers[0], answers[2]] {
            assert!(answer.contains(r#""verdict":"stands""#), "{answer}");
        }
        assert!(done.tally.status(false).bad_input);
        let summary = done.tally.summary(std::time::Duration::ZERO);
        assert!(summary.contains("1 internal error"), "{summary}");
    }
}
