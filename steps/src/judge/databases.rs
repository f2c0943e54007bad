//! Checks of accesses to databases.

use cell_fleet::{CellId, DatabaseAccess};

use super::{Proof, ensure};
use crate::trace::Trace;

/// Nothing was written to a database in the exchange.
pub fn nothing_written(trace: &Trace) -> Proof {
    let found = trace.databases.iter().find(|(_, access)| access.write);
    found.map_or(Ok(()), |(_, access)| {
        Err(format!("{} wrote to {}.{}", access.cell, access.schema, access.table))
    })
}

/// A schema was written, and only at the primary.
pub fn written_at_primary(trace: &Trace, schema: &str) -> Proof {
    let writes: Vec<_> = trace
        .databases
        .iter()
        .map(|(_, access)| access)
        .filter(|access| access.write && access.schema == schema)
        .collect();
    ensure(!writes.is_empty(), || format!("nothing was written to {schema}"))?;
    let elsewhere = writes.iter().find(|access| !access.server.starts_with("primary"));
    elsewhere.map_or(Ok(()), |access| {
        Err(format!("{} wrote to {schema} at {}", access.cell, access.server))
    })
}

/// A cell read a schema or a table, and only from this server.
pub fn read_from(trace: &Trace, cell: &CellId, read: &str, server: &str) -> Proof {
    let accesses = trace.databases.iter().map(|(_, access)| access);
    let is_it = |access: &DatabaseAccess| access.schema == read || access.table == read;
    let mut reads = accesses
        .filter(|access| !access.write && access.cell == *cell && is_it(access))
        .map(|access| access.server.as_str())
        .peekable();
    ensure(reads.peek().is_some(), || format!("{cell} did not read {read}"))?;
    let elsewhere = reads.find(|found| *found != server);
    elsewhere.map_or(Ok(()), |found| Err(format!("{cell} read {read} from {found}")))
}

/// A cell did not read a schema.
pub fn did_not_read(trace: &Trace, cell: &CellId, schema: &str) -> Proof {
    let accesses = trace.databases.iter().map(|(_, access)| access);
    let mut reads =
        accesses.filter(|access| !access.write && access.schema == schema && access.cell == *cell);
    reads
        .next()
        .map_or(Ok(()), |access| Err(format!("{cell} read {schema} from {}", access.server)))
}
