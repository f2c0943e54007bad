//! How accesses to databases are entered.

use std::time::Duration;

use super::{DatabaseAccess, Event, Journal};
use crate::CellId;
use crate::rows::{Position, StoreError};

/// An access of a cell to a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access<'a> {
    /// The cell, as the topology names it.
    pub(crate) cell: &'a CellId,
    pub(crate) schema: &'static str,
    pub(crate) table: &'static str,
    pub(crate) write: bool,
}

impl Access<'_> {
    /// Enters that a server has made the access.
    pub(crate) fn made_at(
        self,
        journal: &Journal,
        server: String,
        position: Position,
        under_way: Duration,
    ) {
        let Self { cell, schema, table, write } = self;
        let cell = cell.clone();
        journal.append(Event::Database(DatabaseAccess {
            cell,
            schema: schema.into(),
            table: table.into(),
            write,
            server,
            position,
            under_way,
        }));
    }

    /// Enters that the store failed.
    pub(crate) fn failed(self, journal: &Journal, error: &StoreError) {
        let Self { cell, schema, table, write } = self;
        let verb = if write { "writing" } else { "reading" };
        journal.store_failed(Some(cell), format!("{verb} {schema}.{table}"), error);
    }
}
