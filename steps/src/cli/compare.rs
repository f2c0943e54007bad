//! `cells-conformance compare`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::{not_written, usage_error};
use crate::engine::record::RunRecord;
use crate::engine::{self, read_all};
use crate::ledger::Ledger;
use crate::report::compare::{Changes, Matrix};
use crate::standard_streams::write_output;

/// Compare reports.
#[derive(Debug, Args)]
pub(super) struct Compare {
    /// Reports in JSON, as `run --report json=PATH` writes them, or folders of records
    #[arg(required = true, value_name = "REPORT")]
    reports: Vec<PathBuf>,
    /// Form of the matrix
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
        let named = |path: &PathBuf| {
            let record = read_all(std::slice::from_ref(path))?;
            Ok::<_, String>((path.display().to_string(), record))
        };
        let reports = match self.reports.iter().map(named).collect::<Result<Vec<_>, _>>() {
            Ok(reports) => reports,
            Err(why) => return usage_error(&why),
        };
        match write_output(|out| self.write(&reports, out)) {
            Err(why) => not_written(&why),
            Ok(()) => engine::ExitCode::Success.into(),
        }
    }

    fn write(&self, reports: &[(String, RunRecord)], out: &mut dyn Write) -> io::Result<()> {
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
