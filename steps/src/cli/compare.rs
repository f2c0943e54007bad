//! `cells-conformance compare`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::usage_error;
use crate::ledger::Ledger;
use crate::report::compare::{Changes, Matrix};
use crate::report::data::Report;

/// Compares reports.
#[derive(Debug, Args)]
pub(super) struct Compare {
    /// Reports in JSON, as `run --report json=PATH` writes them
    #[arg(required = true, value_name = "REPORT")]
    reports: Vec<PathBuf>,
    /// The form of the matrix
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// Columns for a terminal
    #[default]
    Text,
    /// Tables in Markdown
    Markdown,
}

impl Compare {
    pub(super) fn execute(&self) -> ExitCode {
        let named = |path: &PathBuf| Ok::<_, String>((path.display().to_string(), read(path)?));
        let reports = match self.reports.iter().map(named).collect::<Result<Vec<_>, _>>() {
            Ok(reports) => reports,
            Err(why) => return usage_error(&why),
        };
        match self.write(&reports) {
            // A reader that has seen enough (`| head`) is no error.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                usage_error(&format!("standard output: {error}"))
            }
            Ok(()) | Err(_) => ExitCode::SUCCESS,
        }
    }

    fn write(&self, reports: &[(String, Report)]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let matrix = Matrix::of(reports, Ledger::embedded());
        let changes = match reports {
            [(_, before), (_, after)] => Some(Changes::between(before, after).to_string()),
            _ => None,
        };
        match self.format {
            Format::Text => {
                write!(out, "{}", matrix.text())?;
                changes.map_or(Ok(()), |changes| write!(out, "\n{changes}"))
            }
            Format::Markdown => {
                write!(out, "{}", matrix.markdown())?;
                changes.map_or(Ok(()), |changes| {
                    write!(out, "\n{}", crate::report::markdown_block(&changes))
                })
            }
        }
    }
}

/// Reads a report.
pub(super) fn read(path: &Path) -> Result<Report, String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Report::from_json(&text).map_err(|why| format!("{}: {why}", path.display()))
}
