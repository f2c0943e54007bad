//! The first line of a run: who is tested, and on what claims.

use cell_fleet::Protocol;

use super::text::{identity, joined};
use crate::engine::counted;
use crate::engine::record::RouterRecord;

/// The first line of a run of `cases` scenarios; another `left_out` were selected, but are not run.
pub fn header(router: &RouterRecord, cases: usize, left_out: usize) -> String {
    let protocols = if router.protocols.is_empty() {
        "claims no protocol, so both are tried".to_owned()
    } else {
        format!("protocols: {}", joined(&router.protocols, ", "))
    };
    let capabilities = if router.capabilities.is_empty() {
        "capabilities: none".to_owned()
    } else {
        format!("capabilities: {}", joined(&router.capabilities, ", "))
    };
    let left_out =
        if left_out == 0 { String::new() } else { format!(", and {left_out} not to be run") };
    format!(
        "testing {}; {protocols}; {capabilities}; {} to run{left_out}",
        started(router),
        counted(cases, "scenario"),
    )
}

/// The first line of an exploration of these protocols.
pub fn exploration_header(router: &RouterRecord, protocols: &[Protocol]) -> String {
    format!("exploring {}; protocols: {}", started(router), joined(protocols, ", "))
}

/// A router, and how it was started. The addresses of one that runs already are not shown.
fn started(router: &RouterRecord) -> String {
    let name = identity(router);
    match (router.command.as_slice(), router.running.as_slice()) {
        ([], []) => format!("{name}, which runs already"),
        ([], regions) => format!("{name}, which runs already in {}", regions.join(" and ")),
        (command, _) => format!("{name}, started by `{}`", command.join(" ")),
    }
}
