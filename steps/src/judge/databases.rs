//! Checks of accesses to databases.

use cell_fleet::{CellId, Region};

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

/// A cell read a schema, and only from its own region's replica.
pub fn read_from_replica(trace: &Trace, cell: &CellId, schema: &str, region: &Region) -> Proof {
    let servers = servers_read(trace, cell, schema);
    let replica = format!("replica {region}");
    ensure(!servers.is_empty(), || format!("{cell} did not read {schema}"))?;
    let elsewhere = servers.iter().find(|server| **server != replica);
    elsewhere.map_or(Ok(()), |server| Err(format!("{cell} read {schema} from {server}")))
}

/// A cell read a schema, and only from its own server.
pub fn read_from_own(trace: &Trace, cell: &CellId, schema: &str) -> Proof {
    let own = format!("own {cell}");
    let servers = servers_read(trace, cell, schema);
    ensure(!servers.is_empty(), || format!("{cell} did not read {schema}"))?;
    let elsewhere = servers.iter().find(|server| **server != own);
    elsewhere.map_or(Ok(()), |server| Err(format!("{cell} read {schema} from {server}")))
}

/// A cell did not read a schema.
pub fn did_not_read(trace: &Trace, cell: &CellId, schema: &str) -> Proof {
    let servers = servers_read(trace, cell, schema);
    servers.first().map_or(Ok(()), |server| Err(format!("{cell} read {schema} from {server}")))
}

/// The servers from which a cell read a schema, one for each access.
fn servers_read<'a>(trace: &'a Trace, cell: &CellId, schema: &str) -> Vec<&'a str> {
    let accesses = trace.databases.iter().map(|(_, access)| access);
    accesses
        .filter(|access| !access.write && access.schema == schema && access.cell == *cell)
        .map(|access| access.server.as_str())
        .collect()
}
