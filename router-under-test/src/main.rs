//! The program `reference-router`: everything is in the library, see its documentation.

use std::process::ExitCode;

fn main() -> ExitCode {
    reference_router::run(&|name: &str| std::env::var_os(name))
}
