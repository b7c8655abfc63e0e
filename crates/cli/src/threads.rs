//! How many threads, and starting them.

use std::thread;

use anyhow::anyhow;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// More than any processor has cores to run them on, and few enough for any system to start.
/// The same everywhere, so that a command that works on one machine works on another.
const MOST: usize = 1024;

/// A number of threads on the command line.
pub(crate) fn parse(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if threads <= MOST => Ok(threads),
        _ => Err(format!(
            "give a number from 1 to {MOST}, or 0 for as many as there are processors"
        )),
    }
}

/// Starts so many threads, 0 for as many as there are processors.
///
/// # Errors
///
/// In words, when the system refuses.
pub(crate) fn pool(threads: usize) -> anyhow::Result<ThreadPool> {
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, |processors| processors.get().min(MOST)),
        threads => threads,
    };
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    // The error names its cause, and its cause is the same error: one of them is enough.
    pool.map_err(|error| anyhow!("{threads} threads cannot be started: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_counted_up_to_a_bound() {
        for (text, threads) in [("0", 0), ("1", 1), ("1024", 1024)] {
            assert_eq!(parse(text), Ok(threads));
        }
        for wrong in ["-1", "1025", "99999999999999999999", "2.5", "two", ""] {
            let error = parse(wrong).expect_err("it is refused");
            assert!(error.contains("from 1 to 1024, or 0 for"), "{error}");
        }
    }

    #[test]
    fn a_pool_has_the_threads_that_are_asked_for() {
        assert_eq!(pool(3).expect("threads start").current_num_threads(), 3);
        assert!(pool(0).expect("threads start").current_num_threads() >= 1);
    }
}
