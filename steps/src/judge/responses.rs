//! Checks of the responses that users received.

use cell_fleet::CellId;

use super::{Judgment, Proof, Wrong, ensure};
use crate::trace::field_lines::{lines, say_the_same};
use crate::trace::{Hop, ReceivedResponse, Trace, UserRequest};

pub fn last_response<'a>(
    trace: &'a Trace,
    person: &str,
) -> Result<(usize, &'a UserRequest, &'a ReceivedResponse), String> {
    let (index, request) = trace.last_of(person)?;
    request.received().map(|response| (index, request, response))
}

/// A request, as messages name it.
pub(super) fn asked(request: &UserRequest) -> String {
    format!("{} {}", request.method, request.target)
}

pub fn sees_page(trace: &Trace, person: &str, headline: &str) -> Proof {
    let (_, request, response) = last_response(trace, person)?;
    let found = headline_of(response);
    ensure(response.status == 200 && found.as_deref() == Some(headline), || {
        let found =
            found.map_or("no headline".to_owned(), |found| format!("the headline `{found}`"));
        format!(
            "{} received {} and {found}, not 200 and the headline `{headline}`",
            asked(request),
            response.status
        )
    })
}

/// One of a person's pages, not only the last one, has this headline.
pub fn saw_page(trace: &Trace, person: &str, headline: &str) -> Proof {
    let theirs = trace.acted_by(person);
    let mut pages = theirs.filter_map(|(_, request)| request.received().ok());
    let is_it = |response: &ReceivedResponse| {
        response.status == 200 && headline_of(response).as_deref() == Some(headline)
    };
    ensure(pages.any(is_it), || {
        format!("none of the pages that {person} received has the headline `{headline}`")
    })
}

fn headline_of(response: &ReceivedResponse) -> Option<String> {
    between(&response.body.text(), "<h1>", "</h1>").map(unescape)
}

/// A notice on the last page contains a text.
pub fn is_told(trace: &Trace, person: &str, text: &str) -> Proof {
    let (_, _, response) = last_response(trace, person)?;
    let page = response.body.text();
    let notices: Vec<_> = page
        .split("<p class=\"notice\">")
        .skip(1)
        .filter_map(|rest| rest.split("</p>").next())
        .map(unescape)
        .collect();
    ensure(notices.iter().any(|notice| notice.contains(text)), || match notices.as_slice() {
        [] => format!("the page tells {person} nothing"),
        notices => format!("the page tells {person} `{}`, not `{text}`", notices.join("` and `")),
    })
}

pub fn shows(trace: &Trace, person: &str, text: &str) -> Proof {
    let (_, _, response) = last_response(trace, person)?;
    ensure(has_text(response, text), || {
        format!("the response with status {} does not show `{text}`", response.status)
    })
}

pub fn does_not_show(trace: &Trace, person: &str, text: &str) -> Judgment {
    let (_, _, response) = last_response(trace, person).map_err(Wrong::no_response)?;
    Ok(ensure(!has_text(response, text), || {
        format!("the response with status {} shows `{text}`", response.status)
    })?)
}

fn has_text(response: &ReceivedResponse, text: &str) -> bool {
    unescape(&response.body.text()).contains(text)
}

/// The last response has one of these statuses.
pub fn gets_status(trace: &Trace, person: &str, statuses: &[u16]) -> Proof {
    let (_, request, response) = last_response(trace, person)?;
    ensure(statuses.contains(&response.status), || {
        let not = if statuses.len() == 1 { "not" } else { "none of" };
        let wanted: Vec<_> = statuses.iter().map(ToString::to_string).collect();
        format!("{} received {}, {not} {}", asked(request), response.status, wanted.join(", "))
    })
}

pub fn every_status(trace: &Trace, status: u64) -> Proof {
    let mut any = false;
    for (_, request) in trace.acted() {
        let response = request.received()?;
        ensure(u64::from(response.status) == status, || {
            format!("{} received {}, not {status}", asked(request), response.status)
        })?;
        any = true;
    }
    ensure(any, || "no request was sent".to_owned())
}

pub fn is_redirected_to(trace: &Trace, person: &str, target: &str) -> Proof {
    let (_, request, response) = last_response(trace, person)?;
    let location = lines(&response.fields, "Location").join(", ");
    ensure(response.status == 302 && location == target, || {
        format!(
            "{} received {} and Location `{location}`, not 302 and `{target}`",
            asked(request),
            response.status
        )
    })
}

/// The last response is that of this cell, as the cell gave it.
pub fn gets_what_cell_responded(trace: &Trace, person: &str, cell: &CellId) -> Proof {
    let (index, request, response) = last_response(trace, person)?;
    let hop = trace.final_hop(index).ok_or("the request reached no cell")?;
    ensure(hop.cell == *cell, || format!("{} responded last, not {cell}", hop.cell))?;
    passed_on(trace, request, hop, response)
}

/// The user's response is the one that this cell gave to that very request.
fn passed_on(
    trace: &Trace,
    request: &UserRequest,
    hop: &Hop,
    response: &ReceivedResponse,
) -> Proof {
    let asked = asked(request);
    ensure(hop.request.target == request.target, || {
        format!("{} was asked for {} instead of {asked}", hop.cell, hop.request.target)
    })?;
    let (_, given) =
        hop.response.as_ref().ok_or_else(|| format!("{} gave no response to {asked}", hop.cell))?;
    let differences = trace.differences(given, response);
    ensure(differences.is_empty(), || {
        format!("the response to {asked} was changed: {}", differences.join("; "))
    })
}

