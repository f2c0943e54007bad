//! `cells-conformance self-test`.

use std::io::{self, Write};
use std::process::ExitCode;
use std::thread::available_parallelism;

use broken_routers::Defect;
use clap::Args;

use super::usage_error;
use crate::catalog::Catalog;
use crate::self_test::{Extent, Hunt, hunt};

/// Runs the suite against broken routers.
#[derive(Debug, Args)]
pub(super) struct SelfTest {
    /// Names of defects, or parts of them; all where none is given
    names: Vec<String>,
    /// Only the scenarios that cite the requirement that a defect breaks, and one as a control
    #[arg(long)]
    quick: bool,
    /// Lists the defects and ends
    #[arg(long)]
    list: bool,
    /// How many scenarios run side by side
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

impl SelfTest {
    pub(super) fn execute(&self) -> ExitCode {
        let wanted = |defect: &&Defect| self.names.is_empty() || self.names.iter().any(|name| defect.name.contains(name.as_str()));
        let defects: Vec<_> = broken_routers::defects().iter().filter(wanted).collect();
        if defects.is_empty() {
            return usage_error("no defect is named like that; `self-test --list` shows the names");
        }
        let outcome = if self.list { list(&defects) } else { self.run(&defects) };
        outcome.unwrap_or_else(|error| usage_error(&format!("standard output: {error}")))
    }

    fn run(&self, defects: &[&'static Defect]) -> io::Result<ExitCode> {
        let catalog = Catalog::embedded();
        let program = std::env::current_exe()?;
        let jobs = self.jobs.unwrap_or_else(|| 2 * available_parallelism().map_or(1, usize::from));
        let extent = if self.quick { Extent::Citing } else { Extent::Whole };
        let mut survivors = Vec::new();
        let mut errors = 0;
        for defect in defects {
            let hunt = hunt(defect, &catalog, program.clone(), extent, jobs);
            writeln!(io::stdout(), "{}", row(&hunt))?;
            for error in &hunt.suite_errors {
                writeln!(io::stdout(), "    SUITE ERROR {error}")?;
            }
            errors += hunt.suite_errors.len();
            if !hunt.is_caught() {
                survivors.push(defect);
            }
        }
        writeln!(io::stdout(), "\n{} defects, {} caught, {} survived", defects.len(), defects.len() - survivors.len(), survivors.len())?;
        for defect in &survivors {
            writeln!(io::stdout(), "  survived: {} ({}): {}", defect.name, defect.requirement, defect.summary)?;
        }
        Ok(match (errors, survivors.len()) {
            (0, 0) => ExitCode::SUCCESS,
            _ => ExitCode::from(4),
        })
    }
}

fn list(defects: &[&'static Defect]) -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    for defect in defects {
        writeln!(out, "{:<44} {}  {}", defect.name, defect.requirement, defect.summary)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A row of the kill matrix.
fn row(hunt: &Hunt) -> String {
    let collateral: Vec<_> = hunt.collateral.iter().map(|(id, count)| format!("{id}:{count}")).collect();
    let collateral = if collateral.is_empty() { String::new() } else { format!("  collateral {}", collateral.join(" ")) };
    let word = if hunt.is_caught() { "caught" } else { "SURVIVED" };
    format!("{word:<8} {} {:<44} by {:>3} of {:>3}{collateral}", hunt.defect.requirement, hunt.defect.name, hunt.caught_by.len(), hunt.ran)
}
