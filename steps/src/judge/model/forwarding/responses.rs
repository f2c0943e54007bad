//! What the user received of a cell's response.

use std::time::Duration;

use cell_fleet::{Field, ResponseSeen, wire};

use super::{cookies, set_cookies};
use crate::judge::model::by_hand::{LONG, MANY};
use crate::judge::model::exchange::{Case, Said, Say, is_whole, said};
use crate::judge::{REFUSALS, addresses, says_of_cells};
use crate::trace::field_lines::{lines, repeat_the_length};
use crate::trace::one_hop::{is_named_by_connection, lists};
use crate::trace::{Hop, ReceivedResponse, Trace, passed_on};

/// The user receives the last cell's response as it was sent, if it came in time and is sound, and
/// the cell had all of the request.
pub(in crate::judge::model) fn response(trace: &Trace, case: &Case<'_>, say: Say<'_>) {
    let (Some(end), Some(hop)) = (&case.request.response, case.hops.last()) else { return };
    let (Ok(got), Some((at, answer))) = (&end.got, &hop.response) else { return };
    let is_refusal = REFUSALS.contains(&got.status) && got.status != answer.status;
    if hop.read.is_none()
        || *at > end.at
        || said(answer) != Said::Final
        || is_refusal && !is_sound(hop, answer)
    {
        return;
    }
    discreet(trace, case, Some(answer), got, say);
    // A router may code content anew, unless it must not be transformed (decision A-88).
    let coding = |fields: &[Field]| lines(fields, "Content-Encoding");
    let is_kept = coding(&answer.fields) == coding(&got.fields);
    if is_kept || lists(&answer.fields, "Cache-Control", "no-transform") {
        unchanged(trace, case, (answer, is_whole(hop)), got, say);
    }
}

/// Whether a router has no reason to refuse a response: neither its form nor its time.
fn is_sound(hop: &Hop, answer: &ResponseSeen) -> bool {
    const AT_ONCE: Duration = Duration::from_millis(50);
    let came = hop.read.as_ref().map_or(hop.at, |(read, _)| *read);
    let is_early = hop.response.as_ref().is_some_and(|(at, _)| at.at < came.at + AT_ONCE);
    let has = |name: &str| !lines(&answer.fields, name).is_empty();
    let length: usize =
        answer.fields.iter().map(|field| field.name.len() + field.value.len()).sum();
    let is_long = length > LONG || answer.fields.len() > MANY;
    // Equal lengths may be refused as well.
    let has_excess = is_long
        || repeat_the_length(&answer.fields)
        || matches!(answer.status, 101 | 204) && has("Content-Length");
    let is_known = (200..600).contains(&answer.status) && !has("Transfer-Encoding");
    is_early && is_known && !has_excess && is_whole(hop) && !contradicts_itself(answer)
}

/// The user receives the cell's response unchanged (RT-08, UN-08), and one that broke off does not
/// look complete (Z-41).
pub(in crate::judge::model) fn unchanged(
    trace: &Trace,
    case: &Case<'_>,
    (answer, whole): (&ResponseSeen, bool),
    got: &ReceivedResponse,
    say: Say<'_>,
) {
    // A router takes the address of a cell out of a response, or leaves out the field (Z-26, Z-87).
    let addresses = addresses(trace, case.user);
    let has_address = |field: &Field| {
        let value = field.value.to_string();
        addresses.iter().any(|address| value.contains(address.as_str()))
    };
    for field in got.fields.iter().filter(|field| has_address(field)) {
        let requirement = if field.is("Location") { "Z-26" } else { "Z-87" };
        if answer.fields.iter().any(|gave| gave.is(&field.name.to_string())) {
            say(requirement, format!("the user received {}: {}", field.name, field.value));
        }
    }
    if let Some((field, from)) = of_another(trace, answer, got) {
        let from = &trace.hops[from].cell;
        let said = format!(
            "the user received {}: {} of another response of {from}",
            field.name, field.value
        );
        say("RT-08", said);
    }
    let mut changes = trace.differences(answer, got);
    // Chunks that a cell wrote byte for byte are not decoded, so that nothing is known of the body.
    let is_raw = !answer.body.is_known() && lines(&answer.fields, "Transfer-Encoding").len() == 1;
    changes.retain(|change| !(is_raw && change.contains("the body to its end")));
    if whole && !changes.is_empty() && !answer.fields.iter().any(has_address) {
        // A cell sends visitors to sign-in where others get its 404 (decision A-81). In buffering,
        // nobody says whether a path has an owner.
        let is_unknown = match trace.learn_path {
            None => answer.status == 404,
            Some(_) => [answer.status, got.status].contains(&404) && case.is_nobodys(),
        };
        let changes = changes.join("; ");
        let requirement = if is_unknown { "UN-08" } else { broken_by(case, answer, &changes) };
        // What a SHOULD asks for is a part of what a MUST does.
        if matches!(requirement, "Z-05" | "Z-24") {
            say("RT-08", format!("the response was changed: {changes}"));
        }
        say(requirement, format!("the response was changed: {changes}"));
    }
    // HTTP/1.0 has no way to say that a body without a length is not whole.
    let has_body = case.request.method != "HEAD" && !matches!(answer.status, 204 | 304);
    if !whole && has_body && got.status == answer.status && !case.is_old(trace) {
        say("Z-41", "a response that broke off looks complete to the user".to_owned());
    }
}

