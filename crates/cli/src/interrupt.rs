//! Ctrl-C and the like: a run ends early, with what it has done.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI32, Ordering},
    },
    thread,
};

use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
    iterator::Signals,
    low_level,
};

/// Signals that end a run.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// The one that came, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Does `action`, on a thread of its own, when a signal comes that ends the run. Another one
/// then ends the process at once, as does the first where this wasn't called.
pub(crate) fn on_signal(action: impl FnOnce(i32) + Send + 'static) -> io::Result<()> {
    let again = Arc::new(AtomicBool::new(false));
    for signal in SIGNALS {
        flag::register_conditional_default(signal, Arc::clone(&again))?;
        flag::register(signal, Arc::clone(&again))?;
    }
    let mut signals = Signals::new(SIGNALS)?;
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            SIGNAL.store(signal, Ordering::SeqCst);
            action(signal);
        }
    });
    Ok(())
}

/// The signal that ends this run, if one came.
pub(crate) fn signal() -> Option<i32> {
    match SIGNAL.load(Ordering::SeqCst) {
        0 => None,
        signal => Some(signal),
    }
}

/// Ends the process as the signal would have done by itself, so that a shell knows to end its
/// loop, too.
pub(crate) fn end(signal: i32) -> ! {
    let _ = low_level::emulate_default_handler(signal);
    std::process::exit(128 + signal)
}
