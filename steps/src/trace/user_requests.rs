//! The record of the users: what they send and receive.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cell_fleet::{BodySeen, CellId, Field, Region, Stamp, Text};
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use super::milliseconds;

/// The method of an entry that stands for a response to no request.
pub(crate) const NEVER_SENT: &str = "UNSOLICITED";

/// The id of a user's request, which a field carries to the cell (Z-31).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConformanceId(pub String);

/// What a user sends requests to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// The router of a region.
    Router(Region),
    /// A cell, without a router between them; as the topology names it.
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

/// The phase of a scenario in which something happened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Before the first When step: visits of Given steps.
    Setup,
    /// In the When step with this index, counted from 0.
    Step(usize),
}

impl Phase {
    /// The When step, counted from 0; none before the first.
    pub(crate) fn step(self) -> Option<usize> {
        match self {
            Self::Setup => None,
            Self::Step(step) => Some(step),
        }
    }
}

/// One request of a user.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct UserRequest {
    /// Its id.
    pub id: ConformanceId,
    /// Who sent it.
    pub person: String,
    /// What it was sent to.
    pub gate: Gate,
    /// The phase in which it was sent.
    pub phase: Phase,
    /// The method.
    pub method: String,
    /// The request target, byte for byte.
    pub target: Text,
    /// The fields that the suite set; of raw bytes, only those that are end to end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
    /// Its body.
    #[serde(skip_serializing_if = "BodySeen::is_empty")]
    pub body: BodySeen,
    /// Just before it was sent.
    pub sent: Stamp,
    /// Just before the last part of its body was sent, where the body was sent in parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_part: Option<Stamp>,
    /// Of raw bytes: all bytes of the connection on its first request, and no bytes on the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<Text>,
    /// When the first bytes of the response's body had come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_bytes: Option<Stamp>,
    /// The time from just before the request was sent to the end of the response, in milliseconds
    /// by a monotonic clock; the idle timeout where that ended the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u64>,
    /// Body bytes that were taken from the user before the upload stalled, where the cell read
    /// nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<u64>,
    /// Body bytes that the cells had sent before the response stalled, where the user read
    /// nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen_flow: Option<u64>,
    /// WebSocket messages that the user received, in order; of raw bytes, all that came behind a
    /// change of protocol. A cell names its node in them
    /// ([`Trace::in_roles`](super::Trace::in_roles) gives the role).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub heard: Vec<String>,
    /// Interim responses (1xx) that came before the response, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub interim: Vec<u16>,
    /// How it ended; none while it is in flight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<UserResponse>,
}

/// A request without content, for callers that set only some of its parts.
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
            body: BodySeen::default(),
            sent: Stamp { sequence: 0, at: Duration::ZERO },
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
    /// Whether this stands for a response to no request, which came behind those to all.
    pub(crate) fn was_never_sent(&self) -> bool {
        self.method == NEVER_SENT
    }

    /// The response, if a whole one came.
    pub fn got(&self) -> Option<&ReceivedResponse> {
        self.response.as_ref()?.got.as_ref().ok()
    }

    /// Why no whole response came; none while the request is in flight.
    pub(crate) fn no_response(&self) -> Option<&NoResponse> {
        self.response.as_ref()?.got.as_ref().err()
    }

    /// The response.
    pub(crate) fn received(&self) -> Result<&ReceivedResponse, String> {
        self.got().ok_or_else(|| {
            let why = self.no_response().map_or_else(String::new, |why| format!(": {why}"));
            format!("{} has no response to {} {}{why}", self.person, self.method, self.target)
        })
    }

    /// Whether the router neither gave a response nor closed the connection.
    pub(crate) fn hung(&self) -> bool {
        self.response.is_none() || matches!(self.no_response(), Some(NoResponse::TimedOut(_)))
    }

    /// Whether it was sent to a router.
    pub(crate) fn is_routed(&self) -> bool {
        matches!(self.gate, Gate::Router(_))
    }

    /// The target up to its query.
    pub fn path(&self) -> &[u8] {
        path_of(self.target.as_bytes())
    }

    /// Whether a router may see another path in the target: RFC 3986 6.2.2 (decision A-18).
    pub(crate) fn is_odd(&self) -> bool {
        let path = String::from_utf8_lossy(self.path());
        !path.starts_with('/')
            || ["%", "//", "/./", "/../"].iter().any(|piece| path.contains(piece))
            || path.ends_with("/.")
            || path.ends_with("/..")
    }
}

