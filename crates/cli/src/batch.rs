//! `stillmate batch`: files of positions, decided in parallel, answered in order.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use anyhow::bail;
use stillmate_core::text::{Mending, Record};
use stillmate_reach::{Analyzer, retro::Tables};

use crate::{
    answer::{Answer, Question},
    args::{BatchArgs, Colours, Format, Only},
    exit::Status,
    expect::{self, Comparison},
    guard::guarded,
    helpmates,
    input::{Line, Lines, Source},
    output::{Inputs, Output},
    pipeline, progress,
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
    let sources = Source::all(&args.files);
    let shown = !args.expect || args.format.is_some();
    let bar = progress::bar(&sources, args.common.general.quiet, shown);
    let tables = helpmates::open(&args.common.general)?;
    let job = Job::new(args, Arc::clone(&tables));
    let format = job.format;
    let inputs = Inputs::of(
        sources
            .iter()
            .cloned()
            .chain(helpmates::files(&args.common.general)),
    );
    let proofs = args.proofs.as_deref();
    let proofs = proofs.map(|path| Proofs::create(path, Form::Bytes, &inputs));
    let mut proofs = proofs.transpose()?;
    let chunks = Chunks::new(sources);
    let mut out = Output::stdout("answers", &inputs)?;
    if format == Some(Format::Csv) {
        out.heading(csv::header().as_bytes());
    }
    let mut tally = Tally::default();
    for done in pipeline::in_order(args.common.general.threads, chunks, move |chunk| {
        job.work(chunk)
    })? {
        if let Some(proofs) = &mut proofs {
            proofs.add(&done.certificates);
            proofs.flush()?;
        }
        bar.suspend(|| {
            if !done.messages.is_empty() {
                report(done.messages.trim_end());
            }
            out.record(done.answers.as_bytes());
            out.flush()
        })?;
        tally.add(done.tally);
        bar.set_position(done.bytes);
    }
    bar.finish_and_clear();
    proofs.map_or(Ok(()), Proofs::finish)?;
    if !args.common.general.quiet {
        if args.expect {
            out.record(format!("{}\n", tally.expectations()).as_bytes());
        }
        report(tally.summary(started.elapsed()).to_string().trim_end());
    }
    out.finish()?;
    let mut status = tally.status();
    status.bad_input |= helpmates::report_faults(&tables);
    Ok(status)
}

