//! `stillmate check`: positions from the command line, explained.

use std::{
    io::{self, IsTerminal},
    sync::Arc,
};

use anstream::{AutoStream, ColorChoice, adapter::strip_str};
use anyhow::bail;
use stillmate_core::text::Record;
use stillmate_reach::Analyzer;

use crate::{
    answer::{Answer, Question},
    args::{CheckArgs, ColorWhen, Common},
    exit::Status,
    guard::guarded,
    helpmates,
    input::{self, Line, Lines, Source},
    output::{Inputs, Output, Unwritten},
    problem,
    proofs::{self, Form, Proofs},
    render::{counts, json, text},
    report,
};

/// Decides and prints all positions asked for.
pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Status> {
    if args.problem.is_asked() {
        let asked = group(&args.words).into_iter().map(|asked| match asked {
            Asked::Position(text) => Some(text),
            Asked::Stdin => None,
        });
        let asked: Vec<Option<String>> = asked.collect();
        let stdin = asked.is_empty().then_some(None);
        return problem::run(args, asked.into_iter().chain(stdin).collect());
    }
    let proof = args.proof.as_deref();
    let silent = proofs::replace_answers(proof);
    if silent && args.json {
        bail!("--proof - prints certificates in the place of answers; for both name a file");
    }
    let tables = helpmates::open(&args.common.general)?;
    let asked = group(&args.words);
    let is_stdin_read = asked.is_empty() || asked.contains(&Asked::Stdin);
    let stdin = is_stdin_read.then_some(Source::Stdin);
    let inputs = Inputs::of(
        stdin
            .into_iter()
            .chain(helpmates::files(&args.common.general)),
    );
    let proofs = proof.map(|path| Proofs::create(path, Form::Json, &inputs));
    let mut check = Check {
        analyzer: Analyzer::new(args.common.budget()).with_tables(Arc::clone(&tables)),
        question: args.common.question(),
        common: &args.common,
        json: args.json,
        proofs: proofs.transpose()?,
        silent,
        out: Output::stdout("answers", &inputs)?,
        colours: has_colours(args.common.color),
        printed: 0,
        status: Status::default(),
    };
    if asked.is_empty() {
        if io::stdin().is_terminal() {
            bail!("no position given; pass a FEN, or - to read lines from standard input");
        }
        check.stdin()?;
    }
    let mut number = 0;
    for asked in asked {
        match asked {
            Asked::Stdin => check.stdin()?,
            Asked::Position(text) => {
                number += 1;
                let text = Ok(text);
                check.line(None, Line { number, text })?;
            }
        }
    }
    check.out.finish()?;
    check.status.bad_input |= helpmates::report_faults(&tables);
    check.proofs.map_or(Ok(()), Proofs::finish)?;
    Ok(check.status)
}

struct Check<'a> {
    analyzer: Analyzer,
    question: Question,
    common: &'a Common,
    json: bool,
    proofs: Option<Proofs>,
    /// Whether answers aren't printed.
    silent: bool,
    out: Output,
    /// Whether answers are printed in colours.
    colours: bool,
    printed: u64,
    status: Status,
}

