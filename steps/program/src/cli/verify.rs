//! `cells-conformance verify`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{not_written, usage_error};
use conformance_suite::catalog::Catalog;
use conformance_suite::engine;
use conformance_suite::ledger::Ledger;
use conformance_suite::report::Screen;
use conformance_suite::report::verify::Verification;
use conformance_suite::standard_streams::write_output;

/// Judge the exchanges of a report again, without a router.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Report in JSON, as `run --report json=PATH` writes it, or a folder of records
    #[arg(value_name = "REPORT")]
    report: PathBuf,
}

impl Verify {
    pub(super) fn execute(&self) -> ExitCode {
        let record = match engine::read_all(std::slice::from_ref(&self.report)) {
            Ok(record) => record,
            Err(why) => return usage_error(&why),
        };
        let (catalog, ledger) = (Catalog::of(&record), Ledger::embedded());
        let verification = Verification::of(&record, &catalog, ledger);
        let text = verification.text(&Screen::stdout().styles);
        if let Err(why) = write_output(|out| out.write_all(text.as_bytes())) {
            return not_written(&why);
        }
        match (verification.differs.is_empty(), verification.follows()) {
            (false, _) => engine::ExitCode::Incomplete.into(),
            (true, false) => engine::ExitCode::Failure.into(),
            (true, true) => engine::ExitCode::Success.into(),
        }
    }
}
