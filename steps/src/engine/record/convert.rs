//! Between the trace with which the suite works and the trace of a report.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use super::{Body, Plain, held_of};
use crate::judge::sessions::TABLES;
use crate::trace::{
    ConformanceId, Gate, Hop, InstalledCell, Origin, Phase, PreFlight, ReceivedResponse,
    RouterFacts, Stray, Trace, UserRequest, UserResponse,
};
use cell_fleet::{
    BodyDigest, BodySeen, CellId, ConnectionId, DatabaseAccess, Field, HopId, Region, RequestSeen,
    ResponseSeen, Stamp, Text,
};

use super::{
    AllocationData, CellData, DatabaseData, FieldData, HopData, MoveStepData, MovedRowsData,
    OriginData, PreFlightData, ResponseData, RouterData, StampData, StrayData, TraceData, UserData,
    UserResponseData,
};

/// Prefix of the name of a body whose digest is unknown; the length follows.
pub(crate) const UNKNOWN: &str = "unknown-";

type Bodies = BTreeMap<String, Body>;

/// The address of the other end of a stray's connection.
fn from_of(stray: &StrayData) -> Result<Option<SocketAddr>, String> {
    let parse = |from: &String| {
        from.parse().map_err(|error| format!("`{from}` is not the address of a router: {error}"))
    };
    stray.from.as_ref().map(parse).transpose()
}

impl From<Stamp> for StampData {
    fn from(stamp: Stamp) -> Self {
        Self {
            sequence: stamp.sequence,
            at_us: u64::try_from(stamp.at.as_micros()).unwrap_or(u64::MAX),
        }
    }
}

impl From<StampData> for Stamp {
    fn from(data: StampData) -> Self {
        Self { sequence: data.sequence, at: Duration::from_micros(data.at_us) }
    }
}

fn fields_of(fields: &[Field]) -> Vec<FieldData> {
    fields
        .iter()
        .map(|field| FieldData(Plain::of(field.name.as_bytes()), Plain::of(field.value.as_bytes())))
        .collect()
}

fn fields_from(fields: &[FieldData]) -> Vec<Field> {
    fields
        .iter()
        .map(|FieldData(name, value)| Field {
            name: Text(name.bytes()),
            value: Text(value.bytes()),
        })
        .collect()
}

fn body_of(body: &BodySeen, bodies: &mut Bodies) -> String {
    // Bodies that were not seen are told apart by their announced length.
    let digest =
        if body.is_known() { body.digest.to_string() } else { format!("{UNKNOWN}{}", body.length) };
    bodies.entry(digest.clone()).or_insert_with(|| {
        let held = usize::try_from(held_of(body.length)).unwrap_or(usize::MAX);
        let beginning = &body.beginning[..body.beginning.len().min(held)];
        Body { length: body.length, beginning: Plain::of(beginning) }
    });
    digest
}

fn body_from(digest: &str, bodies: &Bodies) -> Result<BodySeen, String> {
    let body = bodies.get(digest).ok_or_else(|| format!("the report has no body {digest}"))?;
    if digest.starts_with(UNKNOWN) {
        return Ok(BodySeen::unknown(body.length));
    }
    let mut bytes = [0; 32];
    for (byte, hex) in bytes.iter_mut().zip(digest.as_bytes().chunks(2)) {
        let hex = std::str::from_utf8(hex).map_err(|_| format!("`{digest}` is not a digest"))?;
        *byte = u8::from_str_radix(hex, 16).map_err(|_| format!("`{digest}` is not a digest"))?;
    }
    Ok(BodySeen {
        length: body.length,
        digest: BodyDigest(bytes),
        beginning: body.beginning.bytes().into(),
    })
}

impl TraceData {
    /// The record of a trace; its bodies go to `bodies`.
    pub fn of(trace: &Trace, bodies: &mut Bodies) -> Self {
        Self {
            actions: trace.actions.clone(),
            default_router: trace.default_router.as_ref().map(Region::to_string),
            sessions: trace.sessions.clone(),
            cells: trace.cells.iter().map(cell_of).collect(),
            learn_path: trace.learn_path.clone(),
            roles: trace.roles.iter().map(|(node, role)| (node.id(), role.id())).collect(),
            owners: trace.owners.iter().map(|(path, cell)| (path.clone(), cell.id())).collect(),
            users: trace.users.iter().map(|user| user_of(user, bodies)).collect(),
            hops: trace.hops.iter().map(|hop| hop_of(hop, bodies)).collect(),
            strays: trace
                .strays
                .iter()
                .map(|stray| StrayData {
                    at: stray.at.into(),
                    cell: stray.cell.id(),
                    bytes: stray.bytes.clone(),
                    refused_with: stray.refused_with,
                    from: stray.from.map(|from| from.to_string()),
                })
                .collect(),
            databases: trace
                .databases
                .iter()
                .map(|(at, access)| database_of(*at, access))
                .collect(),
            allocations: trace
                .allocations
                .iter()
                .map(|(at, allocation)| AllocationData::of(*at, allocation))
                .collect(),
            moves: trace.moves.iter().map(|(at, step)| MoveStepData::of(*at, step)).collect(),
            moved_rows: trace
                .moved_rows
                .iter()
                .map(|(at, moved)| MovedRowsData::of(*at, moved))
                .collect(),
            routers: trace.routers.iter().map(router_of).collect(),
            own_cookies: trace.own_cookies,
        }
    }

