//! `stillmate batch`: files of positions, decided in parallel, answered in order.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use anyhow::bail;
use stillmate_core::text::{Leniency, Record};
use stillmate_reach::{Analyzer, retro::Tables};

use crate::{
    answer::{Answer, Question},
    args::{BatchArgs, Colours, Format, Only},
    delivery::{Delivery, Done, Place},
    exit::Status,
    expect::{self, Comparison},
    guard::guarded,
    helpmates,
    input::{self, Line, Lines, Source},
    interrupt,
    output::{Inputs, Output},
    pipeline::{self, Held, Worker},
    progress,
    proofs::{self, Form, Proofs},
    render::{csv, epd, json},
    report,
    tally::Tally,
};

/// Lines that are worked on at a time: enough to outweigh the cost of handing them over.
const CHUNK_LINES: usize = 64;
/// Bytes of text after which a chunk is full, so that long lines don't pile up.
const CHUNK_BYTES: usize = 64 * 1024;

/// Decides all lines of all files and prints the answers.
pub(crate) fn run(args: &BatchArgs) -> anyhow::Result<Status> {
    let started = Instant::now();
    let silent = proofs::replace_answers(args.proofs.as_deref());
    if silent && (args.expect || args.format.is_some()) {
        bail!("--proofs - prints certificates in the place of answers; for both name a file");
    }
    if !args.common.general.quiet {
        input::prompt(&args.files, "positions, one on a line,");
    }
    let sources = Source::all(&args.files);
    let shown = !args.expect || args.format.is_some();
    let bar = progress::bar(&sources, args.common.general.quiet, shown);
    let tables = helpmates::open(&args.common.general)?;
    let job = Job::new(args, Arc::clone(&tables));
    let inputs = helpmates::files(&args.common.general);
    let inputs = Inputs::of(sources.iter().cloned().chain(inputs));
    let mut answers = Output::stdout("answers", &inputs)?;
    if job.format == Some(Format::Csv) {
        answers.heading(csv::header().as_bytes());
    }
    let proofs = args.proofs.as_deref();
    let proofs = proofs.map(|path| Proofs::create(path, Form::Bytes, &inputs));
    let mut delivery = Delivery::new(answers, proofs.transpose()?, bar);
    let threads = args.common.general.threads;
    let job = Arc::new(job);
    let cancel = job.analyzer.budget().cancel.clone().unwrap_or_default();
    let clerk = move || Clerk::new(Arc::clone(&job));
    let mut results = pipeline::in_order(threads, Chunks::new(sources), clerk)?;
    results.stop_on_signal(cancel)?;
    for ready in &mut results {
        delivery.take(&ready)?;
    }
    let signal = interrupt::signal();
    let mut tally = Tally::default();
    results.sums().into_iter().for_each(|sum| tally.add(sum));
    let quiet = args.common.general.quiet;
    let expectations = (args.expect && !quiet).then(|| format!("{}\n", tally.expectations()));
    delivery.finish(&expectations.unwrap_or_default(), signal.is_some())?;
    if !quiet {
        report(tally.summary(started.elapsed()).to_string().trim_end());
    }
    let mut status = tally.status();
    status.bad_input |= helpmates::report_faults(&tables);
    status.signal = signal;
    Ok(status)
}

/// Some lines of a source that follow each other, or why it can't be opened.
struct Chunk {
    source: Arc<Source>,
    lines: Result<Vec<Line>, String>,
    /// Bytes read from all sources so far.
    read: u64,
}

impl Held for Chunk {
    fn bytes(&self) -> usize {
        let lines = self.lines.iter().flatten();
        let bytes = lines.map(|line| line.text.as_ref().map_or_else(String::len, String::len));
        bytes.sum()
    }
}

/// The lines of all sources in chunks.
struct Chunks {
    sources: std::vec::IntoIter<Source>,
    open: Option<(Arc<Source>, Lines)>,
    bytes: Arc<AtomicU64>,
}

impl Chunks {
    fn new(sources: Vec<Source>) -> Chunks {
        Chunks {
            sources: sources.into_iter(),
            open: None,
            bytes: Arc::default(),
        }
    }

    fn chunk(&self, source: Arc<Source>, lines: Result<Vec<Line>, String>) -> Chunk {
        let read = self.bytes.load(Ordering::Relaxed);
        Chunk {
            source,
            lines,
            read,
        }
    }
}

impl Iterator for Chunks {
    type Item = Chunk;

    fn next(&mut self) -> Option<Chunk> {
        loop {
            if let Some((source, lines)) = &mut self.open {
                let chunk = fill(lines);
                if !chunk.is_empty() {
                    let source = Arc::clone(source);
                    return Some(self.chunk(source, Ok(chunk)));
                }
                self.open = None;
            }
            let source = Arc::new(self.sources.next()?);
            match Lines::open(&source, &self.bytes) {
                Ok(lines) => self.open = Some((source, lines)),
                Err(error) => return Some(self.chunk(source, Err(error))),
            }
        }
    }
}

