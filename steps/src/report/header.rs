//! The first line of a run: who is tested, and on what claims.

use cell_fleet::Protocol;

use super::text::identity;
use crate::engine::counted;
use crate::engine::record::RouterRecord;

/// The first line of a run of `cases` scenarios; another `left_out` were selected, but are not run.
pub fn header(router: &RouterRecord, cases: usize, left_out: usize) -> String {
    let started = if router.command.is_empty() {
        runs_already(router)
    } else {
        format!("started by `{}`", router.command.join(" "))
    };
    let protocols = if router.protocols.is_empty() {
        "claims no protocol, so both are tried".to_owned()
    } else {
        format!("protocols: {}", router.protocols.join(", "))
    };
    let capabilities = if router.capabilities.is_empty() {
        "capabilities: none".to_owned()
    } else {
        format!("capabilities: {}", router.capabilities.join(", "))
    };
    let left_out =
        if left_out == 0 { String::new() } else { format!(", and {left_out} not to be run") };
    format!(
        "testing {}, {started}; {protocols}; {capabilities}; {} to run{left_out}",
        identity(router),
        counted(cases, "scenario"),
    )
}

/// The first line of an exploration of these protocols.
pub fn exploration_header(router: &RouterRecord, protocols: &[Protocol]) -> String {
    let protocols: Vec<_> = protocols.iter().map(|protocol| protocol.as_str()).collect();
    let how = match router.command.as_slice() {
        [] => runs_already(router),
        command => format!("started by `{}`", command.join(" ")),
    };
    format!("exploring {}, {how}; protocols: {}", identity(router), protocols.join(", "))
}

/// The words for a router that the suite did not start. Its addresses are not shown.
fn runs_already(router: &RouterRecord) -> String {
    match router.running.as_slice() {
        [] => "which runs already".to_owned(),
        regions => format!("which runs already in {}", regions.join(" and ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn the_router_its_claims_and_the_scenarios_are_named() {
        let mut router = sample::report().router;
        assert_eq!(
            header(&router, 1, 2),
            "testing Waypoint 2.1, started by `./start --listen {listen}`; protocols: buffering; \
             capabilities: exact-limits; 1 scenario to run, and 2 not to be run"
        );
        router.command.clear();
        router.running = vec!["eu".to_owned(), "us".to_owned()];
        router.protocols.clear();
        router.capabilities.clear();
        assert_eq!(
            header(&router, 20, 0),
            "testing Waypoint 2.1, which runs already in eu and us; claims no protocol, so both \
             are tried; capabilities: none; 20 scenarios to run"
        );
    }
}
