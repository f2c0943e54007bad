//! Why a router did not start.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::process::ExitStatus;

use cell_fleet::{Protocol, Region};

/// Why a router did not become ready.
#[derive(Debug)]
pub enum RouterError {
    /// The suite could not prepare the start: a file, a pipe, another process.
    Suite(String),
    /// The command could not be started.
    NotStarted {
        /// The program.
        program: String,
        /// The error of the system.
        error: io::Error,
    },
    /// The router does not implement this protocol: it exited with status 69.
    ProtocolNotFollowed(Protocol),
    /// The router exited before it accepted a connection.
    Ended {
        /// The router, `router_eu`.
        router: String,
        /// Its exit status.
        status: ExitStatus,
        /// The end of its log.
        log: String,
    },
    /// The cache of a running router could not be cleared.
    NotReset {
        /// Its region.
        region: Region,
        /// What went wrong.
        why: String,
    },
    /// A running router accepts no connection.
    Unreachable {
        /// Its region.
        region: Region,
        /// Where it should listen.
        address: SocketAddr,
        /// What went wrong.
        why: String,
    },
    /// The router did not accept a connection in time.
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

impl fmt::Display for RouterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Suite(why) => f.write_str(why),
            Self::NotStarted { program, error } => {
                write!(f, "`{program}` could not be started: {error}")
            }
            Self::ProtocolNotFollowed(protocol) => {
                write!(
                    f,
                    "the router does not follow the {} protocol (exit status 69)",
                    protocol.as_str()
                )
            }
            Self::Ended { router, status, log } => {
                write!(
                    f,
                    "{router} ended before it accepted a connection: {status}\n{}",
                    log_section(log)
                )
            }
            Self::NotReset { region, why } => {
                write!(f, "the router of region {region} could not be made cold: {why}")
            }
            Self::Unreachable { region, address, why } => {
                write!(f, "the router of region {region} cannot be reached at {address}: {why}")
            }
            Self::NotReady { router, listen, limit, log } => {
                write!(
                    f,
                    "{router} did not accept a connection on {listen} within {limit:?}\n{}",
                    log_section(log)
                )
            }
        }
    }
}

fn log_section(log: &str) -> String {
    if log.is_empty() {
        "its log is empty".to_owned()
    } else {
        format!("the end of its log:\n{log}")
    }
}
