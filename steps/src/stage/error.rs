//! Why the stage of a scenario, or a router, did not start.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

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
    NotStarted { program: String, error: io::Error },
    /// The router does not implement this protocol: it exited with status 69.
    #[error("the router does not follow the {} protocol (exit status 69)", .0.as_str())]
    ProtocolNotFollowed(Protocol),
    /// The router exited before it accepted a connection.
    #[error("{router} ended before it accepted a connection: {status}\n{}", log_section(.log))]
    Ended { router: String, status: ExitStatus, log: String },
    /// The cache of a running router could not be cleared.
    #[error("the router of region {region} could not be made cold: {why}")]
    NotReset { region: Region, why: String },
    /// A running router accepts no connection.
    #[error("the router of region {region} cannot be reached at {address}: {why}")]
    Unreachable { region: Region, address: SocketAddr, why: String },
    /// The router did not accept a connection in time.
    #[error(
        "{router} did not accept a connection on {listen} within {limit:?}{}\n{}",
        beside(*.kept_back),
        log_section(.log)
    )]
    NotReady {
        router: String,
        listen: SocketAddr,
        limit: Duration,
        /// How long the machine kept it from its start; this does not count.
        kept_back: Duration,
        log: String,
    },
}

impl RouterError {
    /// The error of a command that could not be started, with what is probably meant.
    pub(super) fn not_started(program: &OsStr, error: io::Error) -> Self {
        let error = match hint(program).filter(|_| error.kind() == io::ErrorKind::NotFound) {
            Some(hint) => io::Error::new(error.kind(), format!("{error}; {hint}")),
            None => error,
        };
        Self::NotStarted { program: program.to_string_lossy().into_owned(), error }
    }
}

/// What may be wrong with a program that was not found.
fn hint(program: &OsStr) -> Option<String> {
    let mut first = Vec::new();
    let script =
        std::fs::File::open(program).and_then(|file| file.take(256).read_to_end(&mut first));
    let first = String::from_utf8_lossy(&first);
    let first = first.split('\n').next().filter(|line| line.starts_with("#!"));
    match (first, script.is_ok()) {
        (Some(line), _) if line.ends_with('\r') => Some(format!(
            "it is a script whose lines end with CR LF, so that `{}` and a carriage return name its \
             interpreter: save it with LF alone",
            line.trim_end()
        )),
        (Some(line), _) => {
            Some(format!("its first line, `{line}`, names no program of this machine"))
        }
        (None, false) if program.to_string_lossy().contains(char::is_whitespace) => {
            let name = Path::new(program).file_name().unwrap_or(program).to_string_lossy();
            let words: Vec<_> = name.split_whitespace().map(|word| format!("\"{word}\"")).collect();
            Some(format!(
                "is this a program with its arguments? Each is a separate word: [{}]",
                words.join(", ")
            ))
        }
        (None, _) => None,
    }
}

fn beside(kept_back: Duration) -> String {
    match kept_back.as_millis() {
        0..100 => String::new(),
        ms => format!(", in addition to {ms} ms in which the machine kept it from its start"),
    }
}

fn log_section(log: &str) -> String {
    if log.is_empty() {
        "its log is empty".to_owned()
    } else {
        format!("the end of its log:\n{log}")
    }
}
