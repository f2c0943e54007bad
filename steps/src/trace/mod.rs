//! The trace of a scenario: the record of the users joined with the journal of the fleet.
//!
//! Verdicts are pure functions of it. It is complete: it is made after the routers have stopped, so
//! it has late copies of requests as well.

mod arrow;
pub(crate) mod field_lines;
mod installation;
mod join;
#[cfg(test)]
pub(crate) mod made;
pub(crate) mod one_hop;
pub mod passed_on;
mod user_requests;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use cell_fleet::{
    BodySeen, CellId, DatabaseAccess, Field, HopId, IdAllocation, MoveStep, Region, RequestSeen,
    ResponseSeen, RowsMoved, Stamp, Text,
};
use serde::{Deserialize, Serialize};

use crate::action::Action;

pub use arrow::{Arrow, Content, Participant};
pub use installation::InstalledCell;
pub(crate) use join::join;
pub(crate) use join::pre_flight_path;
pub use user_requests::{
    ConformanceId, ConnectionEnd, Gate, NoResponse, Phase, ReceivedResponse, Recorder, UserRequest,
    UserResponse,
};
pub(crate) use user_requests::{NEVER_SENT, path_of};

/// The public host: users reach all routers and cells by this name.
pub(crate) const PUBLIC_HOST: &str = "gitlab.test";

/// Whole milliseconds.
pub fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// How many bytes of a body of this length a report holds: all of 64 KiB, and of a longer one the
/// first KiB.
pub(crate) fn held_of(length: u64) -> u64 {
    if length <= 64 * 1024 { length } else { 1024 }
}

/// The bytes that a report holds of a body.
pub(crate) fn held(body: &BodySeen) -> &[u8] {
    let held = usize::try_from(held_of(body.length)).unwrap_or(usize::MAX);
    &body.beginning[..body.beginning.len().min(held)]
}

/// Everything that happened in a scenario, in one order. A report holds it as it is, so that the
/// scenario can be judged again; only the bytes of bodies stand elsewhere in the report.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Trace {
    /// The actions of the When steps, in order: [`Phase::Step`] has the index. A scenario that
    /// could not go on has fewer actions than steps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(with = "Vec<crate::action::StepText>"))]
    pub actions: Vec<Action>,
    /// The region of the default router; none without a router.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_router: Option<Region>,
    /// Who had a session before the first When step, with the account of the session.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sessions: Vec<(String, String)>,
    /// The cells of the scenario's topology file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<InstalledCell>,
    /// The learn path of the scenario's topology file, in learning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learn_path: Option<String>,
    /// The users' requests, in the order in which they were sent.
    pub users: Vec<UserRequest>,
    /// The requests that cells received, in the order in which they read them.
    pub hops: Vec<Hop>,
    /// Bytes at cells that were not a request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strays: Vec<Stray>,
    /// Accesses to databases during the When steps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub databases: Vec<(Stamp, DatabaseAccess)>,
    /// Ids that cells drew during the When steps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allocations: Vec<(Stamp, IdAllocation)>,
    /// Rows that moved to another cell during the When steps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moved_rows: Vec<(Stamp, RowsMoved)>,
    /// The phases of moves that ended during the When steps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<(Stamp, MoveStep)>,
    /// Facts about the processes of the routers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub routers: Vec<RouterFacts>,
    /// Node to role, for the cells that a cast gave the role of another.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<CellId, CellId>,
    /// The owners of watched paths at the end, as roles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<(String, CellId)>,
    /// Whether routers may set their own cookies: the second-level cache was on (CA-15).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own_cookies: bool,
    /// The shortest limit that ended a wait of the suite, in milliseconds: something did not come in
    /// time. None if all that was waited for came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited_ms: Option<u64>,
}

/// One request that a cell read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Hop {
    /// Its id in the journal.
    pub id: HopId,
    /// The cell, as the documents name it (its role).
    pub cell: CellId,
    /// The cell, as the topology names it.
    pub node: CellId,
    /// The reason for which it came.
    pub origin: Origin,
    /// When its head was read.
    pub at: Stamp,
    /// The head, byte for byte.
    pub request: RequestSeen,
    /// When the first bytes of its body arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun: Option<Stamp>,
    /// The body with the time of its end, if it was read to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<(Stamp, BodySeen)>,
    /// The response of the cell, with the time just before its first byte was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<(Stamp, ResponseSeen)>,
    /// When the cell sent the second part of its response, where it sent it in two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<Stamp>,
    /// How many bytes of the response's body the cell sent, and whether that was the whole
    /// response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<(u64, bool)>,
}

impl Hop {
    /// The target that the cell received, up to its query.
    pub(crate) fn path(&self) -> &[u8] {
        path_of(self.request.target.as_bytes())
    }

    /// A request whose head a cell in this role has read, and nothing more yet.
    pub(crate) fn of(cell: CellId, origin: Origin, at: Stamp, request: RequestSeen) -> Self {
        Self {
            id: request.hop,
            cell,
            node: request.cell.clone(),
            origin,
            at,
            request,
            begun: None,
            read: None,
            response: None,
            rest: None,
            ended: None,
        }
    }

