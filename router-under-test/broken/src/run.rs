//! Serves the router of a name, configured by the environment.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::around::Wrong;
use crate::catalog;

/// "Not applicable": the status of a router that does not follow the protocol it is asked for.
const NOT_APPLICABLE: u8 = 69;
/// Exit status for a wrong name or a wrong configuration.
pub const USAGE: u8 = 2;

/// What every router needs in its environment.
const VARIABLES: [&str; 4] = ["CELLS_TOPOLOGY", "CELLS_LISTEN", "CELLS_REGION", "CELLS_PROTOCOL"];

/// Serves the router of this name until SIGTERM, configured by `CELLS_TOPOLOGY`, `CELLS_LISTEN`,
/// `CELLS_REGION` and `CELLS_PROTOCOL`.
///
/// Exit status 2 with a message for a name that does not exist, a variable that is not set, or a
/// topology that cannot be read; 69, before it listens, for a protocol that the router is not meant
/// for.
pub fn run(name: &str) -> ExitCode {
    let Some((seams, protocols)) = catalog::find(name) else {
        eprintln!("no router is called {name:?}; `cells-lab self-test --list` has the names");
        return ExitCode::from(USAGE);
    };
    if !VARIABLES.iter().all(|variable| std::env::var_os(variable).is_some()) {
        eprintln!(
            "{name} needs {} in its environment, which the suite sets: start it by \
             `cells-conformance run -- cells-lab broken {name}`, or write a topology file with \
             `cells-conformance fleet topology`",
            VARIABLES.join(", ")
        );
        return ExitCode::from(USAGE);
    }
    let word = std::env::var("CELLS_PROTOCOL").unwrap_or_default();
    if !protocols.each().any(|protocol| protocol.to_string() == word) {
        eprintln!("{name} is not meant for the protocol {word:?}");
        return ExitCode::from(NOT_APPLICABLE);
    }
    let router = Wrong::new(seams);
    router.start();
    reference_router::run_with(&router, &variable)
}

/// Seals route cookies where the environment names no other key. It is known to all, and good for
/// tests alone; the separate program `reference-router` has none.
const COOKIE_KEY: &str = "known to all, for tests alone";

/// A variable of the process, or what stands in for it where a router is under test.
pub fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).or_else(|| (name == "CELLS_COOKIE_KEY").then(|| COOKIE_KEY.into()))
}
