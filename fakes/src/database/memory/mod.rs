//! The databases in memory: the default of a fleet.

mod own;
mod routing;
mod shared;
mod shared_rows;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;

use super::seed::Seed;
use super::store::{OpenStores, StoreFactory};
use crate::ids::MemoryCounters;
use crate::rows::{OpenError, StoreError, Stored};
use crate::runners::MemoryRunners;
use own::MemoryOwn;
use shared::MemoryShared;

/// Opens databases in memory, which end with the fleet.
#[derive(Debug, Default)]
pub(super) struct MemoryStores {
    pub(super) outage: Outage,
}

/// Whether the shared databases fail, as those on a server that is gone. It begins in tests alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Outage(Arc<AtomicBool>);

impl Outage {
    #[cfg(test)]
    pub(super) fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn check(&self) -> Stored<()> {
        match self.0.load(Ordering::Relaxed) {
            true => Err(StoreError::new("memory", "connection refused")),
            false => Ok(()),
        }
    }
}

#[async_trait]
impl StoreFactory for MemoryStores {
    fn name(&self) -> &str {
        "memory"
    }

    async fn open(&self, seed: Seed) -> Result<OpenStores, OpenError> {
        self.outage.check()?;
        let counters = Arc::new(MemoryCounters::default());
        let runners = Arc::new(MemoryRunners::default());
        let shared = MemoryShared::new(seed.regions, &seed.shared, self.outage.clone())?;
        let own = Arc::new(MemoryOwn::new(seed.own));
        Ok(OpenStores { shared: Arc::new(shared), own, counters, runners })
    }
}
