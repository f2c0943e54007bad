//! What a wrong router remembers besides its cache. Most need nothing of it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use reference_router::topology::CellIndex;

/// Shared by all threads of a router.
#[derive(Clone, Debug, Default)]
pub(crate) struct State(Arc<Fields>);

#[derive(Debug, Default)]
struct Fields {
    rounds: AtomicU64,
    texts: Mutex<BTreeMap<String, String>>,
    cells: Mutex<BTreeMap<String, CellIndex>>,
    times: Mutex<BTreeMap<String, Instant>>,
    bodies: Mutex<Vec<u8>>,
}

impl State {
    /// A number that is one higher each time, from 0.
    pub(crate) fn round(&self) -> u64 {
        self.0.rounds.fetch_add(1, Ordering::Relaxed)
    }

    /// Texts by name.
    pub(crate) fn texts(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        lock(&self.0.texts)
    }

    /// Cells by name.
    pub(crate) fn cells(&self) -> MutexGuard<'_, BTreeMap<String, CellIndex>> {
        lock(&self.0.cells)
    }

    /// Times by name.
    pub(crate) fn times(&self) -> MutexGuard<'_, BTreeMap<String, Instant>> {
        lock(&self.0.times)
    }

    /// Bytes.
    pub(crate) fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        lock(&self.0.bodies)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
