//! The trace of a scenario: the users' record joined with the fleet's journal.
//!
//! Verdicts are pure functions of it. It is complete: it is made after the router is gone, so that
//! late copies of a request stand in it too.

mod arrow;
pub(crate) mod field_lines;
mod installation;
mod join;
pub(crate) mod one_hop;
mod record;
pub mod relay;

use std::collections::BTreeMap;

use cell_fleet::{
    BodySeen, CellId, DatabaseAccess, Field, HopId, RequestSeen, ResponseSeen, Stamp,
};

use crate::action::Action;

pub use arrow::{Arrow, Content, Participant};
pub use installation::InstalledCell;
pub use join::{TraceSources, join};
pub(crate) use record::path_of;
pub use record::{
    ConformanceId, Gate, Phase, ReceivedResponse, Recorder, UserRequest, UserResponse,
};

/// Everything that happened in a scenario, in one order.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// What happened in the When steps, in order; that of [`Phase::Step`] by its number. Steps
    /// that were left out because the scenario could not go on are missing at the end.
    pub actions: Vec<Action>,
    /// Who had a session before the first When step, with the account of the session.
    pub sessions: Vec<(String, String)>,
    /// The cells of the scenario's topology file.
    pub cells: Vec<InstalledCell>,
    /// The learn path of the scenario's topology file, in learning.
    pub learn_path: Option<String>,
    /// The users' requests, in the order in which they were sent.
    pub users: Vec<UserRequest>,
    /// What the cells received, in the order in which they read it.
    pub hops: Vec<Hop>,
    /// Bytes at a cell that were no request, described.
    pub strays: Vec<Stray>,
    /// Accesses to databases, during the exchange only.
    pub databases: Vec<(Stamp, DatabaseAccess)>,
    /// Facts about the routers' processes that a Then can ask for.
    pub routers: Vec<RouterFacts>,
    /// Seat to role, for the cells that a cast made play another than themselves.
    pub roles: BTreeMap<CellId, CellId>,
    /// The owners of paths at the end, by the fleet's own routes; cells by role.
    pub owners: Vec<(String, CellId)>,
    /// Whether routers may set cookies of their own: the second-level cache was switched on
    /// (CA-15).
    pub own_cookies: bool,
}

/// One request that a cell read.
#[derive(Clone, Debug)]
pub struct Hop {
    /// Joins it with the journal.
    pub id: HopId,
    /// The cell, as the documents name it (its role).
    pub cell: CellId,
    /// The cell, as the topology names it.
    pub node: CellId,
    /// Why it came.
    pub origin: Origin,
    /// When its head had been read.
    pub at: Stamp,
    /// The head, byte for byte.
    pub request: RequestSeen,
    /// When the first bytes of its body arrived.
    pub begun: Option<Stamp>,
    /// The body, if it was read to its end; with the time.
    pub read: Option<(Stamp, BodySeen)>,
    /// The response of the cell, with the time before its first byte left.
    pub response: Option<(Stamp, ResponseSeen)>,
    /// When the cell let the second part of its response go, where it sent it in two.
    pub rest: Option<Stamp>,
    /// How much of the response's body the cell handed to its system, in bytes, and whether that
    /// was the whole response.
    pub ended: Option<(u64, bool)>,
}

/// Why a request came to a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It is the request of a user: the place in [`Trace::users`].
    User(usize),
    /// A pre-flight about a request that was open: the place in [`Trace::users`].
    PreFlight(usize, PreFlight),
    /// Neither a user's request nor a pre-flight about one.
    Unsolicited,
}

/// What a pre-flight asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreFlight {
    /// The learn path on which it came.
    pub path: String,
    /// The parameter `method`, decoded.
    pub method: Option<String>,
    /// The parameter `path_info`, decoded once.
    pub path_info: Option<Vec<u8>>,
    /// Other parameters, and repeated ones, as they came.
    pub others: Vec<String>,
}

/// Bytes at a cell that were no HTTP/1.1 request.
#[derive(Clone, Debug)]
pub struct Stray {
    /// When.
    pub at: Stamp,
    /// Where, as the topology names the cell.
    pub cell: CellId,
    /// The beginning of the bytes, printable.
    pub bytes: String,
}

/// What is known about a router's process at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RouterFacts {
    /// `router_eu`.
    pub name: String,
    /// Whether it accepted connections within the limit.
    pub ready: bool,
    /// Whether it ended within the grace period after SIGTERM.
    pub stopped: bool,
    /// Whether its address could be connected to after its end.
    pub address_freed: bool,
}

impl Trace {
    /// The users' requests of the exchange (the When steps).
    pub fn acted(&self) -> impl Iterator<Item = (usize, &UserRequest)> {
        self.users.iter().enumerate().filter(|(_, request)| request.phase != Phase::Setup)
    }

    /// A value in which cells, in whichever spelling, are named as the documents name them.
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
        // All at once and from left to right, since roles are permuted among the same names.
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

    /// What differs between the response of a cell and what the user got; nothing if it was passed
    /// on. Where routers may set cookies, those that no cell sets are no difference.
    pub fn differences(&self, given: &ResponseSeen, got: &ReceivedResponse) -> Vec<String> {
        if !self.own_cookies {
            return relay::differences(given, got);
        }
        let mut got = got.clone();
        got.fields
            .retain(|field| !field.is("Set-Cookie") || self.is_cookie_of_cells(cookie_name(field)));
        relay::differences(given, &got)
    }

    fn is_cookie_of_cells(&self, name: &[u8]) -> bool {
        let responses = self.hops.iter().filter_map(|hop| hop.response.as_ref());
        responses
            .flat_map(|(_, response)| &response.fields)
            .any(|field| field.is("Set-Cookie") && cookie_name(field) == name)
    }

    /// The last request of the exchange.
    pub fn last(&self) -> Option<(usize, &UserRequest)> {
        self.acted().last()
    }

    /// The last request of one person in the exchange.
    pub fn last_of(&self, person: &str) -> Option<(usize, &UserRequest)> {
        self.acted().filter(|(_, request)| request.person == person).last()
    }

    /// The hops of one user's request, pre-flights left out.
    pub fn hops_of(&self, user: usize) -> impl Iterator<Item = &Hop> {
        self.hops.iter().filter(move |hop| hop.origin == Origin::User(user))
    }

    /// The hops of the exchange: of requests of When steps, pre-flights about them, and unsolicited
    /// ones.
    pub fn acted_hops(&self) -> impl Iterator<Item = &Hop> {
        self.hops.iter().filter(|hop| match hop.origin {
            Origin::User(user) | Origin::PreFlight(user, _) => {
                self.users[user].phase != Phase::Setup
            }
            Origin::Unsolicited => true,
        })
    }

    /// The pre-flights of the exchange.
    pub fn preflights(&self) -> impl Iterator<Item = (&Hop, &PreFlight)> {
        self.acted_hops().filter_map(|hop| match &hop.origin {
            Origin::PreFlight(_, asked) => Some((hop, asked)),
            Origin::User(_) | Origin::Unsolicited => None,
        })
    }

    /// The last hop of a user's request: the one whose response the user should have got.
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
    fn cookies_of_a_router_are_no_difference_where_it_may_set_them() {
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
