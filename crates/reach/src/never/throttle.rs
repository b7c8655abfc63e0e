//! An adaptive throttle: tests that rarely succeed are rarely made.

/// How often tests succeed.
#[derive(Debug, Default)]
pub(crate) struct Throttle {
    tests: u32,
    hits: u32,
    skipped: u32,
}

impl Throttle {
    /// Whether to make a test: always at first, later once in 32 times unless more than one
    /// in `odds` succeeds.
    pub(crate) fn pays(&mut self, trial: u32, odds: u32) -> bool {
        if self.tests > trial && self.hits * odds < self.tests {
            self.skipped += 1;
            if !self.skipped.is_multiple_of(32) {
                return false;
            }
        }
        self.tests += 1;
        true
    }

    /// The test that was made has succeeded.
    pub(crate) fn hit(&mut self) {
        self.hits += 1;
    }
}
