//! Metrics for operators: counts and durations, in the text format of Prometheus.
//!
//! Each thread counts for itself: a count is a plain addition to memory that no other core writes,
//! and the sums are made at each scrape. Without a listener for metrics nothing is counted at
//! all. No path, host or other word of a user is in a label; cells are there by id, as operators
//! know them.

mod count;
mod histogram;
mod serve;
mod text;

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub(crate) use count::{Count, CountOf};
pub(crate) use serve::serve;

use crate::cache::Cache;
use crate::config::{CellIndex, Topology};
use crate::respond::Refusal;
use histogram::Histogram;

thread_local! {
    /// The places that count lie in all layers, so the thread knows its counters and they need not
    /// be handed through.
    static OWN: OnceCell<Arc<Counters>> = const { OnceCell::new() };
}

/// What one thread has counted.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Counters {
    counts: [AtomicU64; Count::ALL.len()],
    of_cells: [Box<[AtomicU64]>; CountOf::ALL.len()],
    /// By reason. A refusal is rare enough for a lock that only the one who asks ever contends for.
    refusals: Mutex<BTreeMap<&'static str, u64>>,
    requests: Histogram,
    preflights: Histogram,
}

/// The registry: the counters of each thread, and global values.
#[derive(Debug)]
pub(crate) struct Registry {
    threads: Vec<Arc<Counters>>,
    topology: Mutex<Arc<Topology>>,
    cache: Arc<Cache>,
    /// Reloads of the topology: those that were done, and those that were refused.
    reloads: [AtomicU64; 2],
}

impl Registry {
    /// Starts at zero.
    pub(crate) fn new(threads: usize, topology: Arc<Topology>, cache: Arc<Cache>) -> Self {
        let cells = topology.most_known();
        Self {
            threads: (0..threads).map(|_| Arc::new(Counters::new(cells))).collect(),
            topology: Mutex::new(topology),
            cache,
            reloads: Default::default(),
        }
    }

    /// Names the cells of a later topology; none where it was refused.
    pub(crate) fn reloaded(&self, later: Option<&Arc<Topology>>) {
        if let Some(later) = later {
            let mut topology = self.topology.lock().unwrap_or_else(PoisonError::into_inner);
            *topology = Arc::clone(later);
        }
        self.reloads[usize::from(later.is_none())].fetch_add(1, Ordering::Relaxed);
    }

    /// The counters for the thread with this number.
    pub(crate) fn counters(&self, number: usize) -> Arc<Counters> {
        Arc::clone(&self.threads[number])
    }
}

impl Counters {
    fn new(cells: usize) -> Self {
        Self {
            counts: [const { AtomicU64::new(0) }; Count::ALL.len()],
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

/// Counts one of these for a cell.
pub(crate) fn count_of(what: CountOf, cell: CellIndex) {
    own(|counters| add(&counters.of_cells[what as usize][cell.place()], 1));
}

/// Counts a request that the router refused.
pub(crate) fn refused(refusal: Refusal) {
    own(|counters| {
        *counters
            .refusals
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(refusal.label())
            .or_default() += 1
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

/// Adds without a locked instruction: only the thread that owns the counter writes to it.
fn add(counter: &AtomicU64, number: u64) {
    counter.store(counter.load(Ordering::Relaxed).wrapping_add(number), Ordering::Relaxed);
}
