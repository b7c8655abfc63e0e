//! `stillmate check`: positions from the command line, explained.

use std::{
    collections::VecDeque,
    io::{self, IsTerminal},
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver},
    },
};

use anstream::{AutoStream, ColorChoice, adapter::strip_str};
use anyhow::bail;
use indicatif::ProgressBar;
use rayon::Scope;
use stillmate_core::text::Leniency;
use stillmate_reach::{Analyzer, Budget, LadderStatistics};

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
    report, threads,
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
        let pool = threads::pool(args.common.general.threads)?;
        return pool.install(|| problem::run(args, asked.into_iter().chain(stdin).collect()));
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
    let pool = threads::pool(args.common.general.threads)?;
    let cancel: Arc<AtomicBool> = Arc::default();
    let budget = Budget {
        cancel: Some(Arc::clone(&cancel)),
        ..args.common.budget()
    };
    // Where time is limited, it runs for one position after the other, each of which has all the
    // threads.
    let ahead = match budget.time {
        Some(_) => 0,
        None => AHEAD * pool.current_num_threads(),
    };
    let clerk = Clerk {
        analyzer: Analyzer::new(budget).with_tables(Arc::clone(&tables)),
        question: Question {
            at_once: true,
            ..args.common.question()
        },
        leniency: args.common.general.leniency(),
        verbose: args.common.general.verbose,
    };
    let mut check = Check {
        common: &args.common,
        json: args.json,
        has_proofs: proof.is_some(),
        silent,
        delivery: Arc::new(Mutex::new(Some(delivery))),
        colours: has_colours(args.common.color),
        ahead,
        waiting: VecDeque::new(),
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
    let done = pool.in_place_scope(|scope| {
        let done = check.all(scope, &clerk, asked);
        // Nothing is left to be done, unless answers can't be delivered any more.
        cancel.store(true, Ordering::Relaxed);
        done
    });
    // The other thread doesn't give its part of it back.
    let delivery = lock(&check.delivery).take();
    done?;
    delivery.map_or(Ok(()), |delivery| delivery.finish("", false))?;
    check.status.bad_input |= helpmates::report_faults(&tables);
    Ok(check.status)
}

/// Positions for each thread that are begun before an earlier answer is out.
const AHEAD: usize = 4;

/// Decides positions, on any thread.
struct Clerk {
    analyzer: Analyzer,
    question: Question,
    leniency: Leniency,
    verbose: bool,
}

/// A position with its verdicts and, if that is wanted, what the rungs did for them.
type Found = (Answer, Option<LadderStatistics>);

impl Clerk {
    /// Reads a position and decides it.
    fn find(&self, text: Result<String, String>) -> Result<Found, String> {
        let record = text.and_then(|text| input::record(&text, self.leniency))?;
        let counting = self.verbose.then(|| self.analyzer.counting());
        let analyzer = counting.as_ref().unwrap_or(&self.analyzer);
        let answer = guarded(|| Answer::find(analyzer, record, &self.question))?;
        Ok((answer, counting.map(|analyzer| analyzer.statistics())))
    }
}

/// A position that is being decided: where it stands, its number, and where its answer comes.
type Waiting = (Place, u64, Receiver<Result<Found, String>>);

struct Check<'a> {
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
    /// How many positions may wait for their answers.
    ahead: usize,
    /// Those that do, with their place and number.
    waiting: VecDeque<Waiting>,
    printed: u64,
    status: Status,
}

impl Check<'_> {
    /// Answers all that is asked, in its order.
    fn all<'s>(
        &mut self,
        scope: &Scope<'s>,
        clerk: &'s Clerk,
        asked: Vec<Asked>,
    ) -> anyhow::Result<()> {
        if asked.is_empty() {
            self.stdin(scope, clerk)?;
        }
        let mut number = 0;
        for asked in asked {
            match asked {
                Asked::Stdin => self.stdin(scope, clerk)?,
                Asked::Position(text) => {
                    number += 1;
                    let text = Ok(text);
                    let line = Line { number, text };
                    self.ask(scope, clerk, Place::Argument(number), line)?;
                }
            }
        }
        self.answer(0)
    }

    fn stdin<'s>(&mut self, scope: &Scope<'s>, clerk: &'s Clerk) -> anyhow::Result<()> {
        let source = Arc::new(Source::Stdin);
        match Lines::open(&source, &Arc::default()) {
            Ok(mut lines) => loop {
                // An answer doesn't wait for whoever may first want to read it.
                if lines.may_block() {
                    self.answer(0)?;
                }
                let Some(line) = lines.next() else {
                    break;
                };
                if !line.is_silent() {
                    let place = Place::Line(Arc::clone(&source), line.number);
                    self.ask(scope, clerk, place, line)?;
                }
            },
            Err(error) => {
                self.answer(0)?;
                self.status.bad_input = true;
                report(&format!("{source}: {error}"));
            }
        }
        Ok(())
    }

    /// Has a position decided, and prints what answers are due.
    fn ask<'s>(
        &mut self,
        scope: &Scope<'s>,
        clerk: &'s Clerk,
        place: Place,
        line: Line,
    ) -> anyhow::Result<()> {
        let (result, promise) = mpsc::sync_channel(1);
        scope.spawn(move |_| {
            let _ = result.send(clerk.find(line.text));
        });
        self.waiting.push_back((place, line.number, promise));
        self.answer(self.ahead)
    }

    /// Prints answers until so many wait at most.
    fn answer(&mut self, waiting: usize) -> anyhow::Result<()> {
        while self.waiting.len() > waiting
            && let Some((place, number, promise)) = self.waiting.pop_front()
        {
            match promise.recv().expect("panics are caught") {
                Ok(found) => self.found(place, number, found)?,
                Err(error) => self.failed(place, number, &error)?,
            }
        }
        Ok(())
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

    fn found(
        &mut self,
        place: Place,
        number: u64,
        (answer, statistics): Found,
    ) -> anyhow::Result<()> {
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
        if let Some(statistics) = statistics {
            report(counts::table(&statistics).trim_end());
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
