//! Counting what an analysis spends, and ending it when a budget is used up.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Instant,
};

use crate::verdict::{Budget, StopReason};

/// What one question has spent of its [`Budget`]. Shared by the threads that work on it.
#[derive(Debug)]
pub(crate) struct Meter {
    deadline: Option<Instant>,
    nodes: AtomicU64,
    node_limit: u64,
    memory: u64,
    cancel: Option<Arc<AtomicBool>>,
    evidence: bool,
}

/// The clock and the flag are looked at once in this many nodes.
const LOOK_EVERY: u64 = 1024;

impl Meter {
    pub(crate) fn new(budget: &Budget) -> Meter {
        Meter {
            // To read the clock takes as long as to answer a simple question.
            deadline: budget
                .time
                .and_then(|time| Instant::now().checked_add(time)),
            nodes: AtomicU64::new(0),
            node_limit: budget.nodes,
            memory: budget.memory,
            cancel: budget.cancel.clone(),
            evidence: true,
        }
    }

    /// A meter that only stops after so many positions.
    pub(crate) fn of_nodes(nodes: u64) -> Meter {
        Meter::new(&Budget {
            nodes,
            memory: u64::MAX,
            ..Budget::default()
        })
    }

    /// This meter for an analysis that throws the evidence of "never" away as it arises.
    pub(crate) fn without_evidence(self) -> Meter {
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
    pub(crate) fn spend(&self, count: u64) -> Result<(), StopReason> {
        let before = self.nodes.fetch_add(count, Ordering::Relaxed);
        if before + count > self.node_limit {
            return Err(StopReason::Nodes);
        }
        if before / LOOK_EVERY == (before + count) / LOOK_EVERY {
            return Ok(());
        }
        if let Some(cancel) = &self.cancel
            && cancel.load(Ordering::Relaxed)
        {
            return Err(StopReason::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() > deadline => Err(StopReason::Time),
            _ => Ok(()),
        }
    }

    /// Bytes that a search may hold at a time. Searches of a question follow each other, and
    /// each gives back what it held.
    pub(crate) const fn memory(&self) -> u64 {
        self.memory
    }

    /// Whether a search that holds so many bytes may go on.
    pub(crate) const fn hold(&self, bytes: u64) -> Result<(), StopReason> {
        if bytes > self.memory {
            Err(StopReason::Memory)
        } else {
            Ok(())
        }
    }
}
