//! Whether standard output was closed when the program was started, as by `>&-`.
//!
//! Before `main` the library puts `/dev/null` in its place, so that no other file gets its
//! number, and all that is written to it seems to arrive. So one has to look before that.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether it was closed, where that can be known.
pub(crate) fn was_stdout_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

/// What the loader calls before `main`.
// Soundness: the loader calls a function of this type with arguments, which the C calling
// convention allows to ignore. It neither allocates nor uses what isn't ready at that time.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

#[cfg(target_os = "linux")]
extern "C" fn look() {
    let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
    CLOSED.store(flags == Err(rustix::io::Errno::BADF), Ordering::Relaxed);
}
