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

/// A table was written so many times, in all regions together.
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use cell_fleet::{Position, Stamp};

    use super::*;

    const AT: Stamp = Stamp { sequence: 0, at: Duration::ZERO };

    fn trace(accesses: &[(&'static str, bool, &str)]) -> Trace {
        let access = |(table, write, server): &(&'static str, bool, &str)| DatabaseAccess {
            cell: CellId::eu(0),
            schema: "sessions".into(),
            table: (*table).into(),
            write: *write,
            server: (*server).to_owned(),
            position: Position::default(),
            under_way: Duration::ZERO,
        };
        let databases = accesses.iter().map(|one| (AT, access(one))).collect();
        Trace { databases, ..Trace::default() }
    }

    #[test]
    fn a_table_is_read_from_one_server_alone() {
        let near = trace(&[("sessions", false, "store eu"), ("sessions", true, "store us")]);
        let read =
            |trace: &Trace, server| read_table_from(trace, &CellId::eu(0), "sessions", server);
        assert_eq!(read(&near, "store eu"), Ok(()));
        assert!(read(&near, "store us").is_err() && read(&trace(&[]), "store eu").is_err());
        let far = trace(&[("sessions", false, "store eu"), ("sessions", false, "primary us")]);
        assert!(read(&far, "store eu").unwrap_err().contains("primary us"));
    }

    #[test]
    fn reads_and_writes_are_told_apart() {
        let written =
            trace(&[("revocations", true, "store eu"), ("revocations", true, "store us")]);
        assert_eq!(table_not_read(&written, "revocations"), Ok(()));
        assert_eq!(table_written(&written, "revocations", 2), Ok(()));
        assert!(table_written(&written, "revocations", 1).is_err());
        let read = trace(&[("sessions", false, "replica eu")]);
        assert!(table_not_read(&read, "sessions").is_err());
        assert!(table_not_read(&read, "users").is_err());
    }
}