    /// The trace again.
    ///
    /// # Errors
    ///
    /// If the data contradict themselves.
    pub fn to_trace(&self, bodies: &Bodies) -> Result<Trace, String> {
        Ok(Trace {
            actions: self.actions.clone(),
            default_router: match &self.default_router {
                Some(region) => Some(region.parse().map_err(|_| format!("region `{region}`"))?),
                None => None,
            },
            sessions: self.sessions.clone(),
            cells: self.cells.iter().map(cell_from).collect::<Result<_, _>>()?,
            learn_path: self.learn_path.clone(),
            users: self
                .users
                .iter()
                .map(|user| user_from(user, bodies))
                .collect::<Result<_, _>>()?,
            hops: self
                .hops
                .iter()
                .zip(1..)
                .map(|(hop, number)| hop_from(hop, HopId(number), self.users.len(), bodies))
                .collect::<Result<_, _>>()?,
            strays: self
                .strays
                .iter()
                .map(|stray| {
                    Ok(Stray {
                        at: stray.at.into(),
                        cell: cell(&stray.cell)?,
                        bytes: stray.bytes.clone(),
                        refused_with: stray.refused_with,
                        from: from_of(stray)?,
                    })
                })
                .collect::<Result<_, String>>()?,
            databases: self.databases.iter().map(database_from).collect::<Result<_, _>>()?,
            allocations: self
                .allocations
                .iter()
                .map(AllocationData::read)
                .collect::<Result<_, _>>()?,
            moves: self.moves.iter().map(MoveStepData::read).collect::<Result<_, _>>()?,
            moved_rows: self
                .moved_rows
                .iter()
                .map(MovedRowsData::read)
                .collect::<Result<_, _>>()?,
            routers: self
                .routers
                .iter()
                .map(|router| RouterFacts {
                    name: router.name.clone(),
                    ready: router.ready,
                    stopped: router.stopped,
                    address_freed: router.address_freed,
                })
                .collect(),
            own_cookies: self.own_cookies,
            roles: self
                .roles
                .iter()
                .map(|(node, role)| Ok((cell(node)?, cell(role)?)))
                .collect::<Result<_, String>>()?,
            owners: self
                .owners
                .iter()
                .map(|(path, owner)| Ok((path.clone(), cell(owner)?)))
                .collect::<Result<_, String>>()?,
        })
    }
}

fn cell_of(place: &InstalledCell) -> CellData {
    CellData { cell: place.cell.id(), address: place.address.to_string(), own_host: place.own_host }
}

fn cell_from(data: &CellData) -> Result<InstalledCell, String> {
    let address = data
        .address
        .parse()
        .map_err(|_| format!("`{}` is not the address of a cell", data.address))?;
    Ok(InstalledCell { cell: cell(&data.cell)?, address, own_host: data.own_host })
}

pub(super) fn cell(id: &str) -> Result<CellId, String> {
    id.parse().map_err(|error| format!("{error}"))
}

fn user_of(user: &UserRequest, bodies: &mut Bodies) -> UserData {
    UserData {
        id: user.id.0.clone(),
        person: user.person.clone(),
        to: user.gate.to_string(),
        step: match user.phase {
            Phase::Setup => None,
            Phase::Step(step) => Some(step),
        },
        method: user.method.clone(),
        target: Plain::of(user.target.as_bytes()),
        fields: fields_of(&user.fields),
        body: body_of(&user.body, bodies),
        sent: user.sent.into(),
        last_part: user.last_part.map(Into::into),
        raw: user.raw.as_ref().map(|raw| Plain::of(raw.as_bytes())),
        first_bytes: user.first_bytes.map(Into::into),
        elapsed_ms: user.elapsed_ms,
        taken: user.taken,
        seen_flow: user.seen_flow,
        heard: user.heard.clone(),
        interim: user.interim.clone(),
        response: user.response.as_ref().map(|response| UserResponseData {
            at: response.at.into(),
            response: response.got.as_ref().ok().map(|got| ResponseData {
                status: got.status,
                fields: fields_of(&got.fields),
                body: body_of(&got.body, bodies),
            }),
            error: response.got.as_ref().err().cloned(),
        }),
    }
}

