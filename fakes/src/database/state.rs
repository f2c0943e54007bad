//! State of a cell outside its rows, which the documents keep in Redis: counters of projects.

use std::collections::BTreeMap;
use std::fmt;

use async_trait::async_trait;

use crate::CellId;
use crate::lock::Lock;
use crate::rows::{Counters, Id, Stored};

/// The state of all cells, each apart from the others; cells are named by their roles.
#[async_trait]
pub trait CellState: fmt::Debug + Send + Sync {
    /// Adds one to a counter of a project.
    async fn count(&self, cell: &CellId, project: Id, counter: &str) -> Stored<()>;
    /// The counters of a project; none where it has none.
    async fn counters(&self, cell: &CellId, project: Id) -> Stored<Counters>;
    /// Replaces the counters of a project.
    async fn put(&self, cell: &CellId, project: Id, counters: &Counters) -> Stored<()>;
    /// Removes the counters of a project.
    async fn remove(&self, cell: &CellId, project: Id) -> Stored<()>;
}

/// The state in memory, which ends with the fleet.
#[derive(Debug, Default)]
pub(super) struct MemoryState(Lock<BTreeMap<(CellId, Id), Counters>>);

#[async_trait]
impl CellState for MemoryState {
    async fn count(&self, cell: &CellId, project: Id, counter: &str) -> Stored<()> {
        let mut all = self.0.lock();
        let counters = all.entry((cell.clone(), project)).or_default();
        *counters.entry(counter.to_owned()).or_default() += 1;
        Ok(())
    }

    async fn counters(&self, cell: &CellId, project: Id) -> Stored<Counters> {
        Ok(self.0.lock().get(&(cell.clone(), project)).cloned().unwrap_or_default())
    }

    async fn put(&self, cell: &CellId, project: Id, counters: &Counters) -> Stored<()> {
        self.0.lock().insert((cell.clone(), project), counters.clone());
        Ok(())
    }

    async fn remove(&self, cell: &CellId, project: Id) -> Stored<()> {
        self.0.lock().remove(&(cell.clone(), project));
        Ok(())
    }
}
