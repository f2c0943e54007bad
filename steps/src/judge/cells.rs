//! Checks of what reached cells.

use cell_fleet::{CellId, wire};

use super::responses::asked;
use super::{Proof, ensure, nothing_of_the_bytes_arrived};
use crate::action::CellGroup;
use crate::trace::field_lines::lines;
use crate::trace::{Gate, Hop, Origin, ReceivedResponse, Trace};

pub fn responded_last(trace: &Trace, cell: &CellId) -> Proof {
    let (index, request) = trace.last()?;
    let hop =
        trace.final_hop(index).ok_or_else(|| format!("{} reached no cell", asked(request)))?;
    ensure(hop.cell == *cell, || {
        format!("{} responded to {} {}, not {cell}", hop.cell, request.method, request.target)
    })
}

/// Nothing but pre-flights reached these cells. LN-17 alone says which cell a pre-flight goes to.
pub fn nothing_reached(trace: &Trace, group: &CellGroup) -> Proof {
    let is_question = |hop: &Hop| matches!(hop.origin, Origin::PreFlight(..));
    let found = trace.acted_hops().find(|hop| group.has(&hop.cell) && !is_question(hop));
    found.map_or(Ok(()), |hop| Err(format!("{} reached {}", shown(hop), hop.cell)))
}

/// Each request of the exchange, or only the last, reached exactly one cell. Pre-flights do not
/// count.
pub fn reached_exactly_one(trace: &Trace, last_only: bool) -> Proof {
    let last = trace.last()?.0;
    for (index, request) in trace.acted().filter(|(index, _)| !last_only || *index == last) {
        let cells: Vec<_> = trace.hops_of(index).map(|hop| hop.cell.to_string()).collect();
        ensure(cells.len() == 1, || {
            format!("{} reached cells {} times ({})", asked(request), cells.len(), cells.join(", "))
        })?;
    }
    no_unsolicited(trace)
}

/// The last request reached cells exactly this many times, or at most.
pub fn reached(trace: &Trace, exactly: bool, times: usize) -> Proof {
    let (index, request) = trace.last()?;
    let count = trace.hops_of(index).count();
    ensure(count == times || (count < times && !exactly), || {
        let not = if exactly { "not" } else { "more than" };
        format!("{} reached cells {count} times, {not} {times}", asked(request))
    })
}

pub(super) fn no_unsolicited(trace: &Trace) -> Proof {
    let found = trace.acted_hops().find(|hop| hop.origin == Origin::Unsolicited);
    found.map_or(Ok(()), |hop| Err(format!("{} reached {} unsolicited", shown(hop), hop.cell)))
}

/// The exchange has this many pre-flights, or at least one; with a path, only those about it count.
pub fn preflights(trace: &Trace, about: Option<&str>, expected: Option<usize>) -> Proof {
    let found: Vec<_> = trace
        .preflights()
        .filter(|(_, asked)| {
            about.is_none_or(|path| asked.path_info.as_deref() == Some(path.as_bytes()))
        })
        .map(|(hop, _)| shown(hop))
        .collect();
    match expected {
        None => ensure(!found.is_empty(), || "there was no pre-flight".to_owned()),
        Some(expected) => ensure(found.len() == expected, || {
            format!("{} pre-flights instead of {expected}: {}", found.len(), found.join(", "))
        }),
    }
}

/// The exchange has one pre-flight: a GET of the configured learn path with this path and method,
/// and no further parameter.
pub fn preflight_asked(trace: &Trace, path: &str, method: &str) -> Proof {
    let all: Vec<_> = trace.preflights().collect();
    let [(hop, asked)] = all.as_slice() else {
        return Err(format!("{} pre-flights instead of one", all.len()));
    };
    let (came, path_of_learning) = (hop.request.method.to_string(), trace.learn_path.as_ref());
    let methods = (came.as_str(), "GET");
    asked.mismatch(methods, path_of_learning, method, path).map_or(Ok(()), Err)
}

pub fn preflights_without_body(trace: &Trace) -> Proof {
    each_preflight(trace, |hop| {
        let length = hop.read.as_ref().map_or(0, |(_, body)| body.length);
        (length > 0 || hop.begun.is_some()).then(|| format!("a body of {length} bytes"))
    })
}

/// The field of a request with which a user proves who they are.
pub(crate) fn credential(hop: &Hop) -> Option<&'static str> {
    const CREDENTIALS: [&str; 4] = ["Cookie", "Authorization", "Private-Token", "Job-Token"];
    CREDENTIALS.into_iter().find(|name| hop.request.fields.iter().any(|field| field.is(name)))
}

/// No pre-flight carried a cookie or credentials.
pub fn preflights_without_credentials(trace: &Trace) -> Proof {
    each_preflight(trace, |hop| credential(hop).map(str::to_owned))
}

