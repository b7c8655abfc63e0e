//! The games of many files in chunks, to be worked on in parallel.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use stillmate_arbiter::pgn::{Chunk, Chunks};

use crate::{
    input::{self, Source, Stream},
    pipeline::Held,
};

/// Bytes of games that one thread works on before it looks for other work: enough to
/// outweigh the cost of looking.
const PART: usize = 8 * 1024;

/// Some games of a source, or why it can't be read on.
pub(super) struct SourceChunk {
    pub(super) source: Arc<Source>,
    /// In parts of a few games each.
    pub(super) games: Result<Vec<Chunk>, String>,
    /// Bytes read from all sources so far.
    pub(super) read: u64,
}

impl Held for SourceChunk {
    fn bytes(&self) -> usize {
        self.games
            .iter()
            .flatten()
            .map(|part| part.text.len())
            .sum()
    }
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
        let games = chunks.next()?.map_err(|error| input::describe(&error));
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
            games: games.map(|chunk| chunk.split(PART)),
            read: self.bytes.load(Ordering::Relaxed),
        })
    }
}
