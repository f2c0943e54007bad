//! What stands between one cell and the databases that all cells share.

use std::collections::BTreeMap;
use std::fmt;

use crate::rows::{CellSettings, Change};

/// The hook of a cell's accesses; each method passes the access on, unless it is overridden.
pub trait Front: fmt::Debug + Send + Sync {
    /// What is written in place of a change. Without anything the change is dropped, and the cell
    /// takes it for written.
    fn write(&self, change: Change) -> Option<Change> {
        Some(change)
    }

    /// What the cell has in place of the admin settings that it read.
    fn settings(&self, rows: BTreeMap<String, String>) -> BTreeMap<String, String> {
        rows
    }

    /// What the cell has in place of the rows of settings of single cells that it read.
    fn cell_settings(&self, rows: CellSettings) -> CellSettings {
        rows
    }
}

/// What stands before a correct cell: nothing.
#[derive(Debug)]
pub(crate) struct CorrectFront;

impl Front for CorrectFront {}
