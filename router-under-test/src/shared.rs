//! What the threads of a router share: what it was told, what it knows, and its limits.

use std::sync::Arc;

use http::HeaderValue;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::body::UNIT;
use crate::cache::Cache;
use crate::config::{Config, Settings};
use crate::cookie::Cookies;
use crate::refusal::Refusal;
use crate::topology::Topology;

/// What all threads share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) topology: Arc<Topology>,
    pub(crate) settings: Arc<Settings>,
    pub(crate) cache: Arc<Cache>,
    pub(crate) cookies: Option<Arc<Cookies>>,
    /// Places for requests under way.
    places: Arc<Semaphore>,
    /// Places at each cell.
    pub(crate) shares: Arc<[Arc<Semaphore>]>,
    /// Room for kept bodies.
    pub(crate) room: Arc<Semaphore>,
    /// The address that users reach, for those who send no `Host`.
    pub(crate) own_host: HeaderValue,
}

impl Shared {
    pub(crate) fn new(config: Config) -> Self {
        let Config { topology, settings } = config;
        let places = |most: usize| Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)));
        Self {
            cache: Arc::new(Cache::new(topology.cache.max_entries)),
            cookies: Cookies::new(&topology, &settings).map(Arc::new),
            places: places(settings.max_requests),
            shares: topology.all().map(|_| places(settings.max_cell_requests)).collect(),
            room: places(settings.max_buffered_bytes.div_ceil(UNIT as usize)),
            own_host: HeaderValue::try_from(topology.listen.to_string())
                .unwrap_or(HeaderValue::from_static("localhost")),
            topology: Arc::new(topology),
            settings: Arc::new(settings),
        }
    }

    /// A place among the requests under way; a refusal where there are too many.
    pub(crate) fn admit(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        Arc::clone(&self.places).try_acquire_owned().map_err(|_| Refusal::Overloaded)
    }
}