/// The next lines that say something: as many as fit a chunk and don't have to be waited
/// for. None at the end.
fn fill(lines: &mut Lines) -> Vec<Line> {
    let mut chunk = Vec::new();
    let mut bytes = 0;
    while let Some(line) = lines.next() {
        if !line.is_silent() {
            bytes += line.text.as_ref().map_or_else(String::len, String::len);
            chunk.push(line);
        }
        let full = chunk.len() >= CHUNK_LINES || bytes >= CHUNK_BYTES;
        if full || !chunk.is_empty() && lines.may_block() {
            break;
        }
    }
    chunk
}

/// What is to be done with each line.
struct Job {
    analyzer: Analyzer,
    question: Question,
    /// How answers are found.
    find: fn(&Analyzer, Record, &Question) -> Answer,
    flag: Option<Colours>,
    leniency: Leniency,
    /// None where answers aren't printed.
    format: Option<Format>,
    only: Option<Only>,
    expect: bool,
    proofs: bool,
    quiet: bool,
    verbose: bool,
}

/// One thread's work: its own counters, so that threads don't wait for each other.
struct Clerk {
    job: Arc<Job>,
    analyzer: Analyzer,
    tally: Tally,
}

impl Clerk {
    fn new(job: Arc<Job>) -> Clerk {
        Clerk {
            analyzer: if job.quiet {
                job.analyzer.clone()
            } else {
                job.analyzer.counting()
            },
            tally: Tally::default(),
            job,
        }
    }
}

impl Worker for Clerk {
    type Item = Chunk;
    type Done = Done;
    type Sum = Tally;

    fn parts(chunk: &Chunk) -> usize {
        chunk.lines.as_ref().map_or(1, Vec::len)
    }

    fn work(&mut self, chunk: &Chunk, part: usize) -> Done {
        let mut done = Done {
            read: chunk.read,
            ..Done::default()
        };
        match &chunk.lines {
            Ok(lines) => {
                let line = &lines[part];
                done.place = Some(Place::Line(Arc::clone(&chunk.source), line.number));
                self.line(&chunk.source, line, &mut done);
            }
            Err(error) => {
                self.tally.bad();
                say(&mut done.messages, &format!("{}: {error}", chunk.source));
            }
        }
        done
    }

    fn sum(mut self) -> Tally {
        self.tally.counts(&self.analyzer.statistics());
        self.tally
    }
}

impl Job {
    fn new(args: &BatchArgs, tables: Arc<Tables>) -> Job {
        let common = &args.common;
        let silent = args.expect || proofs::replace_answers(args.proofs.as_deref());
        let default = if silent { None } else { Some(Format::Epd) };
        Job {
            analyzer: Analyzer::new(common.budget()).with_tables(tables),
            question: common.question(),
            find: Answer::find,
            flag: common.flag,
            leniency: common.general.leniency(),
            format: args.format.or(default),
            only: args.only,
            expect: args.expect,
            proofs: args.proofs.is_some(),
            quiet: common.general.quiet,
            verbose: common.general.verbose,
        }
    }

    /// Says why a line gets no answer.
    fn failed(&self, source: &Source, number: u64, error: &str, done: &mut Done) {
        say(&mut done.messages, &format!("{source}:{number}: {error}"));
        if self.only.is_none() {
            let file = source.to_string();
            done.answers += &match self.format {
                Some(Format::Jsonl) => json::failed(Some(&file), number, error),
                Some(Format::Csv) => csv::failed(&file, number, error),
                // An EPD line can't say that it is none.
                Some(Format::Epd) | None => String::new(),
            };
        }
    }

    fn shows(&self, answer: &Answer) -> bool {
        match self.only {
            None => true,
            Some(Only::Dead) => answer.dead() == Some(true),
            Some(Only::Unwinnable) => answer.unwinnable(),
            Some(Only::Undetermined) => answer.undetermined(),
        }
    }
}

impl Clerk {
    fn line(&mut self, source: &Source, line: &Line, done: &mut Done) {
        let number = line.number;
        let text = line.text.as_ref().map_err(String::clone);
        let parsed = text.and_then(|text| input::record(text, self.job.leniency));
        let result = parsed.and_then(|record| self.record(source, number, record, done));
        if let Err(error) = result {
            self.tally.bad();
            self.job.failed(source, number, &error, done);
        }
    }

