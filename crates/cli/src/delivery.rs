//! Results on their way out, the same for positions and games.

use std::{fmt, sync::Arc};

use indicatif::ProgressBar;

use crate::{
    input::Source,
    output::{Output, Unwritten, until},
    pipeline::Held,
    proofs::Proofs,
    report,
};

/// Where something was asked.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// On a line of a file.
    Line(Arc<Source>, u64),
    /// On the command line, as one of its positions.
    Argument(u64),
}

impl Place {
    /// The name of the file, if it is on a line of one.
    pub(crate) fn file(&self) -> Option<String> {
        match self {
            Place::Line(source, _) => Some(source.to_string()),
            Place::Argument(_) => None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(source, line) => write!(f, "{source}:{line}"),
            Place::Argument(number) => write!(f, "position {number}"),
        }
    }
}

/// What a position, or some games, came to.
#[derive(Debug, Default)]
pub(crate) struct Done {
    /// Where it stands; for games, where the last one does. Nowhere if nothing could be read.
    pub(crate) place: Option<Place>,
    /// For standard output.
    pub(crate) answers: String,
    /// For standard error.
    pub(crate) messages: String,
    /// As they are to be written.
    pub(crate) certificates: Vec<u8>,
    /// Bytes read from all sources so far.
    pub(crate) read: u64,
}

impl Held for Done {
    fn bytes(&self) -> usize {
        self.answers.len() + self.messages.len() + self.certificates.len()
    }
}

/// Where results go.
pub(crate) struct Delivery {
    answers: Output,
    proofs: Option<Proofs>,
    bar: ProgressBar,
    last: Option<Place>,
}

impl Delivery {
    pub(crate) fn new(answers: Output, proofs: Option<Proofs>, bar: ProgressBar) -> Delivery {
        Delivery {
            answers,
            proofs,
            bar,
            last: None,
        }
    }

    /// Hands `results` over to the system: certificates before the answers that rest on them,
    /// so that whoever has an answer has its certificate, whatever happens to this process.
    pub(crate) fn take(&mut self, results: &[Done]) -> Result<(), Unwritten> {
        if let Some(proofs) = &mut self.proofs {
            for done in results.iter().filter(|done| !done.certificates.is_empty()) {
                proofs.add(&done.certificates);
            }
            let last = self.last.as_ref();
            proofs.flush().map_err(|error| error.after(last))?;
        }
        let messages: String = results.iter().map(|done| &*done.messages).collect();
        for done in results {
            self.answers.record(done.answers.as_bytes());
        }
        let written = self.bar.suspend(|| {
            if !messages.is_empty() {
                report(messages.trim_end());
            }
            self.answers.flush()
        });
        let places = |results: &[Done]| results.iter().rev().find_map(|done| done.place.clone());
        written.map_err(|error| {
            let last = places(&results[..error.records]);
            error.after(last.as_ref().or(self.last.as_ref()))
        })?;
        self.last = places(results).or(self.last.take());
        self.bar
            .set_position(results.last().map_or(0, |done| done.read));
        Ok(())
    }

    /// Ends with `last_words`; files get their names, unless the run was interrupted.
    pub(crate) fn finish(mut self, last_words: &str, interrupted: bool) -> Result<(), Unwritten> {
        self.bar.finish_and_clear();
        self.answers.record(last_words.as_bytes());
        let last = self.last.as_ref();
        self.answers.finish().map_err(|error| error.after(last))?;
        if interrupted {
            report(&format!("stillmate: interrupted{}", until(last)));
            return Ok(());
        }
        let finished = self.proofs.map_or(Ok(()), Proofs::finish);
        finished.map_err(|error| error.after(last))
    }
}
