//! What the user received of a cell's response.

use cell_fleet::{Field, ResponseSeen, wire};

use super::{cookies, set_cookies};
use crate::judge::model::exchange::{Case, Say};
use crate::judge::says_of_cells;
use crate::trace::field_lines::lines;
use crate::trace::{ReceivedResponse, Trace, passed_on};

/// The user receives the cell's response unchanged (RT-08, UN-08), and one that broke off does not
/// look complete (Z-41).
pub(in crate::judge::model) fn unchanged(
    trace: &Trace,
    case: &Case<'_>,
    (answer, whole): (&ResponseSeen, bool),
    got: &ReceivedResponse,
    say: Say<'_>,
) {
    let changes = trace.differences(answer, got);
    if whole && !changes.is_empty() {
        // A cell sends visitors to sign-in where others get its 404 (decision A-81).
        let is_unknown = [answer.status, got.status].contains(&404) && case.is_nobodys();
        let requirement = if is_unknown { "UN-08" } else { "RT-08" };
        say(requirement, format!("the response was changed: {}", changes.join("; ")));
    }
    if !whole && passed_on::differences(answer, got).is_empty() {
        say("Z-41", "a response that broke off looks complete to the user".to_owned());
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
