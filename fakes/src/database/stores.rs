//! The choice of a store, as a plan names it.

use std::sync::Arc;

use super::memory::MemoryStores;
use super::seed::Seed;
use super::state::CellState;
use super::store::{OpenStores, StoreFactory};
use crate::rows::OpenError;
use crate::sessions::SessionStore;

/// The databases behind a fleet's cells. The default keeps them in memory.
///
/// ```
/// use cell_fleet::{FleetPlan, Protocol, Stores};
/// let plan = FleetPlan::documents(Protocol::Learning);
/// assert_eq!(plan.stores.name(), Stores::in_memory().name());
/// ```
#[derive(Clone, Debug)]
pub struct Stores(Arc<dyn StoreFactory>);

impl Stores {
    /// Databases in memory, which end with the fleet.
    pub fn in_memory() -> Self {
        Self::of(MemoryStores)
    }

    /// The stores that this factory opens.
    pub fn of(factory: impl StoreFactory + 'static) -> Self {
        Self(Arc::new(factory))
    }

    /// The name of the store in messages.
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// Opens databases that hold the seed and nothing else.
    pub async fn open(&self, seed: Seed) -> Result<OpenStores, OpenError> {
        self.0.open(seed).await
    }

    /// Opens an empty store of sessions for each region.
    pub async fn open_sessions(&self) -> Result<Arc<dyn SessionStore>, OpenError> {
        self.0.open_sessions().await
    }

    /// Opens the state that cells keep beside their rows, with nothing in it.
    pub async fn open_state(&self) -> Result<Arc<dyn CellState>, OpenError> {
        self.0.open_state().await
    }
}

impl Default for Stores {
    fn default() -> Self {
        Self::in_memory()
    }
}
