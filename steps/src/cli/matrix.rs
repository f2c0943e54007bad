//! `cells-conformance matrix`: many reports as pages.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::usage_error;
use crate::engine::{self, read_all};
use crate::ledger::Ledger;
use crate::report::matrix::pages;

/// Write many reports as pages: a matrix of routers by requirement, and a page for each.
#[derive(Debug, Args)]
pub(super) struct WriteMatrix {
    /// Reports in JSON, as `run --report json=PATH` writes them, or folders of records; each is a
    /// column, in this order
    #[arg(required = true, value_name = "REPORT")]
    reports: Vec<PathBuf>,
    /// Folder for the pages, created if missing; `index.html` is the matrix
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Where the pages of `spec` are, as a path or an address; the ids of requirements lead there
    #[arg(long, value_name = "PLACE")]
    spec: Option<String>,
}

impl WriteMatrix {
    pub(super) fn execute(&self) -> ExitCode {
        match self.write() {
            Ok(count) => {
                let first = self.out.join("index.html");
                eprintln!("wrote {count} files; start with {}", first.display());
                engine::ExitCode::Success.into()
            }
            Err(why) => usage_error(&why),
        }
    }

    fn write(&self) -> Result<usize, String> {
        let named = |path: &PathBuf| {
            let record = read_all(std::slice::from_ref(path))?;
            Ok::<_, String>((path.display().to_string(), record))
        };
        let reports = self.reports.iter().map(named).collect::<Result<Vec<_>, _>>()?;
        let pages = pages(&reports, Ledger::embedded(), self.spec.as_deref());
        let failed = |what: &PathBuf, error| format!("{}: {error}", what.display());
        fs::create_dir_all(&self.out).map_err(|error| failed(&self.out, error))?;
        for (name, text) in &pages {
            let path = self.out.join(name);
            fs::write(&path, text).map_err(|error| failed(&path, error))?;
        }
        Ok(pages.len())
    }
}
