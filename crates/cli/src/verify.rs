//! `stillmate verify`: checking certificates, which come from anybody.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use clap::Args;
use serde::Serialize;
use stillmate_core::color_name as name;
use stillmate_proof::{Certificate, Limits, Refusal};

use crate::{
    answer::micros,
    args::{number, size},
    certificates::{self, Unread},
    exit::Status,
    input::Source,
    interrupt,
    output::{Inputs, Output, Unwritten},
    render::{
        json::to_line,
        words::{count, time},
    },
    report,
};

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Files of certificates, in JSON or as bytes (told apart by their contents), plain or
    /// compressed with gzip or zstd; - is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object for each certificate.
    #[arg(long)]
    json: bool,
    /// Print only what isn't accepted, and no summary.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Explain accepted certificates.
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

/// What one certificate may cost; suffixes as in 500k, 20M or 1G.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits for each certificate")]
struct LimitArgs {
    /// Its length.
    #[arg(long, value_name = "BYTES", value_parser = number, default_value_t = Limits::default().bytes as u64, allow_hyphen_values = true)]
    max_bytes: u64,
    /// Its steps.
    #[arg(long, value_name = "N", value_parser = number, default_value_t = Limits::default().steps as u64, allow_hyphen_values = true)]
    max_steps: u64,
    /// Positions looked at.
    #[arg(long, value_name = "N", value_parser = number, default_value_t = Limits::default().positions, allow_hyphen_values = true)]
    max_positions: u64,
    /// Elementary operations, some five nanoseconds each: to read it, and to check it.
    #[arg(long, value_name = "N", value_parser = number, default_value_t = Limits::default().work, allow_hyphen_values = true)]
    max_work: u64,
    /// Classes of positions.
    #[arg(long, value_name = "N", value_parser = number, default_value_t = Limits::default().classes, allow_hyphen_values = true)]
    max_classes: u64,
    /// Memory for what was read and what is kept while it is checked, such as 512M or 2G.
    #[arg(long, value_name = "SIZE", value_parser = size, default_value_t = Limits::default().memory as u64, allow_hyphen_values = true)]
    memory: u64,
}

impl LimitArgs {
    fn limits(&self) -> Limits {
        let native = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        Limits {
            bytes: native(self.max_bytes),
            steps: native(self.max_steps),
            positions: self.max_positions,
            work: self.max_work,
            classes: self.max_classes,
            memory: native(self.memory),
        }
    }
}

/// Checks all certificates in all files.
pub(crate) fn run(args: &VerifyArgs) -> anyhow::Result<Status> {
    let started = Instant::now();
    let limits = args.limits.limits();
    let sources = Source::all(&args.files);
    let mut out = Output::stdout("answers", &Inputs::of(sources.iter().cloned()))?;
    let counts = Arc::new(Mutex::new(Counts::default()));
    let quiet = args.quiet;
    let summarise = move |counts: &Counts| {
        if !quiet {
            report(&counts.summary(started.elapsed()));
        }
    };
    let counted = Arc::clone(&counts);
    interrupt::on_signal(move |signal| {
        // Held to the end, so that nothing is printed behind it.
        let counts = lock(&counted);
        report("stillmate: interrupted");
        summarise(&counts);
        interrupt::end(signal);
    })?;
    let mut last = None;
    let mut answer = |source: &Source, number: Option<u64>, checked: &Checked| {
        let place = match number {
            Some(number) => format!("{source}:{number}"),
            None => source.to_string(),
        };
        let mut counts = lock(&counts);
        counts.add(&checked.outcome);
        print(&mut out, args, source, number, &place, checked)
            .map_err(|error| error.after(last.as_ref()))?;
        last = Some(place);
        Ok::<_, Unwritten>(())
    };
    for source in sources {
        match certificates::read(&source, &limits) {
            Ok(certificates) => {
                for (number, read) in (1..).zip(certificates) {
                    answer(&source, Some(number), &Checked::new(read, &limits))?;
                }
            }
            Err(error) => {
                let checked = Checked::without_check(Outcome::Bad(error));
                answer(&source, None, &checked)?;
            }
        }
    }
    let counts = lock(&counts);
    summarise(&counts);
    Ok(Status {
        check_failed: counts.rejected > 0,
        bad_input: counts.bad > 0,
        undetermined: counts.unchecked > 0,
        ..Status::default()
    })
}

fn lock(counts: &Mutex<Counts>) -> MutexGuard<'_, Counts> {
    counts.lock().expect("a panic ends the process")
}

/// What became of a certificate.
enum Outcome {
    Accepted,
    Rejected {
        step: usize,
        fault: String,
    },
    /// A limit was reached, in a step or before one could be looked at.
    Unchecked {
        step: Option<usize>,
        limit: String,
    },
    /// There was no certificate to check.
    Bad(String),
}

impl Outcome {
    /// The verdict; nothing if there was nothing to judge.
    fn verdict(&self) -> Option<&'static str> {
        match self {
            Outcome::Accepted => Some("accepted"),
            Outcome::Rejected { .. } => Some("rejected"),
            Outcome::Unchecked { .. } => Some("unchecked"),
            Outcome::Bad(_) => None,
        }
    }

    /// The step at which the check ended, and why.
    fn reason(&self) -> (Option<usize>, Option<&str>) {
        match self {
            Outcome::Accepted => (None, None),
            Outcome::Rejected { step, fault } => (Some(*step), Some(fault)),
            Outcome::Unchecked { step, limit } => (*step, Some(limit)),
            Outcome::Bad(error) => (None, Some(error)),
        }
    }
}

/// A certificate, if it could be read, and what became of it.
struct Checked {
    certificate: Option<Certificate>,
    outcome: Outcome,
    time: Duration,
}

