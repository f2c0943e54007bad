//! Checks of the tables of sessions.

use cell_fleet::DatabaseAccess;

use super::{Proof, ensure};
use crate::trace::Trace;

/// The tables that these checks know: a record keeps their names.
const TABLES: [&str; 2] = ["sessions", "revocations"];

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
