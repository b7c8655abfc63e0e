//! How much may be spent on a certificate from a stranger.

use crate::refusal::Limit;

/// How much may be spent on one certificate, which is untrusted. Reaching a limit says
/// nothing about the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Length of a certificate's text or binary form, in bytes.
    pub bytes: usize,
    /// Number of its steps.
    pub steps: usize,
    /// Positions looked at: those that *closed* steps explore, and each once for every other
    /// step that is asked about it. Each takes some 100 bytes of memory while it is needed.
    pub positions: u64,
    /// Tests whether a position fits an invariant. Each takes some microseconds; one in which
    /// pawns are hard to tell apart counts as many.
    pub fits: u64,
}

impl Default for Limits {
    /// Enough for all but giants: 64 MiB, a million steps, ten million positions, a hundred
    /// million tests.
    fn default() -> Limits {
        Limits {
            bytes: 64 << 20,
            steps: 1_000_000,
            positions: 10_000_000,
            fits: 100_000_000,
        }
    }
}

/// What is left of [`Limits`].
pub(crate) struct Budget {
    positions: u64,
    fits: u64,
}

impl Budget {
    pub(crate) fn new(limits: &Limits) -> Budget {
        Budget {
            positions: limits.positions,
            fits: limits.fits,
        }
    }

    pub(crate) fn spend_position(&mut self) -> Result<(), Limit> {
        self.positions = self.positions.checked_sub(1).ok_or(Limit::Positions)?;
        Ok(())
    }

    pub(crate) fn spend_fit(&mut self) -> Result<(), Limit> {
        self.fits = self.fits.checked_sub(1).ok_or(Limit::Fits)?;
        Ok(())
    }
}
