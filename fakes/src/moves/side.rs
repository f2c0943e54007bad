//! What a cell keeps of a project outside its databases: its Git repository, its documents in the
//! search index. In memory, as one state for each store.

use std::collections::{BTreeMap, BTreeSet};

use crate::CellId;
use crate::git::GitRepository;
use crate::lock::Lock;
use crate::rows::Id;

/// The stores of one project on one cell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProjectStores {
    /// Gitaly: the repository.
    pub repository: GitRepository,
    /// Elasticsearch: the titles of merge requests.
    pub index: BTreeSet<String>,
}

/// The stores of all cells, which are named by their roles.
#[derive(Debug, Default)]
pub struct ProjectData(Lock<BTreeMap<(CellId, Id), ProjectStores>>);

impl ProjectData {
    pub fn of(&self, cell: &CellId, project: Id) -> ProjectStores {
        self.change(cell, project, |stores| stores.clone())
    }

    /// Replaces what a cell has of a project.
    pub fn put(&self, cell: &CellId, project: Id, stores: ProjectStores) {
        self.change(cell, project, |kept| *kept = stores);
    }

    /// Drops what a cell has of a project.
    pub fn remove(&self, cell: &CellId, project: Id) {
        self.put(cell, project, ProjectStores::default());
    }

    /// Changes what a cell has of a project.
    pub fn change<T>(
        &self,
        cell: &CellId,
        project: Id,
        change: impl FnOnce(&mut ProjectStores) -> T,
    ) -> T {
        // Each change is small and does not panic, so the stores are whole.
        let mut all = self.0.lock();
        change(all.entry((cell.clone(), project)).or_default())
    }
}
