//! One router: its configuration and its state.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use bytes::Bytes;
use http::response::Parts;
use http::uri::Authority;
use http::{HeaderValue, StatusCode};
use tokio::sync::Notify;

use crate::base::cache::Cache;
use crate::base::config::Config;
use crate::base::http1::connection::Kept;
use crate::base::target::Ask;
use crate::base::wire::Learnt;
use crate::kind::{Change, Mutation, Variation};

/// State of mutants and variants beside the cache.
#[derive(Default)]
pub(crate) struct Extra {
    /// Hosts that a mutant uses as cells; their numbers follow those of the topology.
    pub(crate) adopted: Vec<Authority>,
    pub(crate) started: Option<std::time::SystemTime>,
    pub(crate) sticky: Option<usize>,
    /// A user has written through this router.
    pub(crate) wrote: bool,
    pub(crate) current: Option<Ask>,
    /// The last body that came.
    pub(crate) current_body: Bytes,
    /// The last entry: path, whether exact, cell.
    pub(crate) taught: Option<(String, bool, usize)>,
    /// Cells that once gave no response, which a mutant never tries again.
    pub(crate) banned: HashSet<usize>,
    /// Paths whose failure or 404 a mutant remembers.
    pub(crate) failed: HashMap<String, StatusCode>,
    /// When the pre-flight about a path was sent, for the mutation that counts the TTL from then.
    pub(crate) asked_at: HashMap<String, Instant>,
    /// Cells of full paths, which a mutant keeps beside the cache.
    pub(crate) memo: HashMap<String, usize>,
    /// How many learn responses came, and the cell that the last one named.
    pub(crate) responses: (usize, usize),
    /// The cell that another learn response named while this one was awaited.
    pub(crate) crossed: Option<usize>,
    pub(crate) pages: HashMap<String, (Parts, Bytes)>,
    /// Paths that a pre-flight is under way about.
    pub(crate) learning: HashSet<String>,
    /// Cookies that cells have set, by name.
    pub(crate) jar: BTreeMap<String, String>,
    /// Cookies of learn responses, by the target of the user's request.
    pub(crate) pre_flight_cookies: HashMap<String, Vec<HeaderValue>>,
    /// Requests that wait, of all cells or of one.
    pub(crate) waiting: HashMap<Option<usize>, usize>,
    /// Who is told when a pre-flight about a path has its response.
    pub(crate) followers: HashMap<String, Arc<Notify>>,
    pub(crate) flights: HashMap<String, Arc<tokio::sync::Mutex<Option<Learnt>>>>,
    /// Memory that a variant takes and keeps.
    heap: Vec<Vec<u8>>,
}

/// The pieces of a heap that is kept, and the size of one: 192 MiB in all.
const HEAP: (usize, usize) = (12_288, 16 << 10);

/// The state of one router process.
pub(crate) struct Router {
    pub(crate) config: Config,
    pub(crate) change: Change,
    pub(crate) kept: Kept,
    cache: Mutex<Cache>,
    extra: Mutex<Extra>,
    rounds: AtomicUsize,
    /// Told when a user ends a connection; only a mutation listens.
    pub(crate) left: Notify,
    /// Copies that are still to be sent.
    pub(crate) pending: AtomicUsize,
}

impl Router {
    pub(crate) fn new(config: Config, change: Change) -> Arc<Self> {
        Arc::new(Self {
            cache: Mutex::new(Cache::new(change, config.ttl, config.max_entries)),
            extra: Mutex::default(),
            kept: Kept::default(),
            rounds: AtomicUsize::new(0),
            left: Notify::new(),
            pending: AtomicUsize::new(0),
            config,
            change,
        })
    }

    /// Whether this mutation is switched on.
    pub(crate) fn has(&self, mutation: Mutation) -> bool {
        self.change.has(mutation)
    }

    /// The mutation that is switched on, if any.
    pub(crate) fn mutation(&self) -> Option<Mutation> {
        self.change.mutation()
    }

    /// Whether this variation is switched on.
    pub(crate) fn differs(&self, variation: Variation) -> bool {
        self.change.differs(variation)
    }

    /// A request has come.
    pub(crate) fn allocate(&self) {
        if self.differs(Variation::KeepsALargeHeap) {
            let (pieces, size) = HEAP;
            let mut extra = self.extra();
            if extra.heap.len() < pieces {
                // Memory counts once it is written to.
                extra.heap.push(vec![1; size]);
            }
        }
    }

    pub(crate) fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn extra(&self) -> MutexGuard<'_, Extra> {
        self.extra.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The mutation of using any host as a cell: gives it a number.
    pub(crate) fn adopt(&self, host: Authority) -> usize {
        let mut extra = self.extra();
        extra.adopted.push(host);
        self.config.cells.len() + extra.adopted.len() - 1
    }

    /// The value of the session cookie that a mutant gives its users: new in each process.
    pub(crate) fn session(&self) -> String {
        let started = *self.extra().started.get_or_insert_with(std::time::SystemTime::now);
        let age = started.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        format!("{}-{}", std::process::id(), age.as_nanos())
    }

    /// Counts upwards, for picks in turn.
    pub(crate) fn round(&self) -> usize {
        self.rounds.fetch_add(1, Ordering::Relaxed)
    }
}