impl Check<'_> {
    fn stdin(&mut self) -> anyhow::Result<()> {
        match Lines::open(&Source::Stdin, &Arc::default()) {
            Ok(lines) => {
                let file = Source::Stdin.to_string();
                for line in lines.filter(|line| !line.is_silent()) {
                    self.line(Some(&file), line)?;
                }
            }
            Err(error) => {
                self.status.bad_input = true;
                report(&format!("{}: {error}", Source::Stdin));
            }
        }
        Ok(())
    }

    /// Decides one line and prints the answer. `file` is where the line comes from, nothing if
    /// it is an argument.
    fn line(&mut self, file: Option<&str>, line: Line) -> anyhow::Result<()> {
        let number = line.number;
        let leniency = self.common.general.leniency();
        let record = line.text.and_then(|text| input::record(&text, leniency));
        match record {
            Ok(record) => self.record(file, number, record),
            Err(error) => self.failed(file, number, &error),
        }
    }

    /// Says why there is no answer.
    fn failed(&mut self, file: Option<&str>, number: u64, error: &str) -> anyhow::Result<()> {
        self.status.bad_input = true;
        report(&match file {
            Some(file) => format!("{file}:{number}: {error}"),
            None => format!("position {number}: {error}"),
        });
        if self.json {
            self.put(&json::failed(file, number, error))?;
        }
        Ok(())
    }

    fn record(&mut self, file: Option<&str>, number: u64, record: Record) -> anyhow::Result<()> {
        let verbose = self.common.general.verbose;
        let counting = verbose.then(|| self.analyzer.counting());
        let analyzer = counting.as_ref().unwrap_or(&self.analyzer);
        let find = || Answer::find(analyzer, record, &self.question);
        let answer = match guarded(find) {
            Ok(answer) => answer,
            Err(error) => return self.failed(file, number, &error),
        };
        self.status.undetermined |= answer.undetermined();
        if let Some(proofs) = &mut self.proofs {
            proofs.add(&Form::Json.encode(answer.certificates())?);
            proofs.flush()?;
        }
        if !self.silent {
            self.print(file, number, &answer)?;
        }
        if let Some(analyzer) = counting {
            report(counts::table(&analyzer.statistics()).trim_end());
        }
        Ok(())
    }

    fn print(&mut self, file: Option<&str>, number: u64, answer: &Answer) -> Result<(), Unwritten> {
        let flag = self.common.flag;
        let text = if self.json {
            json::answer(file, number, answer, flag, self.proofs.is_some())
        } else if self.common.general.quiet {
            match flag {
                None => format!("{}\n", answer.label()),
                Some(flags) => {
                    let rulings = flags.all().iter().map(|&flag| answer.fall(flag));
                    rulings
                        .map(|ruling| format!("{}\n", ruling.outcome().text()))
                        .collect()
                }
            }
        } else {
            let gap = if self.printed > 0 { "\n" } else { "" };
            format!(
                "{gap}{}",
                text::answer(answer, flag, self.common.general.verbose)
            )
        };
        self.printed += 1;
        self.put(&text)
    }

    fn put(&mut self, text: &str) -> Result<(), Unwritten> {
        if self.colours {
            self.out.record(text.as_bytes());
        } else {
            self.out.record(strip_str(text).to_string().as_bytes());
        }
        self.out.flush()
    }
}

/// Whether standard output gets colours.
fn has_colours(when: ColorWhen) -> bool {
    let choice = match when.into() {
        ColorChoice::Auto => AutoStream::choice(&io::stdout()),
        choice => choice,
    };
    choice != ColorChoice::Never
}

/// Something asked for on the command line.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    Position(String),
    Stdin,
}

/// Puts the words of the command line together to positions: a word with a slash begins a
/// FEN, which has up to six fields, and a word with white space is a whole one.
fn group(words: &[String]) -> Vec<Asked> {
    let mut asked = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let close = |open: &mut Vec<&str>, asked: &mut Vec<Asked>| {
        if !open.is_empty() {
            asked.push(Asked::Position(open.join(" ")));
            open.clear();
        }
    };
    for word in words {
        let whole = word.trim().contains(char::is_whitespace);
        let is_field = !whole && !word.contains('/') && !open.is_empty() && open.len() < 6;
        let is_stdin = word == "-" && (open.is_empty() || open.len() >= 4);
        if is_field && !is_stdin {
            open.push(word);
            continue;
        }
        close(&mut open, &mut asked);
        if is_stdin {
            asked.push(Asked::Stdin);
        } else {
            open.push(word);
            if whole {
                close(&mut open, &mut asked);
            }
        }
    }
    close(&mut open, &mut asked);
    asked
}
