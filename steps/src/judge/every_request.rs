//! The checks of every trace with a router, whatever its scenario is about: what a user sent reaches
//! cells, once, and what a cell sent reaches its user; nothing else does, and nothing that broke off
//! looks whole.
//!
//! They know neither owners nor entries, which the scenario may have made unusual. Of what a user or
//! a cell wrote against HTTP they say nothing: what a router does then is for the scenario.

use super::copies::is_carried;
use super::faults::bounced;
use super::responses::asked;
use super::{model, nothing_unsolicited};
use crate::trace::field_lines::repeat_the_length;
use crate::trace::{Hop, NoResponse, Trace, UserRequest};

/// Fields by which users speak of themselves, or of the content, and which a router should not add
/// to a request (RFC 9110 7.7).
const NOT_TO_ADD: [&str; 15] = [
    "accept",
    "accept-charset",
    "accept-encoding",
    "accept-language",
    "content-encoding",
    "content-language",
    "content-type",
    "from",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "range",
    "referer",
    "user-agent",
];

/// What is wrong in a trace: at most one finding for each requirement.
pub fn every_request(trace: &Trace) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    found.extend(nothing_unsolicited(trace).err().map(|why| ("Z-75", why)));
    found.extend(trace.users.iter().filter_map(more_lengths));
    let judged: Vec<_> = (0..trace.users.len()).filter(|user| is_judged(trace, *user)).collect();
    for user in &judged {
        let (request, hops) = (&trace.users[*user], trace.hops_of(*user).collect::<Vec<_>>());
        found.extend(invented(request, &hops));
        found.extend(hops.windows(2).filter_map(|pair| sent_again(trace, request, pair)));
        found.extend(hops.iter().filter_map(|hop| added(request, hop)));
    }
    let passed_on = model::passed_on(trace, &judged).into_iter();
    found.extend(passed_on.map(|violation| (violation.requirement, violation.why)));
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|(requirement, _)| seen.insert(*requirement));
    found
}

/// Whether a request went to a router and everything about it is known. What came behind raw bytes
/// on their connection depends on how a router read these; a response that no client could read was
/// asked for once more; and a pre-flight may carry all fields of its request, also the mark.
fn is_judged(trace: &Trace, user: usize) -> bool {
    let request = &trace.users[user];
    let is_behind = request.raw.as_ref().is_some_and(|raw| raw.is_empty());
    let is_unread = matches!(request.no_response(), Some(NoResponse::NoHttp { .. }));
    let learn_path = trace.learn_path.as_deref().map(str::as_bytes);
    let is_question = |hop: &Hop| Some(hop.path()) == learn_path;
    request.is_routed() && !is_behind && !is_unread && !trace.hops_of(user).any(is_question)
}

/// A response with a page, or to another one, that no cell was asked for. A router answers some
/// requests with other methods itself.
fn invented(request: &UserRequest, hops: &[&Hop]) -> Option<(&'static str, String)> {
    let is_plain = matches!(&*request.method, "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE");
    let status = request.got()?.status;
    let is_made_up = is_plain && hops.is_empty() && (200..400).contains(&status);
    is_made_up.then(|| ("RT-08", format!("{}: no cell sent the {status}", asked(request))))
}

/// The row by which a request does not reach a second cell, where the first one has read it and did
/// not redirect it (contract, *Sending a request again*).
fn sent_again(
    trace: &Trace,
    request: &UserRequest,
    pair: &[&Hop],
) -> Option<(&'static str, String)> {
    let [first, next] = pair else { return None };
    let answered = first.response.as_ref().filter(|(at, _)| *at < next.at);
    // Where no byte followed the head, the head may have been lost with its connection.
    let has_begun = answered.is_some() && first.ended.is_none_or(|(sent, whole)| whole || sent > 0);
    let method = request.method.as_str();
    let requirement = model::row_of_again(trace.learn_path.is_some(), method, has_begun);
    let is_must = matches!(requirement, "LN-10" | "Z-17");
    // Other methods may be idempotent.
    let is_sure = !is_must || has_begun || matches!(method, "POST" | "PATCH");
    if bounced(first) || !is_sure {
        return None;
    }
    let why = format!("{} went to {} after {} had read it", asked(request), next.cell, first.cell);
    Some((requirement, why))
}

