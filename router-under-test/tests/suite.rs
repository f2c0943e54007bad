//! The conformance suite against this build of the router: what `ci/mutants` runs for each mutant of
//! cargo-mutants. `cargo test` leaves it out; `cargo test --test suite` runs it.

use std::process::Command;

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
        &["run", "--profile", "core", "--fail-fast"][..],
        &["run", "--profile", "hardening", "--fail-fast"],
        &["explore", "--runs", "300", "--seed", "1"],
    ] {
        let status = Command::new(&suite)
            .args(arguments)
            .arg("--router-file")
            .arg(&file)
            .env("CELLS_COOKIE_KEY", "known to all, for tests alone")
            .status()
            .unwrap();
        assert!(status.success(), "{arguments:?}: {status}");
    }
}
