//! What a check may cost.

use crate::refusal::Limit;

/// What reading and checking one certificate may cost. Certificates are untrusted. Reaching a limit
/// says nothing about the claim.
///
/// Whatever is in a certificate, [`work`](Limits::work) bounds the time and
/// [`memory`](Limits::memory) the memory. The other limits are for its writers, who can count what
/// they write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Length of a certificate's text or binary form, in bytes.
    pub bytes: usize,
    /// Number of its steps.
    pub steps: usize,
    /// Number of positions looked at: those that *closed* steps visit, and each pair of another
    /// step and a position.
    pub positions: u64,
    /// Number of elementary operations, such as looking up an attack or comparing two men. Each
    /// takes two to five nanoseconds. The limit is for reading a certificate and, again, for
    /// checking it.
    pub work: u64,
    /// Number of classes in all *classes* steps.
    pub classes: u64,
    /// Memory in bytes, for the certificate and for what is kept while it is checked. The count is
    /// a little high. The text or bytes from which a certificate is read are not included.
    pub memory: usize,
}

impl Default for Limits {
    /// 64 MiB of text or bytes, a million steps, ten million positions, two thousand million
    /// operations (up to ten seconds), twenty thousand classes, 400 MB of memory.
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

/// Operations of a look-up in a hash table.
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

    /// Counts so many operations, before they are done or just after.
    pub(crate) fn spend_work(&mut self, operations: usize) -> Result<(), Limit> {
        let left = self.work.checked_sub(operations as u64);
        self.work = left.ok_or(Limit::Work)?;
        Ok(())
    }

    pub(crate) fn spend_class(&mut self) -> Result<(), Limit> {
        self.classes = self.classes.checked_sub(1).ok_or(Limit::Classes)?;
        Ok(())
    }

    /// Counts so many bytes of memory, before they are allocated.
    pub(crate) fn take_memory(&mut self, bytes: usize) -> Result<(), Limit> {
        self.memory = self.memory.checked_sub(bytes).ok_or(Limit::Memory)?;
        Ok(())
    }

    /// No longer counts so many bytes, which have been freed.
    pub(crate) fn give_memory(&mut self, bytes: usize) {
        self.memory += bytes;
    }

    /// The memory left, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.memory
    }

    /// The number of operations left.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }
}
