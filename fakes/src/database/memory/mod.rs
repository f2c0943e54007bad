//! The databases in memory: the default of a fleet.

mod own;
mod routing;
mod shared;
mod shared_rows;

use std::sync::Arc;

use async_trait::async_trait;

use super::seed::Seed;
use super::store::{OpenStores, StoreFactory};
use crate::ids::MemoryCounters;
use crate::rows::OpenError;
use crate::runners::MemoryRunners;
use own::MemoryOwn;
use shared::MemoryShared;

/// Opens databases in memory, which end with the fleet.
#[derive(Debug)]
pub(super) struct MemoryStores;

#[async_trait]
impl StoreFactory for MemoryStores {
    fn name(&self) -> &str {
        "memory"
    }

    async fn open(&self, seed: Seed) -> Result<OpenStores, OpenError> {
        let counters = Arc::new(MemoryCounters::default());
        let runners = Arc::new(MemoryRunners::default());
        let shared = Arc::new(MemoryShared::new(seed.regions, &seed.shared)?);
        let own = Arc::new(MemoryOwn::new(seed.cells, seed.own));
        Ok(OpenStores { replication: shared.clone(), shared, own, counters, runners })
    }
}
