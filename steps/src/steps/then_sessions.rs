//! Then steps about where sessions are read and written.

use super::definition::{Definition, then};
use super::parameters::{Cell, Number};
use crate::judge;
use crate::trace::Trace;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        then(
            "{cell} read the table {string} from {string} alone",
            |trace: &Trace, cell: Cell, table: String, server: String| {
                judge::read_table_from(trace, &cell.0, &table, &server)
            },
        ),
        then("no cell read the table {string}", |trace: &Trace, table: String| {
            judge::table_not_read(trace, &table)
        }),
        then(
            "the table {string} was written {number} time(s)",
            |trace: &Trace, table: String, times: Number| {
                judge::table_written(trace, &table, times.size())
            },
        ),
    ]
}
