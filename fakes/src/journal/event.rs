//! The events of a journal.

use std::borrow::Cow;
use std::fmt;
use std::net::SocketAddr;
use std::ops::Deref;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::BodySeen;
use crate::CellId;
use crate::moves::MovePhase;
use crate::rows::{Id, IdRange, IdTable, Position, StoreError};

/// One request that a cell read, with its response.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HopId(pub u64);

/// One connection that a cell accepted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConnectionId(pub u64);

/// Bytes as they were received; copies share them. Unprintable ones are escaped when shown.
///
/// In JSON, a string where they are UTF-8, else `{"base64": "..."}`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "Written", into = "Written")]
pub struct Text(pub Bytes);

/// Bytes in JSON.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Written {
    /// As text.
    Text(String),
    /// Encoded.
    Encoded {
        /// The bytes in base64.
        base64: String,
    },
}

impl From<Text> for Written {
    fn from(text: Text) -> Self {
        match String::from_utf8(text.0.into()) {
            Ok(text) => Self::Text(text),
            Err(error) => Self::Encoded { base64: STANDARD.encode(error.as_bytes()) },
        }
    }
}

impl TryFrom<Written> for Text {
    type Error = base64::DecodeError;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        Ok(Self(match written {
            Written::Text(text) => text.into(),
            Written::Encoded { base64 } => STANDARD.decode(base64)?.into(),
        }))
    }
}

impl Text {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Deref for Text {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(Bytes::copy_from_slice(text.as_bytes()))
    }
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Self {
        Self(Bytes::copy_from_slice(bytes))
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match std::str::from_utf8(&self.0) {
            Ok(text) if !text.chars().any(char::is_control) => f.write_str(text),
            _ => write!(f, "{}", self.0.escape_ascii()),
        }
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

/// One header line of a message. In JSON, name and value in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "(Text, Text)", into = "(Text, Text)")]
pub struct Field {
    /// The name, in the case as received.
    pub name: Text,
    /// The value, without surrounding blanks.
    pub value: Text,
}

impl From<(Text, Text)> for Field {
    fn from((name, value): (Text, Text)) -> Self {
        Self { name, value }
    }
}

impl From<Field> for (Text, Text) {
    fn from(Field { name, value }: Field) -> Self {
        (name, value)
    }
}

impl Field {
    /// Whether the header has this name, in any case (RFC 9110 5.1).
    pub fn is(&self, name: &str) -> bool {
        self.name.as_bytes().eq_ignore_ascii_case(name.as_bytes())
    }
}

/// The head of a request as a cell read it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RequestSeen {
    /// The id that joins the request with the events that follow.
    pub hop: HopId,
    /// The cell, as the topology names it.
    pub cell: CellId,
    /// The connection that it arrived on.
    pub connection: ConnectionId,
    /// The whole request line, byte for byte, without the line break.
    pub request_line: Text,
    /// The method of the request line.
    pub method: Text,
    /// The request target of the request line, byte for byte.
    pub target: Text,
    /// All header lines, in the order as received.
    pub fields: Vec<Field>,
}

/// A response of a cell; entered before the first byte leaves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResponseSeen {
    /// The request that it responds to.
    pub hop: HopId,
    /// The cell that responds, as the topology names it.
    pub cell: CellId,
    /// The status code.
    pub status: u16,
    /// The header lines, without `Date` and `Connection`, which the server adds when it sends them.
    pub fields: Vec<Field>,
    /// The body that follows; empty where the method or the status forbids one. The digest of a
    /// body that is generated while it is sent may be unknown ([`BodySeen::is_known`]).
    #[serde(default, skip_serializing_if = "BodySeen::is_empty")]
    pub body: BodySeen,
}

/// One access to a database.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DatabaseAccess {
    /// The cell that makes the access, as the topology names it.
    pub cell: CellId,
    /// `gitlab_users`, `gitlab_routes`, `gitlab_admin`, `gitlab_runners`, `gitlab_main`,
    /// `gitlab_ci`; `sessions` for a region's store of sessions, and `repositories` for the Git
    /// repositories of a cell, whose table is `refs`.
    pub schema: Cow<'static, str>,
    /// The table.
    pub table: Cow<'static, str>,
    /// Whether it is a write.
    pub write: bool,
    /// The server that responded: `primary us`, `replica eu`, `store eu`, or the cell's own.
    pub server: String,
    /// Position in the primary's log: that of the write, or the last one that the read could see.
    /// The default for a cell's own schemas.
    pub position: Position,
    /// How long a write to a primary in another region takes, at least (RG-04); in JSON, in
    /// microseconds.
    #[serde(rename = "under_way_us", with = "super::json::micros")]
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub under_way: Duration,
}

/// An id that a cell has drawn for a new row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IdAllocation {
    /// The cell that drew it, as the topology names it.
    pub cell: CellId,
    /// The table of the row.
    pub table: IdTable,
    /// The id.
    #[serde(with = "super::json::text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub id: Id,
    /// The range that the id is from, where the strategy has ranges.
    pub range: Option<IdRange>,
    /// How long the insert waited for the id; in JSON, in microseconds.
    #[serde(rename = "waited_us", with = "super::json::micros")]
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub waited: Duration,
}

