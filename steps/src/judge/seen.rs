//! What became of the requests of a trace, at their users and at cells, in words by which two routers
//! are compared.
//!
//! Each message is told by what differs from the one that was sent, so that marks, sessions and
//! addresses, which are new in every run, say nothing. Left out is what the contract leaves to each
//! router, and what a pick decides: bounces, and which cell a pre-flight asks.

use std::collections::BTreeMap;

use cell_fleet::{Field, wire};

use super::copies::is_carried;
use crate::trace::field_lines::{lines, say_the_same};
use crate::trace::passed_on::{is_judged, may_be_blocked, may_be_left_out};
use crate::trace::{Hop, NoResponse, Origin, Phase, Trace, UserRequest};

/// The place of a request in a trace: its phase, its sender, and its number among theirs there.
pub type At = (Phase, String, usize);

/// What was seen, by request and by what it is about. A request that went to one cell and back, and
/// nothing changed on its way, has no entry.
pub type Seen = BTreeMap<(At, String), String>;

/// What was seen of the requests to routers.
pub fn seen(trace: &Trace) -> Seen {
    let mut seen = Seen::new();
    let mut numbers: BTreeMap<(Phase, &str), usize> = BTreeMap::new();
    for (index, request) in trace.routed() {
        let number = numbers.entry((request.phase, &request.person)).or_default();
        *number += 1;
        let at = (request.phase, request.person.clone(), *number);
        let mut note = |what: &str, how: String| {
            seen.insert((at.clone(), what.to_owned()), how);
        };
        let hops: Vec<_> = trace.hops_of(index).filter(|hop| !is_bounce(trace, hop)).collect();
        at_user(request, hops.last().copied(), &mut note);
        at_cells(request, &hops, &mut note);
        for (hop, _) in trace.preflights().filter(|(hop, _)| is_about(hop, index)) {
            let fields = changes(&[], &hop.request.fields, |name| is_carried(&[], name));
            let names: Vec<_> = fields.into_iter().map(|(name, _)| name).collect();
            note("the pre-flight", format!("sent with [{}]", names.join(" ")));
        }
    }
    seen
}

/// Whether a cell sent the request to another one, as it may in buffering.
fn is_bounce(trace: &Trace, hop: &Hop) -> bool {
    let is_bounce = |fields: &[Field]| fields.iter().any(|field| field.is(wire::CELL_REDIRECT));
    let response = hop.response.as_ref().map(|(_, response)| response);
    trace.learn_path.is_none()
        && response.is_some_and(|it| it.status == 302 && is_bounce(&it.fields))
}

fn is_about(hop: &Hop, user: usize) -> bool {
    matches!(hop.origin, Origin::PreFlight(about, _) if about == user)
}

fn at_user(request: &UserRequest, last: Option<&Hop>, note: &mut dyn FnMut(&str, String)) {
    if !request.interim.is_empty() {
        let interim: Vec<_> = request.interim.iter().map(u16::to_string).collect();
        note("the interim responses at the user", interim.join(" "));
    }
    let given = last.and_then(|hop| hop.response.as_ref()).map(|(_, response)| response);
    let end = match (request.response.as_ref().map(|response| &response.got), given) {
        (Some(Ok(got)), Some(given)) if got.status == given.status => {
            let is_told = |name: &str| {
                is_judged(name) && !may_be_blocked(name) && !may_be_left_out(name, got)
            };
            for (name, how) in changes(&given.fields, &got.fields, is_told) {
                note(&format!("the field {name} at the user"), how);
            }
            if given.body.is_known() && given.body.digest != got.body.digest {
                note("the content at the user", "changed".to_owned());
            }
            return;
        }
        (Some(Ok(got)), Some(given)) => format!("{}, the cell's is {}", got.status, given.status),
        (Some(Ok(got)), None) => format!("{} of the router's own", got.status),
        (Some(Err(NoResponse::Unanswered(end))), _) => format!("none: {end}"),
        (Some(Err(NoResponse::BrokeOff(_))), _) => "broken off".to_owned(),
        (Some(Err(NoResponse::NoHttp { .. })), _) => "no HTTP".to_owned(),
        (Some(Err(NoResponse::TimedOut(_))), _) => "none in time".to_owned(),
        (Some(Err(NoResponse::NoFile(_) | NoResponse::Failed(_))) | None, _) => "none".to_owned(),
    };
    note("the response at the user", end);
}

