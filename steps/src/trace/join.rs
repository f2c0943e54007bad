//! Joins the record of the users with the journal of the fleet.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use cell_fleet::{CellId, Entry, Event, HopId, Region, RequestSeen, Stamp, Text, wire};

use super::path_of;
use super::{
    ConformanceId, Gate, Hop, InstalledCell, Origin, PreFlight, RouterFacts, Stray, Trace,
    UserRequest,
};
use crate::action::Action;
use crate::engine::record::milliseconds;

/// What a trace is made from.
#[derive(Clone, Debug, Default)]
pub struct TraceSources {
    /// What happened in the When steps, in order.
    pub actions: Vec<Action>,
    /// The region of the default router; none without a router.
    pub default_router: Option<Region>,
    /// Who had a session before the first When step, with the account of the session.
    pub sessions: Vec<(String, String)>,
    /// The journal of the fleet.
    pub journal: Vec<Entry>,
    /// The record of the users.
    pub users: Vec<UserRequest>,
    /// The cells of the topology file.
    pub cells: Vec<InstalledCell>,
    /// The learn path of the topology file, in learning.
    pub learn_path: Option<String>,
    /// Node to role, for the cells of a cast.
    pub roles: BTreeMap<CellId, CellId>,
    /// When the first When step began; what came before is setup.
    pub began: Option<Stamp>,
    /// Facts about the routers.
    pub routers: Vec<RouterFacts>,
    /// Owners of paths at the end.
    pub owners: Vec<(String, CellId)>,
    /// Whether routers may set their own cookies.
    pub own_cookies: bool,
    /// The shortest limit that ended a wait of the suite, if one did.
    pub waited: Option<Duration>,
    /// The path on which the router asks cells for their health, where its file declares one.
    /// Such requests are not judged, and so not in the trace.
    pub health_check_path: Option<String>,
}

/// Makes the trace.
pub fn join(sources: TraceSources) -> Trace {
    let TraceSources {
        actions,
        default_router,
        sessions,
        journal,
        users,
        cells,
        learn_path,
        roles,
        began,
        routers,
        owners,
        own_cookies,
        waited,
        health_check_path,
    } = sources;
    let by_id: HashMap<_, _> =
        users.iter().enumerate().map(|(place, user)| (user.id.clone(), place)).collect();
    let in_exchange = |at: Stamp| began.is_none_or(|began| at >= began);
    // A cast holds for the When steps only: during the setup every cell plays itself.
    let role = |node: &CellId, at: Stamp| {
        roles.get(node).filter(|_| in_exchange(at)).unwrap_or(node).clone()
    };

    let mut trace = Trace {
        actions,
        default_router,
        sessions,
        cells,
        learn_path,
        routers,
        owners,
        own_cookies,
        waited_ms: waited.map(milliseconds),
        roles: roles.clone(),
        ..Trace::default()
    };
    let mut places: HashMap<HopId, usize> = HashMap::new();
    for Entry { stamp, event } in journal {
        match event {
            Event::Request(request) if is_health_check(&request, health_check_path.as_deref()) => {}
            Event::Request(request) => {
                places.insert(request.hop, trace.hops.len());
                let origin = origin(&request, stamp, &users, &by_id, &trace);
                let cell = role(&request.cell, stamp);
                trace.hops.push(Hop::of(cell, origin, stamp, request));
            }
            Event::RequestBodyBegun { hop } => {
                update(&mut trace, &places, hop, |hop| hop.begun = Some(stamp))
            }
            Event::RequestRead { hop, body } => {
                update(&mut trace, &places, hop, |hop| hop.read = Some((stamp, body)))
            }
            // `read` stays unset for a truncated body.
            Event::RequestCut { .. } => {}
            Event::Response(response) => {
                let id = response.hop;
                update(&mut trace, &places, id, |hop| hop.response = Some((stamp, response)));
            }
            Event::ResponseRest { hop } => {
                update(&mut trace, &places, hop, |hop| hop.rest = Some(stamp))
            }
            Event::ResponseEnded { hop, sent, whole, body } => {
                update(&mut trace, &places, hop, |hop| {
                    hop.ended = Some((sent, whole));
                    // The response was entered before a generated body was complete.
                    if let (Some((_, response)), Some(body), true) =
                        (&mut hop.response, body, whole)
                    {
                        response.body = body;
                    }
                })
            }
            Event::NotHttp { cell, bytes, refused_with, from, .. } => {
                let bytes = bytes.to_string();
                trace.strays.push(Stray { at: stamp, cell, bytes, refused_with, from });
            }
            Event::Database(access) if in_exchange(stamp) => trace.databases.push((stamp, access)),
            Event::IdAllocated(allocation) if in_exchange(stamp) => {
                trace.allocations.push((stamp, allocation));
            }
            Event::RowsMoved(moved) if in_exchange(stamp) => trace.moved_rows.push((stamp, moved)),
            // What became of jobs shows in what runners received.
            Event::Job(_) => {}
            Event::MoveStep(step) if in_exchange(stamp) => trace.moves.push((stamp, step)),
            Event::Database(_)
            | Event::IdAllocated(_)
            | Event::RowsMoved(_)
            | Event::MoveStep(_) => {}
            // The fleet reports these when it stops.
            Event::StoreFailed(_) => {}
        }
    }
    trace.users = users;
    trace
}

