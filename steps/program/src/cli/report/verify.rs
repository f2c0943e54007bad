//! `cells-conformance report verify`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::ended::{Ended, print};
use conformance_suite::catalog::Catalog;
use conformance_suite::engine::{ExitCode, read_all};
use conformance_suite::ledger::Ledger;
use conformance_suite::report::Screen;
use conformance_suite::report::verify::Verification;

/// Judge the exchanges of a report again, without a router
#[derive(Debug, Args)]
pub(in crate::cli) struct Verify {
    /// Report in JSON, as `run --report json=PATH` writes it, or a folder of records
    #[arg(value_name = "REPORT")]
    report: PathBuf,
}

impl Verify {
    pub(super) fn execute(&self) -> Ended {
        let record = read_all(std::slice::from_ref(&self.report))?;
        let (catalog, ledger) = (Catalog::of(&record), Ledger::embedded());
        let verification = Verification::judge(&record, &catalog, ledger);
        print(verification.text(&Screen::stdout().styles).as_bytes())?;
        Ok(match (verification.differs.is_empty(), verification.follows()) {
            (false, _) => ExitCode::Incomplete,
            (true, false) => ExitCode::Failure,
            (true, true) => ExitCode::Success,
        })
    }
}