/// A request target up to its query.
pub(crate) fn path_of(target: &[u8]) -> &[u8] {
    target.split(|byte| *byte == b'?').next().unwrap_or_default()
}

/// How a request of a user ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UserResponse {
    /// When the response had been read to its end.
    pub at: Stamp,
    /// The response, or why there is none.
    pub got: Result<ReceivedResponse, NoResponse>,
}

/// Why a user has no whole response.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NoResponse {
    /// The suite gave up waiting: within this many milliseconds, the router neither responded nor
    /// closed the connection.
    #[error("no response within {:?}", Duration::from_millis(*.0))]
    TimedOut(u64),
    /// The connection ended before a byte of a response came.
    #[error("{0} without a response")]
    Unanswered(ConnectionEnd),
    /// The response began, and did not come to its end.
    #[error("{0}")]
    BrokeOff(String),
    /// What came is no HTTP.
    #[error("bytes came that are no HTTP response: {why}{again}")]
    NoHttp {
        /// Why, in the words of the library that could not read it.
        why: String,
        /// What came when the request was sent once more, in lines of their own.
        again: String,
    },
    /// The suite had no file left for the connection, which is no fault of the router.
    #[error("{0}")]
    NoFile(String),
    /// Anything else, such as a connection that was refused.
    #[error("{0}")]
    Failed(String),
}

impl NoResponse {
    /// No response within this limit.
    pub(crate) fn timed_out(limit: Duration) -> Self {
        Self::TimedOut(milliseconds(limit))
    }

    /// A response with this status that did not come to its end.
    pub(crate) fn broke_off(status: u16, why: impl fmt::Display) -> Self {
        Self::BrokeOff(format!("the response {status} broke off: {why}"))
    }
}

/// How a connection of a user ended.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ConnectionEnd {
    /// The other side closed it, which may mark the end of a body.
    #[error("the connection was closed")]
    Closed,
    /// The other side reset it.
    #[error("the connection was reset")]
    Reset,
    /// Another error of the system.
    #[error("the connection failed ({0})")]
    Failed(String),
}

/// A response as a user received it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReceivedResponse {
    /// The status code.
    pub status: u16,
    /// All field lines; names in lower case.
    pub fields: Vec<Field>,
    /// The body.
    #[serde(default, skip_serializing_if = "BodySeen::is_empty")]
    pub body: BodySeen,
}

/// The growing record of all users of a scenario, shared by the requests in flight.
#[derive(Debug, Default)]
pub struct Recorder {
    requests: Mutex<Vec<UserRequest>>,
    /// The shortest limit that ended a wait of the suite.
    waited: Mutex<Option<Duration>>,
    changed: Notify,
}

impl Recorder {
    /// Adds a request that is about to be sent, and returns its index in the record.
    pub fn sent(&self, request: UserRequest) -> usize {
        let mut requests = self.lock();
        requests.push(request);
        requests.len() - 1
    }

    /// Changes the entry of the request with this index.
    pub fn note(&self, index: usize, enter: impl FnOnce(&mut UserRequest)) {
        if let Some(request) = self.lock().get_mut(index) {
            enter(request);
        }
        self.changed.notify_waiters();
    }

    /// Waits until a condition holds for the record. The caller bounds the wait.
    pub async fn wait_until(&self, mut holds: impl FnMut(&[UserRequest]) -> bool) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // Registered before the check, so that no change in between is missed.
            changed.as_mut().enable();
            if holds(&self.lock()) {
                return;
            }
            changed.await;
        }
    }

    /// A wait for the router was ended by this limit: what it was for did not come.
    pub fn waited(&self, limit: Duration) {
        let mut waited = self.waited.lock().unwrap_or_else(PoisonError::into_inner);
        *waited = Some(waited.map_or(limit, |shortest| shortest.min(limit)));
    }

    /// The shortest limit that ended a wait so far; `None` if all that was waited for came.
    pub fn shortest_wait(&self) -> Option<Duration> {
        *self.waited.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All requests so far.
    pub fn requests(&self) -> Vec<UserRequest> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<UserRequest>> {
        self.requests.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
