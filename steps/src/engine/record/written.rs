//! Parts of a scenario as the JSON has them: with references to tables, and without what follows
//! from the rest.

mod hop;
mod response;
mod user;

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use self::hop::WrittenHop;
use self::user::WrittenUser;
use super::scope::{fill, look_up};
use super::tables::{AccessRow, CellRow, Filled, Filling};
use super::{
    AllocationData, CellData, DatabaseData, ExchangeRecord, MoveStepData, MovedRowsData, StampData,
    StepRecord, StrayData, TraceData,
};
use crate::action::Action;

/// Everything that happened, in one order.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "TraceData"))]
pub(super) struct WrittenTrace {
    /// What happened in the When steps, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    actions: Vec<Action>,
    /// The region of the default router; absent without a router.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default_router: Option<String>,
    /// Who had a session before the first When step, with the account of the session.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sessions: Vec<(String, String)>,
    /// The cells of the topology file, asked or not: an index in the table `fleets`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fleet: Option<usize>,
    /// The hosts of these cells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hosts: Vec<IpAddr>,
    /// The configured learn path, in learning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    learn_path: Option<String>,
    /// Cells that played another, by id: the cell of the topology, and whom it played.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    roles: BTreeMap<String, String>,
    /// Owners of paths that the scenario asks about, at the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    owners: Vec<(String, String)>,
    /// The users' requests.
    users: Vec<WrittenUser>,
    /// The requests that cells read.
    hops: Vec<WrittenHop>,
    /// Bytes at cells that were no request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    strays: Vec<StrayData>,
    /// Accesses to databases in the exchange: when, the position in the primary's log, and what
    /// was accessed, as an index in the table `accesses`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    databases: Vec<(StampData, u64, usize)>,
    /// Ids that cells drew in the exchange.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    allocations: Vec<AllocationData>,
    /// Rows that moved in the exchange.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moved_rows: Vec<MovedRowsData>,
    /// The phases of moves in the exchange.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MoveStepData>,
    /// The routers' processes: indices in the table `routers`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    routers: Vec<usize>,
    /// Whether the second-level cache was switched on, so that routers may set cookies of their
    /// own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    own_cookies: bool,
}

impl WrittenTrace {
    fn of(trace: &TraceData, tables: &mut Filling) -> Self {
        // The large members are written from where they are.
        let TraceData {
            actions,
            default_router,
            sessions,
            cells,
            learn_path,
            roles,
            owners,
            users,
            hops,
            strays,
            databases,
            allocations,
            moved_rows,
            moves,
            routers,
            own_cookies,
        } = trace;
        let mut hosts = Vec::new();
        let rows: Option<Vec<_>> = cells.iter().map(|cell| cell_of(cell, &mut hosts)).collect();
        Self {
            actions: actions.clone(),
            default_router: default_router.clone(),
            sessions: sessions.clone(),
            fleet: rows.filter(|rows| !rows.is_empty()).map(|rows| tables.fleet(rows)),
            hosts,
            learn_path: learn_path.clone(),
            roles: roles.clone(),
            owners: owners.clone(),
            hops: hops.iter().map(|hop| WrittenHop::of(hop, users, tables)).collect(),
            users: users.iter().map(|user| WrittenUser::of(user, tables)).collect(),
            strays: strays.clone(),
            databases: databases.iter().map(|access| access_of(access, tables)).collect(),
            allocations: allocations.clone(),
            moved_rows: moved_rows.clone(),
            moves: moves.clone(),
            routers: routers.iter().map(|router| tables.router(router)).collect(),
            own_cookies: *own_cookies,
        }
    }

