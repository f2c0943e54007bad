//! What became of the requests of a trace, at their users and at cells, in words by which two routers
//! are compared.
//!
//! Each message is told by what differs from the one that was sent, so that marks, sessions and
//! addresses, which are new in every run, say nothing. Left out is what the contract leaves to each
//! router, and what a pick decides: bounces, and which cell a pre-flight asks.

use std::collections::{BTreeMap, BTreeSet};

use cell_fleet::{Field, wire};

use super::copies::is_carried;
use super::faults::bounced;
use crate::trace::field_lines::{lines, say_the_same};
use crate::trace::passed_on::{is_judged, may_be_blocked, may_be_left_out};
use crate::trace::{Hop, NoResponse, Origin, Phase, Trace, UserRequest};

/// The place of a request in a trace: its phase, its sender, and its number among theirs there.
pub type At = (Phase, String, usize);

/// What was seen, by request and by what it is about. A request that went to one cell and back, and
/// nothing changed on its way, has no entry.
pub type Seen = BTreeMap<(At, String), String>;

/// What the entry is about that says where a request ended. Where two routers differ in it, there is
/// nothing else to compare.
pub const COURSE: &str = "the response";

/// What was seen of the requests to routers.
pub fn seen(trace: &Trace) -> Seen {
    let mut seen = Seen::new();
    let mut numbers: BTreeMap<(Phase, &str), usize> = BTreeMap::new();
    for (index, request) in trace.routed() {
        let number = numbers.entry((request.phase, &request.person)).or_default();
        *number += 1;
        let at = (request.phase, request.person.clone(), *number);
        let mut note = |what: &str, how: &str| {
            seen.insert((at.clone(), what.to_owned()), how.to_owned());
        };
        let hops: Vec<_> = trace.hops_of(index).filter(|hop| !is_bounce(trace, hop)).collect();
        at_user(request, &hops, &mut note);
        if let Some(hop) = hops.last() {
            at_cell(request, hop, &mut note);
        }
        let is_about = |hop: &Hop| matches!(hop.origin, Origin::PreFlight(of, _) if of == index);
        for (hop, _) in trace.preflights().filter(|(hop, _)| is_about(hop)) {
            let names = hop.request.fields.iter().map(|field| field.name.to_string());
            let names = names.map(|name| name.to_ascii_lowercase());
            let names: BTreeSet<_> = names.filter(|name| is_told(&[], name)).collect();
            note("the pre-flight", &format!("sent with {}", Vec::from_iter(names).join(" ")));
        }
    }
    seen
}

/// Whether a cell sent the request to another one, as it may in buffering.
fn is_bounce(trace: &Trace, hop: &Hop) -> bool {
    trace.learn_path.is_none() && bounced(hop)
}

/// Whether a field of a request counts. A router may add itself to `Via`; the marks are the suite's.
fn is_told(sent: &[Field], name: &str) -> bool {
    is_carried(sent, name)
        && ![wire::CONFORMANCE_ID, "Via"].iter().any(|it| it.eq_ignore_ascii_case(name))
}

fn at_user(request: &UserRequest, hops: &[&Hop], note: &mut dyn FnMut(&str, &str)) {
    let interim: Vec<_> = request.interim.iter().map(u16::to_string).collect();
    if !interim.is_empty() {
        note("the interim responses", &interim.join(" "));
    }
    let given = hops.last().and_then(|hop| hop.response.as_ref()).map(|(_, response)| response);
    let end = match (request.response.as_ref().map(|response| &response.got), given) {
        (Some(Ok(got)), Some(given)) if got.status == given.status => {
            let is_told = |_: &[Field], name: &str| {
                is_judged(name) && !may_be_blocked(name) && !may_be_left_out(name, got)
            };
            note_changes("the user", &given.fields, &got.fields, is_told, note);
            if given.body.is_known() && given.body.digest != got.body.digest {
                note("the content at the user", "changed");
            }
            "passed on".to_owned()
        }
        (Some(Ok(got)), Some(given)) => format!("{}, the cell's is {}", got.status, given.status),
        (Some(Ok(got)), None) => format!("{} of the router's own", got.status),
        (Some(Err(NoResponse::BrokeOff(_))), _) => "broken off".to_owned(),
        (Some(Err(why)), _) => why.to_string(),
        (None, _) => "none".to_owned(),
    };
    match hops.len() {
        1 if end == "passed on" => {}
        1 => note(COURSE, &end),
        number => note(COURSE, &format!("{end}, requests at cells: {number}")),
    }
}

