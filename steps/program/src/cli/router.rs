//! `cells-conformance router`: the reference router, as the suite serves it.

use std::ffi::OsString;
use std::process::ExitCode;

/// Seals route cookies where the environment names no other key. It is known to all, and good for
/// tests alone; the separate program `reference-router` has none.
const COOKIE_KEY: &str = "known to all, for tests alone";

/// Serves it, configured by the environment.
pub(super) fn serve() -> ExitCode {
    reference_router::run(&variable)
}

/// A variable of the process, or what stands in for it.
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).or_else(|| (name == "CELLS_COOKIE_KEY").then(|| COOKIE_KEY.into()))
}