fn at_cells(request: &UserRequest, hops: &[&Hop], note: &mut dyn FnMut(&str, String)) {
    if hops.len() != 1 {
        note("the requests at cells", hops.len().to_string());
    }
    let Some(hop) = hops.last() else { return };
    let came = &hop.request;
    if came.method != *request.method {
        note("the method at the cell", came.method.to_string());
    }
    if came.target != request.target {
        note("the target at the cell", "changed".to_owned());
    }
    let line = came.request_line.to_string();
    if let Some(version) = line.split(' ').next_back().filter(|version| *version != "HTTP/1.1") {
        note("the version at the cell", version.to_owned());
    }
    let is_told = |name: &str| is_carried(&request.fields, name) && !is(name, wire::CONFORMANCE_ID);
    for (name, how) in changes(&request.fields, &came.fields, is_told) {
        note(&format!("the field {name} at the cell"), how);
    }
    match &hop.read {
        None => note("the content at the cell", "not read to its end".to_owned()),
        Some((_, body)) if body.digest == request.body.digest => {}
        Some((_, body)) => note("the content at the cell", format!("{} bytes", body.length)),
    }
    if hop.ended.is_some_and(|(_, whole)| !whole) {
        note("the response of the cell", "not taken to its end".to_owned());
    }
}

fn is(name: &str, other: &str) -> bool {
    name.eq_ignore_ascii_case(other)
}

/// What became of the fields that count, by name in lower case.
fn changes(sent: &[Field], came: &[Field], counts: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let names = sent.iter().chain(came).map(|field| field.name.to_string().to_ascii_lowercase());
    let mut names: Vec<_> = names.filter(|name| counts(name)).collect();
    names.sort_unstable();
    names.dedup();
    let how = |name: String| {
        let (sent, came) = (lines(sent, &name), lines(came, &name));
        let how = match (sent.is_empty(), came.is_empty()) {
            (false, true) => "lost".to_owned(),
            (true, false) => format!("added: {}", without_numbers(&came)),
            _ if say_the_same(&name, &sent, &came) => return None,
            _ => format!("changed to: {}", without_numbers(&came)),
        };
        Some((name, how))
    };
    names.into_iter().filter_map(how).collect()
}

/// The values with `#` for each word that has a digit: ids and addresses are new in every run.
fn without_numbers(values: &[String]) -> String {
    let values = values.join(" | ");
    let mut words = String::new();
    for word in values.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let (word, sign) = match word.char_indices().next_back() {
            Some((at, sign)) if !sign.is_ascii_alphanumeric() => word.split_at(at),
            _ => (word, ""),
        };
        words += if word.contains(|c: char| c.is_ascii_digit()) { "#" } else { word };
        words += sign;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::made::{CLOSED, Made, carried, fields};

    /// What was seen of the one request of a trace.
    fn words(trace: &Trace) -> Vec<String> {
        seen(trace).into_iter().map(|((_, what), how)| format!("{what}: {how}")).collect()
    }

    #[test]
    fn what_arrives_as_it_was_sent_says_nothing() {
        let mut made = Made::default();
        let user = made.sends("anna", "/a");
        let hop = made.reaches(user, "cell_eu0");
        made.responses(hop, 200, &[("X-Page", "a")], "page");
        made.gets_fields(user, 200, &[("x-page", "a"), ("Date", "now"), ("Via", "1.1 r")], "page");
        assert_eq!(words(&made.trace), [""; 0]);
    }

    #[test]
    fn each_change_is_told_without_its_numbers() {
        let came = [("X-B", "2"), ("X-C", "id=7f, max"), ("Via", "1.1 router")];
        assert_eq!(
            words(&carried(&[("X-A", "1"), ("X-B", "1")], &came))[..3],
            [
                "the field x-a at the cell: lost",
                "the field x-b at the cell: changed to: #",
                "the field x-c at the cell: added: id=#, max",
            ]
        );
        let mut made = Made::default();
        let (user, closed) = (made.sends("anna", "/a"), made.sends("anna", "/b"));
        let hop = made.reaches(user, "cell_eu0");
        made.responses(hop, 419, &[], "expired");
        made.gets(user, Ok((502, "")));
        made.gets(closed, Err(CLOSED));
        made.trace.users[user].interim = vec![103];
        let expected = [
            "the content at the cell: not read to its end",
            "the interim responses at the user: 103",
            "the response at the user: 502, the cell's is 419",
            "the requests at cells: 0",
            "the response at the user: none: the connection was closed",
        ];
        let words = words(&made.trace);
        assert!(expected.iter().all(|one| words.iter().any(|word| word == one)), "{words:#?}");
    }
}
