//! What can stand in a journal.

use std::fmt;
use std::time::Duration;

use super::BodySeen;
use crate::CellId;
use crate::database::{Position, StoreError};
use crate::ids::{Id, IdTable};

/// One request that a cell read, with its response.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HopId(pub u64);

/// One connection that a cell accepted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConnectionId(pub u64);

/// Bytes as they were received; shown with everything unprintable escaped.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Text(pub Vec<u8>);

impl Text {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
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

/// One field line of a message, its name spelled as received.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The name, in the case in which it arrived.
    pub name: Text,
    /// The value, without the blanks around it.
    pub value: Text,
}

impl Field {
    /// Whether the field has this name; names are compared without regard to case (RFC 9110 5.1).
    pub fn is(&self, name: &str) -> bool {
        self.name.as_bytes().eq_ignore_ascii_case(name.as_bytes())
    }
}

/// The head of a request as a cell read it.
#[derive(Clone, Debug)]
pub struct RequestSeen {
    /// Joins the request with what follows of it.
    pub hop: HopId,
    /// The cell, as the topology names it.
    pub cell: CellId,
    /// The connection on which it came.
    pub connection: ConnectionId,
    /// The whole request line, byte for byte, without the line break.
    pub request_line: Text,
    /// The method of the request line.
    pub method: Text,
    /// The request target of the request line, byte for byte.
    pub target: Text,
    /// All field lines, in the order in which they arrived.
    pub fields: Vec<Field>,
}

/// What a cell responded; entered before the first byte leaves.
#[derive(Clone, Debug)]
pub struct ResponseSeen {
    /// The request that is answered.
    pub hop: HopId,
    /// The cell that responds, as the topology names it.
    pub cell: CellId,
    /// The status code.
    pub status: u16,
    /// The field lines, without `Date` and `Connection`, which the server adds on the way out.
    pub fields: Vec<Field>,
    /// The body that follows; empty where the method or the status forbids one. Of a body that
    /// comes into being while it is sent, the digest may be unknown ([`BodySeen::is_known`]).
    pub body: BodySeen,
}

/// One access to a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DatabaseAccess {
    /// The cell that asked, as the topology names it.
    pub cell: CellId,
    /// `gitlab_users`, `gitlab_routes`, `gitlab_admin`, `gitlab_main` or `gitlab_ci`.
    pub schema: &'static str,
    /// The table.
    pub table: &'static str,
    /// Whether it was a write.
    pub write: bool,
    /// The server that responded: `primary us`, `replica eu`, or the cell's own.
    pub server: String,
    /// Position in the primary's log: of the write itself, or of the last write that the read could
    /// see. The default for a cell's own schemas.
    pub position: Position,
    /// How long a write was under way to a primary in another region, at least (RG-04).
    pub under_way: Duration,
}

/// An id that a cell has drawn for a new row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdAllocation {
    /// The cell that drew it, as the topology names it.
    pub cell: CellId,
    /// The table of the row.
    pub table: IdTable,
    /// The id.
    pub id: Id,
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

/// One thing that happened at the fleet.
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
    /// A cell lets the second part of a response go, which it had held back.
    ResponseRest {
        /// The request that is answered.
        hop: HopId,
    },
    /// A response that was not written in one go has ended, or its connection has.
    ResponseEnded {
        /// The request that is answered.
        hop: HopId,
        /// Bytes of its body that were handed to the system.
        sent: u64,
        /// Whether the last byte of the response was among them.
        whole: bool,
        /// The body, where it is known only now: the [`ResponseSeen`] says then that it is unknown.
        body: Option<BodySeen>,
    },
    /// Bytes reached a cell that are no HTTP/1.1 request.
    NotHttp {
        /// The cell, as the topology names it.
        cell: CellId,
        /// The connection.
        connection: ConnectionId,
        /// The first of the bytes (at most 1,024).
        bytes: Text,
    },
    /// A cell read or wrote a database.
    Database(DatabaseAccess),
    /// A cell drew an id for a new row.
    IdAllocated(IdAllocation),
    /// A store failed.
    StoreFailed(StoreFailure),
}
