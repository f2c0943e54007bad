//! Counts the figures of each request of a user in a trace.

use cell_fleet::{CellId, DatabaseAccess, Region, Stamp};

use super::figures::Figures;
use conformance_suite::trace::{Gate, Hop, Origin, Trace, UserRequest};

/// What one request of a user cost.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Counted {
    /// The index of the request in the trace.
    pub(super) user: usize,
    /// Its figures; of its body, only what the trace shows.
    pub(super) figures: Figures,
    /// Whether the router kept the body, where the trace shows it.
    pub(super) keeps: Option<bool>,
    /// How long its body is.
    pub(super) body: u64,
}

/// The schemas that all cells share, besides that of sessions.
const SHARED: [&str; 4] = ["gitlab_users", "gitlab_routes", "gitlab_admin", "gitlab_runners"];
/// The table of sessions, and the schema of a store that has nothing else.
const SESSIONS: &str = "sessions";

/// The requests of the When steps, in order, each with what it cost.
pub(super) fn count(trace: &Trace) -> Vec<Counted> {
    trace.acted().map(|(user, request)| counted(trace, user, request)).collect()
}

fn counted(trace: &Trace, user: usize, request: &UserRequest) -> Counted {
    let mut figures = Figures::default();
    let own = |hop: &&Hop| match hop.origin {
        Origin::User(of) | Origin::PreFlight(of, _) => of == user,
        Origin::Unsolicited => false,
    };
    for hop in trace.hops.iter().filter(own) {
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
    let (keeps, body) = (keeps(trace, user, request), request.body.length);
    if keeps == Some(true) {
        figures.kept_bytes = body as f64;
    }
    Counted { user, figures, keeps, body }
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
fn keeps(trace: &Trace, user: usize, request: &UserRequest) -> Option<bool> {
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
