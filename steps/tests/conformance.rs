//! The suite against the reference router, one trial for each scenario and protocol.

use std::process::ExitCode;

use cells_conformance::cli::{launch, reference_router};
use cells_conformance::harness;

fn main() -> ExitCode {
    harness::main(launch(reference_router(env!("CARGO_BIN_EXE_cells-conformance").into()), 1), true)
}
