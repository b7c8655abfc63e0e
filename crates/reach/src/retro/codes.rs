//! The codes of one plane, wherever they are: in memory, or in a file.

use std::{fs::File, io, ops::Deref};

use memmap2::{Mmap, MmapOptions};

use super::table::Code;

/// A code for each number of a class.
pub(super) enum Codes {
    /// Built in this process.
    Built(Vec<Code>),
    /// In a file, of which the system reads those pages that are asked for.
    Mapped(Mmap),
}

impl Codes {
    /// The bytes of `file` from `offset` on, as many as the file is known to have.
    pub(super) fn map(file: &File, offset: u64, length: usize) -> io::Result<Codes> {
        let mut options = MmapOptions::new();
        options.offset(offset).len(length);
        // SAFETY: the mapping is only read, and any byte is a code. It is undefined what it
        // holds if somebody writes to the file meanwhile or cuts it off. This program never
        // does: a file gets its name when it is complete (`file::save`) and is replaced, not
        // written to, so that the pages mapped here stay what they were when their checksum
        // was found right. Whoever keeps tables is told so in `docs/tables.md`.
        #[allow(unsafe_code)]
        let map = unsafe { options.map(file) };
        Ok(Codes::Mapped(map?))
    }
}

impl Deref for Codes {
    type Target = [Code];

    fn deref(&self) -> &[Code] {
        match self {
            Codes::Built(codes) => codes,
            Codes::Mapped(codes) => codes,
        }
    }
}

impl From<Vec<Code>> for Codes {
    fn from(codes: Vec<Code>) -> Codes {
        Codes::Built(codes)
    }
}
