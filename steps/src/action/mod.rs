//! What happens in a scenario, as values.
//!
//! A When step parses into an [`Action`]. An action runs on a [`Stage`], and renders itself as the
//! text of its step and as a command line for a shell. Traces record the actions of their scenario.

mod connection;
mod curl;
mod flow;
mod gherkin;
mod request;
mod shell;
mod visits;
mod words;
mod world;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use connection::{CookieChange, SocketAction};
pub(crate) use curl::{CurlBody, CurlCommand, by_hand};
pub use flow::Flow;
pub use gherkin::StepText;
pub(crate) use gherkin::expression;
pub use request::{Joining, RequestKind};
pub(crate) use shell::{comment, quoted, variable};
pub use visits::{Visits, cold_path, long_path};
pub(crate) use words::ROUTE_PATTERN;
pub use words::{Person, Route};
pub use world::{CellGroup, RouterAction, WorldAction};

use crate::catalog::Needs;
use crate::stage::Stage;

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
        #[serde(default)]
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
    /// Every cell is asked who serves a path: by a pre-flight in learning, by a visit in buffering.
    AskEveryCell {
        /// The path.
        path: String,
    },
    /// A person sends or receives a body at a pace of its own.
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
    /// A person sends raw bytes over a connection of their own.
    RawBytes {
        /// Who sends them.
        person: Person,
        /// The bytes, in the notation of [`wire_bytes`](crate::people::wire_bytes).
        text: String,
        /// Whether the person closes the sending half of the connection after them.
        half_close: bool,
    },
    /// A person uses a WebSocket.
    WebSocket {
        /// Who uses it.
        person: Person,
        /// What the person does.
        socket: SocketAction,
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

/// Why an action did not take place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ActionError {
    /// The action cannot be done as it is written: the scenario is wrong, not the router.
    Invalid(String),
    /// What happened before leaves nothing to go on from.
    Interrupted(String),
}

impl fmt::Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(why) | Self::Interrupted(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ActionError {}

impl ActionError {
    fn invalid(why: impl fmt::Display) -> Self {
        Self::Invalid(why.to_string())
    }
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
            | Self::WebSocket { socket: SocketAction::Open { route, .. }, .. } => route.needs(),
            Self::Visits { .. }
            | Self::Together { .. }
            | Self::Begin { .. }
            | Self::Flow { .. }
            | Self::RawBytes { .. } => Needs::ROUTER,
            Self::World(WorldAction::Router { .. }) => Needs::ROUTER | Needs::PROCESS,
            Self::AskEveryCell { .. }
            | Self::AwaitFirstBytes { .. }
            | Self::WebSocket { .. }
            | Self::Cookies { .. }
            | Self::World(_) => Needs::NONE,
        }
    }

    /// Performs the action on the stage of a scenario, as its When step with this number, counted
    /// from 0.
    ///
    /// # Errors
    ///
    /// Says whether the scenario is wrong, or whether it cannot go on.
    pub async fn run(&self, stage: &mut Stage, step: usize) -> Result<(), ActionError> {
        match self {
            Self::Request { person, request, route } => {
                request.run(person, route, stage, step).await
            }
            Self::Visits { person, visits } => visits.run(person, stage, step).await,
            Self::Together { person, target, times } => {
                visits::together(person, target, *times, stage, step).await
            }
            Self::Begin { person, target, arrives } => {
                visits::begin(person, target, *arrives, stage, step).await
            }
            Self::AskEveryCell { path } => visits::ask_every_cell(path, stage, step).await,
            Self::Flow { person, flow } => flow.run(person, stage, step).await,
            Self::AwaitFirstBytes { person } => {
                stage.people().first_bytes(&person.0).await;
                Ok(())
            }
            Self::RawBytes { person, text, half_close } => {
                connection::send_bytes(person, text, *half_close, stage, step).await
            }
            Self::WebSocket { person, socket } => socket.run(person, stage, step).await,
            Self::Cookies { person, change } => {
                change.run(person, stage);
                Ok(())
            }
            Self::World(action) => action.run(stage).await,
        }
    }
}
