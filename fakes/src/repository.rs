//! Git repositories of a fleet.

use std::path::PathBuf;

use crate::CellId;
use crate::segments::{is_plain_segment, is_reserved};

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
    pub(crate) fn has_valid_path(&self) -> bool {
        let plain =
            self.path.strip_prefix('/').is_some_and(|path| path.split('/').all(is_plain_segment));
        plain && !is_reserved(&self.path)
    }
}
