//! Parts of a scenario as the JSON has them: with references to tables, and without what follows
//! from the rest.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::scope::{fill, look_up};
use super::tables::{AccessRow, CellRow, FieldLine, Filled, Filling, ResponseRow};
use super::{
    CellData, DatabaseData, ExchangeRecord, FieldData, HopData, OriginData, Plain, PreFlightData,
    ResponseData, StampData, StepRecord, StrayData, TraceData, UserData, UserResponseData,
};
use crate::action::Action;
use crate::trace::PreFlight;

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
    /// The routers' processes: indices in the table `routers`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    routers: Vec<usize>,
    /// Whether the second-level cache was switched on, so that routers may set cookies of their
    /// own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    own_cookies: bool,
}

/// A request of a user.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "UserData"))]
struct WrittenUser {
    /// The mark that it carried.
    id: String,
    /// Who sent it.
    person: String,
    /// To whom: `router_eu`, or a cell's id.
    to: String,
    /// The When step, counted from 0; nothing for a visit before the exchange.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    step: Option<usize>,
    /// The method.
    method: String,
    /// The request target.
    target: Plain,
    /// The fields that the suite set: an index in the table `heads`.
    head: usize,
    /// Its body: the beginning of a name in `bodies` that no other name has; absent if it is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    /// When it left.
    sent: StampData,
    /// When the last part of its body left, where it was sent in parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_part: Option<StampData>,
    /// All bytes of its connection, where a text was sent as it stands; on the first request of the
    /// connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    raw: Option<Plain>,
    /// When the first bytes of the response's body had come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first_bytes: Option<StampData>,
    /// How long it took until the response's end, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    elapsed_ms: Option<u64>,
    /// Body bytes that were taken from the user while the cell read nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    taken: Option<u64>,
    /// Body bytes that the cells had sent while the user read nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seen_flow: Option<u64>,
    /// WebSocket messages that the user got, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    heard: Vec<String>,
    /// Interim responses (1xx) that came before the response, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    interim: Vec<u16>,
    /// What came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    response: Option<WrittenUserResponse>,
}

/// How a user's request ended: with a response or with an error.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "UserResponseData"))]
struct WrittenUserResponse {
    /// When.
    at: StampData,
    /// The response: an index in the table `responses`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    response: Option<usize>,
    /// Why there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A request that a cell read.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "HopData"))]
struct WrittenHop {
    /// The cell as the documents name it.
    cell: String,
    /// The cell as the topology names it; absent if that is the same name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    node: Option<String>,
    /// Why it came.
    origin: WrittenOrigin,
    /// When its head had been read.
    at: StampData,
    /// The connection on which it came.
    connection: u64,
    /// The request line, byte for byte; absent where it is the method and the target of the user's
    /// request, with `HTTP/1.1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request_line: Option<Plain>,
    /// The field lines as received: an index in the table `heads`.
    head: usize,
    /// When the first bytes of its body arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    begun: Option<StampData>,
    /// When it had been read to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    read: Option<StampData>,
    /// Its body, as the beginning of a name in `bodies`; absent if it is empty, or was not read to
    /// its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    /// The time before the first byte of the cell's response left, and the response, as an index in
    /// the table `responses`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    response: Option<(StampData, usize)>,
    /// When the cell let the second part of its response go, where it sent it in two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rest: Option<StampData>,
    /// How much of the response's body the cell handed to its system, in bytes, and whether that
    /// was the whole response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ended: Option<(u64, bool)>,
}

/// Why a request came to a cell.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "OriginData"))]
#[serde(rename_all = "kebab-case")]
enum WrittenOrigin {
    /// A user's request: the place in `users`.
    User(usize),
    /// A pre-flight about a user's request: the place in `users`. Its request line says what it
    /// asked.
    PreFlight(usize),
    /// Neither.
    Unsolicited,
}

fn head_of(fields: &[FieldData], mark: Option<&str>, tables: &mut Filling) -> usize {
    tables.head(fields.iter().map(|FieldData(name, value)| match value {
        Plain::Text(text) if mark == Some(text) => FieldLine::Mark([name.clone()]),
        _ => FieldLine::Whole(name.clone(), value.clone()),
    }))
}

fn head_from(place: usize, mark: Option<&str>, tables: &Filled) -> Result<Vec<FieldData>, String> {
    let lines = tables.head(place)?.into_iter().map(|line| match (line, mark) {
        (FieldLine::Whole(name, value), _) => Ok(FieldData(name.clone(), value.clone())),
        (FieldLine::Mark([name]), Some(mark)) => {
            Ok(FieldData(name.clone(), Plain::Text(mark.to_owned())))
        }
        (FieldLine::Mark(_), None) => {
            Err(format!("head {place} has a mark, and stands where no request is"))
        }
    });
    lines.collect()
}

fn response_of(response: &ResponseData, tables: &mut Filling) -> usize {
    let row = ResponseRow {
        status: response.status,
        head: head_of(&response.fields, None, tables),
        body: tables.body(&response.body),
    };
    tables.response(row)
}

fn response_from(place: usize, tables: &Filled) -> Result<ResponseData, String> {
    let ResponseRow { status, head, body } = tables.response(place)?;
    Ok(ResponseData {
        status: *status,
        fields: head_from(*head, None, tables)?,
        body: tables.body(body.as_deref())?,
    })
}

impl WrittenUser {
    fn of(user: &UserData, tables: &mut Filling) -> Self {
        let user = user.clone();
        Self {
            head: head_of(&user.fields, Some(&user.id), tables),
            body: tables.body(&user.body),
            response: user.response.map(|UserResponseData { at, response, error }| {
                let response = response.map(|response| response_of(&response, tables));
                WrittenUserResponse { at, response, error }
            }),
            id: user.id,
            person: user.person,
            to: user.to,
            step: user.step,
            method: user.method,
            target: user.target,
            sent: user.sent,
            last_part: user.last_part,
            raw: user.raw,
            first_bytes: user.first_bytes,
            elapsed_ms: user.elapsed_ms,
            taken: user.taken,
            seen_flow: user.seen_flow,
            heard: user.heard,
            interim: user.interim,
        }
    }

