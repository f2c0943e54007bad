//! A fleet of fake GitLab cells: the upstreams that a cells router is tested against.
//!
//! A [`Fleet`] is an installation as the routing documents draw it: cells in several regions, the
//! databases that they share, and the people and projects on them. Each cell is an HTTP/1.1 server
//! on its own address. A [`FleetPlan`] describes the fleet; one append-only [`Journal`]
//! records the requests that cells received and the responses that they sent.
//!
//! # The path of a request
//!
//! 1. **Tap.** A scanner sees every incoming byte of a connection before the HTTP server reads it.
//!    So the journal has requests byte for byte, and also bytes that are not a request.
//! 2. **Journal.** When the server has read a head, the request is entered; its body follows as it
//!    arrives. A TCP probe without a request is not recorded.
//! 3. **Script.** A [`Script`] of the plan may replace or change the response: for malformed,
//!    foreign and future messages that no correct cell sends today.
//! 4. **Application.** Otherwise the cell's fake Rails application responds. Its accesses to
//!    databases are entered too.
//! 5. **Journal.** The whole response is entered before its first byte leaves. Whatever a router
//!    does because of a response is therefore entered after it. (Of a response that is generated
//!    while it is sent, the head is entered before and the end after.)
//!
//! A [`Fault`](fault::Fault) of the plan makes something go wrong on this path, or on connections:
//! responses that never come or break off, cells that refuse connections or hang.
//! [`Fleet::take_down`] and similar methods do so while the fleet runs.
//!
//! Cells that differ from correct ones in one thing are made around them ([`Fleet::start_with`]).
//!
//! Cells keep connections open without an idle timeout. They close them only with `Connection:
//! close`, after an error, or where a fault says so. [`Fleet::stop`] reports a cell that panicked.
//!
//! All tasks run in the tokio runtime that the fleet is started in.
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
//! let request = "GET /gitlab-org/gitlab HTTP/1.1\r\nhost: gitlab.example\r\n\
//!                Connection: close\r\n\r\n";
//! connection.write_all(request.as_bytes()).await?;
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
mod clock;
mod database;
pub mod fault;
mod fleet;
mod fleet_plan;
pub mod git;
mod identity;
mod ids;
mod input;
mod journal;
mod lock;
mod moves;
mod plan;
mod rails;
mod rows;
mod runners;
mod server;
mod sessions;
mod streamed;
pub mod wire;

pub use cast::Casting;
pub use database::{DatabaseEntry, ReplicaAddresses, Stores, database_yml, documented_databases};
pub use fleet::{
    Fleet, FleetError, Flow, Listen, OutageError, RunningCell, SessionCookie, StartError,
};
pub use fleet_plan::{FleetPlan, PlanError};
pub use git::on_disk::Repository;
pub use identity::{CellId, Region, UnknownSpelling};
pub use ids::{IdDisturbance, cell_number_of};
pub use input::{WRITTEN_BY_PEOPLE, WRITTEN_BY_PROGRAMS, read_input};
pub use journal::{
    BodyDigest, BodySeen, ConnectionId, DatabaseAccess, Digester, Entry, Event, Field, HopId,
    IdAllocation, JobEvent, JobStep, Journal, MoveStep, RequestSeen, ResponseSeen, RowsMoved,
    Stamp, StoreFailure, Text,
};
pub use moves::MovePhase;
pub use plan::{
    GREATEST_CELL_NUMBER, IdPlan, IdStrategy, LoginBy, Protocol, ReplicationLag, RunnerModel,
    RunnerPlan, Script, ScriptError, ScriptedAction, ScriptedResponse, SessionModel, SessionPlan,
    SettingsModel, Topology, TopologyError, Version, population,
};
pub use rails::{ControlError, Installation, SESSION_COOKIE};
pub use rows::{Id, IdRange, IdTable, InvalidId, Position, StoreError, Stored};
pub use server::CellError;
pub use sessions::TokenForgery;
pub use wire::authority::{Authority, InvalidAuthority, check_host};

/// What a store has to do, for stores and their decorators in other crates. It changes without
/// notice.
#[doc(hidden)]
pub mod store {
    pub use crate::database::{
        CellState, OpenStores, OwnDatabases, Place, Read, Seed, Seen, Server, Servers,
        SharedDatabases, Spread, StoreFactory, Written,
    };
    pub use crate::ids::{Drawn, IdAllocator, IdControl, IdCounters, IdSetup, allocator, new_uuid};
    pub use crate::rows::{
        CellSettings, Change, Conflict, Counters, Covering, Job, JobState, Lease, MergeRequest,
        Namespace, Note, OpenError, Organization, OrganizationRows, Project, ProjectReference,
        Route, Runner, RunnerScope, Source, Tables, User, prefixes,
    };
    pub use crate::runners::{CorrectLeases, LeaseRules, Queue, RunnerTables, Taken};
    pub use crate::sessions::{Claims, Revocation, SessionStore};
}

/// The inside of a cell, for cells that differ from correct ones in one of their parts. It changes
/// without notice.
#[doc(hidden)]
pub mod inside {
    pub use crate::database::{Connection, Front};
    pub use crate::ids::JournaledIds;
    pub use crate::moves::{
        Copied, Moves, ProjectData, ProjectStores, UnderWay, WriteGates, WriteGuard,
    };
    pub use crate::rails::call::Call;
    pub use crate::rails::cell::Cell;
    pub use crate::rails::decision::{LearnRule, Owner, RouteDecision};
    pub use crate::rails::endpoint::{Asked, Endpoint, RepositoryCall, RunnerCall};
    pub use crate::rails::moving::gate::Gate;
    pub use crate::rails::moving::{CorrectMover, Mover};
    pub use crate::rails::parts::{CorrectParts, MakesParts, Parts};
    pub use crate::rails::places::groups;
    pub use crate::rails::request::{Form, Viewer, Visit};
    pub use crate::rails::response::{self, PageResult};
    pub use crate::rails::routes::RowPage;
    pub use crate::rails::sign_in::{session, settings, token};
    pub use crate::rails::{api, layout, ownership, path, runners};
    pub use crate::rows::may_see;
    pub use crate::rows::{StoreError, Stored};
    pub use crate::runners::{JournaledRunners, RunnersOf};
    pub use crate::sessions::{RegionalSessions, TokenKey};
}
