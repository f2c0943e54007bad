//! The ids that were drawn, the rows that moved, and the phases of moves, in a report.

use std::time::Duration;

use cell_fleet::{IdAllocation, IdRange, MoveStep, RowsMoved, Stamp};
use serde::{Deserialize, Serialize};

use super::stamp::{StampData, cell};

/// An id that a cell drew for a new row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AllocationData {
    /// When.
    pub at: StampData,
    /// The cell, as the topology names it.
    pub cell: String,
    /// The table of the row.
    pub table: String,
    /// The id.
    pub id: String,
    /// First and last number of the range that it is from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<(u64, u64)>,
    /// How long the insert waited for it, in microseconds.
    #[serde(default)]
    pub waited_us: u64,
}

/// Rows that moved to another cell with their organization.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MovedRowsData {
    /// When.
    pub at: StampData,
    /// The cell that had them.
    pub from: String,
    /// The cell that has them.
    pub to: String,
    /// How many rows.
    pub rows: usize,
    /// How many of them have fresh ids.
    pub renumbered: usize,
    /// How many of their foreign keys led to a row before the move.
    pub references_before: usize,
    /// How many of their foreign keys lead to a row after it.
    pub references_after: usize,
}

/// A phase of a move of an organization.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MoveStepData {
    /// When it ended.
    pub at: StampData,
    /// The slug of the organization.
    pub organization: String,
    /// The phase.
    pub phase: String,
    /// The cell that had the organization.
    pub from: String,
    /// The cell that gets it.
    pub to: String,
    /// How many rows were not there before.
    pub rows: usize,
    /// Whether the mover died in the middle of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub died: bool,
}

impl MoveStepData {
    pub(super) fn of(at: Stamp, step: &MoveStep) -> Self {
        Self {
            at: at.into(),
            organization: step.organization.clone(),
            phase: step.phase.to_string(),
            from: step.from.id(),
            to: step.to.id(),
            rows: step.rows,
            died: step.died,
        }
    }

    pub(super) fn read(&self) -> Result<(Stamp, MoveStep), String> {
        let step = MoveStep {
            organization: self.organization.clone(),
            phase: self.phase.parse()?,
            from: cell(&self.from)?,
            to: cell(&self.to)?,
            rows: self.rows,
            died: self.died,
        };
        Ok((self.at.into(), step))
    }
}

impl AllocationData {
    pub(super) fn of(at: Stamp, allocation: &IdAllocation) -> Self {
        let IdAllocation { cell, table, id, range, waited } = allocation;
        Self {
            at: at.into(),
            cell: cell.id(),
            table: table.to_string(),
            id: id.to_string(),
            range: range.map(|range| (range.first, range.last)),
            waited_us: u64::try_from(waited.as_micros()).unwrap_or(u64::MAX),
        }
    }

    pub(super) fn read(&self) -> Result<(Stamp, IdAllocation), String> {
        let allocation = IdAllocation {
            cell: cell(&self.cell)?,
            table: self.table.parse()?,
            id: self.id.parse().map_err(|error| format!("{error}"))?,
            range: self.range.map(|(first, last)| IdRange { first, last }),
            waited: Duration::from_micros(self.waited_us),
        };
        Ok((self.at.into(), allocation))
    }
}

impl MovedRowsData {
    pub(super) fn of(at: Stamp, moved: &RowsMoved) -> Self {
        Self {
            at: at.into(),
            from: moved.from.id(),
            to: moved.to.id(),
            rows: moved.rows,
            renumbered: moved.renumbered,
            references_before: moved.references_before,
            references_after: moved.references_after,
        }
    }

    pub(super) fn read(&self) -> Result<(Stamp, RowsMoved), String> {
        let moved = RowsMoved {
            from: cell(&self.from)?,
            to: cell(&self.to)?,
            rows: self.rows,
            renumbered: self.renumbered,
            references_before: self.references_before,
            references_after: self.references_after,
        };
        Ok((self.at.into(), moved))
    }
}