/// Whether a request is one for the declared path, and not a user's.
fn is_health_check(request: &RequestSeen, path: Option<&str>) -> bool {
    let is_marked = request.fields.iter().any(|field| field.is(wire::CONFORMANCE_ID));
    let is_read = [&b"GET"[..], b"HEAD"].contains(&request.method.as_bytes());
    !is_marked && is_read && path.is_some_and(|path| request.target == *path)
}

fn update(
    trace: &mut Trace,
    places: &HashMap<HopId, usize>,
    hop: HopId,
    change: impl FnOnce(&mut Hop),
) {
    if let Some(hop) = places.get(&hop).and_then(|place| trace.hops.get_mut(*place)) {
        change(hop);
    }
}

fn origin(
    request: &RequestSeen,
    at: Stamp,
    users: &[UserRequest],
    by_id: &HashMap<ConformanceId, usize>,
    so_far: &Trace,
) -> Origin {
    let mut ids = request.fields.iter().filter(|field| field.is(wire::CONFORMANCE_ID));
    match (ids.next(), ids.next()) {
        (Some(id), None) => {
            let id = ConformanceId(id.value.to_string());
            by_id.get(&id).map_or(Origin::Unsolicited, |place| Origin::User(*place))
        }
        (None, _) => preflight(request, at, users, so_far).unwrap_or(Origin::Unsolicited),
        // With two ids on one request, one may be forged.
        (Some(_), Some(_)) => Origin::Unsolicited,
    }
}

/// A pre-flight carries no id. It belongs to the request in flight that has its path and method; or
/// to an earlier one that no cell had read when its user left or was refused, because a cell may
/// read a pre-flight late (decision A-79). Where its method is wrong, it belongs to the request in
/// flight that has its path; where its path is, to the only request in flight, or to the only one
/// whose path has other spellings, so that a diagram can show it.
fn preflight(
    request: &RequestSeen,
    at: Stamp,
    users: &[UserRequest],
    so_far: &Trace,
) -> Option<Origin> {
    let asked = PreFlight::of_target(request.target.as_bytes())?;
    let has_path = |place: &usize| Some(users[*place].path()) == asked.path_info.as_deref();
    let is_about =
        |place: &usize| has_path(place) && Some(&users[*place].method) == asked.method.as_ref();
    let is_unread = |place: &usize| {
        let user = &users[*place];
        let left = user.response.as_ref().is_none_or(|end| end.got.is_err());
        let is_over = matches!(user.gate, Gate::Router(_)) && user.sent < at && !is_open(user, at);
        is_over && (left || so_far.hops_of(*place).next().is_none())
    };
    let open: Vec<_> = (0..users.len()).filter(|place| is_open(&users[*place], at)).collect();
    let open = || open.iter().copied();
    let late = || (0..users.len()).rev().find(|place| is_about(place) && is_unread(place));
    let place = open()
        .find(is_about)
        .or_else(late)
        .or_else(|| open().find(has_path))
        .or_else(|| only(open()))
        .or_else(|| only(open().filter(|place| users[*place].is_odd())))?;
    Some(Origin::PreFlight(place, asked))
}