/// Rows that have moved from one cell to another with their organization.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowsMoved {
    /// The cell that had them, by its role.
    pub from: CellId,
    /// The cell that has them, by its role.
    pub to: CellId,
    /// How many rows.
    pub rows: usize,
    /// How many of them have fresh ids.
    pub renumbered: usize,
    /// How many of their foreign keys led to a row before the move.
    pub references_before: usize,
    /// How many of their foreign keys lead to a row after it.
    pub references_after: usize,
}

/// What became of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobEvent {
    /// The cell at which it happened, as the topology names it.
    pub cell: CellId,
    /// The schema of the queue: `gitlab_runners`, which all cells share, or the cell's `gitlab_ci`.
    pub schema: &'static str,
    /// The id of the job, unique within its queue.
    pub job: u64,
    /// When it happened, by the fleet's clock, which a scenario can advance.
    pub at: Duration,
    /// What happened.
    pub step: JobStep,
}

/// A step in the life of a job. Runners are named by their ids, unique within their tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JobStep {
    /// It was queued.
    Queued,
    /// A runner got it.
    Given {
        /// The runner.
        runner: u64,
        /// When its lease ends, by the fleet's clock.
        until: Duration,
    },
    /// Its runner reported that it is running.
    Renewed {
        /// When the lease ends now, by the fleet's clock.
        until: Duration,
    },
    /// The lease of a runner had ended, so another one gets the job.
    Returned {
        /// The runner that had it.
        runner: u64,
    },
    /// It ended.
    Done,
}

/// A phase of a move of an organization, as it ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveStep {
    /// The slug of the organization.
    pub organization: String,
    /// The phase.
    pub phase: MovePhase,
    /// The cell that had the organization, by its role.
    pub from: CellId,
    /// The cell that gets it, by its role.
    pub to: CellId,
    /// How many rows the phase has copied or moved that were not there before.
    pub rows: usize,
    /// Whether the mover died in the middle of it.
    pub died: bool,
}

/// An access to a store that failed. It is the fleet's own failure, never a router's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoreFailure {
    /// The cell that needed the store, as the topology names it; `None` for a control of the fleet.
    pub cell: Option<CellId>,
    /// What was tried: `reading gitlab_routes.routes`.
    pub access: String,
    /// Why it failed.
    pub error: StoreError,
}

impl fmt::Display for StoreFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cell {
            Some(cell) => write!(f, "{cell}, {}: {}", self.access, self.error),
            None => write!(f, "{}: {}", self.access, self.error),
        }
    }
}

/// An event at the fleet.
#[derive(Clone, Debug)]
pub enum Event {
    /// A cell has read the head of a request.
    Request(RequestSeen),
    /// The first bytes of a request's body have arrived.
    RequestBodyBegun {
        /// The request.
        hop: HopId,
    },
    /// A request has been read to its end.
    RequestRead {
        /// The request.
        hop: HopId,
        /// Its body.
        body: BodySeen,
    },
    /// The connection ended, or broke the framing, before the request's body was complete.
    RequestCut {
        /// The request.
        hop: HopId,
        /// What had arrived of its body.
        body: BodySeen,
    },
    /// A cell responds.
    Response(ResponseSeen),
    /// A cell sends the second part of a response, which it had held.
    ResponseRest {
        /// The request that it responds to.
        hop: HopId,
    },
    /// A response that is not sent at once has ended, or its connection has.
    ResponseEnded {
        /// The request that it responds to.
        hop: HopId,
        /// Bytes of its body that were handed to the operating system.
        sent: u64,
        /// Whether these include the last byte of the response.
        whole: bool,
        /// The body, where its digest was unknown in the [`ResponseSeen`].
        body: Option<BodySeen>,
    },
    /// A cell received bytes that are not an HTTP/1.1 request.
    NotHttp {
        /// The cell, as the topology names it.
        cell: CellId,
        /// The connection.
        connection: ConnectionId,
        /// The other end of the connection, where the operating system still knew it.
        from: Option<SocketAddr>,
        /// The first of the bytes (at most 1,024).
        bytes: Text,
        /// The status with which the cell's HTTP parser refused them: 400 for a malformed message,
        /// 414 or 431 for one that is too long. None where it gave no response, as to bytes that
        /// could still have become a request.
        refused_with: Option<u16>,
        /// What in them, or in the body before them, breaks HTTP/1.1; none where they could still
        /// have become a request.
        malformed: Option<&'static str>,
    },
    /// A cell read or wrote a database.
    Database(DatabaseAccess),
    /// A cell drew an id for a new row.
    IdAllocated(IdAllocation),
    /// Rows have moved to another cell.
    RowsMoved(RowsMoved),
    /// Something became of a job.
    Job(JobEvent),
    /// A phase of a move has ended.
    MoveStep(MoveStep),
    /// A store failed.
    StoreFailed(StoreFailure),
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn any_bytes_survive_json() {
        for bytes in [&b"plain"[..], b"", "gr\u{fc}n".as_bytes(), b"\xff\x00\xfe"] {
            let json = serde_json::to_string(&Text::from(bytes)).unwrap();
            assert_eq!(serde_json::from_str::<Text>(&json).unwrap(), Text::from(bytes));
        }
    }
}
