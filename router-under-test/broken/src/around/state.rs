//! What a wrong router remembers besides its cache. Most need nothing of it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use reference_router::topology::CellIndex;
use tokio::sync::{Mutex as Place, OwnedMutexGuard};

/// Shared by all threads of a router.
pub(crate) type State = Arc<Fields>;

#[derive(Debug, Default)]
pub(crate) struct Fields {
    rounds: AtomicU64,
    texts: Mutex<BTreeMap<String, String>>,
    cells: Mutex<BTreeMap<String, CellIndex>>,
    bytes: Mutex<Vec<u8>>,
    places: Mutex<BTreeMap<String, Arc<Place<()>>>>,
}

impl Fields {
    /// A number that is one higher each time, from 0.
    pub(crate) fn round(&self) -> u64 {
        self.rounds.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn texts(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        lock(&self.texts)
    }

    pub(crate) fn cells(&self) -> MutexGuard<'_, BTreeMap<String, CellIndex>> {
        lock(&self.cells)
    }

    pub(crate) fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        lock(&self.bytes)
    }

    /// A place of this name, which one request has at a time.
    pub(crate) fn place(&self, name: &str) -> Arc<Place<()>> {
        Arc::clone(lock(&self.places).entry(name.to_owned()).or_default())
    }
}

/// The place that a request has, until it is over or gives it back.
pub(crate) type Held = Mutex<Option<OwnedMutexGuard<()>>>;

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
