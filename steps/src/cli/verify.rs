//! `cells-conformance verify`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser};

use super::select::Selection;
use super::usage_error;
use crate::catalog::{Case, Catalog};
use crate::engine;
use crate::ledger::Ledger;
use crate::report::verify::Verification;

/// Judges a report again.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// A report in JSON, as `run --report json=PATH` writes it
    #[arg(value_name = "REPORT")]
    report: PathBuf,
}

/// A selection as a report keeps it, read as it was given.
#[derive(Debug, Parser)]
struct Words {
    #[command(flatten)]
    selection: Selection,
}

impl Verify {
    pub(super) fn execute(&self) -> ExitCode {
        let report = match super::compare::read(&self.report) {
            Ok(report) => report,
            Err(why) => return usage_error(&why),
        };
        let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
        let selected = selected(&report.run.selection, &catalog, ledger);
        let verification = Verification::of(&report, selected, &catalog, ledger);
        match write!(io::stdout().lock(), "{verification}") {
            // A reader that has seen enough (`| head`) is no error.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                return usage_error(&format!("standard output: {error}"));
            }
            Ok(()) | Err(_) => {}
        }
        match (verification.differs.is_empty(), verification.follows()) {
            (false, _) => engine::ExitCode::Incomplete.into(),
            (true, false) => engine::ExitCode::Failure.into(),
            (true, true) => ExitCode::SUCCESS,
        }
    }
}

/// The cases that the words of a report select.
fn selected(words: &[String], catalog: &Catalog, ledger: &Ledger) -> Result<Vec<Case>, String> {
    // An option and its value are kept as one.
    let words = words.iter().flat_map(|word| match word.split_once(' ') {
        Some((option, value)) if option.starts_with("--") => vec![option, value],
        _ => vec![word.as_str()],
    });
    let words = Words::try_parse_from(["selection"].into_iter().chain(words));
    let words =
        words.map_err(|error| error.to_string().lines().next().unwrap_or_default().to_owned())?;
    words.selection.of(&catalog.cases, ledger)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_report_select_what_was_selected() {
        let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
        let count = |words: &[&str]| {
            selected(
                &words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>(),
                &catalog,
                ledger,
            )
            .map(|cases| cases.len())
        };
        assert_eq!(count(&[]), Ok(catalog.cases.len()));
        let journeys = count(&["journeys"]).unwrap();
        assert!(journeys < catalog.cases.len());
        assert!(count(&["journeys", "--profile core"]).unwrap() < journeys);
        let section = count(&["--tag doc:buffering/project-signed-in"]).unwrap();
        assert!(
            section < journeys
                && count(&["--tag doc:buffering/project-signed-in:drawing"]).unwrap() < section
        );
        assert!(count(&["--tag doc:buffering/project-signed"]).is_err());
        assert!(count(&["--tag"]).is_err());
        assert!(count(&["no-such-scenario"]).is_err());
    }
}
