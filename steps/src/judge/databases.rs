//! Checks of accesses to databases: of schemas, of the tables of sessions, and in moves.

use cell_fleet::{CellId, DatabaseAccess, MovePhase, MoveStep, Stamp};

use super::{Proof, ensure};
use crate::trace::Trace;

fn accesses(trace: &Trace) -> impl Iterator<Item = &DatabaseAccess> {
    trace.databases.iter().map(|(_, access)| access)
}

/// Nothing was written to a database in the exchange.
pub fn nothing_written(trace: &Trace) -> Proof {
    accesses(trace).find(|access| access.write).map_or(Ok(()), |access| {
        Err(format!("{} wrote to {}.{}", access.cell, access.schema, access.table))
    })
}

/// A schema was written, and only at the primary.
pub fn written_at_primary(trace: &Trace, schema: &str) -> Proof {
    let mut writes =
        accesses(trace).filter(|access| access.write && access.schema == schema).peekable();
    ensure(writes.peek().is_some(), || format!("nothing was written to {schema}"))?;
    let elsewhere = writes.find(|access| !access.server.starts_with("primary"));
    elsewhere.map_or(Ok(()), |access| {
        Err(format!("{} wrote to {schema} at {}", access.cell, access.server))
    })
}

/// A cell read a schema or a table, and only from this server.
pub fn read_from(trace: &Trace, cell: &CellId, read: &str, server: &str) -> Proof {
    let is_it = |access: &DatabaseAccess| access.schema == read || access.table == read;
    let mut reads = accesses(trace)
        .filter(|access| !access.write && access.cell == *cell && is_it(access))
        .map(|access| access.server.as_str())
        .peekable();
    ensure(reads.peek().is_some(), || format!("{cell} did not read {read}"))?;
    let elsewhere = reads.find(|found| *found != server);
    elsewhere.map_or(Ok(()), |found| Err(format!("{cell} read {read} from {found}")))
}

pub fn did_not_read(trace: &Trace, cell: &CellId, schema: &str) -> Proof {
    let mut reads = accesses(trace).filter(|access| !access.write && access.cell == *cell);
    let found = reads.find(|access| access.schema == schema);
    found.map_or(Ok(()), |access| Err(format!("{cell} read {schema} from {}", access.server)))
}

/// The tables that these checks know: a record keeps their names.
const TABLES_OF_SESSIONS: [&str; 2] = ["sessions", "revocations"];

pub fn table_not_read(trace: &Trace, table: &str) -> Proof {
    let found = of_table(trace, table)?.find(|access| !access.write);
    found.map_or(Ok(()), |access| {
        Err(format!("{} read {table} from {}", access.cell, access.server))
    })
}

/// A table was written exactly this many times, in all regions together.
pub fn table_written(trace: &Trace, table: &str, times: usize) -> Proof {
    let writes = of_table(trace, table)?.filter(|access| access.write).count();
    ensure(writes == times, || format!("{table} was written {writes} times, not {times}"))
}

fn of_table<'t>(
    trace: &'t Trace,
    table: &str,
) -> Result<impl Iterator<Item = &'t DatabaseAccess>, String> {
    let known = TABLES_OF_SESSIONS.into_iter().find(|known| *known == table);
    let table =
        known.ok_or_else(|| format!("`{table}` is none of the tables {TABLES_OF_SESSIONS:?}"))?;
    Ok(accesses(trace).filter(move |access| access.table == table))
}

/// Where the writes of an organization go: rows, and refs of Git repositories.
const OF_ORGANIZATIONS: [&str; 2] = ["gitlab_main", "repositories"];

/// Before the freeze only the old cell took writes of the organization, from the thaw on only the
/// new one, and none did in between. What other organizations write is not told apart, so a
/// scenario writes for the moving one alone.
pub fn one_writer(trace: &Trace) -> Proof {
    ensure(!trace.moves.is_empty(), || "nothing moved in phases".to_owned())?;
    let of_organizations = |schema| OF_ORGANIZATIONS.contains(&schema);
    let accesses = trace.databases.iter();
    let writes = accesses.filter(|(_, access)| access.write && of_organizations(&access.schema));
    for (at, access) in writes {
        let role = trace.roles.get(&access.cell).unwrap_or(&access.cell);
        let owner = writer(&trace.moves, *at);
        ensure(owner.is_none_or(|owner| owner == Some(role)), || {
            let now = match owner.flatten() {
                Some(cell) => format!("only {cell} takes writes"),
                None => "no cell takes writes".to_owned(),
            };
            format!("{role} wrote to {} while {now}", access.schema)
        })?;
    }
    Ok(())
}

/// The cell that may write at a time: `Some(None)` while writes are frozen, `None` if no step of a
/// move tells.
fn writer(moves: &[(Stamp, MoveStep)], at: Stamp) -> Option<Option<&CellId>> {
    let before = moves.iter().rfind(|(stamp, _)| *stamp < at);
    let Some((_, step)) = before else { return moves.first().map(|(_, step)| Some(&step.from)) };
    Some(match (step.phase, step.died) {
        (MovePhase::Announce | MovePhase::Copy | MovePhase::TakenBack, _) => Some(&step.from),
        (MovePhase::Thaw | MovePhase::CleanUp, _) => Some(&step.to),
        (MovePhase::Freeze | MovePhase::CopyRest | MovePhase::Switch, _) => None,
    })
}
