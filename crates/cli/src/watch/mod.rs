//! `stillmate watch`: games that are still being played, and when they can be or are drawn.
//!
//! | module | its thought |
//! |---|---|
//! | `files` | files that change, and what is in them |
//! | `news` | what is new, as lines for people and for programs |
//!
//! What is new in a text is found out by [`stillmate_arbiter::live`].

mod files;
mod news;

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
};

use clap::Args;
use stillmate_arbiter::{
    Arbiter, Rules,
    live::{Look, News},
};
use stillmate_core::text::Leniency;
use stillmate_reach::{Analyzer, Budget};

use crate::{args::number, exit::Status, report};

use files::{Change, Files};

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// PGN files that grow or are written anew, and directories with such files.
    #[arg(value_name = "FILE-OR-DIR", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) jsonl: bool,
    /// Look once, and end.
    #[arg(long)]
    pub(crate) once: bool,
    /// Positions to visit at most to find out whether a position is dead, such as 500k or 20M.
    #[arg(long, value_name = "N", value_parser = number, default_value_t = 1_000_000)]
    pub(crate) nodes: u64,
    /// Drop an impossible castling right or en passant square of a set-up instead of rejecting it.
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Print no messages about files, and ring no bell.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Watches until the process is ended.
pub(crate) fn run(args: &WatchArgs) -> anyhow::Result<Status> {
    let budget = Budget {
        nodes: args.nodes,
        ..Budget::default()
    };
    let mut watch = Watch {
        arbiter: Arbiter::new(Analyzer::new(budget), Rules::Fide),
        leniency: if args.lenient {
            Leniency::Lenient
        } else {
            Leniency::Strict
        },
        jsonl: args.jsonl,
        quiet: args.quiet,
        bell: !args.quiet && !args.jsonl && io::stdout().is_terminal(),
        status: Status::default(),
    };
    let mut files = Files::new(&args.paths)?;
    loop {
        for change in files.changes(args.once) {
            watch.look(change)?;
        }
        if args.once {
            return Ok(watch.status);
        }
        files.wait();
    }
}

/// How news are printed.
struct Watch {
    arbiter: Arbiter,
    leniency: Leniency,
    jsonl: bool,
    quiet: bool,
    bell: bool,
    status: Status,
}

impl Watch {
    fn look(&mut self, change: Change<'_>) -> io::Result<()> {
        let (name, boards, text, look) = match change {
            Change::Text {
                name,
                boards,
                text,
                look,
            } => (name, boards, text, look),
            Change::Unreadable { name, error } => {
                self.status.bad_input = true;
                if !self.quiet {
                    report(&format!("{name}: {error}"));
                }
                return Ok(());
            }
        };
        let mut lines = String::new();
        let mut faults = Vec::new();
        boards.look(&self.arbiter, text, self.leniency, look, |game, news| {
            if let News::Fault(fault) = news {
                let line = fault.line;
                let fault = crate::render::game::words::fault(game, fault);
                faults.push(format!("{name}:{line}: {fault}"));
            } else if self.jsonl {
                lines += &news::object(name, game, news);
            } else {
                lines += &news::line(name, game, news);
            }
        });
        self.status.bad_input |= !faults.is_empty();
        for fault in faults.iter().filter(|_| !self.quiet) {
            report(fault);
        }
        // What was drawn before anybody watched is no alarm.
        if self.bell && !lines.is_empty() && look != Look::First {
            lines.push('\x07');
        }
        let mut out = io::stdout().lock();
        out.write_all(lines.as_bytes())?;
        out.flush()
    }
}
