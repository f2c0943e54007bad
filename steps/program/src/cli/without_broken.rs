//! `self-test` and `broken` in a program that was built without broken routers.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;

use super::ended::{Ended, Failed};

/// Run the suite against mutants and variants, to prove that it can fail; not in this build
///
/// This program was built without the broken routers. To build one that has them, run
/// `cargo build --release -p cells-conformance --features broken` in a checkout.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(super) struct SelfTest {
    /// Whatever the full program takes
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _arguments: Vec<OsString>,
}

impl SelfTest {
    pub(super) fn execute(&self) -> Ended {
        missing("self-test")
    }
}

/// Serve a mutant, a router with one mutation; not in this build
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(super) struct Broken {
    /// Name of the mutant, and whatever the full program takes
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    name: Vec<String>,
}

impl Broken {
    pub(super) fn execute(&self) -> ExitCode {
        missing(&format!("broken {}", self.name.join(" "))).unwrap_or_else(Failed::tell).into()
    }
}

/// Says what is missing and how to build it.
fn missing(command: &str) -> Ended {
    Err(Failed::Usage(format!(
        concat!(
            "`{}` needs the broken routers, and this program was built without them; in a ",
            "checkout, `cargo build --release -p cells-conformance --features broken` builds one ",
            "that has them"
        ),
        command
    )))
}
