//! What happens in a scenario, as values.
//!
//! A When step parses into an [`Action`]. An action renders itself as the text of its step and as a
//! command line for a shell. Traces record the actions of their scenario. The module
//! `perform` performs actions on a stage.

mod connection;
mod curl;
mod flow;
mod gherkin;
mod git;
mod ids;
mod kind;
mod moving;
mod needs;
mod request;
mod runners;
mod shell;
mod visits;
mod words;
mod world;

use cell_fleet::CellId;
use serde::{Deserialize, Serialize};

pub use connection::{CookieChange, SocketAction};
pub(crate) use curl::{CurlBody, CurlCommand};
pub use flow::Flow;
pub(crate) use flow::Framing;
pub(crate) use gherkin::expression;
pub use git::GitAction;
pub use ids::IdAction;
pub use kind::Kind;
pub use moving::MoveAction;
pub use needs::Needs;
pub(crate) use request::random;
pub use request::{Joining, RequestKind};
pub use runners::{JobAction, RunnerAction, Scope};
pub(crate) use shell::{comment, quoted, shell_words, variable};
pub use visits::{Visits, cold_path, long_path};
pub(crate) use words::rooted;
pub use words::{MediaType, Person, Route};
pub use world::{CellGroup, RouterAction, WorldAction};

use words::spelled;

/// One thing that happens in a scenario: what a When step says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A person sends one request and waits for its response.
    Request {
        /// Who sends it.
        person: Person,
        /// What is sent.
        request: RequestKind,
        /// Where it goes.
        route: Route,
    },
    /// A person makes many visits, one after another, until one has no response.
    Visits {
        /// Who visits.
        person: Person,
        /// What is visited.
        visits: Visits,
    },
    /// A person makes the same visit several times at once. All of them end before the next action.
    Together {
        /// Who visits.
        person: Person,
        /// The request target.
        target: String,
        /// How many visits.
        times: u64,
    },
    /// A person begins a visit that a later action, or the end of the scenario, waits for.
    Begin {
        /// Who visits.
        person: Person,
        /// The request target.
        target: String,
        /// Whether the request has to have come to the cell that holds or spoils it, before the
        /// next action. Where a router makes it wait for an earlier one, it comes to none.
        arrives: bool,
    },
    /// A person begins a request that a later action, or the end of the scenario, waits for. It has
    /// come to the cell that holds or spoils it, before the next action.
    BeginMessage {
        /// Who sends it.
        person: Person,
        /// What is sent: a message as it is written.
        request: RequestKind,
    },
    /// A person begins the same visit many times. All of them have come to the cell that holds or
    /// spoils it before the next action, or have been given up; a later action, or the end of the
    /// scenario, waits for their responses.
    BeginMany {
        /// Who visits.
        person: Person,
        /// The request target.
        target: String,
        /// How many visits.
        times: u64,
    },
    /// A person leaves before the responses to the visits that they began: their connections close.
    Leave {
        /// Who leaves.
        person: Person,
    },
    /// Every cell is asked who serves a path: by a pre-flight in learning, by a visit in buffering.
    AskEveryCell {
        /// The path.
        path: String,
    },
    /// A person sends or receives a body at a given pace.
    Flow {
        /// Who sends the request.
        person: Person,
        /// How the body flows.
        flow: Flow,
    },
    /// A person waits for the first bytes of the response to their last request.
    AwaitFirstBytes {
        /// Who waits.
        person: Person,
    },
    /// A person sends raw bytes over a separate connection.
    RawBytes {
        /// Who sends them.
        person: Person,
        /// The bytes, in the notation of [`wire_bytes`](crate::literal::wire_bytes).
        text: String,
        /// Whether the person closes the sending half of the connection after them.
        half_close: bool,
    },
    /// Several people speak on one connection, as behind a load balancer that keeps its connections
    /// to a router. Where the router has closed it, another one is opened.
    Shared {
        /// Their requests, in the notation of `literal::shared_requests`.
        text: String,
        /// Whether all of them are sent at once; otherwise each waits for the response to the one
        /// before.
        pipelined: bool,
    },
    /// A person uses a WebSocket.
    WebSocket {
        /// Who uses it.
        person: Person,
        /// What the person does.
        socket: SocketAction,
    },
    /// A person uses a Git repository.
    Git {
        /// Who uses it.
        person: Person,
        /// What the person does.
        does: GitAction,
        /// Where the requests go.
        route: Route,
    },
    /// A runner does something.
    Runner {
        /// Who the runner is.
        person: Person,
        /// What it does.
        does: RunnerAction,
        /// Where its requests go.
        route: Route,
    },
    /// Runners register at a cell one after the other, and then ask for jobs at once.
    Poll {
        /// How many runners.
        runners: u64,
        /// The cell where they register.
        #[serde(with = "spelled")]
        #[cfg_attr(test, schemars(with = "String"))]
        cell: CellId,
        /// How many times each of them asks.
        times: u64,
    },
    /// A person's cookies become others.
    Cookies {
        /// Whose cookies.
        person: Person,
        /// What becomes of them.
        change: CookieChange,
    },
    /// The world around the users changes.
    World(WorldAction),
}

impl Action {
    /// A person sends a request by a route.
    pub fn request(person: Person, request: RequestKind, route: Route) -> Self {
        Self::Request { person, request, route }
    }

    /// What the action needs of a scenario.
    pub fn needs(&self) -> Needs {
        match self {
            Self::Request { route, .. }
            | Self::Git { route, .. }
            | Self::Runner { route, .. }
            | Self::WebSocket { socket: SocketAction::Open { route, .. }, .. } => route.needs(),
            Self::Visits { .. }
            | Self::Together { .. }
            | Self::Begin { .. }
            | Self::BeginMessage { .. }
            | Self::BeginMany { .. }
            | Self::Poll { .. }
            | Self::Flow { .. }
            | Self::RawBytes { .. }
            | Self::Shared { .. } => Needs::ROUTER,
            Self::World(WorldAction::Router { .. }) => Needs::ROUTER | Needs::PROCESS,
            Self::AskEveryCell { .. }
            | Self::Leave { .. }
            | Self::AwaitFirstBytes { .. }
            | Self::WebSocket { .. }
            | Self::Cookies { .. }
            | Self::World(_) => Needs::NONE,
        }
    }
}