/// Some lines of a source that follow each other, or why it can't be opened.
struct Chunk {
    source: Arc<Source>,
    lines: Result<Vec<Line>, String>,
    /// Bytes read from all sources so far.
    bytes: u64,
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
        let bytes = self.bytes.load(Ordering::Relaxed);
        Chunk {
            source,
            lines,
            bytes,
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
    mending: Mending,
    /// None where answers aren't printed.
    format: Option<Format>,
    only: Option<Only>,
    expect: bool,
    proofs: bool,
    quiet: bool,
    verbose: bool,
}

/// What a chunk came to.
#[derive(Default)]
struct Done {
    /// For standard output.
    answers: String,
    /// For standard error.
    messages: String,
    certificates: Vec<u8>,
    tally: Tally,
    bytes: u64,
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
            mending: common.general.mending(),
            format: args.format.or(default),
            only: args.only,
            expect: args.expect,
            proofs: args.proofs.is_some(),
            quiet: common.general.quiet,
            verbose: common.general.verbose,
        }
    }

    fn work(&self, chunk: Chunk) -> Done {
        let mut done = Done {
            bytes: chunk.bytes,
            ..Done::default()
        };
        match chunk.lines {
            Ok(lines) => {
                // Counters of its own for each chunk, so that threads don't wait for each other.
                let counting = !self.quiet;
                let analyzer = counting.then(|| self.analyzer.counting());
                let analyzer = analyzer.as_ref().unwrap_or(&self.analyzer);
                for line in lines {
                    self.line(analyzer, &chunk.source, line, &mut done);
                }
                done.tally.counts(&analyzer.statistics());
            }
            Err(error) => {
                done.tally.bad();
                say(&mut done.messages, &format!("{}: {error}", chunk.source));
            }
        }
        done
    }

    fn line(&self, analyzer: &Analyzer, source: &Source, line: Line, done: &mut Done) {
        let number = line.number;
        let record = line
            .text
            .and_then(|text| Record::parse(&text, self.mending).map_err(|error| error.to_string()));
        let result = record.and_then(|record| self.record(analyzer, source, number, record, done));
        if let Err(error) = result {
            done.tally.bad();
            self.failed(source, number, &error, done);
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

    fn record(
        &self,
        analyzer: &Analyzer,
        source: &Source,
        number: u64,
        record: Record,
        done: &mut Done,
    ) -> Result<(), String> {
        let place = || format!("{source}:{number}");
        for note in record.notes() {
            if self.verbose || note.is_mending() && !self.quiet {
                say(&mut done.messages, &format!("{}: note: {note}", place()));
            }
        }
        let answer = match guarded(|| (self.find)(analyzer, record, &self.question)) {
            Ok(answer) => answer,
            Err(error) => {
                done.tally.internal_error();
                self.failed(source, number, &error, done);
                return Ok(());
            }
        };
        let comparison = if self.expect {
            Some(expect::compare(&answer)?)
        } else {
            None
        };
        done.tally.answer(&answer, place);
        if let Some(comparison) = comparison {
            done.tally.comparison(&comparison);
            let found = match comparison {
                Comparison::Contradicted(how) => Some(format!("contradicted: {how}")),
                Comparison::Open(how) => Some(format!("undetermined: {how}")),
                _ if answer.undetermined() => Some(format!("undetermined: {:?}", answer.label())),
                Comparison::Met | Comparison::Unlabelled => None,
            };
            if let Some(found) = found {
                let finding = format!("{}: {found}: {}", place(), answer.record);
                say(
                    match self.format {
                        None => &mut done.answers,
                        Some(_) => &mut done.messages,
                    },
                    &finding,
                );
            }
        }
        if self.shows(&answer) {
            let (file, flag) = (source.to_string(), self.flag);
            done.answers += &match self.format {
                Some(Format::Jsonl) => json::answer(Some(&file), number, &answer, flag, false),
                Some(Format::Epd) => epd::answer(&answer, flag),
                Some(Format::Csv) => csv::answer(&file, number, &answer, flag),
                None => String::new(),
            };
        }
        if self.proofs {
            let certificates = Form::Bytes.encode(answer.certificates());
            done.certificates.extend(certificates.expect("TODO"));
        }
        Ok(())
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

/// Adds a line of text.
fn say(to: &mut String, line: &str) {
    to.push_str(line);
    to.push('\n');
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, Command};

    /// An engine that has lost its mind over positions with a queen.
    fn find(analyzer: &Analyzer, record: Record, question: &Question) -> Answer {
        assert!(!record.to_string().contains('Q'), "a queen");
        Answer::find(analyzer, record, question)
    }

    #[test]
    fn a_panic_of_the_engine_costs_one_line() {
        let cli = Cli::parse_from(["stillmate", "batch", "--format", "jsonl"]);
        let Command::Batch(args) = cli.command else {
            panic!("another command");
        };
        let job = Job {
            find,
            ..Job::new(&args, Arc::default())
        };
        let fens = ["8/8/4k3/8/8/3K4/8/8 w - -", "7k/8/5K2/6Q1/8/8/8/8 w - -"];
        let lines = [fens[0], fens[1], fens[0]].into_iter().zip(1..);
        let lines = lines.map(|(fen, number)| Line {
            number,
            text: Ok(fen.to_owned()),
        });
        let done = job.work(Chunk {
            source: Arc::new(Source::Stdin),
            lines: Ok(lines.collect()),
            bytes: 0,
        });
        let answers: Vec<&str> = done.answers.lines().collect();
        let error = "internal error: a queen; please report this";
        assert_eq!(answers[1], json::failed(Some("stdin"), 2, error).trim_end());
        assert_eq!(done.messages, format!("stdin:2: {error}\n"));
        for (answer, line) in [(answers[0], 1), (answers[2], 3)] {
            let start = format!("{{\"file\":\"stdin\",\"line\":{line},");
            assert!(answer.starts_with(&start), "{answer}");
            assert!(answer.contains(r#""winnable":"--""#), "{answer}");
        }
        let status = done.tally.status();
        assert!(status.bad_input && !status.check_failed && !status.undetermined);
        let summary = done.tally.summary(std::time::Duration::ZERO).to_string();
        assert!(summary.contains("1 internal error"), "{summary}");
        assert!(summary.contains("0 bad lines"), "{summary}");
    }
}