/// The only one of them, where there is one.
fn only<T>(mut them: impl Iterator<Item = T>) -> Option<T> {
    let first = them.next()?;
    them.next().is_none().then_some(first)
}

fn is_open(user: &UserRequest, at: Stamp) -> bool {
    let responded = user.response.as_ref().is_some_and(|response| response.at < at);
    matches!(user.gate, Gate::Router(_)) && user.sent < at && !responded
}

/// The path that a request target asks about, decoded, where it is that of a pre-flight.
pub(crate) fn pre_flight_path(target: &[u8]) -> Option<Text> {
    PreFlight::of_target(target)?.path_info
}

impl PreFlight {
    /// Parses a request target as a pre-flight, if its path is one of the documented learn paths.
    pub(crate) fn of_target(target: &[u8]) -> Option<Self> {
        let path = std::str::from_utf8(path_of(target)).ok()?;
        if path != wire::LEARN_PATH && path != wire::LEARN_PATH_EARLIER {
            return None;
        }
        let query = target.get(path.len() + 1..).unwrap_or_default();
        let mut asked =
            Self { path: path.to_owned(), method: None, path_info: None, others: Vec::new() };
        // A decoded path need not be UTF-8, so the pairs are split by hand.
        for pair in query.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair
                .iter()
                .position(|byte| *byte == b'=')
                .map_or((pair, &b""[..]), |at| (&pair[..at], &pair[at + 1..]));
            if name == wire::METHOD_PARAMETER.as_bytes() && asked.method.is_none() {
                asked.method = Some(String::from_utf8_lossy(&decode_form(value)).into_owned());
            } else if name == wire::PATH_INFO_PARAMETER.as_bytes() && asked.path_info.is_none() {
                asked.path_info = Some(decode_form(value).as_slice().into());
            } else {
                asked.others.push(String::from_utf8_lossy(pair).into_owned());
            }
        }
        Some(asked)
    }
}

