//! `cells-conformance report compare`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::output::{Ended, Failed};
use conformance_suite::engine::record::RunRecord;
use conformance_suite::engine::{ExitCode, counted, read_named};
use conformance_suite::ledger::Ledger;
use conformance_suite::report::Screen;
use conformance_suite::report::compare::{ChangeKind, Changes, Matrix};
use conformance_suite::standard_streams::write_output;

/// Compare reports: routers by requirement, and the changes between two reports
#[derive(Debug, Args)]
pub(in crate::cli) struct Compare {
    /// Reports in JSON, as `run --report json=PATH` and `report merge` write them, or folders of
    /// records
    #[arg(required = true, value_name = "REPORT")]
    reports: Vec<PathBuf>,
    /// Leave out requirements with the same status in all reports
    #[arg(long)]
    only_changes: bool,
    /// Fail if the second of two reports has this
    #[arg(long, value_enum, value_name = "WHAT")]
    fail_on: Option<FailOn>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FailOn {
    /// A scenario that got worse: it passed and violates now, or violates a MUST where it violated
    /// less; also if the router file lists the failure as known
    Regression,
}

impl Compare {
    pub(super) fn execute(&self) -> Ended {
        if self.fail_on.is_some() && self.reports.len() != 2 {
            return Err(Failed::Usage(format!(
                "--fail-on compares two reports, the earlier one first; {} given",
                self.reports.len()
            )));
        }
        let reports = read_named(&self.reports)?;
        let changes = match reports.as_slice() {
            [(_, before), (_, after)] => Some(Changes::between(before, after)),
            _ => None,
        };
        write_output(|out| self.write(&reports, changes.as_ref(), out))
            .map_err(Failed::NotWritten)?;
        Ok(self.exit_code(changes.as_ref()))
    }

    /// What `--fail-on` makes of the changes.
    fn exit_code(&self, changes: Option<&Changes>) -> ExitCode {
        let (Some(FailOn::Regression), Some(changes)) = (self.fail_on, changes) else {
            return ExitCode::Success;
        };
        if changes.with(ChangeKind::Regression).next().is_some() {
            ExitCode::Failure
        } else if changes.lost_a_verdict() {
            ExitCode::Incomplete
        } else {
            ExitCode::Success
        }
    }

    fn write(
        &self,
        reports: &[(String, RunRecord)],
        changes: Option<&Changes>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut matrix = Matrix::new(reports, Ledger::embedded());
        let untested = if self.only_changes { matrix.only_changes() } else { 0 };
        let untested = match untested {
            0 => String::new(),
            some => format!(
                "left out, since not every report has tested it: {}\n",
                counted(some, "requirement")
            ),
        };
        let screen = Screen::stdout();
        write!(out, "{}{untested}", matrix.text(screen.width))?;
        changes.map_or(Ok(()), |changes| write!(out, "\n{}", changes.text(&screen.styles)))
    }
}