    /// A handmade one.
    #[cfg(test)]
    pub(crate) fn made(
        cell: CellId,
        origin: Origin,
        at: Stamp,
        method: &str,
        target: Text,
    ) -> Self {
        let request = RequestSeen {
            hop: HopId(at.sequence),
            cell: cell.clone(),
            connection: cell_fleet::ConnectionId(1),
            request_line: format!("{method} {target} HTTP/1.1").as_str().into(),
            method: method.into(),
            target,
            fields: Vec::new(),
        };
        Self::of(cell, origin, at, request)
    }
}

/// The reason for which a request came to a cell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// It is the request of a user: the index in [`Trace::users`].
    User(usize),
    /// It is a pre-flight about a request in flight: the index in [`Trace::users`].
    PreFlight(usize, PreFlight),
    /// It is neither a user's request nor a pre-flight about one.
    Unsolicited,
}

/// The parameters of a pre-flight.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PreFlight {
    /// The learn path on which it came.
    pub path: String,
    /// The parameter `method`, decoded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The parameter `path_info`, decoded once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_info: Option<Text>,
    /// Other and repeated parameters, as they came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
}

/// Bytes at a cell that were not an HTTP/1.1 request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Stray {
    /// When.
    pub at: Stamp,
    /// The cell, as the topology names it.
    pub cell: CellId,
    /// The beginning of the bytes, printable.
    pub bytes: String,
    /// The status with which the cell's HTTP parser refused them, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused_with: Option<u16>,
    /// The other end of the connection, as an address of the router; for a router's own log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<SocketAddr>,
}

/// Facts about the process of a router.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RouterFacts {
    /// `router_eu`.
    pub name: String,
    /// Whether it accepted connections within the limit.
    pub ready: bool,
    /// Whether it exited within the grace period after SIGTERM.
    pub stopped: bool,
    /// Whether nothing listened on its address after its exit.
    pub address_freed: bool,
}

/// Requests of users, with their indices.
pub type Requests<'t> = Vec<(usize, &'t UserRequest)>;