/// Decodes a value of `application/x-www-form-urlencoded` once, byte for byte.
fn decode_form(value: &[u8]) -> Vec<u8> {
    let spaced: Vec<u8> =
        value.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    percent_encoding::percent_decode(&spaced).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preflight_is_parsed_by_meaning() {
        let asked = PreFlight::of_target(
            b"/api/v4/internal/cells/learn?path_info=%2Fa%252Fb%2Bc%20d&method=POST",
        )
        .unwrap();
        assert_eq!(asked.method.as_deref(), Some("POST"));
        assert_eq!(asked.path_info.as_deref(), Some(&b"/a%2Fb+c d"[..]));
        assert!(asked.others.is_empty());
    }

    #[test]
    fn other_bytes_and_other_parameters_are_kept() {
        let asked =
            PreFlight::of_target(b"/api/v4/cells/learn?method=GET&path_info=/%FF&path_info=/b&x=1")
                .unwrap();
        assert_eq!(asked.path_info.as_deref(), Some(&b"/\xff"[..]));
        assert_eq!(asked.others, ["path_info=/b", "x=1"]);
    }

    fn sent(method: &str, target: &str, marked: bool) -> RequestSeen {
        RequestSeen {
            hop: HopId(1),
            cell: CellId::eu(0),
            connection: cell_fleet::ConnectionId(1),
            request_line: format!("{method} {target} HTTP/1.1").as_str().into(),
            method: method.into(),
            target: target.into(),
            fields: marked
                .then(|| cell_fleet::Field {
                    name: wire::CONFORMANCE_ID.to_ascii_lowercase().as_str().into(),
                    value: "anna.1".into(),
                })
                .into_iter()
                .collect(),
        }
    }

    fn stamp(sequence: u64) -> Stamp {
        Stamp { sequence, at: std::time::Duration::ZERO }
    }

    fn user(method: &str, target: &str, sent: Stamp) -> UserRequest {
        UserRequest {
            gate: Gate::Router(cell_fleet::Region::eu()),
            method: method.to_owned(),
            sent,
            target: target.into(),
            ..UserRequest::default()
        }
    }

    fn place_of(origin: Option<Origin>) -> Option<usize> {
        match origin {
            Some(Origin::PreFlight(place, _)) => Some(place),
            _ => None,
        }
    }

    /// A `POST` that was refused before a cell read it, and what a late pre-flight belongs to.
    #[test]
    fn a_late_pre_flight_is_of_the_request_that_no_cell_read() {
        let asked = format!("{}?method=POST&path_info=%2Fa", wire::LEARN_PATH);
        let refused = || {
            let got = Ok(crate::trace::ReceivedResponse {
                status: 400,
                fields: Vec::new(),
                body: cell_fleet::BodySeen::unknown(0),
            });
            let response = Some(crate::trace::UserResponse { at: stamp(2), got });
            UserRequest { response, ..user("POST", "/a", stamp(1)) }
        };
        let about = |users: &[UserRequest], so_far: &Trace| {
            place_of(preflight(&sent("GET", &asked, false), stamp(4), users, so_far))
        };
        let none = Trace::default();
        assert_eq!(about(&[refused()], &none), Some(0));
        let by_another_router = UserRequest {
            gate: Gate::Router(cell_fleet::Region::us()),
            ..user("GET", "/a", stamp(3))
        };
        let next = [user("GET", "/a", stamp(3)), user("GET", "/b", stamp(3)), by_another_router];
        for next in next {
            assert_eq!(about(&[refused(), next], &none), Some(0));
        }
        // With another method, it is a wrong one about the request under way.
        let put = UserRequest { method: "PUT".to_owned(), ..refused() };
        assert_eq!(about(&[put, user("GET", "/a", stamp(3))], &none), Some(1));
        assert_eq!(about(&[refused(), user("POST", "/a", stamp(3))], &none), Some(1));
        // Once a cell has read it, nothing is asked about it anymore.
        let mut read = crate::trace::made::Made::default();
        read.hop(Origin::User(0), "/a".into(), "cell_eu0");
        assert_eq!(about(&[refused()], &read.trace), None);
        assert_eq!(about(&[refused(), user("GET", "/a", stamp(3))], &read.trace), Some(1));
        // But a cell may read it after its user has left.
        let mut left = refused();
        left.response.as_mut().unwrap().got = Err("the user left".to_owned());
        assert_eq!(about(&[left, user("GET", "/a", stamp(3))], &read.trace), Some(0));
    }

    #[test]
    fn a_pre_flight_about_another_spelling_is_of_the_only_one_with_others() {
        let user = |target: &str| user("GET", target, stamp(1));
        let about = |users: &[UserRequest]| {
            let asked = format!("{}?method=GET&path_info=%2Fa%2F", wire::LEARN_PATH);
            place_of(preflight(&sent("GET", &asked, false), stamp(2), users, &Trace::default()))
        };
        assert_eq!(about(&[user("/held"), user("/a/b/..")]), Some(1));
        assert_eq!(about(&[user("/a/"), user("/a/b/..")]), Some(0));
        assert_eq!(about(&[user("/held"), user("/other")]), None);
        assert_eq!(about(&[user("/%61/"), user("/a/b/..")]), None);
    }

    #[test]
    fn health_checks_are_unmarked_reads_of_the_declared_path() {
        let health = Some("/-/health");
        assert!(is_health_check(&sent("GET", "/-/health", false), health));
        assert!(is_health_check(&sent("HEAD", "/-/health", false), health));
        for (request, path) in [
            (sent("GET", "/-/health", false), None),
            (sent("GET", "/-/health", true), health),
            (sent("POST", "/-/health", false), health),
            (sent("GET", "/-/health?all=1", false), health),
        ] {
            assert!(!is_health_check(&request, path), "{}", request.request_line);
        }
    }

    #[test]
    fn requests_for_other_paths_are_not_preflights() {
        assert_eq!(PreFlight::of_target(b"/api/v4/internal/cells/learned?method=GET"), None);
        assert_eq!(PreFlight::of_target(b"/my-company"), None);
    }
}
