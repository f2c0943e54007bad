//! The users' side of a scenario: what they sent and what they got.

use std::fmt;
use std::sync::{Mutex, MutexGuard};

use cell_fleet::{BodySeen, CellId, Field, Region, Stamp, Text};
use tokio::sync::Notify;

/// Marks one request of a user all the way to a cell (Z-31).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConformanceId(pub String);

/// What a user talks to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gate {
    /// The router of a region.
    Router(Region),
    /// A cell, without a router between; as the topology names it.
    Cell(CellId),
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Router(region) => write!(f, "router_{region}"),
            Self::Cell(cell) => write!(f, "{cell}"),
        }
    }
}

/// Where in a scenario something happened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// Before the exchange: visits among the Given steps.
    Setup,
    /// In the When step with this number, counted from 0.
    Step(usize),
}

/// One request of a user.
#[derive(Clone, Debug)]
pub struct UserRequest {
    /// The mark that it carries.
    pub id: ConformanceId,
    /// Who sent it.
    pub person: String,
    /// To whom.
    pub gate: Gate,
    /// When in the scenario.
    pub phase: Phase,
    /// The method.
    pub method: String,
    /// The request target, byte for byte.
    pub target: Text,
    /// The fields that the suite set on it; where it was written by hand, without those that are
    /// about one connection.
    pub fields: Vec<Field>,
    /// Its body.
    pub body: BodySeen,
    /// Taken just before the request left.
    pub sent: Stamp,
    /// Taken just before the last part of its body left, where the body was sent in parts.
    pub last_part: Option<Stamp>,
    /// Where a text was sent as it stands (W1): all bytes of its connection, on the first request
    /// of that connection, and nothing on the others.
    pub raw: Option<Text>,
    /// Taken when the first bytes of the response's body had come.
    pub first_bytes: Option<Stamp>,
    /// How long it took from just before the request left to the response's end, in milliseconds,
    /// by a clock that only goes forward; the patience, where it was lost.
    pub elapsed_ms: Option<u64>,
    /// Body bytes that were taken from the user while the cell read nothing, where a step waited
    /// for that to stand still.
    pub taken: Option<u64>,
    /// Body bytes that the cells had sent while the user read nothing, where a step waited for that
    /// to stand still.
    pub seen_flow: Option<u64>,
    /// WebSocket messages that the user got, in order; a cell says its seat in them
    /// ([`Trace::in_roles`](super::Trace::in_roles)).
    pub heard: Vec<String>,
    /// Interim responses (1xx) that came before the response, in order.
    pub interim: Vec<u16>,
    /// What came of it; nothing while it is under way.
    pub response: Option<UserResponse>,
}

/// A request of nobody, for tests and for requests of which only some parts are known.
impl Default for UserRequest {
    fn default() -> Self {
        Self {
            id: ConformanceId(String::new()),
            person: String::new(),
            gate: Gate::Router(Region::eu()),
            phase: Phase::Setup,
            method: "GET".to_owned(),
            target: Text::default(),
            fields: Vec::new(),
            body: BodySeen::of(&bytes::Bytes::new()),
            sent: Stamp { sequence: 0, at: std::time::Duration::ZERO },
            last_part: None,
            raw: None,
            first_bytes: None,
            elapsed_ms: None,
            taken: None,
            seen_flow: None,
            heard: Vec::new(),
            interim: Vec::new(),
            response: None,
        }
    }
}

impl UserRequest {
    /// The target up to its query.
    pub fn path(&self) -> &[u8] {
        path_of(self.target.as_bytes())
    }
}

/// A request target up to its query.
pub(crate) fn path_of(target: &[u8]) -> &[u8] {
    target.split(|byte| *byte == b'?').next().unwrap_or_default()
}

/// How a request of a user ended.
#[derive(Clone, Debug)]
pub struct UserResponse {
    /// Taken when the response had been read to its end.
    pub at: Stamp,
    /// The response, or why there was none.
    pub got: Result<ReceivedResponse, String>,
}

/// A response as a user got it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReceivedResponse {
    /// The status code.
    pub status: u16,
    /// All field lines; names in lower case.
    pub fields: Vec<Field>,
    /// The body.
    pub body: BodySeen,
}

/// The growing record of all users of a scenario. It stands outside the world of the steps, so that
/// it outlives a step that was cut off.
#[derive(Debug, Default)]
pub struct Recorder {
    requests: Mutex<Vec<UserRequest>>,
    changed: Notify,
}

impl Recorder {
    /// Enters a request that is about to leave; responses with its place in the record.
    pub fn sent(&self, request: UserRequest) -> usize {
        let mut requests = self.lock();
        requests.push(request);
        requests.len() - 1
    }

    /// Enters what has become known of the request at this place.
    pub fn note(&self, place: usize, enter: impl FnOnce(&mut UserRequest)) {
        if let Some(request) = self.lock().get_mut(place) {
            enter(request);
        }
        self.changed.notify_waiters();
    }

    /// Waits until the record is such. The caller bounds the wait.
    pub async fn wait_until(&self, mut holds: impl FnMut(&[UserRequest]) -> bool) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // Registered before the look, so that a note in between is not missed.
            changed.as_mut().enable();
            if holds(&self.lock()) {
                return;
            }
            changed.await;
        }
    }

    /// All requests so far.
    pub fn requests(&self) -> Vec<UserRequest> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<UserRequest>> {
        self.requests.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
