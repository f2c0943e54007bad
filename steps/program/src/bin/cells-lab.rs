//! The program `cells-lab`, for authors and reviewers of the suite.

use std::process::ExitCode;

fn main() -> ExitCode {
    cells_conformance::lab()
}
