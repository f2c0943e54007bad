//! `cells-conformance broken`: a router with one mistake.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::ended::Failed;

/// Serve a mutant, a router with one mutation; `self-test --list` shows their names
#[derive(Debug, Args)]
pub(super) struct Broken {
    /// Name of the mutant; `generated` is the one that `--seed` draws
    name: String,
    /// The seed of a defect that is drawn
    #[arg(long, value_name = "NUMBER", required_if_eq("name", "generated"))]
    seed: Option<u64>,
    /// Say what the drawn defect is, and exit
    #[arg(long, requires = "seed")]
    describe: bool,
    /// Write to the end of this file what the drawn defect does
    #[arg(long, value_name = "FILE", requires = "seed")]
    report: Option<PathBuf>,
}

impl Broken {
    pub(super) fn execute(&self) -> ExitCode {
        let Some(seed) = self.seed.filter(|_| self.name == "generated") else {
            return broken_routers::run(&self.name);
        };
        if self.describe {
            let draw = broken_routers::deviation::draw(seed);
            let text = format!("{}: {}\n", draw.protocol, draw.deviation);
            return super::ended::print(text.as_bytes()).unwrap_or_else(Failed::tell).into();
        }
        broken_routers::run_generated(seed, self.report.as_deref())
    }
}