    fn read(self, tables: &Filled) -> Result<UserData, String> {
        let response = self.response.map(|WrittenUserResponse { at, response, error }| {
            let response = response.map(|place| response_from(place, tables)).transpose()?;
            Ok::<_, String>(UserResponseData { at, response, error })
        });
        Ok(UserData {
            fields: head_from(self.head, Some(&self.id), tables)?,
            body: tables.body(self.body.as_deref())?,
            response: response.transpose()?,
            id: self.id,
            person: self.person,
            to: self.to,
            step: self.step,
            method: self.method,
            target: self.target,
            sent: self.sent,
            last_part: self.last_part,
            raw: self.raw,
            first_bytes: self.first_bytes,
            elapsed_ms: self.elapsed_ms,
            taken: self.taken,
            seen_flow: self.seen_flow,
            heard: self.heard,
            interim: self.interim,
        })
    }
}

/// The request line that a router sends if it changes nothing of a user's.
fn unchanged_line(user: &UserData) -> Plain {
    let target = user.target.bytes();
    Plain::of(&[user.method.as_bytes(), b" ", &target, b" HTTP/1.1"].concat())
}

/// What a pre-flight with this request line asks.
fn asked(request_line: &Plain) -> Option<PreFlightData> {
    let line = request_line.bytes();
    let target = line.split(|byte| *byte == b' ').nth(1)?;
    let PreFlight { path, method, path_info, others } = PreFlight::of_target(target)?;
    Some(PreFlightData { path, method, path_info: path_info.as_deref().map(Plain::of), others })
}

impl WrittenHop {
    fn of(hop: &HopData, users: &[UserData], tables: &mut Filling) -> Self {
        let hop = hop.clone();
        let user = match &hop.origin {
            OriginData::User(user) => users.get(*user),
            OriginData::PreFlight(..) | OriginData::Unsolicited => None,
        };
        Self {
            head: head_of(&hop.fields, user.map(|user| user.id.as_str()), tables),
            node: (hop.node != hop.cell).then_some(hop.node),
            cell: hop.cell,
            request_line: user
                .is_none_or(|user| unchanged_line(user) != hop.request_line)
                .then_some(hop.request_line),
            origin: match hop.origin {
                OriginData::User(user) => WrittenOrigin::User(user),
                OriginData::PreFlight(user, _) => WrittenOrigin::PreFlight(user),
                OriginData::Unsolicited => WrittenOrigin::Unsolicited,
            },
            at: hop.at,
            connection: hop.connection,
            begun: hop.begun,
            read: hop.read.as_ref().map(|(at, _)| *at),
            body: hop.read.and_then(|(_, body)| tables.body(&body)),
            response: hop.response.map(|(at, response)| (at, response_of(&response, tables))),
            rest: hop.rest,
            ended: hop.ended,
        }
    }

    fn read(self, users: &[UserData], tables: &Filled) -> Result<HopData, String> {
        let user = match self.origin {
            WrittenOrigin::User(user) => users.get(user),
            WrittenOrigin::PreFlight(_) | WrittenOrigin::Unsolicited => None,
        };
        let request_line = match (self.request_line, user) {
            (Some(line), _) => line,
            (None, Some(user)) => unchanged_line(user),
            (None, None) => return Err("a hop has no request line, and no user".to_owned()),
        };
        let response = self
            .response
            .map(|(at, response)| Ok::<_, String>((at, response_from(response, tables)?)));
        Ok(HopData {
            fields: head_from(self.head, user.map(|user| user.id.as_str()), tables)?,
            node: self.node.unwrap_or_else(|| self.cell.clone()),
            cell: self.cell,
            origin: match self.origin {
                WrittenOrigin::User(user) => OriginData::User(user),
                WrittenOrigin::PreFlight(user) => {
                    let asked = asked(&request_line).ok_or("a pre-flight asks nothing")?;
                    OriginData::PreFlight(user, asked)
                }
                WrittenOrigin::Unsolicited => OriginData::Unsolicited,
            },
            request_line,
            at: self.at,
            connection: self.connection,
            begun: self.begun,
            read: match self.read {
                Some(at) => Some((at, tables.body(self.body.as_deref())?)),
                None => None,
            },
            response: response.transpose()?,
            rest: self.rest,
            ended: self.ended,
        })
    }
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