    fn record(
        &mut self,
        source: &Source,
        number: u64,
        record: Record,
        done: &mut Done,
    ) -> Result<(), String> {
        let job = &*self.job;
        let place = || format!("{source}:{number}");
        for note in record.notes() {
            if job.verbose || note.is_repair() && !job.quiet {
                say(&mut done.messages, &format!("{}: note: {note}", place()));
            }
        }
        let answer = match guarded(|| (job.find)(&self.analyzer, record, &job.question)) {
            Ok(answer) => answer,
            Err(error) => {
                self.tally.internal_error();
                job.failed(source, number, &error, done);
                return Ok(());
            }
        };
        let comparison = if job.expect {
            Some(expect::compare(&answer)?)
        } else {
            None
        };
        if job.proofs {
            let encoded = Form::Bytes.encode(answer.certificates());
            done.certificates = encoded.map_err(|error| format!("no certificate: {error}"))?;
        }
        self.tally.answer(&answer, place);
        if let Some(comparison) = comparison {
            self.tally.comparison(&comparison);
            let found = match comparison {
                Comparison::Contradicted(how) => Some(format!("contradicted: {how}")),
                Comparison::Open(how) => Some(format!("undetermined: {how}")),
                _ if answer.undetermined() => Some(format!("undetermined: {:?}", answer.label())),
                Comparison::Met | Comparison::Unlabelled => None,
            };
            if let Some(found) = found {
                let finding = format!("{}: {found}: {}", place(), answer.record);
                say(
                    match job.format {
                        None => &mut done.answers,
                        Some(_) => &mut done.messages,
                    },
                    &finding,
                );
            }
        }
        if job.shows(&answer) {
            let (file, flag) = (source.to_string(), job.flag);
            done.answers += &match job.format {
                Some(Format::Jsonl) => json::answer(Some(&file), number, &answer, flag, false),
                Some(Format::Epd) => input::checked_length(epd::answer(&answer, flag))?,
                Some(Format::Csv) => csv::answer(&file, number, &answer, flag),
                None => String::new(),
            };
        }
        Ok(())
    }
}

/// Adds a line of text.
fn say(to: &mut String, line: &str) {
    to.push_str(line);
    to.push('\n');
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::{
        args::{Cli, Command},
        pipeline::Meeting,
    };

    /// An engine that has lost its mind over positions with a queen.
    fn find(analyzer: &Analyzer, record: Record, question: &Question) -> Answer {
        assert!(!record.to_string().contains('Q'), "a queen");
        Answer::find(analyzer, record, question)
    }

    fn args() -> BatchArgs {
        let cli = Cli::parse_from(["stillmate", "batch", "--format", "jsonl"]);
        match cli.command {
            Command::Batch(args) => args,
            _ => panic!("another command"),
        }
    }

    #[test]
    fn a_short_file_occupies_all_threads() {
        static MEETING: Meeting = Meeting::new();
        let find = |analyzer: &Analyzer, record, question: &Question| {
            MEETING.wait_for(4);
            Answer::find(analyzer, record, question)
        };
        let name = format!("stillmate-short-{}.epd", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, "8/8/4k3/8/8/3K4/8/8 w - -\n".repeat(60)).unwrap();
        let job = Arc::new(Job {
            find,
            ..Job::new(&args(), Arc::default())
        });
        let clerk = move || Clerk::new(Arc::clone(&job));
        let chunks = Chunks::new(vec![Source::File(path.clone())]);
        let results = pipeline::in_order(4, chunks, clerk).unwrap();
        let lines = results
            .flatten()
            .map(|done| done.place.unwrap().to_string());
        assert!(lines.eq((1..=60).map(|line| format!("{}:{line}", path.display()))));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_panic_of_the_engine_costs_one_line() {
        let job = Job {
            find,
            ..Job::new(&args(), Arc::default())
        };
        let fens = ["8/8/4k3/8/8/3K4/8/8 w - -", "7k/8/5K2/6Q1/8/8/8/8 w - -"];
        let lines = [fens[0], fens[1], fens[0]].into_iter().zip(1..);
        let lines = lines.map(|(fen, number)| Line {
            number,
            text: Ok(fen.to_owned()),
        });
        let chunk = Chunk {
            source: Arc::new(Source::Stdin),
            lines: Ok(lines.collect()),
            read: 0,
        };
        let mut clerk = Clerk::new(Arc::new(job));
        let [first, second, third] = [0, 1, 2].map(|part| clerk.work(&chunk, part));
        let answers = [&first, &second, &third].map(|done| done.answers.trim_end());
        let error = "internal error: a queen; please report this";
        assert_eq!(answers[1], json::failed(Some("stdin"), 2, error).trim_end());
        assert_eq!(second.messages, format!("stdin:2: {error}\n"));
        for (answer, line) in [(answers[0], 1), (answers[2], 3)] {
            let start = format!("{{\"file\":\"stdin\",\"line\":{line},");
            assert!(answer.starts_with(&start), "{answer}");
            assert!(answer.contains(r#""winnable":"--""#), "{answer}");
        }
        let tally = clerk.sum();
        let status = tally.status();
        assert!(status.bad_input && !status.check_failed && !status.undetermined);
        let summary = tally.summary(std::time::Duration::ZERO).to_string();
        assert!(summary.contains("1 internal error"), "{summary}");
        assert!(summary.contains("0 bad lines"), "{summary}");
    }
}
