//! Cells on stores with a mistake: stores that wrap others, or another rule above them.

pub(crate) mod counters;
pub(crate) mod ids;
pub(crate) mod leases;
pub(crate) mod queue;
pub(crate) mod servers;

use std::sync::Arc;

use async_trait::async_trait;
use cell_fleet::inside::Parts;
use cell_fleet::store::{
    CellState, IdAllocator, IdCounters, IdSetup, LeaseRules, OpenError, OpenStores, Seed, Servers,
    SessionStore, StoreFactory,
};
use cell_fleet::{FleetPlan, IdStrategy, Stores};

/// A mutant on stores that differ from those of its plan in one thing.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stored {
    /// Its ids are drawn by another allocator.
    Ids(fn(&IdSetup, Arc<dyn IdCounters>) -> Arc<dyn IdAllocator>),
    /// Its runners have jobs by other rules.
    Leases(fn() -> Arc<dyn LeaseRules>),
    /// It uses other servers.
    Servers(fn() -> Arc<dyn Servers>),
    Databases(fn(OpenStores, IdStrategy) -> OpenStores),
}

impl Parts for Stored {
    fn plan(&self, mut plan: FleetPlan) -> FleetPlan {
        let (inner, strategy) = (plan.stores.clone(), plan.id_plan.strategy);
        plan.stores = Stores::from_factory(Wrapped { inner, strategy, differs: *self });
        plan
    }
}

#[derive(Debug)]
struct Wrapped {
    inner: Stores,
    strategy: IdStrategy,
    differs: Stored,
}

#[async_trait]
impl StoreFactory for Wrapped {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn open(&self, seed: Seed) -> Result<OpenStores, OpenError> {
        let opened = self.inner.open(seed).await?;
        Ok(match self.differs {
            Stored::Databases(wrap) => wrap(opened, self.strategy),
            _ => opened,
        })
    }

    async fn open_sessions(&self) -> Result<Arc<dyn SessionStore>, OpenError> {
        self.inner.open_sessions().await
    }

    async fn open_state(&self) -> Result<Arc<dyn CellState>, OpenError> {
        self.inner.open_state().await
    }

    fn allocator(&self, setup: &IdSetup, counters: Arc<dyn IdCounters>) -> Arc<dyn IdAllocator> {
        match self.differs {
            Stored::Ids(allocator) => allocator(setup, counters),
            _ => self.inner.allocator(setup, counters),
        }
    }

    fn leases(&self) -> Arc<dyn LeaseRules> {
        match self.differs {
            Stored::Leases(rules) => rules(),
            _ => self.inner.leases(),
        }
    }

    fn servers(&self) -> Arc<dyn Servers> {
        match self.differs {
            Stored::Servers(servers) => servers(),
            _ => self.inner.servers(),
        }
    }
}
