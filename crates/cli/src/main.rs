//! `stillmate`: talking to people and files.
//!
//! | module | its thought |
//! |---|---|
//! | `args`, `help` | the command line |
//! | `input` | lines from files, whatever is in them |
//! | `answer` | a position with its verdicts |
//! | `laws` | what the Laws of Chess say of it |
//! | `check`, `batch`, `game` | the commands |
//! | `verify`, `certificates` | checking certificates, and reading them |
//! | `proofs` | writing them |
//! | `table` | building tables of helpmates, and asking them |
//! | `helpmates` | tables for the other commands |
//! | `guard` | going on after a fault of the program itself |
//! | `render` | answers as text, JSON, EPD and CSV |
//! | `exit` | the exit status |

#![forbid(unsafe_code)]

mod answer;
mod args;
mod batch;
mod certificates;
mod check;
mod exit;
mod expect;
mod game;
mod guard;
mod help;
mod helpmates;
mod input;
mod laws;
mod pipeline;
mod progress;
mod proofs;
mod render;
mod table;
mod tally;
mod verify;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::Parser;

use crate::args::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match &cli.command {
        Command::Check(args) => check::run(args),
        Command::Batch(args) => batch::run(args),
        Command::Game(args) => game::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Table(args) => table::run(args),
    };
    match result {
        Ok(status) => status.into(),
        // Whoever read the answers has had enough of them.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report(&format!("stillmate: {error:#}"));
            ExitCode::from(exit::BAD_INPUT)
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints a message on standard error; if that is closed, nobody wants to know.
fn report(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}
