//! Cells insert rows, and the place that hands out ids changes.

use cell_fleet::CellId;
use serde::{Deserialize, Serialize};

use super::words::spelled;

/// Something about the ids of rows happens.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum IdAction {
    /// A cell inserts rows, one after the other.
    Insert {
        /// The cell.
        #[serde(with = "spelled")]
        #[cfg_attr(test, schemars(with = "String"))]
        cell: CellId,
        /// How many rows.
        rows: u64,
        /// The table.
        table: String,
    },
    /// All cells insert rows at the same time.
    InsertEverywhere {
        /// How many rows each cell inserts.
        rows: u64,
        /// The table.
        table: String,
    },
    /// The allocator of ids refuses from now on.
    Stop,
    /// The allocator of ids works again.
    Start,
    /// The allocator of ids takes its time for each answer.
    Slow {
        /// How long, in milliseconds.
        ms: u64,
    },
    /// The allocator of ids crashes at the next request, after its counter has moved.
    Crash,
}
