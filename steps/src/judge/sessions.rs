//! Checks of the tables of sessions.

use cell_fleet::{CellId, DatabaseAccess};

use super::{Proof, ensure};
use crate::trace::Trace;

/// The tables that these checks know: a record keeps their names.
const TABLES: [&str; 2] = ["sessions", "revocations"];

/// A cell read a table, and only from this server.
pub fn read_table_from(trace: &Trace, cell: &CellId, table: &str, server: &str) -> Proof {
    let mut reads = accesses(trace, table)?
        .filter(|access| !access.write && access.cell == *cell)
        .map(|access| access.server.as_str())
        .peekable();
    ensure(reads.peek().is_some(), || format!("{cell} did not read {table}"))?;
    let elsewhere = reads.find(|read| *read != server);
    elsewhere.map_or(Ok(()), |found| Err(format!("{cell} read {table} from {found}")))
}

/// No cell read a table.
pub fn table_not_read(trace: &Trace, table: &str) -> Proof {
    let found = accesses(trace, table)?.find(|access| !access.write);
    found.map_or(Ok(()), |access| {
        Err(format!("{} read {table} from {}", access.cell, access.server))
    })
}

/// A table was written exactly this many times, in all regions together.
pub fn table_written(trace: &Trace, table: &str, times: usize) -> Proof {
    let writes = accesses(trace, table)?.filter(|access| access.write).count();
    ensure(writes == times, || format!("{table} was written {writes} times, not {times}"))
}

fn accesses<'t>(
    trace: &'t Trace,
    table: &str,
) -> Result<impl Iterator<Item = &'t DatabaseAccess>, String> {
    let known = TABLES.into_iter().find(|known| *known == table);
    let table = known.ok_or_else(|| format!("`{table}` is none of the tables {TABLES:?}"))?;
    Ok(trace.databases.iter().map(|(_, access)| access).filter(move |it| it.table == table))
}