    fn read(self, tables: &Filled) -> Result<TraceData, String> {
        let users = self.users.into_iter().map(|user| user.read(tables));
        let users = users.collect::<Result<Vec<_>, _>>()?;
        let hops = self.hops.into_iter().map(|hop| hop.read(&users, tables));
        let cells = match self.fleet {
            Some(place) => tables.fleet(place)?,
            None => &[],
        };
        let cells = cells.iter().map(|row| cell_from(row, &self.hosts));
        let cells = cells.collect::<Result<_, _>>()?;
        let routers = self.routers.into_iter().map(|place| tables.router(place));
        let databases = self.databases.into_iter().map(|access| access_from(access, tables));
        Ok(TraceData {
            actions: self.actions,
            default_router: self.default_router,
            sessions: self.sessions,
            cells,
            learn_path: self.learn_path,
            roles: self.roles,
            owners: self.owners,
            hops: hops.collect::<Result<_, _>>()?,
            users,
            strays: self.strays,
            databases: databases.collect::<Result<_, _>>()?,
            allocations: self.allocations,
            moved_rows: self.moved_rows,
            moves: self.moves,
            routers: routers.collect::<Result<_, _>>()?,
            own_cookies: self.own_cookies,
        })
    }
}

/// The row of a cell, whose host is added to the hosts. None if its address is none, which no run
/// writes.
fn cell_of(data: &CellData, hosts: &mut Vec<IpAddr>) -> Option<CellRow> {
    let address: SocketAddr = data.address.parse().ok()?;
    let host = hosts.iter().position(|host| *host == address.ip()).unwrap_or_else(|| {
        hosts.push(address.ip());
        hosts.len() - 1
    });
    let CellData { cell, own_host, .. } = data.clone();
    Some(CellRow { cell, host, port: address.port(), own_host })
}

fn cell_from(row: &CellRow, hosts: &[IpAddr]) -> Result<CellData, String> {
    let CellRow { cell, host, port, own_host } = row.clone();
    let host =
        hosts.get(host).ok_or_else(|| format!("{cell} has host {host}, of {}", hosts.len()))?;
    let address = SocketAddr::new(*host, port).to_string();
    Ok(CellData { cell, address, own_host })
}

fn access_of(access: &DatabaseData, tables: &mut Filling) -> (StampData, u64, usize) {
    let DatabaseData { at, cell, schema, table, write, server, position, under_way_ms } =
        access.clone();
    let row = AccessRow { cell, schema, table, write, server, under_way_ms };
    (at, position, tables.access(row))
}

fn access_from(
    (at, position, place): (StampData, u64, usize),
    tables: &Filled,
) -> Result<DatabaseData, String> {
    let AccessRow { cell, schema, table, write, server, under_way_ms } =
        tables.access(place)?.clone();
    Ok(DatabaseData { at, cell, schema, table, write, server, position, under_way_ms })
}

/// The steps of a scenario, as indices in the table `steps`.
pub(super) mod steps {
    use super::*;

    pub(in super::super) fn serialize<S: Serializer>(
        steps: &[StepRecord],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let places: Vec<_> = fill(|tables| steps.iter().map(|step| tables.step(step)).collect())?;
        places.serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<StepRecord>, D::Error> {
        let places = Vec::<usize>::deserialize(deserializer)?;
        look_up(|tables| places.into_iter().map(|place| tables.step(place)).collect())
    }
}

/// The trace of a scenario.
pub(super) mod trace {
    use super::*;

    pub(in super::super) fn serialize<S: Serializer>(
        trace: &Option<TraceData>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let written = fill(|tables| trace.as_ref().map(|trace| WrittenTrace::of(trace, tables)))?;
        written.serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<TraceData>, D::Error> {
        let written = Option::<WrittenTrace>::deserialize(deserializer)?;
        look_up(|tables| written.map(|written| written.read(tables)).transpose())
    }
}

/// The exchanges that steps draw. An exchange without a step is a drawing of the trace, and is
/// drawn again by the reader.
pub(super) fn of_steps<S: Serializer>(
    exchanges: &[ExchangeRecord],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(exchanges.iter().filter(|exchange| exchange.step_index.is_some()))
}
