//! `stillmate check`: positions from the command line, explained.

use std::{
    io::{self, IsTerminal, Write},
    sync::Arc,
};

use anyhow::bail;
use stillmate_core::text::Record;
use stillmate_reach::Analyzer;

use crate::{
    answer::{Answer, Question},
    args::{CheckArgs, Common},
    exit::Status,
    guard::guarded,
    helpmates,
    input::{self, Line, Lines, Source},
    laws::Ruling,
    proofs::{self, Proofs},
    render::{counts, json, text},
    report,
};

/// Decides and prints all positions asked for.
pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Status> {
    let proof = args.proof.as_deref();
    let silent = proofs::replace_answers(proof);
    if silent && args.json {
        bail!("--proof - prints certificates in the place of answers; for both name a file");
    }
    let limits = args.common.limits(args.common.general.threads);
    let tables = helpmates::open(&args.common.general)?;
    let mut check = Check {
        analyzer: Analyzer::new(limits).with_tables(Arc::clone(&tables)),
        question: args.common.question(limits),
        common: &args.common,
        json: args.json,
        proofs: proof.map(Proofs::lines).transpose()?,
        silent,
        out: anstream::AutoStream::new(io::stdout(), args.common.color.into()),
        printed: 0,
        status: Status::default(),
    };
    if args.words.is_empty() {
        if io::stdin().is_terminal() {
            bail!("no position given; pass a FEN, or - to read lines from standard input");
        }
        check.stdin()?;
    }
    let mut number = 0;
    for asked in group(&args.words) {
        match asked {
            Asked::Stdin => check.stdin()?,
            Asked::Position(text) => {
                number += 1;
                let text = Ok(text);
                check.line(&format!("position {number}"), Line { number, text })?;
            }
        }
    }
    check.out.flush()?;
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
    out: anstream::AutoStream<io::Stdout>,
    printed: u64,
    status: Status,
}

impl Check<'_> {
    fn stdin(&mut self) -> anyhow::Result<()> {
        match Lines::open(&Source::Stdin, &Arc::default()) {
            Ok(lines) => {
                for line in lines.filter(|line| !line.is_silent()) {
                    self.line(&format!("{}:{}", Source::Stdin, line.number), line)?;
                }
            }
            Err(error) => {
                self.status.bad_input = true;
                report(&format!("{}: {error}", Source::Stdin));
            }
        }
        Ok(())
    }

    /// Decides one line and prints the answer; `place` says where it comes from.
    fn line(&mut self, place: &str, line: Line) -> anyhow::Result<()> {
        let number = line.number;
        let leniency = self.common.general.leniency();
        let record = line.text.and_then(|text| input::record(&text, leniency));
        match record {
            Ok(record) => self.record(place, number, record),
            Err(error) => self.failed(place, number, &error),
        }
    }

    /// Says why there is no answer.
    fn failed(&mut self, place: &str, number: u64, error: &str) -> anyhow::Result<()> {
        self.status.bad_input = true;
        report(&format!("{place}: {error}"));
        if self.json {
            self.out
                .write_all(json::failed(None, number, error).as_bytes())?;
        }
        Ok(())
    }

    fn record(&mut self, place: &str, number: u64, record: Record) -> anyhow::Result<()> {
        let verbose = self.common.general.verbose;
        let counting = verbose.then(|| self.analyzer.counting());
        let analyzer = counting.as_ref().unwrap_or(&self.analyzer);
        let find = || Answer::find(analyzer, record, &self.question);
        let answer = match guarded(find) {
            Ok(answer) => answer,
            Err(error) => return self.failed(place, number, &error),
        };
        self.status.undetermined |= answer.undetermined();
        if !self.silent {
            self.print(number, &answer)?;
        }
        if let Some(analyzer) = counting {
            report(counts::table(&analyzer.counts()).trim_end());
        }
        if let Some(proofs) = &mut self.proofs {
            for certificate in answer.into_certificates() {
                proofs.write(&certificate)?;
            }
        }
        Ok(())
    }

    fn print(&mut self, number: u64, answer: &Answer) -> io::Result<()> {
        let flag = self.common.flag;
        let text = if self.json {
            json::answer(None, number, answer, flag, self.proofs.is_some())
        } else if self.common.general.quiet {
            match flag {
                None => format!("{}\n", answer.label()),
                Some(flags) => {
                    let rulings = flags.all().iter().map(|&flag| Ruling::on(answer, flag));
                    rulings
                        .map(|ruling| format!("{}\n", ruling.result()))
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
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
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