fn user_from(user: &UserData, bodies: &Bodies) -> Result<UserRequest, String> {
    let gate = match user.to.strip_prefix("router_") {
        Some(region) => Gate::Router(region.parse().map_err(|error| format!("{error}"))?),
        None => Gate::Cell(cell(&user.to)?),
    };
    let response = match &user.response {
        None => None,
        Some(UserResponseData { at, response: Some(response), .. }) => {
            let got = ReceivedResponse {
                status: response.status,
                fields: fields_from(&response.fields),
                body: body_from(&response.body, bodies)?,
            };
            Some(UserResponse { at: (*at).into(), got: Ok(got) })
        }
        Some(UserResponseData { at, error, .. }) => {
            Some(UserResponse { at: (*at).into(), got: Err(error.clone().unwrap_or_default()) })
        }
    };
    Ok(UserRequest {
        id: ConformanceId(user.id.clone()),
        person: user.person.clone(),
        gate,
        phase: user.step.map_or(Phase::Setup, Phase::Step),
        method: user.method.clone(),
        target: Text(user.target.bytes()),
        fields: fields_from(&user.fields),
        body: body_from(&user.body, bodies)?,
        sent: user.sent.into(),
        last_part: user.last_part.map(Into::into),
        raw: user.raw.as_ref().map(|raw| Text(raw.bytes())),
        first_bytes: user.first_bytes.map(Into::into),
        elapsed_ms: user.elapsed_ms,
        taken: user.taken,
        seen_flow: user.seen_flow,
        heard: user.heard.clone(),
        interim: user.interim.clone(),
        response,
    })
}

fn hop_of(hop: &Hop, bodies: &mut Bodies) -> HopData {
    HopData {
        cell: hop.cell.id(),
        node: hop.node.id(),
        origin: match &hop.origin {
            Origin::User(place) => OriginData::User(*place),
            Origin::PreFlight(place, asked) => OriginData::PreFlight(
                *place,
                PreFlightData {
                    path: asked.path.clone(),
                    method: asked.method.clone(),
                    path_info: asked.path_info.as_deref().map(Plain::of),
                    others: asked.others.clone(),
                },
            ),
            Origin::Unsolicited => OriginData::Unsolicited,
        },
        at: hop.at.into(),
        connection: hop.request.connection.0,
        request_line: Plain::of(hop.request.request_line.as_bytes()),
        fields: fields_of(&hop.request.fields),
        begun: hop.begun.map(Into::into),
        read: hop.read.as_ref().map(|(at, body)| ((*at).into(), body_of(body, bodies))),
        response: hop.response.as_ref().map(|(at, response)| {
            (
                (*at).into(),
                ResponseData {
                    status: response.status,
                    fields: fields_of(&response.fields),
                    body: body_of(&response.body, bodies),
                },
            )
        }),
        rest: hop.rest.map(Into::into),
        ended: hop.ended,
    }
}

fn hop_from(hop: &HopData, id: HopId, users: usize, bodies: &Bodies) -> Result<Hop, String> {
    let node = cell(&hop.node)?;
    let known = |place: usize| {
        if place < users {
            Ok(place)
        } else {
            Err(format!("a hop belongs to user request {place}, of {users}"))
        }
    };
    let line = hop.request_line.bytes();
    // As received: whatever stands between the first and the last blank is the target.
    let first =
        line.iter().position(|byte| *byte == b' ').ok_or("a request line without a blank")?;
    let last = line
        .iter()
        .rposition(|byte| *byte == b' ')
        .filter(|last| *last > first)
        .unwrap_or(line.len());
    let response = hop.response.as_ref().map(|(at, response)| {
        let body = body_from(&response.body, bodies)?;
        Ok::<_, String>((
            (*at).into(),
            ResponseSeen {
                hop: id,
                cell: node.clone(),
                status: response.status,
                fields: fields_from(&response.fields),
                body,
            },
        ))
    });
    Ok(Hop {
        id,
        cell: cell(&hop.cell)?,
        origin: match &hop.origin {
            OriginData::User(place) => Origin::User(known(*place)?),
            OriginData::PreFlight(place, asked) => Origin::PreFlight(
                known(*place)?,
                PreFlight {
                    path: asked.path.clone(),
                    method: asked.method.clone(),
                    path_info: asked.path_info.as_ref().map(Plain::bytes),
                    others: asked.others.clone(),
                },
            ),
            OriginData::Unsolicited => Origin::Unsolicited,
        },
        at: hop.at.into(),
        request: RequestSeen {
            hop: id,
            cell: node.clone(),
            connection: ConnectionId(hop.connection),
            method: Text(line[..first].to_vec()),
            target: Text(line[first + 1..last].to_vec()),
            fields: fields_from(&hop.fields),
            request_line: Text(line),
        },
        begun: hop.begun.map(Into::into),
        read: hop
            .read
            .as_ref()
            .map(|(at, digest)| Ok::<_, String>(((*at).into(), body_from(digest, bodies)?)))
            .transpose()?,
        response: response.transpose()?,
        rest: hop.rest.map(Into::into),
        ended: hop.ended,
        node,
    })
}