/// A field that the cell's response lacks, and that another response of a cell had with this value. What
/// many routers add to all responses, and what none may add, is left out: the latter is judged already.
fn of_another<'a>(
    trace: &Trace,
    answer: &ResponseSeen,
    got: &'a ReceivedResponse,
) -> Option<(&'a Field, usize)> {
    const OFTEN_ADDED: [&str; 5] = [
        "accept-ranges",
        "content-security-policy",
        "pragma",
        "referrer-policy",
        "strict-transport-security",
    ];
    let is_theirs = |field: &&Field| {
        let name = field.name.to_string().to_ascii_lowercase();
        lines(&answer.fields, &name).is_empty()
            && passed_on::may_be_added(&name)
            && !OFTEN_ADDED.contains(&name.as_str())
            && !["x-frame-", "x-content-type", "x-xss-"].iter().any(|it| name.starts_with(it))
    };
    got.fields.iter().filter(is_theirs).find_map(|field| {
        let has_it = |hop: &Hop| {
            let name = field.name.to_string();
            let gave = hop.response.as_ref().map(|(_, gave)| lines(&gave.fields, &name));
            gave.is_some_and(|gave| gave.contains(&field.value.to_string()))
        };
        trace.hops.iter().position(has_it).map(|hop| (field, hop))
    })
}

/// The sentence that is closest to what was changed.
fn broken_by(case: &Case<'_>, answer: &ResponseSeen, changes: &str) -> &'static str {
    let is_of = |name: &str| changes.contains(&format!("field {name}:"));
    let is_twice = |field: &Field| lines(&answer.fields, &field.name.to_string()).len() > 1;
    let twice =
        |field: &Field| is_twice(field) && is_of(&field.name.to_string().to_ascii_lowercase());
    let control = lines(&answer.fields, "Cache-Control").join(",");
    match answer.status {
        204 => "Z-24",
        206 | 304 | 412 | 416 => "Z-51",
        _ if is_of("set-cookie") && lines(&answer.fields, "Set-Cookie").len() > 1 => "Z-05",
        _ if control.contains("no-transform") => "Z-77",
        _ if answer.fields.iter().any(twice) => "Z-46",
        _ if case.request.method == "HEAD" && is_of("content-length") => "Z-21",
        _ => "RT-08",
    }
}

/// Whether a response tells more than one length (Z-49).
pub(in crate::judge::model) fn contradicts_itself(answer: &ResponseSeen) -> bool {
    let lines = lines(&answer.fields, "Content-Length");
    let mut lengths = lines.iter().flat_map(|line| line.split(',')).map(str::trim);
    let first = lengths.next();
    let is_number = |text: &str| text.parse::<u64>().is_ok();
    first.is_some_and(|first| !is_number(first)) || lengths.any(|length| Some(length) != first)
}

/// What is about the connection between cell and router ends there (Z-22, Z-53).
fn about_one_connection(answer: &ResponseSeen, got: &ReceivedResponse, say: Say<'_>) {
    for field in &answer.fields {
        let name = field.name.to_string().to_ascii_lowercase();
        let requirement = match name.as_str() {
            // A router that takes part in an upgrade says so itself (RFC 9110 7.8).
            "connection" | "content-length" | "transfer-encoding" | "upgrade" => continue,
            "keep-alive" | "proxy-connection" => "Z-53",
            name if is_named_by_connection(&answer.fields, name) => "Z-22",
            _ => continue,
        };
        if lines(&got.fields, &name).contains(&field.value.to_string()) {
            say(requirement, format!("the user received {name}: {}", field.value));
        }
    }
}

/// Nothing that is between cells and routers reaches the user (RT-12).
pub(in crate::judge::model) fn discreet(
    trace: &Trace,
    case: &Case<'_>,
    answer: Option<&ResponseSeen>,
    got: &ReceivedResponse,
    say: Say<'_>,
) {
    for (name, requirement) in wire::INTERNAL.into_iter().zip(["Z-37", "Z-03"]) {
        if got.fields.iter().any(|field| field.is(name)) {
            say(requirement, format!("the user received {name}"));
        }
    }
    if let Some(answer) = answer {
        about_one_connection(answer, got, say);
    }
    let own = answer.map_or_else(Vec::new, |answer| cookies(&answer.fields));
    for cookie in cookies(&got.fields).iter().filter(|cookie| !own.contains(cookie)) {
        if let Some(hop) = case.all_hops().find(|hop| set_cookies(hop).contains(cookie)) {
            let is_bounce = case.hops.iter().any(|it| it.id == hop.id);
            let requirement = if is_bounce { "Z-60" } else { "Z-73" };
            say(requirement, format!("the user received a cookie of {}: {cookie}", hop.cell));
        }
    }
    if case.path.starts_with("/admin") {
        return;
    }
    let is_added = |field: &&Field| {
        let name = field.name.to_string();
        let sent =
            |answer: &ResponseSeen| lines(&answer.fields, &name).contains(&field.value.to_string());
        !wire::INTERNAL.iter().any(|name| field.is(name)) && !answer.is_some_and(sent)
    };
    let added = got.fields.iter().filter(is_added);
    let body = if answer.is_none() { got.body.text() } else { String::new() };
    // A trace without a list of cells shows no name of one.
    if let Ok(Some(why)) = says_of_cells(trace, case.request, added, &body) {
        say(if answer.is_none() { "Z-58" } else { "RT-12" }, why);
    }
}
