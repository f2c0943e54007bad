//! The program `cells-conformance`, for authors of routers.

use std::process::ExitCode;

fn main() -> ExitCode {
    cells_conformance::main()
}
