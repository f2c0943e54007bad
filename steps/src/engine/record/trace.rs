//! The trace of a scenario in a report: enough to judge the scenario again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{AllocationData, MoveStepData, MovedRowsData, Plain};
use crate::action::Action;

/// Everything that happened, in one order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraceData {
    /// What happened in the When steps, in order.
    pub actions: Vec<Action>,
    /// The region of the default router; absent without a router.
    pub default_router: Option<String>,
    /// Who had a session before the first When step, with the account of the session.
    pub sessions: Vec<(String, String)>,
    /// The cells of the topology file, asked or not.
    pub cells: Vec<CellData>,
    /// The configured learn path, in learning.
    pub learn_path: Option<String>,
    /// Cells that played another, by id: the cell of the topology, and whom it played.
    pub roles: BTreeMap<String, String>,
    /// Owners of paths that the scenario asks about, at the end.
    pub owners: Vec<(String, String)>,
    /// The users' requests.
    pub users: Vec<UserData>,
    /// The requests that cells read.
    pub hops: Vec<HopData>,
    /// Bytes at cells that were no request.
    pub strays: Vec<StrayData>,
    /// Accesses to databases in the exchange.
    pub databases: Vec<DatabaseData>,
    /// Ids that cells drew in the exchange.
    pub allocations: Vec<AllocationData>,
    /// Rows that moved in the exchange.
    pub moved_rows: Vec<MovedRowsData>,
    /// The phases of moves in the exchange.
    pub moves: Vec<MoveStepData>,
    /// The routers' processes.
    pub routers: Vec<RouterData>,
    /// Whether the second-level cache was switched on, so that routers may set cookies of their
    /// own.
    pub own_cookies: bool,
}

/// A cell of the topology file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellData {
    /// The cell as the topology names it.
    pub cell: String,
    /// Where it could be reached: an address and a port.
    pub address: String,
    /// Whether no router listened at the same host.
    pub own_host: bool,
}

/// A place in the order, and the time.
///
/// In JSON, these two numbers in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(from = "(u64, u64)", into = "(u64, u64)")]
pub struct StampData {
    /// Ascending over the whole scenario.
    pub sequence: u64,
    /// Microseconds since the scenario's fleet was started.
    pub at_us: u64,
}

impl From<(u64, u64)> for StampData {
    fn from((sequence, at_us): (u64, u64)) -> Self {
        Self { sequence, at_us }
    }
}

impl From<StampData> for (u64, u64) {
    fn from(StampData { sequence, at_us }: StampData) -> Self {
        (sequence, at_us)
    }
}

/// A field line: name and value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldData(pub Plain, pub Plain);

/// A request of a user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UserData {
    /// The mark that it carried.
    pub id: String,
    /// Who sent it.
    pub person: String,
    /// To whom: `router_eu`, or a cell's id.
    pub to: String,
    /// The When step, counted from 0; nothing for a visit before the exchange.
    pub step: Option<usize>,
    /// The method.
    pub method: String,
    /// The request target.
    pub target: Plain,
    /// The fields that the suite set.
    pub fields: Vec<FieldData>,
    /// Digest of its body.
    pub body: String,
    /// When it left.
    pub sent: StampData,
    /// When the last part of its body left, where it was sent in parts.
    pub last_part: Option<StampData>,
    /// All bytes of its connection, where a text was sent as it stands; on the first request of the
    /// connection.
    pub raw: Option<Plain>,
    /// When the first bytes of the response's body had come.
    pub first_bytes: Option<StampData>,
    /// How long it took until the response's end, in milliseconds.
    pub elapsed_ms: Option<u64>,
    /// Body bytes that were taken from the user while the cell read nothing.
    pub taken: Option<u64>,
    /// Body bytes that the cells had sent while the user read nothing.
    pub seen_flow: Option<u64>,
    /// WebSocket messages that the user got, in order.
    pub heard: Vec<String>,
    /// Interim responses (1xx) that came before the response, in order.
    pub interim: Vec<u16>,
    /// What came of it.
    pub response: Option<UserResponseData>,
}

/// How a user's request ended: with a response or with an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UserResponseData {
    /// When.
    pub at: StampData,
    /// The response.
    pub response: Option<ResponseData>,
    /// Why there was none.
    pub error: Option<String>,
}

/// A response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResponseData {
    /// The status code.
    pub status: u16,
    /// The field lines.
    pub fields: Vec<FieldData>,
    /// Digest of its body.
    pub body: String,
}

/// A request that a cell read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HopData {
    /// The cell as the documents name it.
    pub cell: String,
    /// The cell as the topology names it.
    pub node: String,
    /// Why it came.
    pub origin: OriginData,
    /// When its head had been read.
    pub at: StampData,
    /// The connection on which it came.
    pub connection: u64,
    /// The request line, byte for byte.
    pub request_line: Plain,
    /// The field lines as received.
    pub fields: Vec<FieldData>,
    /// When the first bytes of its body arrived.
    pub begun: Option<StampData>,
    /// When it had been read to its end, and the digest of its body.
    pub read: Option<(StampData, String)>,
    /// The cell's response, with the time before its first byte left.
    pub response: Option<(StampData, ResponseData)>,
    /// When the cell let the second part of its response go, where it sent it in two.
    pub rest: Option<StampData>,
    /// How much of the response's body the cell handed to its system, in bytes, and whether that
    /// was the whole response.
    pub ended: Option<(u64, bool)>,
}

/// Why a request came to a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OriginData {
    /// A user's request: the place in `users`.
    User(usize),
    /// A pre-flight about a user's request: the place in `users`, and what it asked.
    PreFlight(usize, PreFlightData),
    /// Neither.
    Unsolicited,
}

/// What a pre-flight asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreFlightData {
    /// The learn path.
    pub path: String,
    /// The decoded method.
    pub method: Option<String>,
    /// The decoded path.
    pub path_info: Option<Plain>,
    /// Further parameters, as they came.
    pub others: Vec<String>,
}

/// Bytes at a cell that were no request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StrayData {
    /// When.
    pub at: StampData,
    /// Where.
    pub cell: String,
    /// The first bytes, printable.
    pub bytes: String,
    /// The status with which the cell's HTTP parser refused them, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused_with: Option<u16>,
    /// The other end of the connection: an address of the router.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// An access to a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DatabaseData {
    /// When.
    pub at: StampData,
    /// The cell that asked.
    pub cell: String,
    /// The schema.
    pub schema: String,
    /// The table.
    pub table: String,
    /// Whether it was a write.
    pub write: bool,
    /// The server.
    pub server: String,
    /// Position in the primary's log.
    pub position: u64,
    /// How long a write was under way to a primary in another region, in milliseconds.
    pub under_way_ms: u64,
}

/// What is known about a router's process.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RouterData {
    /// `router_eu`.
    pub name: String,
    /// Whether it became ready.
    pub ready: bool,
    /// Whether it ended in time after SIGTERM.
    pub stopped: bool,
    /// Whether its address was free afterwards.
    pub address_freed: bool,
}
