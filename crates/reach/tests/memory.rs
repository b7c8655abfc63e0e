//! What a search holds, counted byte by byte, beside what it may.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use stillmate_core::{Color, Position};
use stillmate_reach::{Analyzer, Budget, StopReason, Verdict, rungs::Rung};

/// The system's allocator, which also knows how much is taken and how much was at most.
struct Counting;

static TAKEN: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn take(bytes: usize) {
    let taken = TAKEN.fetch_add(bytes, Relaxed) + bytes;
    MOST.fetch_max(taken, Relaxed);
}

// SAFETY: everything is done by the system's allocator; only numbers are added to it.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    // What is large enough to matter isn't copied, but gets more pages.
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if let Some(more) = size.checked_sub(layout.size()) {
            take(more);
        } else {
            TAKEN.fetch_sub(layout.size() - size, Relaxed);
        }
        unsafe { System.realloc(place, layout, size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        TAKEN.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The most that `work` holds at a time, in bytes.
fn most<R>(work: impl FnOnce() -> R) -> (R, usize) {
    let before = TAKEN.load(Relaxed);
    MOST.store(before, Relaxed);
    let done = work();
    (done, MOST.load(Relaxed) - before)
}

/// Takes minutes and gigabytes if nothing stops it.
const MAZE: &str = "7k/3B4/8/8/1b6/4p1p1/1b2PpP1/1B2bBbK w - -";
/// Millions of positions, none of them mate.
const CAGE: &str = "B1B1B1B1/pBpBpBp1/P1P1P1P1/4b3/8/8/8/k1K5 w - -";

/// One test for all, since whatever runs beside it would be counted, too.
#[test]
fn a_search_holds_what_it_may_and_no_more() {
    let mut wrong = Vec::new();
    for (fen, rung, mebibytes) in [
        (MAZE, Rung::Explore, 8),
        (MAZE, Rung::Explore, 24),
        (CAGE, Rung::Explore, 24),
        (MAZE, Rung::Closure, 8),
        (MAZE, Rung::Closure, 24),
        (CAGE, Rung::Closure, 24),
        (MAZE, Rung::Rows, 8),
        (MAZE, Rung::Rows, 24),
        (CAGE, Rung::Rows, 2),
    ] {
        let position = Position::from_fen(fen).unwrap();
        let memory = mebibytes << 20;
        let (stopped, held) = most(|| rung.stopped_by(&position, Color::Black, memory));
        let share = held as f64 / memory as f64;
        println!("{rung:?} of {mebibytes} MiB: {share:.2}, {stopped:?}");
        if stopped != Some(StopReason::Memory) || !(0.8..1.1).contains(&share) {
            wrong.push(format!(
                "{rung:?} {fen} {mebibytes} MiB: {share:.2}, {stopped:?}"
            ));
        }
    }
    // The whole ladder, as it is asked.
    let position = Position::from_fen(MAZE).unwrap();
    let budget = Budget {
        memory: 16 << 20,
        ..Budget::default()
    };
    let decide = || Analyzer::default().decide_with(&position, Color::Black, &budget);
    let (finding, held) = most(decide);
    let stopped = match finding.verdict {
        Verdict::Undetermined(effort) => Some(effort.stopped_by),
        _ => None,
    };
    if stopped != Some(StopReason::Memory) || held as u64 > budget.memory * 11 / 10 {
        wrong.push(format!("{held} of {}: {stopped:?}", budget.memory));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
