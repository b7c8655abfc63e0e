//! Counting what an analysis spends, and ending it when a budget is used up.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::{Duration, Instant},
};

use crate::Budget;

/// The budgets of one question. Shared by the threads that work on it.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    deadline: Option<Instant>,
    nodes: AtomicU64,
    node_limit: u64,
    cancel: &'a AtomicBool,
    evidence: bool,
}

/// A budget has ended the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped(pub(crate) Budget);

/// The clock and the flag are looked at once in this many nodes.
const LOOK_EVERY: u64 = 1024;

impl<'a> Meter<'a> {
    pub(crate) fn new(
        node_limit: u64,
        time_limit: Option<Duration>,
        cancel: &'a AtomicBool,
    ) -> Meter<'a> {
        Meter {
            // To read the clock takes as long as to answer a simple question.
            deadline: time_limit.and_then(|time| Instant::now().checked_add(time)),
            nodes: AtomicU64::new(0),
            node_limit,
            cancel,
            evidence: true,
        }
    }

    /// This meter for an analysis that throws the evidence of "never" away as it arises.
    pub(crate) fn without_evidence(self) -> Meter<'a> {
        Meter {
            evidence: false,
            ..self
        }
    }

    /// Whether the evidence of "never" is wanted.
    pub(crate) const fn keeps_evidence(&self) -> bool {
        self.evidence
    }

    /// Positions visited so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Nodes that may still be visited.
    pub(crate) fn left(&self) -> u64 {
        self.node_limit.saturating_sub(self.nodes())
    }

    /// Counts `count` visited positions.
    pub(crate) fn spend(&self, count: u64) -> Result<(), Stopped> {
        let before = self.nodes.fetch_add(count, Ordering::Relaxed);
        if before + count > self.node_limit {
            return Err(Stopped(Budget::Nodes));
        }
        if before / LOOK_EVERY == (before + count) / LOOK_EVERY {
            return Ok(());
        }
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Stopped(Budget::Cancelled));
        }
        match self.deadline {
            Some(deadline) if Instant::now() > deadline => Err(Stopped(Budget::Time)),
            _ => Ok(()),
        }
    }
}
