//! The choice of a store, as a plan names it.

use std::ops::Deref;
use std::sync::Arc;

use super::memory::MemoryStores;
use super::store::StoreFactory;

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
        Self::from_factory(MemoryStores::default())
    }

    /// The stores that this factory opens.
    pub fn from_factory(factory: impl StoreFactory + 'static) -> Self {
        Self(Arc::new(factory))
    }

    /// The name of the store in messages.
    pub fn name(&self) -> &str {
        self.0.name()
    }
}

impl Deref for Stores {
    type Target = dyn StoreFactory;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Default for Stores {
    fn default() -> Self {
        Self::in_memory()
    }
}
