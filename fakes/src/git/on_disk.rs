//! Git repositories of a fleet.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::CellId;
use crate::lock::Lock;
use crate::wire::segments::{is_plain_segment, is_reserved};

/// A git repository that a cell serves over HTTP. Anyone can read and write it.
///
/// Its cell owns every path below it in both protocols (BF-02, LN-08).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repository {
    /// Its path on the installation: `/my-company/my-project.git`.
    pub path: String,
    /// The cell that has it, as the documents name it.
    pub cell: CellId,
    /// The bare repository on disk.
    pub folder: PathBuf,
}

impl Repository {
    /// Whether its path has plain segments only, and a first one that is not reserved.
    pub fn has_valid_path(&self) -> bool {
        let plain =
            self.path.strip_prefix('/').is_some_and(|path| path.split('/').all(is_plain_segment));
        plain && !is_reserved(&self.path)
    }
}

/// The cells that serve repositories on disk now, where they have moved.
#[derive(Debug, Default)]
pub struct RepositoryFolders(Lock<BTreeMap<String, CellId>>);

impl RepositoryFolders {
    /// The cell that serves a repository, by its role.
    pub fn cell_of(&self, repository: &Repository) -> CellId {
        let moved = self.0.lock();
        moved.get(&repository.path).unwrap_or(&repository.cell).clone()
    }

    /// Lets another cell serve a repository.
    pub fn move_to(&self, repository: &Repository, cell: &CellId) {
        let mut moved = self.0.lock();
        moved.insert(repository.path.clone(), cell.clone());
    }
}
