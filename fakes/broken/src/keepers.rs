//! What is valid on one cell alone, where correct cells use the shared databases.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use cell_fleet::CellId;

/// The one cell on which each session, or token, is valid. Others are valid on all.
#[derive(Debug, Default)]
pub(crate) struct Keepers(Mutex<BTreeMap<String, CellId>>);

impl Keepers {
    /// Makes a secret valid on this cell only, unless another cell keeps it already.
    pub(crate) fn keep(&self, secret: &str, cell: &CellId) {
        self.lock().entry(secret.to_owned()).or_insert_with(|| cell.clone());
    }

    /// Whether a secret is valid on another cell alone.
    pub(crate) fn is_elsewhere(&self, secret: &str, cell: &CellId) -> bool {
        self.lock().get(secret).is_some_and(|keeper| keeper != cell)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, CellId>> {
        // Each entry is one insertion, so they are whole even after a panic.
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
