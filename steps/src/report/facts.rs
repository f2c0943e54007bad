//! Who was tested, by what and how: the same facts in every form of the report that people read, and
//! the first line of a run.

use cell_fleet::Protocol;

use super::journeys::took;
use super::rerun::rerun_all;
use super::text::{identity, joined, seconds};
use crate::engine::counted;
use crate::engine::record::{RouterRecord, RunRecord};

#[derive(Debug)]
pub(super) struct Fact {
    pub(super) name: &'static str,
    /// The fact; an address may be a link.
    pub(super) value: String,
    pub(super) is_code: bool,
    /// Whether only who repeats the run needs it.
    pub(super) is_detail: bool,
}

/// The facts about a run, those about the router first. Its name stands in the title.
pub(super) fn facts(report: &RunRecord) -> Vec<Fact> {
    let (router, suite, run) = (&report.router, &report.suite, &report.run);
    let or = |words: String, none: &str| if words.is_empty() { none.to_owned() } else { words };
    let fact = |name, value| Fact { name, value, is_code: false, is_detail: false };
    let code = |name, value| Fact { name, value, is_code: true, is_detail: true };
    let mut facts = Vec::new();
    facts.extend(router.url.clone().map(|url| fact("page", url)));
    facts.extend(router.contact.clone().map(|contact| fact("contact", contact)));
    facts.extend([
        fact(
            "protocols claimed",
            or(joined(&router.protocols, ", "), "none stated: both were tried"),
        ),
        fact("capabilities claimed", or(joined(&router.capabilities, ", "), "none")),
        fact("run", format!("{}, {} s", run.began, seconds(run.took_ms))),
        match &report.exploration {
            None => {
                let selection = or(joined(&run.selection, ", "), "nothing, so all of them");
                fact("scenarios", format!("{}, selected by: {selection}", report.scenarios.len()))
            }
            Some(exploration) => fact("journeys", took(report, exploration)),
        },
    ]);
    let command = match router.command.as_slice() {
        [] => "not started by the suite: it was already running".to_owned(),
        command => command.join(" "),
    };
    let machine = format!("{}, {}", counted(run.jobs, "parallel job"), run.platform);
    facts.extend([
        Fact { is_code: !router.command.is_empty(), ..code("started by", command) },
        code("seed", run.seed.to_string()),
        code("rerun", rerun_all(report)),
        Fact { is_code: false, ..code("machine", machine) },
        Fact { is_code: false, ..code("suite", format!("cells-conformance {}", suite.version)) },
        code("features", suite.features_digest.clone()),
        code("ledger", suite.ledger_digest.clone()),
    ]);
    facts
}

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
