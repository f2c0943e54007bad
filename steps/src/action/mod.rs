//! What happens in a scenario, as values.
//!
//! A When step parses into an [`Action`]. An action renders itself as the text of its step and as a
//! command line for a shell. Traces record the actions of their scenario, and reports have them as
//! the texts of their steps. The module `perform` performs actions on a stage.

mod curl;
mod gherkin;
mod kind;
mod request;
mod shell;
mod words;
mod world;

use std::convert::Infallible;
use std::fmt;
use std::ops::BitOr;
use std::str::FromStr;

use cell_fleet::CellId;
use cucumber::Parameter;

pub(crate) use curl::{CurlBody, CurlCommand};
#[cfg(test)]
pub(crate) use gherkin::StepText;
pub(crate) use gherkin::quoted as quoted_in_step;
pub use kind::Kind;
pub(crate) use request::random;
pub use request::{Flow, Framing, Joining, RequestKind, Visits, cold_path, long_path};
pub use shell::quoted;
pub(crate) use shell::{comment, shell_words, variable};
pub use words::{MediaType, Person, Route};
pub(crate) use words::{region_word, rooted};
pub use world::{CellGroup, RouterAction, WorldAction};

/// How far a request is that was begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// It is sent. Where a router makes it wait for an earlier one, it comes to no cell.
    Sent,
    /// It has come to the cell that holds or spoils it, or has been given up. A later action, or
    /// the end of the scenario, waits for its response.
    Arrived,
    Ended,
}

/// One thing that happens in a scenario: what a When step says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A person sends one request and waits for its response.
    Request { person: Person, request: RequestKind, route: Route },
    /// A person makes many visits, one after another, until one has no response.
    Visits { person: Person, visits: Visits },
    /// A person begins the same request, several times at once perhaps.
    Begin {
        person: Person,
        /// What is sent: a visit, or a message as it is written.
        request: RequestKind,
        times: u64,
        /// How far all of them are before the next action.
        until: Until,
    },
    /// A person leaves before the responses to the visits that they began: their connections close.
    Leave { person: Person },
    /// Every cell is asked who serves a path: by a pre-flight in learning, by a visit in buffering.
    AskEveryCell { path: String },
    /// A person sends or receives a body at a given pace.
    Flow { person: Person, flow: Flow },
    /// A person waits for the first bytes of the response to their last request.
    AwaitFirstBytes { person: Person },
    /// A person sends raw bytes over a separate connection.
    RawBytes {
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
    WebSocket { person: Person, socket: SocketAction },
    /// A person uses a Git repository.
    Git { person: Person, does: GitAction, route: Route },
    /// A runner does something.
    Runner { person: Person, does: RunnerAction, route: Route },
    /// Runners register at a cell one after the other, and then ask for jobs at once.
    Poll {
        runners: u64,
        cell: CellId,
        /// How many times each of them asks.
        times: u64,
    },
    /// A person's cookies become others.
    Cookies { person: Person, change: CookieChange },
    /// The world around the users changes.
    World(WorldAction),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SocketAction {
    Open {
        target: String,
        route: Route,
    },
    /// Sends a message on the open one, and waits for the message in return.
    Say {
        text: String,
    },
    /// Closes the open one.
    Close,
}

/// How a person's cookies become others. Cookies of cells stay as they are, but for a session that
/// is forged or copied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CookieChange {
    /// The router's cookies get another value.
    Forge { value: String },
    /// The person gets the router's cookies of another.
    TakeOver { from: Person },
    /// The person gets a copy of all cookies of another.
    Copy { from: Person },
    /// The session, which is a JWT, is forged.
    ForgeSession {
        /// What makes it another one: `alg none`.
        with: String,
    },
}

/// What a person does with a Git repository, over git's smart HTTP protocol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GitAction {
    /// They push a commit on top of the branch `main`.
    Push {
        commit: String,
        repository: String,
    },
    Clone {
        repository: String,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunnerAction {
    /// It registers at a cell, below the path prefix of that cell.
    Register { cell: CellId, scope: Scope },
    /// It registers without a prefix: the token that it has alone names the cell.
    RegisterByToken { cell: CellId },
    /// It asks for a job with each of its registrations, where the response to each told it to.
    Ask,
    /// It asks for a job with each of its registrations, without a prefix.
    AskByToken,
    /// It says that its last job is still running.
    Running,
    /// It says that its last job has ended.
    Done,
}

/// Whose jobs a runner may run.
#[derive(Clone, PartialEq, Eq, Debug, Parameter)]
#[param(name = "scope", regex = "(?: for the (?:group|project) \"[^\"]*\")?")]
pub enum Scope {
    /// The jobs of all projects.
    Instance,
    /// The jobs of the projects of a group.
    Group(String),
    Project(String),
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Instance => Ok(()),
            Self::Group(path) => write!(f, " for the group \"{path}\""),
            Self::Project(path) => write!(f, " for the project \"{path}\""),
        }
    }
}

impl FromStr for Scope {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text.split('"').collect::<Vec<_>>()[..] {
            [" for the group ", path, _] => Self::Group(path.to_owned()),
            [_, path, _] => Self::Project(path.to_owned()),
            _ => Self::Instance,
        })
    }
}

impl Action {
    /// A person begins a visit, once.
    pub fn begin(person: Person, target: String, until: Until) -> Self {
        Self::Begin { person, request: RequestKind::Visit { target }, times: 1, until }
    }

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
            | Self::Begin { .. }
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

/// What a step needs besides cells and people. The needs of a case are the union of its steps'
/// needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// A router takes part. A case without one says something about the cells alone.
    pub router: bool,
    /// The suite controls the router's process: a step stops it, restarts it, or looks at how it
    /// started and stopped.
    pub process: bool,
}

impl Needs {
    pub const NONE: Self = Self { router: false, process: false };
    pub const ROUTER: Self = Self { router: true, process: false };
    pub const PROCESS: Self = Self { router: false, process: true };
}

impl BitOr for Needs {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self { router: self.router | other.router, process: self.process | other.process }
    }
}

impl FromIterator<Self> for Needs {
    fn from_iter<I: IntoIterator<Item = Self>>(all: I) -> Self {
        all.into_iter().fold(Self::NONE, Self::bitor)
    }
}