/// A field at a cell that its user did not send: out of the trailers (RFC 9110 6.5.1), or said in
/// the user's place.
fn added(request: &UserRequest, hop: &Hop) -> Option<(&'static str, String)> {
    let is_new = |name: &str| {
        is_carried(&hop.request.fields, name) && !request.fields.iter().any(|sent| sent.is(name))
    };
    let found = |requirement, name: &str| {
        let why =
            format!("{} received {name} with {}, without being sent", hop.cell, asked(request));
        Some((requirement, why))
    };
    let names = hop.request.fields.iter().map(|field| field.name.to_string().to_ascii_lowercase());
    for name in names.filter(|name| is_new(name)) {
        if trailers(request).contains(&name) {
            return found("Z-101", &name);
        }
        // The suite's own HTTP library says what it accepts.
        let is_of_client = name == "accept" && request.raw.is_none();
        if NOT_TO_ADD.contains(&&*name) && !is_of_client {
            return found("Z-106", &name);
        }
    }
    None
}

/// A response that reached its user with a length twice, equal ones too (RFC 9110 8.6).
fn more_lengths(request: &UserRequest) -> Option<(&'static str, String)> {
    (request.is_routed() && repeat_the_length(&request.got()?.fields))
        .then(|| ("Z-49", format!("{} got a length twice", asked(request))))
}

