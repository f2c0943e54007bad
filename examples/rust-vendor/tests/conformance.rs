//! Every conformance scenario is a test of this router.

use std::process::ExitCode;

use conformance_suite::harness::Harness;

fn main() -> ExitCode {
    Harness::of_router_file("router.toml").with_program(env!("CARGO_BIN_EXE_little-router")).main()
}
