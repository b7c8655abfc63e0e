//! Certificates on their way out: `--proof` and `--proofs`.

use std::{
    borrow::Borrow,
    io::{self, IsTerminal},
    path::Path,
};

use anyhow::bail;
use stillmate_proof::{BatchWriter, Certificate};

use crate::output::{self, Inputs, Output, Unwritten};

/// Whether certificates go to standard output, where answers would be in their way.
pub(crate) fn replace_answers(path: Option<&Path>) -> bool {
    path.is_some_and(output::is_stdout)
}

/// Where certificates go.
pub(crate) struct Proofs(Output);

/// How certificates are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// JSON, one certificate on a line.
    Json,
    /// The bytes of a batch.
    Bytes,
}

impl Form {
    /// The certificates as they are to be written.
    ///
    /// # Errors
    ///
    /// When one is too large for the form.
    pub(crate) fn encode(
        self,
        certificates: impl IntoIterator<Item = impl Borrow<Certificate>>,
    ) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for certificate in certificates {
            let certificate = certificate.borrow();
            match self {
                Form::Json => {
                    bytes.extend_from_slice(certificate.to_json().as_bytes());
                    bytes.push(b'\n');
                }
                Form::Bytes => BatchWriter::resume(&mut bytes).write(certificate)?,
            }
        }
        Ok(bytes)
    }
}

impl Proofs {
    /// An output of certificates at `path` that is none of the `inputs`; see
    /// [`Output::create`].
    pub(crate) fn create(path: &Path, form: Form, inputs: &Inputs) -> anyhow::Result<Proofs> {
        if form == Form::Bytes && output::is_stdout(path) && io::stdout().is_terminal() {
            bail!("the certificates of a batch are no text for a terminal; name a file");
        }
        let mut output = Output::create("certificates", path, inputs)?;
        if form == Form::Bytes {
            output.heading(&BatchWriter::new(Vec::new())?.into_inner());
        }
        Ok(Proofs(output))
    }

    /// Adds the certificates of one position or game.
    pub(crate) fn add(&mut self, certificates: &[u8]) {
        self.0.record(certificates);
    }

    /// Hands everything over to the system; see [`Output::flush`].
    pub(crate) fn flush(&mut self) -> Result<(), Unwritten> {
        self.0.flush()
    }

    /// Writes what is still waiting, and gives the file its name.
    pub(crate) fn finish(self) -> Result<(), Unwritten> {
        self.0.finish()
    }
}
