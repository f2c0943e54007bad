//! Metrics for operators: counts and durations, in the text format of Prometheus.
//!
//! Each thread counts for itself: a count is a plain addition to memory that no other core writes,
//! and the sums are made at each scrape. Without a listener for metrics nothing is counted at
//! all. No path, host or other word of a user is in a label; cells are there by id, as operators
//! know them.
//!
//! All of the crate may count, so this module knows nothing of the rest: whoever makes the
//! [`Metrics`] says how to read what is not counted here.

mod count;
mod histogram;
pub(crate) mod serve;
mod text;

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub(crate) use count::{Count, CountOf};

use count::add;
use histogram::Histogram;

thread_local! {
    /// All layers count, so the thread knows its counters and they need not be handed through.
    static OWN: OnceCell<Arc<Counters>> = const { OnceCell::new() };
}

/// What one thread has counted.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Counters {
    counts: [AtomicU64; Count::NUMBER],
    of_cells: [Box<[AtomicU64]>; CountOf::NUMBER],
    /// By reason. A refusal is rare enough for a lock that only the one who asks ever contends for.
    refusals: Mutex<BTreeMap<&'static str, u64>>,
    requests: Histogram,
    preflights: Histogram,
}

/// The counters of each thread, and how to read the rest.
pub(crate) struct Metrics {
    threads: Vec<Arc<Counters>>,
    read: Box<dyn Fn() -> Readings + Send + Sync>,
    /// Reloads of the topology: those that were done, and those that were refused.
    reloads: [AtomicU64; 2],
}

/// What is not counted, but read at each scrape.
#[derive(Debug)]
pub(crate) struct Readings {
    /// The id of each cell, by index. Those that have gone stay.
    pub(crate) cells: Vec<String>,
    /// Entries in the cache.
    pub(crate) cache_entries: u64,
    /// Entries that made room for others.
    pub(crate) cache_evictions: u64,
}

impl Metrics {
    /// Starts at zero. No reading has more than `most_cells`.
    pub(crate) fn new(
        threads: usize,
        most_cells: usize,
        read: impl Fn() -> Readings + Send + Sync + 'static,
    ) -> Self {
        Self {
            threads: (0..threads).map(|_| Arc::new(Counters::new(most_cells))).collect(),
            read: Box::new(read),
            reloads: Default::default(),
        }
    }

    /// Counts a reload of the topology, by whether it was done.
    pub(crate) fn reloaded(&self, done: bool) {
        self.reloads[usize::from(!done)].fetch_add(1, Ordering::Relaxed);
    }

    /// The counters for the thread with this number.
    pub(crate) fn counters(&self, number: usize) -> Arc<Counters> {
        Arc::clone(&self.threads[number])
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl Counters {
    fn new(cells: usize) -> Self {
        Self {
            counts: [const { AtomicU64::new(0) }; Count::NUMBER],
            of_cells: std::array::from_fn(|_| (0..cells).map(|_| AtomicU64::new(0)).collect()),
            refusals: Mutex::default(),
            requests: Histogram::default(),
            preflights: Histogram::default(),
        }
    }

    /// From here on, what this thread does is counted here.
    pub(crate) fn belong_to_this_thread(self: Arc<Self>) {
        // A thread is given counters once, when it starts.
        OWN.with(|own| own.set(self)).unwrap_or_default();
    }
}

/// Counts one of these.
pub(crate) fn count(what: Count) {
    own(|counters| add(&counters.counts[what as usize], 1));
}

/// Counts one of these for the cell with this index.
pub(crate) fn count_of(what: CountOf, index: usize) {
    own(|counters| add(&counters.of_cells[what as usize][index], 1));
}

/// Counts a request that the router refused, and why.
pub(crate) fn refused(reason: &'static str) {
    own(|counters| {
        let mut refusals = counters.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        *refusals.entry(reason).or_default() += 1;
    });
}

/// Notes how long a request took, from its head to the last byte of its response.
pub(crate) fn request_took(duration: Duration) {
    own(|counters| counters.requests.observe(duration));
}

/// Notes how long it took to learn where a path belongs.
pub(crate) fn preflight_took(duration: Duration) {
    own(|counters| counters.preflights.observe(duration));
}

fn own(then: impl FnOnce(&Counters)) {
    // After a thread's end its counters stay.
    let _ = OWN.try_with(|own| own.get().map(|counters| then(counters)));
}
