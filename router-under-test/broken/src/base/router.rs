//! One router: its configuration, its state, and the path of a request through it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::response::Parts;
use http::uri::Authority;
use http::{HeaderValue, Method, Response, StatusCode};
use http_body_util::combinators::UnsyncBoxBody;
use tokio::sync::Notify;

use crate::base::cache::Cache;
use crate::base::config::Config;
use crate::base::http1::cell::Kept;
use crate::base::http1::head::RequestHead;
use crate::base::target::Ask;
use crate::base::wire::Learnt;
use crate::base::{beliefs, buffering, cookie, edge, health, learning, memory, no_router};
use crate::kind::{Change, Mutation, Variation};
use crate::protocol::Protocol;

/// Any error; its content is not used.
pub(crate) type BoxError = Box<dyn std::error::Error + Send + Sync>;
/// A body, from memory or from a connection.
pub(crate) type Body = UnsyncBoxBody<Bytes, BoxError>;

/// A response that the router gives by itself.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    /// Names no cell (Z-58).
    pub(crate) reason: &'static str,
    pub(crate) cell: Option<usize>,
    /// The redirect target for the user; only mutants have one.
    pub(crate) location: Option<String>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, reason: &'static str) -> Self {
        Self { status, reason, cell: None, location: None }
    }
}

/// A cell's response, and how the router got it.
pub(crate) struct Routed {
    pub(crate) response: Response<Body>,
    /// The cell that responded.
    pub(crate) cell: usize,
    /// The cell came from the cache.
    pub(crate) known: bool,
    /// Fields of responses that were not for the user, such as `Set-Cookie`; only mutations read
    /// them.
    pub(crate) bounces: Vec<Parts>,
}

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
    pub(crate) learning: HashMap<String, usize>,
    /// Cookies that cells have set, by name.
    pub(crate) jar: BTreeMap<String, String>,
    /// Cookies of learn responses, by the target of the user's request.
    pub(crate) pre_flight_cookies: HashMap<String, Vec<HeaderValue>>,
    /// Requests that wait, of all cells or of one.
    pub(crate) places: HashMap<Option<usize>, usize>,
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
        let router = Arc::new(Self {
            cache: Mutex::new(Cache::new(change, config.ttl, config.max_entries)),
            extra: Mutex::default(),
            kept: Kept::default(),
            rounds: AtomicUsize::new(0),
            left: Notify::new(),
            pending: AtomicUsize::new(0),
            config,
            change,
        });
        memory::load(&router);
        router
    }

    /// Whether this mutation is switched on.
    pub(crate) fn has(&self, mutation: Mutation) -> bool {
        self.change.has(mutation)
    }

    /// The mutation that is switched on, if any.
    pub(crate) fn mutation(&self) -> Option<Mutation> {
        match self.change {
            Change::Mutation(mutation) => Some(mutation),
            _ => None,
        }
    }

    /// Whether this variation is switched on.
    pub(crate) fn differs(&self, variation: Variation) -> bool {
        self.change == Change::Variation(variation)
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

    /// Serves one request. An error closes the user's connection.
    pub(crate) async fn response(
        self: Arc<Self>,
        head: RequestHead,
        peer: IpAddr,
        worker: usize,
        body: Body,
    ) -> Result<Response<Body>, BoxError> {
        if let Change::NoRouter(kind) = self.change {
            return no_router::response(&self, kind, head, body).await;
        }
        if self.has(Mutation::EchoesTraces) && head.method == Method::TRACE {
            return Ok(edge::response::echo(&head));
        }
        let ask = match edge::request::admit(&self, head, peer) {
            Ok(admitted) => Ask { worker, ..admitted },
            Err(refusal) => return Ok(edge::response::refusal(&self, refusal)),
        };
        if let Some(page) = memory::stored_page(&self, &ask) {
            return Ok(page);
        }
        if let Some(refusal) = health::refuses(&self, &ask).or_else(|| cookie::refuses(&self, &ask))
        {
            return Ok(edge::response::refusal(&self, refusal));
        }
        if self.has(Mutation::SearchesEveryCell) && ask.path() == "/search" {
            (0..self.config.cells.len())
                .for_each(|cell| self.send_copy(cell, &ask, &Bytes::new(), Duration::ZERO));
        }
        let routed = match self.config.protocol {
            Protocol::Buffering => buffering::route(&self, &ask, body).await,
            Protocol::Learning => learning::route(&self, &ask, body).await,
        };
        let routed = match routed {
            Ok(routed) => beliefs::of_response(&self, &ask, routed).await,
            Err(refusal) => Err(beliefs::of_failure(&self, &ask, refusal)),
        };
        Ok(match routed {
            Ok(routed) => {
                let mut response = edge::response::finish(&self, &ask, routed).await;
                cookie::give(&self, &ask, &mut response);
                response
            }
            Err(refusal) => {
                health::remember_end(&self, &ask, refusal.status);
                edge::response::refusal(&self, refusal)
            }
        })
    }
}
