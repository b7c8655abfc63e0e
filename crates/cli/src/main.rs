//! `stillmate`: talking to people and files.
//!
//! | module | its thought |
//! |---|---|
//! | `args`, `help` | the command line |
//! | `input` | lines from files, whatever is in them |
//! | `answer` | a position with its verdicts |
//! | `check`, `batch`, `game`, `watch` | the commands |
//! | `problem` | `check` as a solver of helpmate problems |
//! | `verify`, `certificates` | checking certificates, and reading them |
//! | `threads`, `pipeline`, `delivery` | work in parallel, and its results on their way out |
//! | `proofs` | writing them |
//! | `output` | where answers and certificates go, and what becomes of what was there |
//! | `table` | building tables of helpmates, and asking them |
//! | `helpmates` | tables for the other commands |
//! | `interrupt`, `closed` | signals, and a standard output that isn't there |
//! | `guard` | going on after a fault of the program itself |
//! | `render` | answers as text, JSON, EPD and CSV |
//! | `exit` | the exit status |

#![deny(unsafe_code)]

mod answer;
mod args;
mod batch;
mod certificates;
mod check;
mod closed;
mod delivery;
mod exit;
mod expect;
mod game;
mod guard;
mod help;
mod helpmates;
mod input;
mod interrupt;
mod output;
mod pipeline;
mod problem;
mod progress;
mod proofs;
mod render;
mod table;
mod tally;
mod threads;
mod verify;
mod watch;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::Parser;

use crate::{
    args::{Cli, Command},
    exit::Status,
    output::Unwritten,
};

fn main() -> ExitCode {
    if closed::was_stdout_closed() {
        report("stillmate: standard output is closed; to have no answers send it to /dev/null");
        return ExitCode::from(exit::UNWRITTEN);
    }
    let cli = Cli::parse();
    let result = match &cli.command {
        Command::Check(args) => check::run(args),
        Command::Batch(args) => batch::run(args),
        Command::Game(args) => game::run(args),
        Command::Watch(args) => watch::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Table(args) => table::run(args),
    };
    let error = match result {
        Ok(Status {
            signal: Some(signal),
            ..
        }) => interrupt::end(signal),
        Ok(status) => return status.into(),
        Err(error) => error,
    };
    let unwritten = error.downcast_ref::<Unwritten>();
    // Whoever read the answers has had enough of them.
    if unwritten.is_some_and(Unwritten::is_closed_pipe) {
        return ExitCode::SUCCESS;
    }
    report(&format!("stillmate: {error:#}"));
    ExitCode::from(match unwritten {
        Some(_) => exit::UNWRITTEN,
        None => exit::BAD_INPUT,
    })
}

/// Prints a message on standard error; if that is closed, nobody wants to know.
fn report(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}
