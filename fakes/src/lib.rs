//! A fleet of fake GitLab cells: the upstreams that a cells router is tested against.
//!
//! A [`Fleet`] is an installation as the routing documents draw it: cells in several regions, the
//! databases that they share, the people and projects that live on them. Each cell is an HTTP/1.1
//! server on an address of its own. What they are to be stands in a [`FleetPlan`]; what they saw
//! and answered stands in one append-only [`Journal`].
//!
//! # The way of a request
//!
//! 1. **Tap.** Every incoming byte of a connection is shown to a scanner before the HTTP server
//!    reads it, so that the journal has requests byte for byte, and also what was no request.
//! 2. **Journal.** When the server has read a head, the request is entered; its body follows as it
//!    arrives. A plain TCP probe leaves no trace.
//! 3. **Script.** A [`Script`] of the plan may give the response, or change it: the malformed, the
//!    foreign and the future, which no sound cell of today would say.
//! 4. **Application.** Otherwise the fake Rails application of the cell responds, by way of the
//!    databases, whose accesses are entered too.
//! 5. **Journal.** The whole response is entered, and only then its first byte leaves. So whatever
//!    a router does because of a response stands after that response. (Of a response that comes
//!    into being while it is sent, the head is entered before and the end after.)
//!
//! A [`Fault`](fault::Fault) of the plan lets something go wrong on this way, or on the
//! connections: responses that never come or break off, cells that refuse or hang.
//! [`Fleet::take_down`] and its like do so while the fleet runs.
//!
//! A [`CellMutant`] of the plan makes all cells wrong in one known way: with it, a suite shows that
//! it would notice.
//!
//! Cells keep connections open without a time limit and close them only with `Connection: close` or
//! after an error, or where a fault says so. A cell that panics does not take the evidence with it:
//! [`Fleet::stop`] reports it.
//!
//! Everything is served by tasks of the tokio runtime in which the fleet is started.
//!
//! ```
//! use cell_fleet::{CellId, Event, Fleet, FleetPlan, Listen, Protocol};
//! use tokio::io::{AsyncReadExt, AsyncWriteExt};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let fleet = Fleet::start(FleetPlan::documents(Protocol::Buffering), Listen::Ephemeral).await?;
//!
//! let cell = fleet.cell(&CellId::us(0)).expect("the documents have Cell US0");
//! let mut connection = tokio::net::TcpStream::connect(cell.address).await?;
//! connection.write_all(b"GET /gitlab-org/gitlab HTTP/1.1\r\nhost: gitlab.example\r\nConnection: close\r\n\r\n").await?;
//! let mut response = String::new();
//! connection.read_to_string(&mut response).await?;
//! assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response}");
//!
//! let entries = fleet.journal().entries();
//! let Event::Request(seen) = &entries[0].event else { panic!("{entries:?}") };
//! assert_eq!(seen.cell, CellId::us(0));
//! assert_eq!(seen.request_line, "GET /gitlab-org/gitlab HTTP/1.1");
//! assert_eq!(seen.fields[0].name, "host");
//!
//! fleet.stop().await?;
//! # Ok(())
//! # }
//! ```

mod cast;
mod database;
pub mod fault;
mod fleet;
mod identity;
mod ids;
mod journal;
mod mutants;
mod plan;
pub mod population;
mod rails;
mod script;
mod server;
mod topology;
pub mod wire;

pub use cast::Casting;
pub use database::{Position, StoreError, Stores};
pub use fleet::{
    DoorError, Fleet, FleetFault, Flow, Listen, RunningCell, SessionCookie, StartError,
};
pub use identity::{CellId, Region, UnknownSpelling};
pub use ids::{Id, IdStrategy, IdTable, InvalidId};
pub use journal::{
    BodyDigest, BodySeen, ConnectionId, DatabaseAccess, Digester, Entry, Event, Field, HopId,
    IdAllocation, Journal, RequestSeen, ResponseSeen, Stamp, StoreFailure, Text,
};
pub use mutants::{CellMutant, cell_mutants};
pub use plan::{FleetPlan, LoginBy, PlanError, Protocol, ReplicationLag, Repository, Version};
pub use rails::{ControlError, Installation, InstallationError, SESSION_COOKIE};
pub use script::{Act, Script, ScriptError, ScriptProblem, ScriptedResponse};
pub use server::CellFault;
pub use topology::{Topology, TopologyError, TopologyProblem};