impl Trace {
    /// The bodies of all messages.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &BodySeen> {
        let users =
            self.users.iter().flat_map(|user| [Some(&user.body), user.got().map(|got| &got.body)]);
        let hops = self.hops.iter().flat_map(|hop| {
            let response = hop.response.as_ref().map(|(_, response)| &response.body);
            [hop.read.as_ref().map(|(_, body)| body), response]
        });
        users.chain(hops).flatten()
    }

    /// The same, to be changed.
    pub(crate) fn bodies_mut(&mut self) -> impl Iterator<Item = &mut BodySeen> {
        let users = self.users.iter_mut().flat_map(|user| {
            let response = user.response.as_mut().and_then(|response| response.got.as_mut().ok());
            [Some(&mut user.body), response.map(|got| &mut got.body)]
        });
        let hops = self.hops.iter_mut().flat_map(|hop| {
            let response = hop.response.as_mut().map(|(_, response)| &mut response.body);
            [hop.read.as_mut().map(|(_, body)| body), response]
        });
        users.chain(hops).flatten()
    }

    /// Whether what refers to users' requests refers to some that are there.
    pub(crate) fn check(&self) -> Result<(), String> {
        let count = self.users.len();
        let users = self.hops.iter().filter_map(|hop| match hop.origin {
            Origin::User(user) | Origin::PreFlight(user, _) => Some(user),
            Origin::Unsolicited => None,
        });
        match users.filter(|user| *user >= count).max() {
            Some(user) => Err(format!("a hop belongs to user request {user}, of {count}")),
            None => Ok(()),
        }
    }

    /// The action that sent a request; none for visits of Given steps.
    pub fn action_of(&self, request: &UserRequest) -> Option<&Action> {
        let Phase::Step(step) = request.phase else { return None };
        self.actions.get(step)
    }

    /// The users' requests of the When steps.
    pub fn acted(&self) -> impl Iterator<Item = (usize, &UserRequest)> {
        self.users.iter().enumerate().filter(|(_, request)| request.phase != Phase::Setup)
    }

    /// Those that were sent to a router.
    pub(crate) fn routed(&self) -> impl Iterator<Item = (usize, &UserRequest)> {
        self.acted().filter(|(_, request)| request.is_routed())
    }

    /// A value with the names of cells, in every spelling, replaced by their roles.
    pub fn in_roles(&self, value: &str) -> String {
        let spellings: Vec<_> = self
            .roles
            .iter()
            .flat_map(|(node, role)| {
                [(node.name(), role.name()), (node.id(), role.id()), (node.slug(), role.slug())]
            })
            .collect();
        let mut renamed = String::with_capacity(value.len());
        let mut rest = value;
        // In one pass from left to right, since roles are permuted among the same names.
        while let Some(next) = rest.chars().next() {
            match spellings.iter().find(|(node, _)| rest.starts_with(node.as_str())) {
                Some((node, role)) => {
                    renamed.push_str(role);
                    rest = &rest[node.len()..];
                }
                None => {
                    renamed.push(next);
                    rest = &rest[next.len_utf8()..];
                }
            }
        }
        renamed
    }

    /// The differences between the response of a cell and what the user received; none if it was
    /// passed on. Where routers may set cookies, those that no cell sets do not count.
    pub fn differences(&self, given: &ResponseSeen, got: &ReceivedResponse) -> Vec<String> {
        if !self.own_cookies {
            return passed_on::differences(given, got);
        }
        let mut got = got.clone();
        got.fields
            .retain(|field| !field.is("Set-Cookie") || self.is_cookie_of_cells(cookie_name(field)));
        passed_on::differences(given, &got)
    }

    fn is_cookie_of_cells(&self, name: &[u8]) -> bool {
        let responses = self.hops.iter().filter_map(|hop| hop.response.as_ref());
        responses
            .flat_map(|(_, response)| &response.fields)
            .any(|field| field.is("Set-Cookie") && cookie_name(field) == name)
    }

    /// The requests of one person in the When steps.
    pub fn acted_by(&self, person: &str) -> impl Iterator<Item = (usize, &UserRequest)> {
        self.acted().filter(move |(_, request)| request.person == person)
    }

    /// The last request of the When steps.
    pub fn last(&self) -> Result<(usize, &UserRequest), String> {
        self.acted().last().ok_or_else(|| "no request was sent".to_owned())
    }

    /// The last request of one person in the When steps.
    pub fn last_of(&self, person: &str) -> Result<(usize, &UserRequest), String> {
        self.acted_by(person).last().ok_or_else(|| format!("{person} sent nothing"))
    }

    /// The last When step that sent requests, and these requests.
    pub fn last_step(&self) -> Result<(Phase, Requests<'_>), String> {
        let (_, UserRequest { phase: last, .. }) = self.last()?;
        Ok((*last, self.acted().filter(|(_, request)| request.phase == *last).collect()))
    }

    /// The hops of one user's request, without pre-flights.
    pub fn hops_of(&self, user: usize) -> impl Iterator<Item = &Hop> {
        self.hops.iter().filter(move |hop| hop.origin == Origin::User(user))
    }

    /// The hops of the When steps: requests, pre-flights about them, and unsolicited requests.
    pub fn acted_hops(&self) -> impl Iterator<Item = &Hop> {
        self.hops.iter().filter(|hop| match hop.origin {
            Origin::User(user) | Origin::PreFlight(user, _) => {
                self.users[user].phase != Phase::Setup
            }
            Origin::Unsolicited => true,
        })
    }

    /// The pre-flights of the When steps.
    pub fn preflights(&self) -> impl Iterator<Item = (&Hop, &PreFlight)> {
        self.acted_hops().filter_map(|hop| match &hop.origin {
            Origin::PreFlight(_, asked) => Some((hop, asked)),
            Origin::User(_) | Origin::Unsolicited => None,
        })
    }

    /// Whether something that went through a router reached a cell.
    pub(crate) fn reaches_a_cell(&self) -> bool {
        let is_of_router = |hop: &Hop| match hop.origin {
            Origin::User(user) => self.users[user].is_routed(),
            Origin::PreFlight(..) | Origin::Unsolicited => true,
        };
        self.hops.iter().any(is_of_router) || !self.strays.is_empty()
    }

    /// The last hop of a user's request: its response is the one that the user should receive.
    pub fn final_hop(&self, user: usize) -> Option<&Hop> {
        self.hops_of(user).last()
    }
}

/// The name of the cookie that a field line sets.
fn cookie_name(field: &Field) -> &[u8] {
    field.value.as_bytes().split(|byte| *byte == b'=').next().unwrap_or_default().trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_of_a_router_are_allowed_where_it_may_set_them() {
        let body = BodySeen::of(&bytes::Bytes::new());
        let line = |value: &str| Field { name: "set-cookie".into(), value: value.into() };
        let given = ResponseSeen {
            hop: HopId(1),
            cell: CellId::eu(0),
            status: 200,
            fields: Vec::new(),
            body: body.clone(),
        };
        let got = ReceivedResponse { status: 200, fields: vec![line("route=a; Path=/")], body };
        let strict = Trace::default();
        assert_eq!(strict.differences(&given, &got).len(), 1);
        let lenient = Trace { own_cookies: true, ..Trace::default() };
        assert!(lenient.differences(&given, &got).is_empty());
        let swapped = ResponseSeen { fields: vec![line("session=1")], ..given };
        assert_eq!(lenient.differences(&swapped, &got).len(), 1);
    }

    #[test]
    fn values_name_cells_as_the_documents_do() {
        let roles = [(CellId::eu(0), CellId::eu(1)), (CellId::eu(1), CellId::eu(0))].into();
        let trace = Trace { roles, ..Trace::default() };
        assert_eq!(trace.in_roles("{cell:Cell EU0}"), "{cell:Cell EU1}");
        assert_eq!(
            trace.in_roles(r#"{"cell":"cell_eu1","path":"/celleu0"}"#),
            r#"{"cell":"cell_eu0","path":"/celleu1"}"#
        );
        assert_eq!(trace.in_roles("Cell US0"), "Cell US0");
    }
}
