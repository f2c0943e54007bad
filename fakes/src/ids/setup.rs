//! What an allocator needs to know.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::control::IdControl;
use super::plan::IdPlan;
use crate::Topology;
use crate::rows::IdTable;

#[derive(Clone, Debug)]
pub struct IdSetup {
    /// What the plan of the fleet says.
    pub plan: IdPlan,
    /// The cells.
    pub topology: Topology,
    /// The greatest number of each table that has rows in the seed.
    pub greatest: BTreeMap<IdTable, u64>,
    /// What a scenario does to the central place.
    pub control: Arc<IdControl>,
}

impl IdSetup {
    /// The first number of a table that no row of the seed has.
    pub fn first_free(&self, table: IdTable) -> u64 {
        self.greatest.get(&table).map_or(1, |greatest| greatest + 1)
    }
}