impl Checked {
    fn new(read: Result<Certificate, Unread>, limits: &Limits) -> Checked {
        let certificate = match read {
            Ok(certificate) => certificate,
            Err(Unread::Malformed(error)) => return Checked::without_check(Outcome::Bad(error)),
            Err(Unread::Wrong { step, fault }) => {
                return Checked::without_check(Outcome::Rejected { step, fault });
            }
            Err(Unread::Beyond(limit)) => {
                return Checked::without_check(Outcome::Unchecked { step: None, limit });
            }
        };
        let started = Instant::now();
        let outcome = match stillmate_proof::verify(&certificate, limits) {
            Ok(_) => Outcome::Accepted,
            Err(Refusal::Rejected { step, fault }) => Outcome::Rejected {
                step,
                fault: fault.to_string(),
            },
            Err(Refusal::Unchecked { step, limit }) => Outcome::Unchecked {
                step: Some(step),
                limit: limit.to_string(),
            },
        };
        Checked {
            certificate: Some(certificate),
            outcome,
            time: started.elapsed(),
        }
    }

    fn without_check(outcome: Outcome) -> Checked {
        Checked {
            certificate: None,
            outcome,
            time: Duration::ZERO,
        }
    }

    /// In words, for lines that begin with a place.
    fn sentence(&self) -> String {
        let verdict = match self.outcome.verdict() {
            Some("unchecked") => "could not be checked: ",
            Some("rejected") => "rejected: ",
            Some(_) => "accepted: ",
            None => "",
        };
        let claim = self.certificate.as_ref().map(|certificate| {
            let (claim, fen) = (name(certificate.claim), certificate.position.fen());
            format!("{claim} can never mate from {fen}")
        });
        let reason = match self.outcome.reason() {
            (Some(step), Some(reason)) => Some(format!("step {step}: {reason}")),
            (_, reason) => reason.map(str::to_owned),
        };
        let parts: Vec<String> = claim.into_iter().chain(reason).collect();
        let mut sentence = format!("{verdict}{}", parts.join(": "));
        if let Some(certificate) = &self.certificate {
            let steps = count(certificate.steps.len() as u64, "step");
            sentence += &format!("  ({steps}, {})", time(self.time));
        }
        sentence
    }

    /// The explanation, if the certificate is one.
    fn explanation(&self) -> Option<Vec<String>> {
        let accepted = matches!(self.outcome, Outcome::Accepted);
        let certificate = self.certificate.as_ref().filter(|_| accepted)?;
        Some(stillmate_proof::explain(certificate))
    }
}

/// Prints one line, or object, on what became of a certificate (or of a whole file).
fn print(
    out: &mut Output,
    args: &VerifyArgs,
    source: &Source,
    number: Option<u64>,
    place: &str,
    checked: &Checked,
) -> Result<(), Unwritten> {
    let is_bad = matches!(checked.outcome, Outcome::Bad(_));
    if is_bad {
        report(&format!("{place}: {}", checked.sentence()));
    }
    if args.quiet && matches!(checked.outcome, Outcome::Accepted) {
        return Ok(());
    }
    let explanation = if args.verbose {
        checked.explanation()
    } else {
        None
    };
    let mut text = String::new();
    if args.json {
        text = object(source, number, checked, explanation);
    } else if !is_bad {
        text = format!("{place}: {}\n", checked.sentence());
        for line in explanation.into_iter().flatten() {
            text += &format!("  {line}\n");
        }
    }
    out.record(text.as_bytes());
    out.flush()
}

/// An object of `--json`; each has every field.
#[derive(Serialize)]
struct Object<'a> {
    file: String,
    number: Option<u64>,
    position: Option<String>,
    claim: Option<&'static str>,
    verdict: Option<&'static str>,
    step: Option<usize>,
    reason: Option<&'a str>,
    micros: Option<u64>,
    explanation: Option<Vec<String>>,
    error: Option<&'a str>,
}

fn object(
    source: &Source,
    number: Option<u64>,
    checked: &Checked,
    explanation: Option<Vec<String>>,
) -> String {
    let verdict = checked.outcome.verdict();
    let (step, why) = checked.outcome.reason();
    let (reason, error) = match verdict {
        Some(_) => (why, None),
        None => (None, why),
    };
    let certificate = checked.certificate.as_ref();
    to_line(&Object {
        file: source.to_string(),
        number,
        position: certificate.map(|certificate| certificate.position.fen()),
        claim: certificate.map(|certificate| certificate.claim.fold_wb("white", "black")),
        verdict,
        step,
        reason,
        micros: verdict.map(|_| micros(checked.time)),
        explanation,
        error,
    })
}

/// How many certificates came to what.
#[derive(Default)]
struct Counts {
    accepted: u64,
    rejected: u64,
    unchecked: u64,
    bad: u64,
}

impl Counts {
    fn add(&mut self, outcome: &Outcome) {
        let counter = match outcome {
            Outcome::Accepted => &mut self.accepted,
            Outcome::Rejected { .. } => &mut self.rejected,
            Outcome::Unchecked { .. } => &mut self.unchecked,
            Outcome::Bad(_) => &mut self.bad,
        };
        *counter += 1;
    }

    fn summary(&self, elapsed: Duration) -> String {
        let Counts {
            accepted,
            rejected,
            unchecked,
            bad,
        } = self;
        let all = count(accepted + rejected + unchecked, "certificate");
        let bad = match bad {
            0 => String::new(),
            bad => format!(", {bad} unreadable"),
        };
        format!(
            "{all} in {}: {accepted} accepted, {rejected} rejected, {unchecked} could not be \
             checked{bad}",
            time(elapsed)
        )
    }
}
