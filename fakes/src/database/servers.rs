//! Which servers of the databases a cell uses, and what stands before those that cells share.

use std::collections::BTreeMap;
use std::fmt;

use crate::rows::{CellSettings, Change};
use crate::{CellId, Region};

/// The server that is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Server {
    Primary,
    /// The replica of a region; the primary for a region without one.
    Replica(Region),
}

/// A server, as the journal names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    Primary(Region),
    Replica(Region),
    /// The server of a cell's own schemas.
    Own(CellId),
}

impl Place {
    pub(super) fn of(server: Server, primary: &Region) -> Self {
        match server {
            Server::Primary => Self::Primary(primary.clone()),
            Server::Replica(region) => Self::Replica(region),
        }
    }

    pub(super) fn region(&self) -> &Region {
        match self {
            Self::Primary(region) | Self::Replica(region) => region,
            Self::Own(cell) => cell.region(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Primary(region) => write!(f, "primary {region}"),
            Self::Replica(region) => write!(f, "replica {region}"),
            Self::Own(cell) => write!(f, "own {cell}"),
        }
    }
}

/// The choice of servers; each method is that of a correct cell, unless it is overridden.
pub trait Servers: fmt::Debug + Send + Sync {
    /// The server that a cell reads shared schemas from: the replica of its region (RG-03).
    fn read(&self, cell: &CellId, _primary: &Region) -> Server {
        Server::Replica(cell.region().clone())
    }

    /// The server that takes a cell's writes to shared schemas: the primary (RG-04).
    fn written(&self, _cell: &CellId, primary: &Region) -> Place {
        Place::Primary(primary.clone())
    }

    /// The server that has a schema of a cell's own (DB-04).
    fn own(&self, cell: &CellId, _schema: &str, _primary: &Region) -> Place {
        Place::Own(cell.clone())
    }

    /// A shared table that is read with each read of this one; none, since the owner stands in the
    /// row of a route (DB-02).
    fn beside(&self, _table: &str) -> Option<&'static str> {
        None
    }
}

/// The choice of correct cells.
#[derive(Debug)]
pub(crate) struct CorrectServers;

impl Servers for CorrectServers {}

/// The hook of a cell's accesses; each method passes the access on, unless it is overridden.
pub trait Front: fmt::Debug + Send + Sync {
    /// What is written in place of a change. Without anything the change is dropped, and the cell
    /// takes it for written.
    fn write(&self, change: Change) -> Option<Change> {
        Some(change)
    }

    /// What the cell has in place of the admin settings that it read.
    fn settings(&self, rows: BTreeMap<String, String>) -> BTreeMap<String, String> {
        rows
    }

    /// What the cell has in place of the rows of settings of single cells that it read.
    fn cell_settings(&self, rows: CellSettings) -> CellSettings {
        rows
    }
}

/// What stands before a correct cell: nothing.
#[derive(Debug)]
pub(crate) struct CorrectFront;

impl Front for CorrectFront {}
