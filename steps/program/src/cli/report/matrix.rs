//! `cells-conformance report matrix`: many reports as pages.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::ended::{Ended, Failed};
use conformance_suite::engine::{ExitCode, counted, read_named};
use conformance_suite::ledger::Ledger;
use conformance_suite::report::matrix::pages;
use conformance_suite::report::write_file;

/// Write many reports as pages: a matrix of routers by requirement, and a page for each
#[derive(Debug, Args)]
pub(in crate::cli) struct WriteMatrix {
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
    pub(super) fn execute(&self) -> Ended {
        let reports = read_named(&self.reports)?;
        let pages = pages(&reports, Ledger::embedded(), self.spec.as_deref());
        self.write(&pages).map_err(Failed::NotWritten)?;
        let first = self.out.join("index.html");
        eprintln!("wrote {}; start with {}", counted(pages.len(), "file"), first.display());
        Ok(ExitCode::Success)
    }

    fn write(&self, pages: &[(String, String)]) -> Result<(), String> {
        let failed = |what: &Path, error| format!("{}: {error}", what.display());
        fs::create_dir_all(&self.out).map_err(|error| failed(&self.out, error))?;
        for (name, text) in pages {
            let path = self.out.join(name);
            write_file(&path, text.as_bytes()).map_err(|error| failed(&path, error))?;
        }
        Ok(())
    }
}
