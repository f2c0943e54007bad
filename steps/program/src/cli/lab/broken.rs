//! `cells-lab broken`: a router with one mistake.

use std::process::ExitCode;

use clap::Args;

/// Serve a mutant, a router with one mistake; `self-test --list` shows their names
#[derive(Debug, Args)]
pub(super) struct Broken {
    /// Name of the mutant
    name: String,
}

impl Broken {
    pub(super) fn execute(&self) -> ExitCode {
        broken_routers::run(&self.name)
    }
}