fn database_of(at: Stamp, access: &DatabaseAccess) -> DatabaseData {
    DatabaseData {
        at: at.into(),
        cell: access.cell.id(),
        schema: access.schema.to_owned(),
        table: access.table.to_owned(),
        write: access.write,
        server: access.server.clone(),
        position: access.position.number(),
        under_way_ms: u64::try_from(access.under_way.as_millis()).unwrap_or(u64::MAX),
    }
}

fn database_from(data: &DatabaseData) -> Result<(Stamp, DatabaseAccess), String> {
    const SCHEMAS: [&str; 8] = [
        "gitlab_users",
        "gitlab_routes",
        "gitlab_admin",
        "gitlab_runners",
        "gitlab_main",
        "gitlab_ci",
        "sessions",
        "repositories",
    ];
    let schema = SCHEMAS
        .into_iter()
        .find(|schema| *schema == data.schema)
        .ok_or_else(|| format!("there is no schema {}", data.schema))?;
    // The journal holds the names of tables as constants of the fleet; checks look at these alone.
    let table = TABLES.into_iter().find(|table| *table == data.table).unwrap_or_default();
    let access = DatabaseAccess {
        cell: cell(&data.cell)?,
        schema,
        table,
        write: data.write,
        server: data.server.clone(),
        position: data.position.into(),
        under_way: Duration::from_millis(data.under_way_ms),
    };
    Ok((data.at.into(), access))
}

fn router_of(router: &RouterFacts) -> RouterData {
    RouterData {
        name: router.name.clone(),
        ready: router.ready,
        stopped: router.stopped,
        address_freed: router.address_freed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::record::RunRecord;

    #[test]
    fn what_a_user_noticed_survives_a_report() {
        let noticed = UserRequest {
            id: ConformanceId("anna.1".to_owned()),
            raw: Some(Text(b"GET /\xff\r\n".to_vec())),
            first_bytes: Some(Stamp { sequence: 7, at: Duration::from_millis(3) }),
            elapsed_ms: Some(12),
            taken: Some(1),
            seen_flow: Some(2),
            heard: vec!["cell_eu0: hello".to_owned()],
            interim: vec![100, 103],
            ..UserRequest::default()
        };
        let plain = UserRequest::default();
        let mut bodies = Bodies::new();
        let trace = Trace { users: vec![noticed.clone(), plain.clone()], ..Trace::default() };
        let mut record = crate::report::sample::report();
        record.scenarios[0].trace = Some(TraceData::of(&trace, &mut bodies));
        record.bodies = bodies.clone();
        let json = record.to_json();
        assert_eq!(json.matches("\"raw\"").count() + json.matches("\"heard\"").count(), 2);
        let again = RunRecord::from_json(&json).unwrap().scenarios.swap_remove(0).trace.unwrap();
        assert_eq!(Some(&again), record.scenarios[0].trace.as_ref());
        let again = again.to_trace(&bodies).unwrap();
        assert!(again.cells.is_empty());
        for (before, after) in [noticed, plain].iter().zip(&again.users) {
            assert_eq!(format!("{before:?}"), format!("{after:?}"));
        }
    }

    #[test]
    fn the_cells_of_a_fleet_survive_a_report() {
        let cells = vec![InstalledCell {
            cell: CellId::us(1),
            address: ([127, 1, 2, 3], 22_001).into(),
            own_host: true,
        }];
        let mut bodies = Bodies::new();
        let data = TraceData::of(&Trace { cells: cells.clone(), ..Trace::default() }, &mut bodies);
        assert_eq!(data.to_trace(&bodies).unwrap().cells, cells);
        let mut broken = data;
        broken.cells[0].address = "somewhere".to_owned();
        assert!(broken.to_trace(&bodies).is_err());
    }
}
