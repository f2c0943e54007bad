//! What is counted of a flow, and how the figures of a request of a user are counted in a trace.

use cell_fleet::{CellId, DatabaseAccess, Region, Stamp};
use serde::{Deserialize, Serialize};

use conformance_suite::trace::{Gate, Hop, Origin, Trace, UserRequest};

/// The figures of one request, or of a flow.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Figures {
    pub requests: f64,
    pub preflights: f64,
    /// Requests and pre-flights at Cell US0, the first one and the latest deployment.
    pub at_us0: f64,
    /// Round trips between regions that the user waits for, one after the other.
    pub crossings: f64,
    /// Bytes of users' bodies that the router kept.
    pub kept_bytes: f64,
    /// Reads of shared databases in the region of the cell that reads.
    pub reads_home: f64,
    /// Reads of shared databases in another region.
    pub reads_abroad: f64,
    /// Writes to shared databases in the region of the cell that writes.
    pub writes_home: f64,
    /// Writes to shared databases in another region.
    pub writes_abroad: f64,
    /// Reads of sessions, wherever they are kept.
    pub session_reads: f64,
}

pub(crate) const NAMES: [&str; 10] = [
    "requests",
    "pre-flights",
    "at US0",
    "crossings",
    "bytes kept",
    "reads at home",
    "reads abroad",
    "writes at home",
    "writes abroad",
    "session reads",
];

impl Figures {
    pub fn values(&self) -> [f64; 10] {
        [
            self.requests,
            self.preflights,
            self.at_us0,
            self.crossings,
            self.kept_bytes,
            self.reads_home,
            self.reads_abroad,
            self.writes_home,
            self.writes_abroad,
            self.session_reads,
        ]
    }

    pub(crate) fn with(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            requests: join(self.requests, other.requests),
            preflights: join(self.preflights, other.preflights),
            at_us0: join(self.at_us0, other.at_us0),
            crossings: join(self.crossings, other.crossings),
            kept_bytes: join(self.kept_bytes, other.kept_bytes),
            reads_home: join(self.reads_home, other.reads_home),
            reads_abroad: join(self.reads_abroad, other.reads_abroad),
            writes_home: join(self.writes_home, other.writes_home),
            writes_abroad: join(self.writes_abroad, other.writes_abroad),
            session_reads: join(self.session_reads, other.session_reads),
        }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        self.with(other, |mine, theirs| mine + theirs)
    }

    pub(crate) fn times(self, factor: f64) -> Self {
        self.with(Self::default(), |mine, _| mine * factor)
    }

    pub(crate) fn sum(all: impl IntoIterator<Item = Self>) -> Self {
        all.into_iter().fold(Self::default(), Self::plus)
    }

    pub(crate) fn greatest(all: impl IntoIterator<Item = Self>) -> Self {
        all.into_iter().fold(Self::default(), |mine, theirs| mine.with(theirs, f64::max))
    }
}

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
