//! The games of many files in chunks, to be worked on in parallel.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use stillmate_arbiter::pgn::{Chunk, Chunks};

use crate::input::{self, Source, Stream};

/// Some games of a source, or why it can't be read on.
pub(super) struct SourceChunk {
    pub(super) source: Arc<Source>,
    pub(super) games: Result<Chunk, String>,
    /// Bytes read from all sources so far.
    pub(super) bytes: u64,
}

/// The games of all sources in chunks.
pub(super) struct SourceChunks {
    sources: std::vec::IntoIter<Source>,
    open: Option<(Arc<Source>, Chunks<Stream>)>,
    bytes: Arc<AtomicU64>,
}

impl SourceChunks {
    pub(super) fn new(sources: Vec<Source>) -> SourceChunks {
        SourceChunks {
            sources: sources.into_iter(),
            open: None,
            bytes: Arc::default(),
        }
    }

    /// The next games of the open source.
    fn next_chunk(&mut self) -> Option<(Arc<Source>, Result<Chunk, String>)> {
        let (source, chunks) = self.open.as_mut()?;
        let games = chunks
            .next()?
            .map_err(|error| input::describe(&error))
            .and_then(|chunk| {
                if chunk.line == 1 && input::is_utf16(&chunk.text) {
                    Err(input::UTF16.to_owned())
                } else {
                    Ok(chunk)
                }
            });
        let source = Arc::clone(source);
        if games.is_err() {
            self.open = None;
        }
        Some((source, games))
    }
}

impl Iterator for SourceChunks {
    type Item = SourceChunk;

    fn next(&mut self) -> Option<SourceChunk> {
        let (source, games) = loop {
            if let Some(found) = self.next_chunk() {
                break found;
            }
            let source = Arc::new(self.sources.next()?);
            match input::open(&source, &self.bytes) {
                Ok(stream) => self.open = Some((source, Chunks::new(stream))),
                Err(error) => break (source, Err(error)),
            }
        };
        Some(SourceChunk {
            source,
            games,
            bytes: self.bytes.load(Ordering::Relaxed),
        })
    }
}
