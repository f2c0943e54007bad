//! The conformance suite against this build of the router: what `ci/mutants` runs for each mutant of
//! cargo-mutants. `cargo test` leaves it out; `cargo test --test suite` runs it.
//!
//! The suite only warns about a violated SHOULD or MAY. This router follows each but Z-55, so here
//! that fails too.

use std::process::{Command, Stdio};

use serde_json::Value;

/// What the router claims; the suite finds out whether it is so.
const ROUTER_FILE: &str = r#"
name = "reference router"
protocols = ["buffering", "learning"]
capabilities = [
    "cookie-cache", "not-found-delay", "upgrade", "http10-clients", "exact-limits",
    "cross-region-fallback",
]
"#;

#[test]
fn the_router_conforms() {
    let program = std::env::var_os("CELLS_SUITE")
        .expect("CELLS_SUITE is not set; it is the absolute path of the program cells-conformance");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("router.toml");
    let command = format!("command = [{:?}]\n", env!("CARGO_BIN_EXE_reference-router"));
    std::fs::write(&file, command + ROUTER_FILE).unwrap();
    let suite = |arguments: &[&str]| {
        let output = Command::new(&program)
            .args(arguments)
            .arg("--router-file")
            .arg(&file)
            .env("CELLS_COOKIE_KEY", "known to all, for tests alone")
            .stderr(Stdio::inherit())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{arguments:?}: {}\n{text}", output.status);
        text
    };
    // What ends soonest comes first.
    uses_connections_again(&suite(&["run", "*a_second_request_goes*", "--report", "json=-"]));
    for profile in ["core", "hardening"] {
        let lines = suite(&["run", "--profile", profile, "--fail-fast", "--format", "json"]);
        lines.lines().for_each(has_no_finding);
    }
    suite(&["explore", "--runs", "300", "--seed", "1"]);
}

/// Fails where the cell that responded twice to a user did not so on one connection. The suite asks
/// that of no router; this one keeps connections.
fn uses_connections_again(record: &str) {
    let record: Value = serde_json::from_str(record).unwrap();
    for scenario in record["scenarios"].as_array().unwrap() {
        let hops = scenario["trace"]["hops"].as_array().unwrap();
        let [.., first, second] = hops.as_slice() else { panic!("{scenario:#}") };
        let connection = |hop: &Value| hop["request"]["connection"].clone();
        assert_eq!(connection(first), connection(second), "{scenario:#}");
    }
}

/// Fails where this line about a scenario has a finding. Z-55 depends on hyper alone.
fn has_no_finding(line: &str) {
    let scenario: Value = serde_json::from_str(line).unwrap();
    for finding in scenario["findings"].as_array().into_iter().flatten() {
        assert_eq!(finding["requirement"], "Z-55", "{scenario:#}");
    }
}
