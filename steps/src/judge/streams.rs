//! Checks of streamed bodies, and of connections that stay open.

use cell_fleet::CellId;

use super::responses::asked;
use super::{Proof, ensure};
use crate::trace::{Trace, UserRequest};

/// The first bytes of a person's last response arrived before its cell sent the rest, if it did.
pub fn first_bytes_before_rest(trace: &Trace, person: &str) -> Proof {
    let (index, request) = trace.last_of(person)?;
    let first = request.first_bytes.ok_or_else(|| {
        format!("no bytes of the response to {} reached {person}", asked(request))
    })?;
    let rest = trace.hops_of(index).find_map(|hop| hop.rest);
    ensure(rest.is_none_or(|rest| first < rest), || {
        format!(
            "nothing of the response to {} reached {person} before the cell had sent the rest",
            asked(request)
        )
    })
}

/// The cells had sent at most this many bytes when the transfer stalled because a person read
/// nothing.
pub fn sent_at_most(trace: &Trace, person: &str, limit: u64) -> Proof {
    let (_, request) = trace.last_of(person)?;
    let sent = request.seen_flow.ok_or_else(|| format!("{person} never stopped reading"))?;
    ensure(sent <= limit, || {
        format!("the cells could send {sent} bytes while {person} read nothing, more than {limit}")
    })
}

/// The router took at most this many bytes of the last upload while its cell read nothing.
pub fn took_at_most(trace: &Trace, limit: u64) -> Proof {
    let (_, request) = trace.last()?;
    let taken =
        request.taken.ok_or("the last request was not an upload that a cell left unread")?;
    ensure(taken <= limit, || {
        format!(
            "{taken} bytes were taken from {} while the cell read nothing, more than {limit}",
            request.person
        )
    })
}

/// The connection that a person opened last leads to this cell, which switched protocols.
pub fn was_connected_to(trace: &Trace, person: &str, cell: &CellId) -> Proof {
    let switched =
        |request: &UserRequest| request.received().is_ok_and(|response| response.status == 101);
    let theirs = || trace.acted_by(person);
    let Some((index, request)) = theirs().filter(|(_, request)| switched(request)).last() else {
        let (_, request) = trace.last_of(person)?;
        let response = request.received()?;
        return Err(format!("{} received {}, not 101", asked(request), response.status));
    };
    let hop =
        trace.final_hop(index).ok_or_else(|| format!("{} reached no cell", asked(request)))?;
    ensure(hop.cell == *cell, || {
        format!("{} was connected to {}, not to {cell}", asked(request), hop.cell)
    })?;
    let status = hop.response.as_ref().map(|(_, response)| response.status);
    ensure(status == Some(101), || {
        format!("{cell} did not switch protocols for {}", asked(request))
    })
}

/// A person heard a message, in which cells are named as the documents name them.
pub fn received_message(trace: &Trace, person: &str, message: &str) -> Proof {
    let theirs = trace.acted_by(person);
    let heard: Vec<_> =
        theirs.flat_map(|(_, request)| &request.heard).map(|heard| trace.in_roles(heard)).collect();
    ensure(heard.iter().any(|heard| heard == message), || match heard.as_slice() {
        [] => format!("{person} heard nothing"),
        heard => format!("{person} heard `{}`, not `{message}`", heard.join("` and `")),
    })
}

/// A person received an interim response with this status before the last response.
pub fn got_before_response(trace: &Trace, person: &str, interim: u64) -> Proof {
    let (_, request) = trace.last_of(person)?;
    let response = request.received()?;
    ensure(request.interim.iter().any(|it| u64::from(*it) == interim), || {
        let seen: Vec<_> = request.interim.iter().map(ToString::to_string).collect();
        let seen = if seen.is_empty() { "nothing".to_owned() } else { seen.join(", ") };
        format!("before the {} to {} came {seen}, not {interim}", response.status, asked(request))
    })
}

pub fn got_nothing_before_response(trace: &Trace, person: &str) -> Proof {
    let (_, request) = trace.last_of(person)?;
    let seen = request.interim.first();
    seen.map_or(Ok(()), |status| Err(format!("{} received {status} first", asked(request))))
}
