//! Why the stage of a scenario, or a router, did not start.

use std::io;
use std::net::SocketAddr;
use std::process::ExitStatus;

use cell_fleet::{Protocol, Region};

/// Why the stage could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// The suite failed: addresses, files, the fleet.
    #[error("{0}")]
    Suite(String),
    /// The router did not become ready.
    #[error("{0}")]
    Router(RouterError),
    /// The running routers do not fit the scenario, and nothing can bring them to it.
    #[error("{0}")]
    NotAsked(String),
    /// The machine does not fit the scenario.
    #[error("{0}")]
    Unfit(String),
}

impl From<RouterError> for StageError {
    fn from(error: RouterError) -> Self {
        match error {
            RouterError::Suite(why) => Self::Suite(why),
            error => Self::Router(error),
        }
    }
}

/// Why a router did not become ready.
#[derive(Debug, thiserror::Error)]
pub enum RouterError {
    /// The suite could not prepare the start: a file, a pipe, another process.
    #[error("{0}")]
    Suite(String),
    /// The command could not be started.
    #[error("`{program}` could not be started: {error}")]
    NotStarted {
        /// The program.
        program: String,
        /// The error of the system.
        error: io::Error,
    },
    /// The router does not implement this protocol: it exited with status 69.
    #[error("the router does not follow the {} protocol (exit status 69)", .0.as_str())]
    ProtocolNotFollowed(Protocol),
    /// The router exited before it accepted a connection.
    #[error("{router} ended before it accepted a connection: {status}\n{}", log_section(.log))]
    Ended {
        /// The router, `router_eu`.
        router: String,
        /// Its exit status.
        status: ExitStatus,
        /// The end of its log.
        log: String,
    },
    /// The cache of a running router could not be cleared.
    #[error("the router of region {region} could not be made cold: {why}")]
    NotReset {
        /// Its region.
        region: Region,
        /// What went wrong.
        why: String,
    },
    /// A running router accepts no connection.
    #[error("the router of region {region} cannot be reached at {address}: {why}")]
    Unreachable {
        /// Its region.
        region: Region,
        /// Where it should listen.
        address: SocketAddr,
        /// What went wrong.
        why: String,
    },
    /// The router did not accept a connection in time.
    #[error(
        "{router} did not accept a connection on {listen} within {limit:?}\n{}",
        log_section(.log)
    )]
    NotReady {
        /// The router, `router_eu`.
        router: String,
        /// Where it should listen.
        listen: SocketAddr,
        /// The limit.
        limit: std::time::Duration,
        /// The end of its log.
        log: String,
    },
}

fn log_section(log: &str) -> String {
    if log.is_empty() {
        "its log is empty".to_owned()
    } else {
        format!("the end of its log:\n{log}")
    }
}
