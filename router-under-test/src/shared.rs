//! What the threads of a router share: what it was told, what it knows, and its limits.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::body::UNIT;
use crate::cache::Cache;
use crate::config::{Config, Settings};
use crate::cookie::Cookies;
use crate::refusal::Refusal;
use crate::topology::Topology;

pub(crate) struct Shared {
    pub(crate) topology: Topology,
    pub(crate) settings: Settings,
    pub(crate) cache: Cache,
    pub(crate) cookies: Option<Cookies>,
    /// Places for connections of users.
    pub(crate) connections: Arc<Semaphore>,
    /// Places for requests under way.
    places: Arc<Semaphore>,
    /// Places at each cell, in the order of the topology.
    pub(crate) shares: Vec<Arc<Semaphore>>,
    /// Room for kept bodies.
    pub(crate) room: Arc<Semaphore>,
}

impl Shared {
    pub(crate) fn new(Config { topology, settings }: Config) -> Self {
        let places = |most: usize| Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)));
        Self {
            cache: Cache::new(topology.cache.max_entries),
            cookies: Cookies::new(&topology, &settings),
            connections: places(settings.max_connections),
            places: places(settings.max_requests),
            shares: topology.all().map(|_| places(settings.max_cell_requests)).collect(),
            room: places(settings.max_buffered_bytes.div_ceil(UNIT as usize)),
            topology,
            settings,
        }
    }

    /// A place among the requests under way; a refusal where there are too many.
    pub(crate) fn admit(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        Arc::clone(&self.places).try_acquire_owned().map_err(|_| Refusal::Overloaded)
    }
}
