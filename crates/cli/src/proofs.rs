//! Certificates on their way out: `--proof` and `--proofs`.

use std::{
    fs::File,
    io::{self, BufWriter, IsTerminal, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use stillmate_proof::{BatchWriter, Certificate};

type Out = BufWriter<Box<dyn Write>>;

/// Whether certificates go to standard output, where answers would be in their way.
pub(crate) fn replace_answers(path: Option<&Path>) -> bool {
    path.is_some_and(|path| path == Path::new("-"))
}

/// Where certificates go.
pub(crate) struct Proofs {
    path: PathBuf,
    form: Form,
}

enum Form {
    /// JSON, one certificate on a line.
    Lines(Out),
    /// The bytes of a batch.
    Bytes(BatchWriter<Out>),
}

impl Proofs {
    /// A new file at `path`, or standard output if that is `-`, for certificates in JSON.
    pub(crate) fn lines(path: &Path) -> anyhow::Result<Proofs> {
        Ok(Proofs {
            path: path.to_owned(),
            form: Form::Lines(create(path)?),
        })
    }

    /// The same for the binary form.
    pub(crate) fn bytes(path: &Path) -> anyhow::Result<Proofs> {
        if replace_answers(Some(path)) && io::stdout().is_terminal() {
            bail!("the certificates of a batch are no text for a terminal; name a file");
        }
        let writer = BatchWriter::new(create(path)?).with_context(|| failed(path))?;
        Ok(Proofs {
            path: path.to_owned(),
            form: Form::Bytes(writer),
        })
    }

    pub(crate) fn write(&mut self, certificate: &Certificate) -> anyhow::Result<()> {
        let written = match &mut self.form {
            Form::Lines(out) => writeln!(out, "{}", certificate.to_json()),
            Form::Bytes(writer) => writer.write(certificate),
        };
        written.with_context(|| failed(&self.path))
    }

    /// Writes what is still to be written.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let mut out = match self.form {
            Form::Lines(out) => out,
            Form::Bytes(writer) => writer.into_inner(),
        };
        out.flush().with_context(|| failed(&self.path))
    }
}

fn create(path: &Path) -> anyhow::Result<Out> {
    let to: Box<dyn Write> = if replace_answers(Some(path)) {
        Box::new(io::stdout())
    } else {
        Box::new(File::create(path).with_context(|| failed(path))?)
    };
    Ok(BufWriter::new(to))
}

fn failed(path: &Path) -> String {
    format!("writing certificates to {}", path.display())
}
