//! How much may be spent on a certificate from a stranger.

use crate::refusal::Limit;

/// How much may be spent on one certificate, which is untrusted. Reaching a limit says
/// nothing about the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Length of a certificate's text or binary form, in bytes. Once read it takes up to a
    /// hundred times as much memory.
    pub bytes: usize,
    /// Number of its steps.
    pub steps: usize,
    /// Positions looked at: those that *closed* steps explore, and each once for every other
    /// step that is asked about it. Each takes some 100 bytes of memory while it is needed.
    pub positions: u64,
    /// Tests whether positions fit an invariant or belong to a class, and squares on which a king
    /// is asked for mate. Each takes some microseconds; a test in which pawns are hard to tell
    /// apart counts as many.
    pub work: u64,
    /// Classes, of all *classes* steps together. Each takes some kilobytes of memory and, beside
    /// what is counted as work, up to ten milliseconds; mostly a fraction of one.
    pub classes: u64,
}

impl Default for Limits {
    /// Enough for all but giants: 64 MiB, a million steps, ten million positions, a hundred
    /// million tests, twenty thousand classes.
    fn default() -> Limits {
        Limits {
            bytes: 64 << 20,
            steps: 1_000_000,
            positions: 10_000_000,
            work: 100_000_000,
            classes: 20_000,
        }
    }
}

/// What is left of [`Limits`].
pub(crate) struct Budget {
    positions: u64,
    work: u64,
    classes: u64,
}

impl Budget {
    pub(crate) fn new(limits: &Limits) -> Budget {
        Budget {
            positions: limits.positions,
            work: limits.work,
            classes: limits.classes,
        }
    }

    pub(crate) fn spend_position(&mut self) -> Result<(), Limit> {
        self.positions = self.positions.checked_sub(1).ok_or(Limit::Positions)?;
        Ok(())
    }

    pub(crate) fn spend_work(&mut self) -> Result<(), Limit> {
        self.work = self.work.checked_sub(1).ok_or(Limit::Work)?;
        Ok(())
    }

    pub(crate) fn spend_class(&mut self) -> Result<(), Limit> {
        self.classes = self.classes.checked_sub(1).ok_or(Limit::Classes)?;
        Ok(())
    }
}
