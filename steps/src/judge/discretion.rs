//! Checks of what responses reveal: names and addresses of cells, and differences between two
//! responses.

use std::collections::BTreeSet;

use cell_fleet::{Field, wire};

use super::responses::asked;
use super::trust::split_authority;
use super::{Judgment, Proof, Wrong, ensure};
use crate::trace::field_lines::lines;
use crate::trace::{ReceivedResponse, Trace, UserRequest};

/// The last response has neither the name nor the address of a cell, in any spelling. Without a
/// response there is nothing to judge: other requirements ask for one.
pub fn names_no_cell(trace: &Trace) -> Proof {
    let (index, request) = trace.last()?;
    request
        .received()
        .map_or(Ok(()), |response| says_nothing_of_cells(trace, index, request, response))
}

/// No response of the exchange has the name or address of a cell, except under `/admin`.
pub fn no_page_names_a_cell(trace: &Trace) -> Judgment {
    trace.last()?;
    let mut missing = None;
    for (index, request) in trace.acted() {
        match request.received() {
            _ if request.path().starts_with(b"/admin") => {}
            Ok(response) => says_nothing_of_cells(trace, index, request, response)?,
            Err(why) => drop(missing.get_or_insert(why)),
        }
    }
    missing.map_or(Ok(()), |why| Err(Wrong::no_response(why)))
}

/// Judges the body, and the fields that a router added or changed. Other requirements cover what a
/// cell wrote, and the two fields between cells and routers.
fn says_nothing_of_cells(
    trace: &Trace,
    index: usize,
    request: &UserRequest,
    response: &ReceivedResponse,
) -> Proof {
    let sent = trace.final_hop(index).and_then(|hop| hop.response.as_ref());
    let is_added = |field: &&Field| {
        let (name, value) = (field.name.to_string(), field.value.to_string());
        let is_between = field.is(wire::CELL_CACHE) || field.is(wire::CELL_REDIRECT);
        !is_between && !sent.is_some_and(|(_, sent)| lines(&sent.fields, &name).contains(&value))
    };
    let judged = response.fields.iter().filter(is_added);
    says_of_cells(trace, request, judged, &response.body.text())?.map_or(Ok(()), Err)
}

/// Where fields and a text of a response have the name or address of a cell.
///
/// # Errors
///
/// Where the trace cannot say which cells there are.
pub(crate) fn says_of_cells<'f>(
    trace: &Trace,
    request: &UserRequest,
    fields: impl Iterator<Item = &'f Field>,
    text: &str,
) -> Result<Option<String>, String> {
    let asked = asked(request);
    let lines = fields.map(|field| format!("{}: {}", field.name, field.value));
    for text in lines.chain([text.to_owned()]) {
        if let Some(found) = trace.cell_named_in(&text, &asked)? {
            let around = around(&text, &found);
            return Ok(Some(format!("the response to {asked} names {found} in `{around}`")));
        }
    }
    Ok(None)
}

/// No field of the last response to a person that a cell wrote has an address at which a cell can be
/// reached. RT-12 alone is about what a router adds.
pub fn names_no_address(trace: &Trace, person: &str) -> Judgment {
    let (index, request, response) =
        super::last_response(trace, person).map_err(Wrong::no_response)?;
    let addresses = addresses(trace, index);
    let written = trace.final_hop(index).and_then(|hop| hop.response.as_ref());
    let is_written = |field: &&Field| {
        let mut fields = written.iter().flat_map(|(_, written)| &written.fields);
        fields.any(|written| written.is(&field.name.to_string()))
    };
    for Field { name, value } in response.fields.iter().filter(is_written) {
        let text = value.to_string();
        if let Some(address) = addresses.iter().find(|address| text.contains(address.as_str())) {
            let asked = asked(request);
            return Err(format!("the response to {asked} has {address} in {name}: {value}").into());
        }
    }
    Ok(())
}

/// Addresses of cells: those of the whole fleet, those that requests at cells name as their host,
/// and those to which cells redirected.
pub(crate) fn addresses(trace: &Trace, user: usize) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for hop in trace.hops_of(user) {
        found.extend(lines(&hop.request.fields, "Host"));
        let response = hop.response.as_ref();
        let locations = response.map(|(_, response)| lines(&response.fields, "Location"));
        found.extend(locations.into_iter().flatten().filter_map(|location| {
            split_authority(&location).map(|(authority, _)| authority.to_owned())
        }));
    }
    // A host name does not lead to a cell; an address with a port does.
    found.retain(|authority| authority.parse::<std::net::SocketAddr>().is_ok());
    found.extend(trace.cell_addresses());
    found
}

