//! Joins the record of the users with the journal of the fleet.

use std::collections::HashMap;

use cell_fleet::{CellId, Entry, Event, HopId, RequestSeen, Stamp, Text, wire};

use super::path_of;
use super::{ConformanceId, Hop, Origin, PreFlight, Stray, Trace, UserRequest};

/// Adds to a trace what the journal of the fleet has. The users' requests and the cast are there
/// already. What came before `began` is setup. Requests for the path of health checks, where the
/// router's file declares one, are not judged, and so not in the trace.
pub(crate) fn join(
    mut trace: Trace,
    journal: Vec<Entry>,
    began: Option<Stamp>,
    health_check_path: Option<&str>,
) -> Trace {
    let by_id: HashMap<_, _> =
        trace.users.iter().enumerate().map(|(place, user)| (user.id.clone(), place)).collect();
    let in_exchange = |at: Stamp| began.is_none_or(|began| at >= began);
    // A cast holds for the When steps only: during the setup every cell plays itself.
    let roles = trace.roles.clone();
    let role = |node: &CellId, at: Stamp| {
        roles.get(node).filter(|_| in_exchange(at)).unwrap_or(node).clone()
    };
    let mut places: HashMap<HopId, usize> = HashMap::new();
    for Entry { stamp, event } in journal {
        match event {
            Event::Request(request) if is_health_check(&request, health_check_path) => {}
            Event::Request(request) => {
                places.insert(request.hop, trace.hops.len());
                let origin = origin(&request, stamp, &by_id, &trace);
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
    by_id: &HashMap<ConformanceId, usize>,
    so_far: &Trace,
) -> Origin {
    let mut ids = request.fields.iter().filter(|field| field.is(wire::CONFORMANCE_ID));
    match (ids.next(), ids.next()) {
        (Some(id), None) => {
            let id = ConformanceId(id.value.to_string());
            by_id.get(&id).map_or(Origin::Unsolicited, |place| Origin::User(*place))
        }
        (None, _) => preflight(request, at, &so_far.users, so_far).unwrap_or(Origin::Unsolicited),
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
        let left = user.got().is_none();
        let is_over = user.is_routed() && user.sent < at && !is_open(user, at);
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
    user.is_routed() && user.sent < at && !responded
}

/// The path that a request target asks about, decoded, where it is that of a pre-flight.
pub(crate) fn pre_flight_path(target: &[u8]) -> Option<Text> {
    PreFlight::of_target(target)?.path_info
}

impl PreFlight {
    /// Why it does not ask on this learn path, with the second of these methods, about a request
    /// with this method and path, and nothing else.
    pub(crate) fn mismatch(
        &self,
        (came, expected): (&str, &str),
        learn_path: Option<&String>,
        method: &str,
        path_info: &str,
    ) -> Option<String> {
        let why = if came != expected {
            format!("came as {came}, not as {expected}")
        } else if learn_path != Some(&self.path) {
            let expected = learn_path.map_or("a learn path", |path| path);
            format!("went to {}, not to {expected}", self.path)
        } else if self.method.as_deref() != Some(method) {
            let said = self.method.as_deref().unwrap_or("nothing");
            format!("says method={said}, not {method}")
        } else if self.path_info.as_deref() != Some(path_info.as_bytes()) {
            let asked = self.path_info.as_deref();
            let asked = asked.map_or("nothing".into(), String::from_utf8_lossy);
            format!("says a path_info that decodes to {asked}, not to {path_info}")
        } else if !self.others.is_empty() {
            format!("has further parameters: {}", self.others.join(" "))
        } else {
            return None;
        };
        Some(format!("the pre-flight {why}"))
    }

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
    use crate::trace::Gate;

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
        left.response.as_mut().unwrap().got = Err(crate::trace::made::CLOSED);
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
