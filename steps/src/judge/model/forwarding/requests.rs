//! What cells received of a request.

use cell_fleet::{Field, wire};

use super::set_cookies;
use crate::judge::copies::is_carried;
use crate::judge::differences;
use crate::judge::model::by_hand::{self, ByHand};
use crate::judge::model::exchange::{Case, Say};
use crate::trace::Hop;
use crate::trace::field_lines::lines;

/// A cookie value of at least this length is taken for one that only a single browser has.
const SECRET: usize = 20;

/// Each cell received what the user sent, and nothing beyond. `cases` are all requests of the
/// journey.
pub(in crate::judge::model) fn requests(cases: &[Case<'_>], case: &Case<'_>, say: Say<'_>) {
    let sent = case.request;
    by_hand::ends_here(case, say);
    for (number, hop) in case.hops.iter().enumerate() {
        let (cell, came) = (&hop.cell, &hop.request);
        // What only the next cell did not receive was lost when the request was sent again.
        let is_next = number > 0;
        if came.method.as_bytes() != sent.method.as_bytes() {
            let requirement = if is_next { "BF-05" } else { "Z-68" };
            say(requirement, format!("{cell} received the method {}", came.method));
        }
        // A target in absolute form may travel in origin form (Z-42).
        if came.target != sent.target && sent.target.as_bytes().starts_with(b"/") {
            // The bounce changed nothing about a target that the first cell had received like that.
            let is_first = came.target == case.hops[0].request.target;
            let requirement = if is_first { "Z-13" } else { "BF-06" };
            say(requirement, format!("{cell} received the target {}", came.target));
        }
        if let Some((_, body)) = hop.read.as_ref().filter(|(_, it)| it.digest != sent.body.digest) {
            let (length, got) = (sent.body.length, body.length);
            let requirement = match is_next {
                _ if !sent.body.is_known() => "Z-61",
                true => "BF-04",
                false if got < length => "Z-61",
                false => "Z-68",
            };
            let why = format!("{cell} received {got} bytes of {length} as a whole body");
            say(requirement, why);
        }
        // Bytes beyond ASCII SHOULD stay as they are (RFC 9110 5.5), which no MUST says. A
        // NUL may become a space, or go with its line (Z-63).
        let is_theirs = |field: &&Field| {
            !is_internal(field) && field.value.as_bytes().iter().all(|byte| (1..128).contains(byte))
        };
        let carried: Vec<_> = sent.fields.iter().filter(is_theirs).cloned().collect();
        let own = case.by_hand.as_ref();
        let found = differences(&carried, hop).next();
        if let Some(found) = found.filter(|_| !own.is_some_and(ByHand::is_folded)) {
            let is_lost_again = is_next && differences(&carried, case.hops[0]).next().is_none();
            let requirement = match found.name().to_ascii_lowercase().as_str() {
                _ if is_lost_again => "BF-04",
                _ if own.is_some_and(ByHand::is_long) => "Z-47",
                "cdn-loop" => "Z-88",
                "via" => "Z-90",
                "range" | "if-match" | "if-none-match" | "if-range" => "Z-51",
                _ if found.is_of_bytes() => "Z-68",
                _ => "Z-46",
            };
            say(requirement, format!("at {cell}: {found}"));
        }
        forged(case, hop, say);
        let has = |fields: &[Field], name| fields.iter().any(|field| field.is(name));
        for name in wire::INTERNAL.into_iter().filter(|name| has(&came.fields, name)) {
            let forged = has(&sent.fields, name);
            say(if forged { "Z-04" } else { "Z-72" }, format!("{cell} received {name}"));
        }
        if let Some((field, other)) = taken(cases, case, hop) {
            let of = &other.request.person;
            say("Z-96", format!("{cell} received {}: {} of {of}", field.name, field.value));
        }
        for cookie in lines(&came.fields, "Cookie").iter().flat_map(|line| line.split(';')) {
            if let Some(requirement) = foreign(cases, case, cookie.trim()) {
                say(requirement, format!("{cell} received the cookie {cookie}"));
            }
        }
    }
}

/// Whether a field is one by which cells and routers speak, or an application takes it for one that
/// the router writes.
fn is_internal(field: &Field) -> bool {
    let name = field.name.to_string().replace('_', "-").to_ascii_lowercase();
    wire::INTERNAL.iter().any(|internal| name.eq_ignore_ascii_case(internal))
        || field.name.to_string().contains('_') && is_of_routers(&name)
}

/// Whether a router alone says what is in a field of this name, or the framing does.
fn is_of_routers(name: &str) -> bool {
    name.starts_with("x-forwarded-") || matches!(name, "content-length" | "transfer-encoding")
}

/// No cell received what a user says in place of the router (Z-26, Z-83), or a length next to
/// chunks (Z-95).
fn forged(case: &Case<'_>, hop: &Hop, say: Say<'_>) {
    const SAID: [&str; 2] = ["X-Forwarded-Host", "X-Forwarded-Proto"];
    let came = &hop.request.fields;
    for field in case.request.fields.iter().filter(|field| !field.value.as_bytes().is_empty()) {
        let (name, value) = (field.name.to_string(), field.value.to_string());
        let arrived = || lines(came, &name).iter().any(|line| line.contains(&value));
        let is_alias = name.contains('_') && is_internal(field);
        // The router may say the same by itself.
        let is_own =
            ["http", "https"].contains(&value.as_str()) || lines(came, "Host").contains(&value);
        let is_said = SAID.iter().any(|said| field.is(said)) && !is_own;
        if (is_alias || is_said) && arrived() {
            let requirement = if is_alias { "Z-83" } else { "Z-26" };
            say(requirement, format!("{} received {name}: {value}", hop.cell));
        }
    }
    let has = |name| came.iter().any(|field| field.is(name));
    if has("Content-Length") && has("Transfer-Encoding") {
        say("Z-95", format!("{} received a length next to chunks", hop.cell));
    }
}

/// A field that came without being sent, and stood in a request of somebody else in the same
/// action: on the same connection.
fn taken<'c, 'a>(
    cases: &'c [Case<'a>],
    case: &Case<'_>,
    hop: &Hop,
) -> Option<(&'a Field, &'c Case<'a>)> {
    let sent = case.request;
    let beside = |other: &&Case<'_>| {
        other.request.phase == sent.phase && other.request.person != sent.person
    };
    let fields = cases
        .iter()
        .filter(beside)
        .flat_map(|other| other.request.fields.iter().map(move |field| (field, other)));
    fields.into_iter().find(|(field, _)| {
        let name = field.name.to_string().to_ascii_lowercase();
        let is_same = |it: &Field| it.is(&name);
        // Libraries add what they accept, and say how they use a connection.
        let is_theirs = is_carried(&hop.request.fields, &name) && !name.starts_with("accept");
        is_theirs
            && hop.request.fields.iter().any(|came| is_same(came) && came.value == field.value)
            && !sent.fields.iter().any(is_same)
    })
}

/// What is violated by a cookie that cannot be guessed and was set, but never in a response that
/// this user received (Z-74, Z-60).
fn foreign(cases: &[Case<'_>], case: &Case<'_>, cookie: &str) -> Option<&'static str> {
    if cookie.len() < SECRET {
        return None;
    }
    let sets = |hop: &&Hop| set_cookies(hop).iter().any(|set| set == cookie);
    let mut found = None;
    for other in cases {
        let is_theirs = other.request.person == case.request.person;
        let last = other.hops.last().map(|hop| hop.id);
        for hop in other.all_hops().filter(sets) {
            if is_theirs && Some(hop.id) == last {
                return None;
            }
            found = if is_theirs { Some("Z-60") } else { found.or(Some("Z-74")) };
        }
    }
    found
}
