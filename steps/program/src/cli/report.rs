//! `cells-conformance report`: what is made of reports.

mod compare;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::output::{Ended, Failed, Output, complain, print, write_pages};
use conformance_suite::catalog::Catalog;
use conformance_suite::engine::{ExitCode, Selection, counted, merge, read_all, read_named};
use conformance_suite::ledger::Ledger;
use conformance_suite::report::matrix::pages;
use conformance_suite::report::verify::Verification;
use conformance_suite::report::{ReportFile, Screen, try_paths, write};

/// Render, merge, compare and verify reports
#[derive(Debug, Subcommand)]
pub(super) enum Report {
    Render(Render),
    Merge(Merge),
    Compare(compare::Compare),
    Verify(Verify),
    Matrix(WriteMatrix),
}

impl Report {
    pub(super) fn execute(&self) -> Ended {
        match self {
            Self::Render(command) => command.execute(),
            Self::Merge(command) => command.execute(),
            Self::Compare(command) => command.execute(),
            Self::Verify(command) => command.execute(),
            Self::Matrix(command) => command.execute(),
        }
    }
}

/// Make reports from the record of a run, or from the records that tests left in a folder
#[derive(Debug, Args)]
pub(super) struct Render {
    /// Record of a run: a file that `run --report json=FILE` wrote, or a folder that tests filled
    /// (CELLS_RECORD_DIR); several are joined
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    // The help names every form.
    #[arg(long = "report", value_name = "FORM=PATH", required = true, help = ReportFile::help())]
    reports: Vec<ReportFile>,
}

impl Render {
    fn execute(&self) -> Ended {
        try_paths(&self.reports, &[])?;
        let record = read_all(&self.records)?;
        write(&record, &self.reports).map_err(Failed::NotWritten)?;
        complain(&record);
        let scenarios = counted(record.scenarios.len(), "scenario");
        eprintln!("{scenarios}: {}", record.conclusion);
        Ok(ExitCode::Success)
    }
}

/// Join the records of shards, or of tests on several machines, to one run
#[derive(Debug, Args)]
pub(super) struct Merge {
    /// Records of all parts: files that `run --shard ... --report json=FILE` wrote, or folders that
    /// tests filled (CELLS_RECORD_DIR), as with `cargo nextest run --partition`
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    // The help names every form.
    #[arg(long = "report", value_name = "FORM=PATH", help = ReportFile::help())]
    reports: Vec<ReportFile>,
    /// Records of tests: the scenarios that the tests were to run, a part of the name, or a pattern
    /// with `*` (repeatable; by default all)
    #[arg(long = "filter", value_name = "FILTER")]
    filters: Vec<String>,
}

impl Merge {
    fn execute(&self) -> Ended {
        try_paths(&self.reports, &[])?;
        let expected = Selection { filters: self.filters.clone(), ..Selection::default() };
        let (record, parts) = merge(&self.records, &expected)?;
        let mut output = Output::beside(&self.reports);
        output.summary(&record, false);
        eprintln!("{} merged: {}", counted(parts, "record"), record.conclusion);
        output.reports(&record, &self.reports);
        Ok(output.finish(&record, None))
    }
}

/// Judge the exchanges of a report again, without a router
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Report in JSON, as `run --report json=PATH` writes it, or a folder of records
    #[arg(value_name = "REPORT")]
    report: PathBuf,
}

impl Verify {
    fn execute(&self) -> Ended {
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

/// Write many reports as pages: a matrix of routers by requirement, and a page for each
#[derive(Debug, Args)]
pub(super) struct WriteMatrix {
    /// Reports in JSON, as `run --report json=PATH` writes them, or folders of records; each is a
    /// column, in this order
    #[arg(required = true, value_name = "REPORT")]
    reports: Vec<PathBuf>,
    /// Folder for the pages, created if missing; `index.html` is the matrix
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Where the pages of `cells-lab spec` are, as a path or an address; the ids of requirements lead there
    #[arg(long, value_name = "PLACE")]
    spec: Option<String>,
}

impl WriteMatrix {
    fn execute(&self) -> Ended {
        let reports = read_named(&self.reports)?;
        let pages = pages(&reports, Ledger::embedded(), self.spec.as_deref());
        write_pages(&self.out, &pages)
    }
}
