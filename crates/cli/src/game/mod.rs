//! `stillmate game`: what the Laws make of whole games.

mod args;
mod pieces;
mod tally;

use std::{
    io::{self, Write},
    sync::Arc,
    time::Instant,
};

use anyhow::bail;
use stillmate_arbiter::{
    Arbiter,
    pgn::{Game, Games},
};
use stillmate_core::text::Leniency;
use stillmate_proof::Certificate;
use stillmate_reach::{Analyzer, Limits, retro::Tables};

use crate::{
    exit::Status,
    guard::guarded,
    helpmates,
    input::{self, Source},
    pipeline, progress,
    proofs::{self, Proofs},
    render::{
        game::{self as render, Place, Ruled},
        json,
    },
    report,
};

use args::{GameFormat, OnlyGames};
use pieces::{Piece, Pieces};
use tally::Tally;

pub(crate) use args::GameArgs;

/// Reports on all games of all files.
pub(crate) fn run(args: &GameArgs) -> anyhow::Result<Status> {
    let started = Instant::now();
    let silent = proofs::replace_answers(args.proofs.as_deref());
    if silent && args.format != GameFormat::Text {
        bail!("--proofs - prints certificates in the place of reports; for both name a file");
    }
    let mut proofs = args.proofs.as_deref().map(Proofs::bytes).transpose()?;
    if !args.general.quiet {
        input::prompt(&args.files, "games in PGN");
    }
    let sources = Source::all(&args.files);
    let bar = progress::bar(&sources, args.general.quiet, true);
    let tables = helpmates::open(&args.general)?;
    let job = Job::new(args, Arc::clone(&tables), sources.len());
    let mut out = io::stdout().lock();
    if args.format == GameFormat::Csv {
        out.write_all(render::csv::header().as_bytes())?;
    }
    let mut tally = Tally::default();
    let pieces = Pieces::new(sources);
    for done in pipeline::in_order(args.general.threads, pieces, move |piece| job.work(piece))? {
        bar.suspend(|| {
            if !done.messages.is_empty() {
                report(done.messages.trim_end());
            }
            if silent {
                return Ok(());
            }
            out.write_all(done.answers.as_bytes())
        })?;
        if let Some(proofs) = &mut proofs {
            for certificate in &done.certificates {
                proofs.write(certificate)?;
            }
        }
        tally.add(&done.tally);
        bar.set_position(done.bytes);
    }
    bar.finish_and_clear();
    proofs.map_or(Ok(()), Proofs::finish)?;
    out.flush()?;
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
    leniency: Leniency,
    format: GameFormat,
    /// What is asked about a game.
    rule: fn(&Arbiter, &Game<'_>) -> Ruled,
    only: Option<OnlyGames>,
    /// Whether certificates are wanted.
    proofs: bool,
    quiet: bool,
    verbose: bool,
    /// Whether reports have to say which file they belong to.
    many_files: bool,
}

/// Asks for the result alone.
fn result(arbiter: &Arbiter, game: &Game<'_>) -> Ruled {
    Ruled::Result(arbiter.adjudicate(game))
}

/// Asks for everything.
fn whole(arbiter: &Arbiter, game: &Game<'_>) -> Ruled {
    Ruled::Game(Box::new(arbiter.report(game)))
}

/// What a piece came to.
#[derive(Default)]
struct Done {
    /// For standard output.
    answers: String,
    /// For standard error.
    messages: String,
    certificates: Vec<Certificate>,
    tally: Tally,
    bytes: u64,
}

impl Job {
    fn new(args: &GameArgs, tables: Arc<Tables>, files: usize) -> Job {
        // Games are the grain of the work, so each gets one thread.
        let limits = Limits {
            nodes: args.general.nodes,
            time: args.general.time,
            threads: 1,
            quick: false,
        };
        let analyzer = Analyzer::new(limits).with_tables(tables);
        let mut arbiter = Arbiter::new(analyzer, args.rules.into());
        if args.seventy_five {
            arbiter = arbiter.counting_moves(limits);
        }
        Job {
            arbiter,
            leniency: args.general.leniency(),
            format: args.format,
            rule: if args.adjudicate { result } else { whole },
            only: args.only,
            proofs: args.proofs.is_some(),
            quiet: args.general.quiet,
            verbose: args.general.verbose,
            many_files: files > 1,
        }
    }

    fn work(&self, piece: Piece) -> Done {
        let mut done = Done {
            bytes: piece.bytes,
            ..Done::default()
        };
        let file = piece.source.to_string();
        match piece.games {
            Ok(chunk) => {
                let arbiter = self.verbose.then(|| self.arbiter.counting());
                let arbiter = arbiter.as_ref().unwrap_or(&self.arbiter);
                let mut games = Games::new(&chunk, self.leniency);
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
        for note in &game.notes {
            if self.verbose || note.is_repair() && !self.quiet {
                done.messages += &format!("{file}:{}: note: {note}\n", game.line);
            }
        }
        let ruled = match guarded(|| (self.rule)(arbiter, game)) {
            Ok(ruled) => ruled,
            Err(error) => {
                done.tally.internal_error();
                let line = game.line;
                done.messages += &format!("{file}:{line}: {error}\n");
                if self.only.is_none() && self.format == GameFormat::Jsonl {
                    let file = self.many_files.then(|| file.to_owned());
                    done.answers += &json::failed(file.as_deref(), line, &error);
                }
                return;
            }
        };
        done.tally.game(game, &ruled);
        if !self.shows(game, &ruled) {
            return;
        }
        if self.proofs {
            done.certificates.extend(ruled.certificates());
        }
        let place = Place {
            file: self.many_files.then(|| file.to_owned()),
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
        let latvian = game.score.moves().len() == 4;
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
            ..Job::new(&args, Arc::default(), 1)
        };
        let games = ["1. e4 e5", "1. e4 e5 2. Nf3 f5", "1. e4 c5"];
        let text = games.map(|moves| format!("[Event \"?\"]\n\n{moves} 1-0\n\n"));
        let done = job.work(Piece {
            source: std::sync::Arc::new(Source::Stdin),
            games: Ok(Chunk {
                text: text.concat().into(),
                line: 1,
                cut: false,
            }),
            bytes: 0,
        });
        let error = "internal error: not this one; please report this";
        assert_eq!(done.messages, format!("stdin:5: {error}\n"));
        let answers: Vec<&str> = done.answers.lines().collect();
        assert_eq!(answers[1], format!("{{\"line\":5,\"error\":\"{error}\"}}"));
        for answer in [answers[0], answers[2]] {
            assert!(answer.contains(r#""verdict":"stands""#), "{answer}");
        }
        assert!(done.tally.status(false).bad_input);
        let summary = done.tally.summary(std::time::Duration::ZERO);
        assert!(summary.contains("1 internal error"), "{summary}");
    }
}