/// The last two responses of the exchange are the same but for `Date`, and for the request's own
/// target where a field repeats it: a sign-in page leads back to what the visitor asked for.
pub fn last_two_alike(trace: &Trace) -> Proof {
    let acted: Vec<_> = trace.acted().map(|(_, request)| request).collect();
    let [.., first, second] = acted.as_slice() else {
        return Err("fewer than two requests were sent".to_owned());
    };
    let (one, other) = (first.received()?, second.received()?);
    ensure(one.status == other.status, || {
        format!("the statuses are {} and {}", one.status, other.status)
    })?;
    let heads = |request: &UserRequest, response: &ReceivedResponse| {
        let target = request.target.to_string();
        let without_it = |value: String| match target.as_str() {
            "/" => value,
            target => value.replace(target, "{target}"),
        };
        let mut fields: Vec<_> = response
            .fields
            .iter()
            .filter(|field| !field.is("Date"))
            .map(|field| format!("{}: {}", field.name, without_it(field.value.to_string())))
            .collect();
        fields.sort();
        fields
    };
    let (left, right) = (heads(first, one), heads(second, other));
    ensure(left == right, || {
        format!("the fields are `{}` and `{}`", left.join("`, `"), right.join("`, `"))
    })?;
    ensure(one.body.digest == other.body.digest, || "the bodies differ".to_owned())
}

/// The line of a text in which a word was found, cut short.
fn around(text: &str, word: &str) -> String {
    let word = word.to_ascii_lowercase();
    let line =
        text.lines().find(|line| line.to_ascii_lowercase().contains(&word)).unwrap_or_default();
    line.trim().chars().take(120).collect()
}

#[cfg(test)]
mod tests {
    use cell_fleet::CellId;

    use super::*;
    use crate::judge::Rests;
    use crate::trace::made::{Made, fields};

    /// A fleet in which one cell got a request and two got none.
    fn fleet(made: &mut Made) -> usize {
        made.installs([CellId::us(0), CellId::us(1), CellId::eu(0)]);
        let user = made.sends("anna", "/a");
        made.reaches(user, "cell_eu0");
        user
    }

    #[test]
    fn a_cell_that_was_never_asked_must_not_be_named_either() {
        let judged = |body: &str, named: &str| {
            let mut made = Made::default();
            let user = fleet(&mut made);
            made.gets(user, Ok((502, body)));
            assert_eq!(
                names_no_cell(&made.trace).is_err(),
                no_page_names_a_cell(&made.trace).is_err()
            );
            names_no_cell(&made.trace).map_err(|why| assert!(why.contains(named), "{why}"))
        };
        assert!(judged("502 Bad Gateway: no connection, says 127.1.2.3:21001", "").is_ok());
        assert!(
            judged("first line\nCell US1 (cell_us1) at 127.1.2.3:22001", "in `Cell US1 (cell_us1)")
                .is_err()
        );
        assert!(
            judged("not even cellus1", "cellus1").is_err()
                && judged("http://127.1.2.3:22001/", "127.1.2.3:22001").is_err()
        );
    }

    #[test]
    fn a_response_that_did_not_come_does_not_hide_what_another_one_has() {
        let mut made = Made::default();
        fleet(&mut made);
        made.gets(0, Err(crate::trace::made::TIMED_OUT));
        let carries = |made: &Made| super::super::no_response_carries(&made.trace, "X-Page");
        let both = |made: &Made| [carries(made), no_page_names_a_cell(&made.trace)];
        let rests = |judged: Judgment| judged.unwrap_err().rests;
        assert_eq!(both(&made).map(rests), [Rests::OnNoResponse; 2]);
        assert!(names_no_cell(&made.trace).is_ok());
        let user = made.sends("anna", "/b");
        made.gets_fields(user, 200, &[("X-Page", "cell_us1")], "");
        assert_eq!(both(&made).map(rests), [Rests::OnTheScenario; 2]);
    }

    #[test]
    fn a_field_that_a_cell_wrote_is_not_the_routers() {
        let written = |value: &str| {
            let mut made = Made::default();
            let user = fleet(&mut made);
            made.responses(0, 200, &[("Link", "<http://127.1.2.3:22002/a>")], "");
            made.gets_fields(user, 200, &[("Link", value)], "");
            no_page_names_a_cell(&made.trace)
        };
        assert!(written("<http://127.1.2.3:22002/a>").is_ok());
        assert!(written("<http://127.1.2.3:22002/b>").is_err());
    }

    #[test]
    fn an_address_of_a_cell_is_found_in_any_field() {
        let judged = |lines: &[(&str, &str)]| {
            let mut made = Made::default();
            let user = fleet(&mut made);
            made.trace.hops[0].request.fields = fields(&[("host", "10.0.0.9:80")]);
            let sent = [("Location", "http://10.0.0.8:81/there"), ("X-Any", "1"), ("Via", "1.1 a")];
            made.responses(0, 302, &sent, "");
            made.gets_fields(user, 302, lines, "");
            names_no_address(&made.trace, "anna").is_ok()
        };
        assert!(judged(&[
            ("location", "/there"),
            ("x-version", "127.0"),
            ("via", "1.1 gitlab.test:21001, 1.1 127.1.2.3:21001")
        ]));
        for wrong in [
            "http://10.0.0.8:81/there",
            "10.0.0.9:80",
            "asked 127.1.2.3:22001.",
            "http://127.1.2.3:22000",
        ] {
            assert!(!judged(&[("x-any", wrong)]), "{wrong}");
            assert!(judged(&[("x-added", wrong)]), "{wrong}");
        }
    }
}
