//! The program `cells-conformance`.

use std::process::ExitCode;

fn main() -> ExitCode {
    cells_conformance::main()
}