fn at_cell(request: &UserRequest, hop: &Hop, note: &mut dyn FnMut(&str, &str)) {
    let came = &hop.request;
    if came.method != *request.method {
        note("the method at the cell", &came.method.to_string());
    }
    if came.target != request.target {
        note("the target at the cell", "changed");
    }
    if !came.request_line.as_bytes().ends_with(b" HTTP/1.1") {
        note("the version at the cell", "another");
    }
    note_changes("the cell", &request.fields, &came.fields, is_told, note);
    match &hop.read {
        None => note("the content at the cell", "not read to its end"),
        Some((_, body)) if body.digest == request.body.digest => {}
        Some((_, body)) => note("the content at the cell", &format!("{} bytes", body.length)),
    }
    if hop.ended.is_some_and(|(_, whole)| !whole) {
        note("the response of the cell", "not taken to its end");
    }
}

/// Notes what became of the fields that count, somewhere.
fn note_changes(
    place: &str,
    sent: &[Field],
    came: &[Field],
    counts: impl Fn(&[Field], &str) -> bool,
    note: &mut dyn FnMut(&str, &str),
) {
    let names = sent.iter().chain(came).map(|field| field.name.to_string().to_ascii_lowercase());
    for name in names.filter(|name| counts(sent, name)).collect::<BTreeSet<_>>() {
        let (gave, got) = (lines(sent, &name), lines(came, &name));
        if gave.is_empty() || got.is_empty() || !say_the_same(&name, &gave, &got) {
            let how = [(&gave, "added"), (&got, "lost")].into_iter().find(|(it, _)| it.is_empty());
            note(&format!("the field {name} at {place}"), how.map_or("changed", |(_, how)| how));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::made::{CLOSED, Made, carried};

    fn words(trace: &Trace) -> Vec<String> {
        seen(trace).into_iter().map(|((_, what), how)| format!("{what}: {how}")).collect()
    }

    #[test]
    fn what_arrives_as_it_was_sent_says_nothing_and_each_change_is_told() {
        let came = [("X-B", "2"), ("X-C", "3"), ("x-d", "4"), ("Via", "1.1 router")];
        let fields = words(&carried(&[("X-A", "1"), ("X-B", "1"), ("X-D", "4")], &came));
        let at = |name: &str, how: &str| format!("the field {name} at the cell: {how}");
        assert_eq!(fields[1..4], [at("x-a", "lost"), at("x-b", "changed"), at("x-c", "added")]);
        let mut made = Made::default();
        let users = ["/a", "/b", "/c"].map(|target| made.sends("anna", target));
        for (user, status) in [(users[0], 200), (users[1], 502)] {
            let hop = made.reaches(user, "cell_eu0");
            made.trace.hops[hop].read = Some((made.stamp(), Made::body("")));
            made.responses(hop, 200, &[("X-Page", "a")], "page");
            made.gets_fields(user, status, &[("x-page", "a"), ("Date", "now")], "page");
        }
        made.gets(users[2], Err(CLOSED));
        let closed = "the connection was closed without a response, requests at cells: 0";
        let courses = ["502, the cell's is 200", closed].map(|how| format!("{COURSE}: {how}"));
        assert_eq!(words(&made.trace), courses);
    }
}
