//! About what users got.

use cell_fleet::CellId;

use super::{Proof, ensure};
use crate::trace::field_lines::{lines, say_the_same};
use crate::trace::{AnswerGot, Gate, Hop, Trace, UserRequest};

/// The last answer to a person.
pub fn last_answer<'a>(trace: &'a Trace, person: &str) -> Result<(usize, &'a UserRequest, &'a AnswerGot), String> {
    let (place, request) = trace.last_of(person).ok_or_else(|| format!("{person} sent nothing"))?;
    answer_to(request).map(|answer| (place, request, answer))
}

pub(super) fn answer_to(request: &UserRequest) -> Result<&AnswerGot, String> {
    match request.answer.as_ref().map(|answer| &answer.got) {
        Some(Ok(answer)) => Ok(answer),
        Some(Err(why)) => Err(format!("{} got no answer to {}: {why}", request.person, asked(request))),
        None => Err(format!("{} got no answer to {}", request.person, asked(request))),
    }
}

/// What a user asked, as messages name it.
pub(super) fn asked(request: &UserRequest) -> String {
    format!("{} {}", request.method, request.target)
}

/// The last answer is a page with this headline.
pub fn sees_page(trace: &Trace, person: &str, headline: &str) -> Proof {
    let (_, request, answer) = last_answer(trace, person)?;
    let page = answer.body.text();
    let found = between(&page, "<h1>", "</h1>").map(unescape);
    ensure(answer.status == 200 && found.as_deref() == Some(headline), || {
        let found = found.map_or("no headline".to_owned(), |found| format!("the headline `{found}`"));
        format!(
            "{} {} was answered with {} and {found}, not with 200 and the headline `{headline}`",
            request.method, request.target, answer.status
        )
    })
}

/// A notice on the last page contains a text.
pub fn is_told(trace: &Trace, person: &str, text: &str) -> Proof {
    let (_, _, answer) = last_answer(trace, person)?;
    let page = answer.body.text();
    let notices: Vec<_> = page.split("<p class=\"notice\">").skip(1).filter_map(|rest| rest.split("</p>").next()).map(unescape).collect();
    ensure(notices.iter().any(|notice| notice.contains(text)), || match notices.as_slice() {
        [] => format!("the page tells {person} nothing"),
        notices => format!("the page tells {person} `{}`, not `{text}`", notices.join("` and `")),
    })
}

/// Whether the last answer's body shows a text is as wanted.
pub fn shows(trace: &Trace, person: &str, text: &str, wanted: bool) -> Proof {
    let (_, _, answer) = last_answer(trace, person)?;
    ensure(unescape(&answer.body.text()).contains(text) == wanted, || {
        format!("the answer with status {} {} `{text}`", answer.status, if wanted { "does not show" } else { "shows" })
    })
}

/// The last answer has this status.
pub fn gets_status(trace: &Trace, person: &str, status: u64) -> Proof {
    let (_, request, answer) = last_answer(trace, person)?;
    ensure(u64::from(answer.status) == status, || {
        format!("{} {} was answered with {}, not with {status}", request.method, request.target, answer.status)
    })
}

/// Each user of the exchange got this status.
pub fn every_status(trace: &Trace, status: u64) -> Proof {
    let mut any = false;
    for (_, request) in trace.acted() {
        let answer = answer_to(request)?;
        ensure(u64::from(answer.status) == status, || {
            format!("{} was answered with {}, not with {status}", asked(request), answer.status)
        })?;
        any = true;
    }
    ensure(any, || "nobody sent anything".to_owned())
}

/// The last answer redirects the user there.
pub fn is_sent_to(trace: &Trace, person: &str, target: &str) -> Proof {
    let (_, request, answer) = last_answer(trace, person)?;
    let location = lines(&answer.fields, "Location").join(", ");
    ensure(answer.status == 302 && location == target, || {
        format!(
            "{} {} was answered with {} and Location `{location}`, not with 302 and `{target}`",
            request.method, request.target, answer.status
        )
    })
}