/// The names behind the last chunk of raw bytes.
fn trailers(request: &UserRequest) -> Vec<String> {
    let bytes = request.raw.as_deref().unwrap_or_default();
    let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return Vec::new() };
    let is_in_chunks = head.lines().any(|line| line.starts_with("transfer-encoding:"));
    let lines = body.split("\r\n").skip_while(|line| *line != "0").skip(1);
    let names = lines.take_while(|line| !line.is_empty()).filter_map(|line| line.split_once(':'));
    names.filter(|_| is_in_chunks).map(|(name, _)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::made::{CLOSED, Made, carried};

    fn rows(made: &Made) -> Vec<&'static str> {
        every_request(&made.trace).into_iter().map(|(requirement, _)| requirement).collect()
    }

    /// A user's request by this method that two cells received, where the first sent this.
    fn at_two_cells(method: &str, sent: Option<(u16, &[(&str, &str)])>, learning: bool) -> Made {
        let mut made = Made::default();
        made.trace.learn_path = learning.then(|| "/learn".to_owned());
        let user = made.sends("anna", "/a");
        made.trace.users[user].method = method.to_owned();
        for cell in ["cell_eu0", "cell_eu1"] {
            let hop = made.reaches(user, cell);
            made.trace.hops[hop].request.method = method.into();
            if let Some((status, lines)) = sent.filter(|_| hop == 0) {
                made.responses(hop, status, lines, "");
            }
        }
        made.gets(user, Err(CLOSED));
        made
    }

    #[test]
    fn what_is_sent_again_depends_on_the_method_and_on_what_came() {
        let redirect: &[(&str, &str)] = &[("X-Gitlab-Cell-Redirect", "{cell:Cell EU1}")];
        for (method, sent, expected) in [
            ("GET", Some((302, redirect)), ["", ""]),
            ("GET", None, ["Z-52", "LN-25"]),
            ("GET", Some((503, &[][..])), ["Z-17", "LN-10"]),
            ("POST", None, ["Z-17", "LN-10"]),
            ("PROPFIND", None, ["", ""]),
        ] {
            let judged = [false, true].map(|learning| at_two_cells(method, sent, learning));
            assert_eq!(judged.map(|made| rows(&made).join(" ")), expected, "{method} {sent:?}");
        }
        // The head of a response may be lost with its connection.
        let mut made = at_two_cells("GET", Some((200, &[])), false);
        made.trace.hops[0].ended = Some((0, false));
        assert_eq!(rows(&made), ["Z-52"]);
    }

    #[test]
    fn a_router_answers_by_itself_what_is_no_page() {
        for (method, status, expected) in
            [("OPTIONS", 200, &[][..]), ("GET", 404, &[]), ("GET", 200, &["RT-08"])]
        {
            let mut made = Made::default();
            let user = made.sends("anna", "/a");
            made.trace.users[user].method = method.to_owned();
            made.gets(user, Ok((status, "")));
            assert_eq!(rows(&made), expected, "{method} {status}");
        }
    }

    #[test]
    fn a_response_has_one_length() {
        for (lengths, expected) in
            [(&["0"][..], &[][..]), (&["0", "0"], &["Z-49"]), (&["0, 0"], &["Z-49"])]
        {
            let fields: Vec<_> = lengths.iter().map(|length| ("Content-Length", *length)).collect();
            let mut made = Made::default();
            let user = made.sends("anna", "/a");
            let hop = made.reaches(user, "cell_eu0");
            made.responses(hop, 200, &fields, "");
            made.gets_fields(user, 200, &fields, "");
            assert_eq!(rows(&made), expected, "{lengths:?}");
        }
    }

    /// What is found where a router refuses a request whose cell responds with this status, `after`
    /// milliseconds later, and with a field of this length.
    fn refused(status: u16, after: u64, length: usize) -> Vec<&'static str> {
        let mut made = Made::default();
        let user = made.sends("anna", "/a");
        let hop = made.reaches(user, "cell_eu0");
        let read = made.stamp();
        made.trace.hops[hop].read = (status != 413).then(|| (read, Made::body("")));
        made.passes(after);
        made.responses(hop, status, &[("X-Field", "x".repeat(length).as_str())], "page");
        made.gets(user, Ok((502, "")));
        rows(&made)
    }

    #[test]
    fn a_response_that_is_sound_and_in_time_is_passed_on() {
        assert_eq!(refused(450, 0, 1), ["RT-08"]);
        // The cell of the 413 has not read the whole request.
        for (status, after, length) in
            [(200, 60, 1), (200, 0, 10_000), (999, 0, 1), (101, 0, 1), (413, 0, 1)]
        {
            assert!(refused(status, after, length).is_empty(), "{status} {after} {length}");
        }
    }

    #[test]
    fn only_what_users_are_known_not_to_have_sent_is_added() {
        let judged = |raw: Option<&str>, came: &[(&str, &str)]| {
            let mut trace = carried(&[("X-A", "1")], &[&[("x-a", "1")][..], came].concat());
            trace.users[0].raw = raw.map(Into::into);
            every_request(&trace)
                .into_iter()
                .map(|(requirement, _)| requirement)
                .collect::<Vec<_>>()
        };
        let head = "POST /a HTTP/1.1\r\nHost: a\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\n\r\n";
        let raw = format!("{head}0\r\nX-Sum: 1\r\n\r\n");
        let free = [("via", "1.1 a"), ("x-request-id", "1"), ("x-sum", "1"), ("accept", "*/*")];
        assert!(judged(None, &free).is_empty());
        assert!(judged(Some(&raw), &free[..2]).is_empty());
        assert_eq!(judged(Some(&raw), &free), ["Z-101"]);
        assert_eq!(judged(Some(head), &free), ["Z-106"]);
        assert_eq!(judged(None, &[("user-agent", "a")]), ["Z-106"]);
        // What stands behind another request depends on how a router read that.
        assert!(judged(Some(""), &[("user-agent", "a")]).is_empty());
    }
}
