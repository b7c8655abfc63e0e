//! `stillmate check`: positions from the command line, explained.

use std::{
    io::{self, IsTerminal},
    sync::{Arc, Mutex, MutexGuard},
};

use anstream::{AutoStream, ColorChoice, adapter::strip_str};
use anyhow::bail;
use indicatif::ProgressBar;
use stillmate_core::text::Record;
use stillmate_reach::Analyzer;

use crate::{
    answer::{Answer, Question},
    args::{CheckArgs, ColorWhen, Common},
    delivery::{Delivery, Done, Place},
    exit::Status,
    guard::guarded,
    helpmates,
    input::{self, Line, Lines, Source},
    interrupt,
    output::{Inputs, Output},
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
    if asked.is_empty() && io::stdin().is_terminal() {
        bail!("no position given; pass a FEN, or - to read lines from standard input");
    }
    let is_stdin_read = asked.is_empty() || asked.contains(&Asked::Stdin);
    let stdin = is_stdin_read.then_some(Source::Stdin);
    let inputs = Inputs::of(
        stdin
            .into_iter()
            .chain(helpmates::files(&args.common.general)),
    );
    let answers = Output::stdout("answers", &inputs)?;
    let proofs = proof.map(|path| Proofs::create(path, Form::Json, &inputs));
    let delivery = Delivery::new(answers, proofs.transpose()?, ProgressBar::hidden());
    let mut check = Check {
        analyzer: Analyzer::new(args.common.budget()).with_tables(Arc::clone(&tables)),
        question: args.common.question(),
        common: &args.common,
        json: args.json,
        has_proofs: proof.is_some(),
        silent,
        delivery: Arc::new(Mutex::new(Some(delivery))),
        colours: has_colours(args.common.color),
        printed: 0,
        status: Status::default(),
    };
    let delivery = Arc::clone(&check.delivery);
    interrupt::on_signal(move |signal| {
        // Locked to the end, so that nothing is printed behind it.
        let mut delivery = lock(&delivery);
        let _ = delivery.take().map(|delivery| delivery.finish("", true));
        interrupt::end(signal);
    })?;
    let done = check.all(asked);
    // The other thread doesn't give its part of it back.
    let delivery = lock(&check.delivery).take();
    done?;
    delivery.map_or(Ok(()), |delivery| delivery.finish("", false))?;
    check.status.bad_input |= helpmates::report_faults(&tables);
    Ok(check.status)
}

struct Check<'a> {
    analyzer: Analyzer,
    question: Question,
    common: &'a Common,
    json: bool,
    /// Whether certificates are written.
    has_proofs: bool,
    /// Whether answers aren't printed.
    silent: bool,
    /// Nothing when a signal ended the run.
    delivery: Arc<Mutex<Option<Delivery>>>,
    /// Whether answers are printed in colours.
    colours: bool,
    printed: u64,
    status: Status,
}

impl Check<'_> {
    /// Answers all that is asked.
    fn all(&mut self, asked: Vec<Asked>) -> anyhow::Result<()> {
        if asked.is_empty() {
            self.stdin()?;
        }
        let mut number = 0;
        for asked in asked {
            match asked {
                Asked::Stdin => self.stdin()?,
                Asked::Position(text) => {
                    number += 1;
                    let text = Ok(text);
                    self.line(Place::Argument(number), Line { number, text })?;
                }
            }
        }
        Ok(())
    }

    fn stdin(&mut self) -> anyhow::Result<()> {
        let source = Arc::new(Source::Stdin);
        match Lines::open(&source, &Arc::default()) {
            Ok(lines) => {
                for line in lines.filter(|line| !line.is_silent()) {
                    self.line(Place::Line(Arc::clone(&source), line.number), line)?;
                }
            }
            Err(error) => {
                self.status.bad_input = true;
                report(&format!("{source}: {error}"));
            }
        }
        Ok(())
    }

    /// Decides one line and prints the answer; `place` says where it comes from.
    fn line(&mut self, place: Place, line: Line) -> anyhow::Result<()> {
        let number = line.number;
        let leniency = self.common.general.leniency();
        let record = line.text.and_then(|text| input::record(&text, leniency));
        match record {
            Ok(record) => self.record(place, number, record),
            Err(error) => self.failed(place, number, &error),
        }
    }

    /// Says why there is no answer.
    fn failed(&mut self, place: Place, number: u64, error: &str) -> anyhow::Result<()> {
        self.status.bad_input = true;
        let messages = format!("{place}: {error}\n");
        let file = place.file();
        let answers = self
            .json
            .then(|| json::failed(file.as_deref(), number, error));
        self.deliver(Done {
            place: Some(place),
            answers: answers.unwrap_or_default(),
            messages,
            ..Done::default()
        })
    }

    fn record(&mut self, place: Place, number: u64, record: Record) -> anyhow::Result<()> {
        let verbose = self.common.general.verbose;
        let counting = verbose.then(|| self.analyzer.counting());
        let analyzer = counting.as_ref().unwrap_or(&self.analyzer);
        let find = || Answer::find(analyzer, record, &self.question);
        let answer = match guarded(find) {
            Ok(answer) => answer,
            Err(error) => return self.failed(place, number, &error),
        };
        self.status.undetermined |= answer.undetermined();
        let certificates = match self.has_proofs {
            true => Form::Json.encode(answer.certificates())?,
            false => Vec::new(),
        };
        let answers = match self.silent {
            true => String::new(),
            false => self.text(&place, number, &answer),
        };
        self.deliver(Done {
            place: Some(place),
            answers,
            certificates,
            ..Done::default()
        })?;
        if let Some(analyzer) = counting {
            report(counts::table(&analyzer.statistics()).trim_end());
        }
        Ok(())
    }

    fn deliver(&mut self, done: Done) -> anyhow::Result<()> {
        let mut delivery = lock(&self.delivery);
        let delivery = delivery.as_mut().expect("a signal ends the process");
        Ok(delivery.take(&[done])?)
    }

    fn text(&mut self, place: &Place, number: u64, answer: &Answer) -> String {
        let flag = self.common.flag;
        let text = if self.json {
            let file = place.file();
            json::answer(file.as_deref(), number, answer, flag, self.has_proofs)
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
        if self.colours {
            text
        } else {
            strip_str(&text).to_string()
        }
    }
}

fn lock(delivery: &Mutex<Option<Delivery>>) -> MutexGuard<'_, Option<Delivery>> {
    delivery.lock().expect("a panic ends the process")
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