/// The last answer is that of this cell, as the cell gave it.
pub fn gets_what_cell_answered(trace: &Trace, person: &str, cell: &CellId) -> Proof {
    let (place, request, answer) = last_answer(trace, person)?;
    let hop = trace.final_hop(place).ok_or("the request reached no cell")?;
    ensure(hop.cell == *cell, || format!("{} answered last, not {cell}", hop.cell))?;
    passed_on(trace, request, hop, answer)
}

/// What the user got is what this cell answered to that very request.
fn passed_on(trace: &Trace, request: &UserRequest, hop: &Hop, answer: &AnswerGot) -> Proof {
    let asked = format!("{} {}", request.method, request.target);
    ensure(hop.request.target == request.target, || format!("{} was asked for {} instead of {asked}", hop.cell, hop.request.target))?;
    let (_, given) = hop.answer.as_ref().ok_or_else(|| format!("{} gave no answer to {asked}", hop.cell))?;
    let differences = trace.differences(given, answer);
    ensure(differences.is_empty(), || format!("the answer to {asked} was changed on its way: {}", differences.join("; ")))
}

/// Each user of the exchange got what the last cell answered, unchanged.
pub fn every_answer_passed_on(trace: &Trace) -> Proof {
    let through_routers = trace.acted().filter(|(_, request)| matches!(request.gate, Gate::Router(_)));
    let mut any = false;
    for (place, request) in through_routers {
        let answer = answer_to(request)?;
        let asked = || format!("{} {}", request.method, request.target);
        let hop = trace.final_hop(place).ok_or_else(|| format!("{} reached no cell, and was answered with {}", asked(), answer.status))?;
        passed_on(trace, request, hop, answer)?;
        any = true;
    }
    ensure(any, || "nobody sent anything through a router".to_owned())
}

/// No answer of the exchange carries a field, or only those to one person are looked at.
pub fn no_answer_carries(trace: &Trace, person: Option<&str>, field: &str) -> Proof {
    let mut any = false;
    for (_, request) in trace.acted().filter(|(_, request)| person.is_none_or(|person| person == request.person)) {
        let answer = answer_to(request)?;
        let found = lines(&answer.fields, field);
        let shown = || trace.in_roles(&found.join(", "));
        ensure(found.is_empty(), || format!("the answer to {} {} carries {field}: {}", request.method, request.target, shown()))?;
        any = true;
    }
    ensure(any, || "nobody got an answer".to_owned())
}

/// The last answer to a person does not have this text in a field of this name.
pub fn has_not_in_field(trace: &Trace, person: &str, text: &str, field: &str) -> Proof {
    let (_, request, answer) = last_answer(trace, person)?;
    let found = lines(&answer.fields, field).into_iter().find(|line| line.contains(text));
    found.map_or(Ok(()), |line| Err(format!("the answer to {} carries {field}: {}", asked(request), trace.in_roles(&line))))
}

/// The last answer carries exactly these lines of each name, in this order; they may have been joined on the
/// way (RFC 9110 5.3).
pub fn carries(trace: &Trace, person: &str, expected: &[(String, String)]) -> Proof {
    let (_, _, answer) = last_answer(trace, person)?;
    for (name, _) in expected {
        let wanted: Vec<_> =
            expected.iter().filter(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone()).collect();
        let found = lines(&answer.fields, name);
        ensure(say_the_same(name, &wanted, &found), || format!("{name} is `{}`, not `{}`", found.join("` `"), wanted.join("` `")))?;
    }
    Ok(())
}

/// The last request of the exchange was refused by the router itself.
pub fn refused(trace: &Trace) -> Proof {
    let (_, request) = trace.last().ok_or("nobody sent anything")?;
    let answer = answer_to(request)?;
    ensure(matches!(answer.status, 502 | 503 | 504 | 508), || {
        format!("{} {} was answered with {}, which is no refusal (502, 503, 504 or 508)", request.method, request.target, answer.status)
    })
}

fn between<'a>(text: &'a str, begin: &str, end: &str) -> Option<&'a str> {
    text.split_once(begin)?.1.split_once(end).map(|(inner, _)| inner)
}

fn unescape(html: &str) -> String {
    html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
}
