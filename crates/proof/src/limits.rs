//! How much may be spent on a certificate from a stranger.

use crate::refusal::Limit;

/// How much may be spent on one certificate, which is untrusted. Reaching a limit says
/// nothing about the claim.
///
/// [`work`](Limits::work) bounds the time and [`memory`](Limits::memory) the memory, whatever is
/// in the certificate. The others are about things that can be counted by who makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Length of a certificate's text or binary form, in bytes.
    pub bytes: usize,
    /// Number of its steps.
    pub steps: usize,
    /// Positions looked at: those that *closed* steps explore, and each once for every other
    /// step that is asked about it.
    pub positions: u64,
    /// Elementary operations, such as looking up an attack or comparing two men, each some five
    /// nanoseconds long. Reading a certificate and checking it may take so many each.
    pub work: u64,
    /// Classes, of all *classes* steps together.
    pub classes: u64,
    /// Memory in bytes, for the certificate and for what is kept while it is checked. It is
    /// counted a little high, as it is asked for. The text or bytes that a certificate is read
    /// from are not included.
    pub memory: usize,
}

impl Default for Limits {
    /// Enough for all but giants: 64 MiB of text, a million steps, ten million positions, two
    /// thousand million operations (some ten seconds), twenty thousand classes, 400 MB of
    /// memory.
    fn default() -> Limits {
        Limits {
            bytes: 64 << 20,
            steps: 1_000_000,
            positions: 10_000_000,
            work: 2_000_000_000,
            classes: 20_000,
            memory: 400_000_000,
        }
    }
}

/// Operations to look something up by its hash.
pub(crate) const HASHED: usize = 10;

/// What is left of [`Limits`].
pub(crate) struct Remaining {
    positions: u64,
    work: u64,
    classes: u64,
    memory: usize,
}

impl Remaining {
    pub(crate) fn new(limits: &Limits) -> Remaining {
        Remaining {
            positions: limits.positions,
            work: limits.work,
            classes: limits.classes,
            memory: limits.memory,
        }
    }

    pub(crate) fn spend_position(&mut self) -> Result<(), Limit> {
        self.positions = self.positions.checked_sub(1).ok_or(Limit::Positions)?;
        Ok(())
    }

    /// Counts so many operations, before or just after they are done.
    pub(crate) fn spend_work(&mut self, operations: usize) -> Result<(), Limit> {
        let left = self.work.checked_sub(operations as u64);
        self.work = left.ok_or(Limit::Work)?;
        Ok(())
    }

    pub(crate) fn spend_class(&mut self) -> Result<(), Limit> {
        self.classes = self.classes.checked_sub(1).ok_or(Limit::Classes)?;
        Ok(())
    }

    /// Counts memory that is about to be taken.
    pub(crate) fn take_memory(&mut self, bytes: usize) -> Result<(), Limit> {
        self.memory = self.memory.checked_sub(bytes).ok_or(Limit::Memory)?;
        Ok(())
    }

    /// Counts memory that has been given back.
    pub(crate) fn give_memory(&mut self, bytes: usize) {
        self.memory += bytes;
    }

    /// How much memory is left, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.memory
    }

    /// How much work is left.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }
}
