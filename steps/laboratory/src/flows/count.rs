//! Counts the figures of a request of a user in a trace.

use cell_fleet::{CellId, DatabaseAccess, Region, Stamp};

use super::figures::Figures;
use conformance_suite::trace::{Gate, Hop, Origin, Trace, UserRequest};

/// The schemas that all cells share, besides that of sessions.
const SHARED: [&str; 4] = ["gitlab_users", "gitlab_routes", "gitlab_admin", "gitlab_runners"];
/// The table of sessions, and the schema of a store that has nothing else.
const SESSIONS: &str = "sessions";

/// What a request of a user cost, but for its body.
pub(super) fn figures(trace: &Trace, user: usize, request: &UserRequest) -> Figures {
    let mut figures = Figures::default();
    for hop in hops(trace, user) {
        match hop.origin {
            Origin::PreFlight(..) => figures.preflights += 1.0,
            _ => figures.requests += 1.0,
        }
        figures.at_us0 += f64::from(u8::from(hop.node == CellId::us(0)));
        if matches!(&request.gate, Gate::Router(region) if region != hop.node.region()) {
            figures.crossings += 1.0;
        }
        for (_, access) in trace.databases.iter().filter(|(at, access)| within(hop, *at, access)) {
            add(&mut figures, access);
        }
    }
    figures
}

/// What reached cells because of a request of a user, pre-flights too.
pub(super) fn hops(trace: &Trace, user: usize) -> impl Iterator<Item = &Hop> {
    trace.hops.iter().filter(move |hop| match hop.origin {
        Origin::User(of) | Origin::PreFlight(of, _) => of == user,
        Origin::Unsolicited => false,
    })
}

/// Whether a cell made an access for a request: requests follow each other.
fn within(hop: &Hop, at: Stamp, access: &DatabaseAccess) -> bool {
    let responded = hop.response.as_ref().map(|(at, _)| *at);
    access.cell == hop.node && hop.at <= at && responded.is_none_or(|responded| at <= responded)
}

fn add(figures: &mut Figures, access: &DatabaseAccess) {
    let is_session = access.table == SESSIONS || access.schema == SESSIONS;
    let is_shared = SHARED.contains(&access.schema.as_ref());
    if !is_session && !is_shared {
        return;
    }
    // `primary us`, `replica eu`, `store eu`.
    let server: Option<Region> =
        access.server.rsplit(' ').next().and_then(|region| region.parse().ok());
    let is_home = server.as_ref() == Some(access.cell.region());
    if !is_home {
        figures.crossings += 1.0;
    }
    match (access.write, is_home) {
        (true, true) => figures.writes_home += 1.0,
        (true, false) => figures.writes_abroad += 1.0,
        // The row of a session in a shared database comes with that of its user.
        (false, true) if is_shared => figures.reads_home += 1.0,
        (false, false) if is_shared => figures.reads_abroad += 1.0,
        (false, _) => {}
    }
    if is_session && !access.write {
        figures.session_reads += 1.0;
    }
}

/// Whether the router kept the whole body: it sent it to a second cell, or it sent none of it before
/// it had all. Unknown where a body came in one piece and went to one cell.
pub(super) fn keeps(trace: &Trace, user: usize, request: &UserRequest) -> Option<bool> {
    let read: Vec<_> = trace.hops_of(user).filter(|hop| hop.begun.is_some()).collect();
    if request.body.length == 0 {
        return Some(false);
    }
    if read.len() > 1 {
        return Some(true);
    }
    let (begun, last_part) = (read.first()?.begun?, request.last_part?);
    Some(begun > last_part)
}
