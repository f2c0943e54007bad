//! The trace of a scenario as the JSON has it: enough to judge the scenario again, with references
//! to tables, and without what follows from the rest.

mod hop;
mod messages;
mod user;

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use cell_fleet::{HopId, Region, Stamp};
use serde::{Deserialize, Serialize};

use self::hop::HopData;
use self::user::UserData;
use super::ids::{AllocationData, MoveStepData, MovedRowsData};
use super::rows::{AccessRow, CellRow, RouterData};
use super::stamp::{StampData, cell, milliseconds};
use super::tables::{Filled, Filling};
use crate::action::Action;
use crate::trace::{InstalledCell, Stray, Trace};

pub(super) use self::messages::body_of;
pub(crate) use self::messages::{UNKNOWN, body_name};

/// Everything that happened, in one order.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TraceData {
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
    users: Vec<UserData>,
    /// The requests that cells read.
    hops: Vec<HopData>,
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
    /// Whether the second-level cache was switched on, so that routers may set their own cookies.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    own_cookies: bool,
    /// The shortest limit that ended a wait of the suite, in milliseconds; absent if all that was
    /// waited for came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    waited_ms: Option<u64>,
}

/// Bytes at a cell that were no request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StrayData {
    /// When.
    pub at: StampData,
    /// Where.
    pub cell: String,
    /// The first bytes, printable.
    pub bytes: String,
    /// The status with which the cell's HTTP parser refused them, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused_with: Option<u16>,
    /// The other end of the connection: an address of the router.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

impl TraceData {
    pub(super) fn of(trace: &Trace, tables: &mut Filling<'_>) -> Self {
        let mut hosts = Vec::new();
        let cells = trace.cells.iter().map(|cell| cell_of(cell, &mut hosts));
        let cells: Option<Vec<_>> = cells.collect();
        Self {
            actions: trace.actions.clone(),
            default_router: trace.default_router.as_ref().map(Region::to_string),
            sessions: trace.sessions.clone(),
            fleet: cells.filter(|rows| !rows.is_empty()).map(|rows| tables.fleet(rows)),
            hosts,
            learn_path: trace.learn_path.clone(),
            roles: trace.roles.iter().map(|(node, role)| (node.id(), role.id())).collect(),
            owners: trace.owners.iter().map(|(path, cell)| (path.clone(), cell.id())).collect(),
            hops: trace.hops.iter().map(|hop| HopData::of(hop, &trace.users, tables)).collect(),
            users: trace.users.iter().map(|user| UserData::of(user, tables)).collect(),
            strays: trace.strays.iter().map(StrayData::of).collect(),
            databases: all_of(&trace.databases, |at, access| {
                let place = tables.access(AccessRow::of(access));
                (at.into(), access.position.number(), place)
            }),
            allocations: all_of(&trace.allocations, AllocationData::of),
            moved_rows: all_of(&trace.moved_rows, MovedRowsData::of),
            moves: all_of(&trace.moves, MoveStepData::of),
            routers: trace.routers.iter().map(|it| tables.router(RouterData::of(it))).collect(),
            own_cookies: trace.own_cookies,
            waited_ms: trace.waited.map(milliseconds),
        }
    }

    /// The trace again.
    ///
    /// # Errors
    ///
    /// If the data contradict themselves, or refer to what the record does not have.
    pub(super) fn read(self, tables: &Filled) -> Result<Trace, String> {
        let users = self.users.into_iter().map(|user| user.read(tables));
        let users = users.collect::<Result<Vec<_>, _>>()?;
        let hops = self.hops.into_iter().zip(1..);
        let hops = hops.map(|(hop, number)| hop.read(HopId(number), &users, tables));
        let hops = hops.collect::<Result<_, _>>()?;
        let cells = match self.fleet {
            Some(place) => tables.fleet(place)?,
            None => &[],
        };
        let role = |(node, role): (&String, &String)| Ok((cell(node)?, cell(role)?));
        let owner = |(path, owner): (String, String)| Ok((path, cell(&owner)?));
        let access = |(at, position, place): (StampData, u64, usize)| {
            Ok((at.into(), tables.access(place)?.access(position)?))
        };
        let router = |place: usize| tables.router(place).map(RouterData::facts);
        let region = self
            .default_router
            .map(|region| region.parse::<Region>().map_err(|_| format!("region `{region}`")));
        Ok(Trace {
            actions: self.actions,
            default_router: region.transpose()?,
            sessions: self.sessions,
            cells: all_read(cells, |row| cell_from(row, &self.hosts))?,
            learn_path: self.learn_path,
            users,
            hops,
            strays: all_read(self.strays, StrayData::read)?,
            databases: all_read(self.databases, access)?,
            allocations: all_read(&self.allocations, AllocationData::read)?,
            moved_rows: all_read(&self.moved_rows, MovedRowsData::read)?,
            moves: all_read(&self.moves, MoveStepData::read)?,
            routers: all_read(self.routers, router)?,
            roles: self.roles.iter().map(role).collect::<Result<_, String>>()?,
            owners: all_read(self.owners, owner)?,
            own_cookies: self.own_cookies,
            waited: self.waited_ms.map(Duration::from_millis),
        })
    }
}

fn all_of<T, Data>(all: &[(Stamp, T)], mut of: impl FnMut(Stamp, &T) -> Data) -> Vec<Data> {
    all.iter().map(|(at, one)| of(*at, one)).collect()
}

fn all_read<Data, T>(
    all: impl IntoIterator<Item = Data>,
    read: impl Fn(Data) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    all.into_iter().map(read).collect()
}

/// The row of a cell, whose host is added to the hosts. None if its host is a name, which no run
/// writes.
fn cell_of(place: &InstalledCell, hosts: &mut Vec<IpAddr>) -> Option<CellRow> {
    let InstalledCell { cell, address, own_host } = place;
    let address: SocketAddr = address.to_string().parse().ok()?;
    let host = hosts.iter().position(|host| *host == address.ip()).unwrap_or_else(|| {
        hosts.push(address.ip());
        hosts.len() - 1
    });
    Some(CellRow { cell: cell.id(), host, port: address.port(), own_host: *own_host })
}

fn cell_from(row: &CellRow, hosts: &[IpAddr]) -> Result<InstalledCell, String> {
    let CellRow { cell: id, host, port, own_host } = row;
    let host = hosts.get(*host);
    let host = host.ok_or_else(|| format!("{id} has host {}, of {}", row.host, hosts.len()))?;
    let address = SocketAddr::new(*host, *port).into();
    Ok(InstalledCell { cell: cell(id)?, address, own_host: *own_host })
}

impl StrayData {
    fn of(stray: &Stray) -> Self {
        Self {
            at: stray.at.into(),
            cell: stray.cell.id(),
            bytes: stray.bytes.clone(),
            refused_with: stray.refused_with,
            from: stray.from.map(|from| from.to_string()),
        }
    }

    fn read(self) -> Result<Stray, String> {
        let address = |from: String| {
            from.parse()
                .map_err(|error| format!("`{from}` is not the address of a router: {error}"))
        };
        Ok(Stray {
            at: self.at.into(),
            cell: cell(&self.cell)?,
            bytes: self.bytes,
            refused_with: self.refused_with,
            from: self.from.map(address).transpose()?,
        })
    }
}

#[cfg(test)]
mod tests;