fn each_preflight(trace: &Trace, complaint: impl Fn(&Hop) -> Option<String>) -> Proof {
    let mut any = false;
    for (hop, _) in trace.preflights() {
        any = true;
        if let Some(found) = complaint(hop) {
            return Err(format!("{} carried {found}", shown(hop)));
        }
    }
    ensure(any, || "there was no pre-flight".to_owned())
}

/// The target of the last request reached this cell, byte for byte. Or the router refused it (4xx),
/// or redirected it to a valid target (RFC 9112 3.2), where it may.
pub fn target_reached(trace: &Trace, target: &str, cell: &CellId, may_refuse: bool) -> Proof {
    let (index, request) = trace.last()?;
    let refused = request.received().is_ok_and(|response| (300..500).contains(&response.status));
    if may_refuse && refused && nothing_of_the_bytes_arrived(trace).is_ok() {
        return Ok(());
    }
    let hop = trace
        .hops_of(index)
        .find(|hop| hop.cell == *cell)
        .ok_or_else(|| format!("the request never reached {cell}"))?;
    ensure(hop.request.target == target, || {
        format!("{} received the target {}", hop.cell, hop.request.target)
    })
}

/// A cell began to read the last request's body before its user sent the last part.
pub fn streamed(trace: &Trace) -> Proof {
    let (index, user) = trace.last()?;
    let sent = user.last_part.ok_or("the body was not sent in parts")?;
    let begun = trace.hops_of(index).find_map(|hop| hop.begun);
    ensure(begun.is_some_and(|begun| begun < sent), || {
        "no cell began to read before the last part was sent".to_owned()
    })
}

pub fn belongs_to(trace: &Trace, path: &str, cell: &CellId) -> Proof {
    let owner = trace.owners.iter().find(|(known, _)| known == path).map(|(_, owner)| owner);
    ensure(owner == Some(cell), || {
        format!("{path} belongs to {}", owner.map_or("no cell".to_owned(), ToString::to_string))
    })
}

/// All cells that were asked directly in the last step gave the same response.
pub fn same_responses(trace: &Trace) -> Proof {
    let responses = responses_of_last_step(trace)?;
    let same = responses.windows(2).all(|pair| {
        pair[0].1.status == pair[1].1.status && pair[0].1.body.digest == pair[1].1.body.digest
    });
    ensure(same, || {
        let shown: Vec<_> = responses
            .iter()
            .map(|(gate, response)| format!("{gate}: {} {}", response.status, response.body.text()))
            .collect();
        shown.join("; ")
    })
}

/// All cells that were asked directly in the last step name this cell as the owner. In buffering,
/// the owner serves the path itself.
pub fn all_point_to(trace: &Trace, cell: &CellId) -> Proof {
    for (gate, response) in responses_of_last_step(trace)? {
        let redirect = lines(&response.fields, wire::CELL_REDIRECT).into_iter().next();
        let learned = serde_json::from_slice::<serde_json::Value>(&response.body.beginning).ok();
        let pointed = match (
            &redirect,
            learned.as_ref().and_then(|learned| learned[wire::CELL_MEMBER].as_str()),
        ) {
            (Some(redirect), _) => *redirect == wire::redirect_value(&cell.name()),
            (None, Some(named)) => named == cell.id(),
            (None, None) => gate == Gate::Cell(cell.clone()) && response.status == 200,
        };
        ensure(pointed, || {
            format!(
                "{gate} responded {} {}",
                response.status,
                redirect.unwrap_or_else(|| response.body.text().chars().take(80).collect())
            )
        })?;
    }
    Ok(())
}

fn responses_of_last_step(trace: &Trace) -> Result<Vec<(Gate, ReceivedResponse)>, String> {
    let (_, of_step) = trace.last_step()?;
    of_step
        .into_iter()
        .map(|(_, request)| Ok((request.gate.clone(), request.received()?.clone())))
        .collect()
}

/// Every router of the scenario became ready, ended in time after SIGTERM, and freed its address.
pub fn routers_well_behaved(trace: &Trace) -> Proof {
    ensure(!trace.routers.is_empty(), || "the scenario has no router".to_owned())?;
    for router in &trace.routers {
        ensure(router.ready, || format!("{} did not become ready", router.name))?;
        ensure(router.stopped, || {
            format!("{} did not end after SIGTERM and was killed", router.name)
        })?;
        ensure(router.address_freed, || {
            format!("{} ended, but something still accepts connections on its address", router.name)
        })?;
    }
    Ok(())
}

pub(super) fn shown(hop: &Hop) -> String {
    format!("{} {}", hop.request.method, hop.request.target)
}