/// Each response of the exchange is that of the last cell, unchanged.
pub fn every_response_passed_on(trace: &Trace) -> Proof {
    let mut any = false;
    for (index, request) in trace.routed() {
        let response = request.received()?;
        let hop = trace.final_hop(index).ok_or_else(|| {
            format!("{} reached no cell, but received {}", asked(request), response.status)
        })?;
        passed_on(trace, request, hop, response)?;
        any = true;
    }
    ensure(any, || "no request was sent through a router".to_owned())
}

pub fn no_response_carries(trace: &Trace, field: &str) -> Judgment {
    let (mut any, mut missing) = (false, None);
    for (_, request) in trace.acted() {
        any = true;
        let response = match request.received() {
            Ok(response) => response,
            Err(why) => {
                missing.get_or_insert(why);
                continue;
            }
        };
        let found = lines(&response.fields, field);
        let shown = || trace.in_roles(&found.join(", "));
        ensure(found.is_empty(), || {
            format!("the response to {} carries {field}: {}", asked(request), shown())
        })?;
    }
    ensure(any, || "no request was sent".to_owned())?;
    missing.map_or(Ok(()), |why| Err(Wrong::no_response(why)))
}

/// The last response to a person does not have this text in a field of this name.
pub fn has_not_in_field(trace: &Trace, person: &str, text: &str, field: &str) -> Judgment {
    let (_, request, response) = last_response(trace, person).map_err(Wrong::no_response)?;
    let found = lines(&response.fields, field).into_iter().find(|line| line.contains(text));
    Ok(found.map_or(Ok(()), |line| {
        Err(format!(
            "the response to {} carries {field}: {}",
            asked(request),
            trace.in_roles(&line)
        ))
    })?)
}

/// The last response carries exactly these lines of each name, in this order; they may have been
/// joined on the way (RFC 9110 5.3).
pub fn carries(trace: &Trace, person: &str, expected: &[(String, String)]) -> Proof {
    let (_, _, response) = last_response(trace, person)?;
    for (name, _) in expected {
        let wanted: Vec<_> = expected
            .iter()
            .filter(|(other, _)| other.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.clone())
            .collect();
        let found = lines(&response.fields, name);
        ensure(say_the_same(name, &wanted, &found), || {
            format!("{name} is `{}`, not `{}`", found.join("` `"), wanted.join("` `"))
        })?;
    }
    Ok(())
}

/// The statuses of a refusal (contract, *Limits*).
pub(crate) const REFUSALS: [u16; 4] = [502, 503, 504, 508];

/// The last request of the exchange was refused by the router itself.
pub fn refused(trace: &Trace) -> Proof {
    let (_, request) = trace.last()?;
    let response = request.received()?;
    ensure(REFUSALS.contains(&response.status), || {
        format!(
            "{} received {}, not a refusal (502, 503, 504 or 508)",
            asked(request),
            response.status
        )
    })
}

/// The fields of a response that have one value and no list of them (RFC 9110 5.5; RFC 9111 5).
const SINGLETONS: [&str; 12] = [
    "age",
    "content-length",
    "content-location",
    "content-range",
    "content-type",
    "date",
    "etag",
    "expires",
    "last-modified",
    "location",
    "retry-after",
    "server",
];

/// The last response has no singleton field twice (RFC 9110 5.3).
pub fn repeats_no_singleton(trace: &Trace) -> Proof {
    let (_, request) = trace.last()?;
    request.received().ok().and_then(repeated).map_or(Ok(()), Err)
}

/// Where a response has a singleton field in more than one line.
pub(crate) fn repeated(response: &ReceivedResponse) -> Option<String> {
    SINGLETONS.into_iter().find_map(|name| {
        let values = lines(&response.fields, name);
        (values.len() > 1).then(|| format!("{name} stands twice: `{}`", values.join("` `")))
    })
}

/// The last response, if there is one, has its dates in the form that senders write (RFC 9110
/// 5.6.7).
pub fn has_valid_dates(trace: &Trace) -> Proof {
    let (_, request) = trace.last()?;
    let Ok(response) = request.received() else { return Ok(()) };
    let mut dates =
        ["date", "last-modified"].into_iter().flat_map(|name| lines(&response.fields, name));
    dates.try_for_each(|date| ensure(is_date(&date), || format!("`{date}` is no date to send")))
}

/// Whether this looks like `Sun, 06 Nov 1994 08:49:37 GMT`.
fn is_date(text: &str) -> bool {
    let shape = text.bytes().map(|byte| match byte {
        b'0'..=b'9' => b'0',
        b'a'..=b'z' => b'a',
        b'A'..=b'Z' => b'A',
        other => other,
    });
    shape.eq(*b"Aaa, 00 Aaa 0000 00:00:00 AAA") && text.ends_with("GMT")
}

fn between<'a>(text: &'a str, begin: &str, end: &str) -> Option<&'a str> {
    text.split_once(begin)?.1.split_once(end).map(|(inner, _)| inner)
}

fn unescape(html: &str) -> String {
    html.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_form_of_dates_is_sent() {
        assert!(is_date("Sun, 06 Nov 1994 08:49:37 GMT"));
        let others = [
            "Sun Nov  6 08:49:37 1994",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 CET",
        ];
        assert!(!others.into_iter().any(is_date));
    }
}
