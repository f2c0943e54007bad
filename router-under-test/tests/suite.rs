//! The conformance suite against this build of the router: what `ci/mutants` runs for each mutant of
//! cargo-mutants. `cargo test` leaves it out; `cargo test --test suite` runs it.
//!
//! The suite only warns about a violated SHOULD. This router follows each, so here that fails too.

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
    let suite = std::env::var_os("CELLS_SUITE")
        .expect("CELLS_SUITE is not set; it is the absolute path of the program cells-conformance");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("router.toml");
    let command = format!("command = [{:?}]\n", env!("CARGO_BIN_EXE_reference-router"));
    std::fs::write(&file, command + ROUTER_FILE).unwrap();
    // What ends soonest comes first.
    for arguments in [
        &["run", "--profile", "core", "--fail-fast", "--format", "json"][..],
        &["run", "--profile", "hardening", "--fail-fast", "--format", "json"],
        &["explore", "--runs", "300", "--seed", "1"],
    ] {
        let output = Command::new(&suite)
            .args(arguments)
            .arg("--router-file")
            .arg(&file)
            .env("CELLS_COOKIE_KEY", "known to all, for tests alone")
            .stderr(Stdio::inherit())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{arguments:?}: {}\n{text}", output.status);
        if arguments.contains(&"json") {
            text.lines().for_each(violates_no_should);
        }
    }
}

/// Fails where this line about a scenario has a finding that is no MAY.
fn violates_no_should(line: &str) {
    let scenario: Value = serde_json::from_str(line).unwrap();
    for finding in scenario["findings"].as_array().into_iter().flatten() {
        assert_eq!(finding["level"], "MAY", "{scenario:#}");
    }
}
