//! A fault of the program itself over one position or game doesn't end the run.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does `work`; if that panics, says so in words. What the panic itself reports has gone to
/// standard error by then.
///
/// An analyzer may be used on after a panic: all it changes are counters.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        format!(
            "internal error: {}; please report this",
            text.unwrap_or("unknown")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_message() {
        let kings = 3;
        let error = guarded(|| assert!(kings == 2, "{kings} kings")).expect_err("it panics");
        assert_eq!(error, "internal error: 3 kings; please report this");
        let error = guarded(|| -> () { panic!("no king") }).expect_err("it panics");
        assert_eq!(error, "internal error: no king; please report this");
        assert_eq!(guarded(|| kings), Ok(3));
    }
}
