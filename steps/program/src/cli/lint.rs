//! `cells-conformance lint`: whether custom feature files can be run.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::output::{Ended, Failed, print};
use conformance_suite::catalog::Catalog;
use conformance_suite::engine::record::OwnFeatures;
use conformance_suite::engine::{ExitCode, counted};

/// Check custom feature files, for `run --features`
#[derive(Debug, Args)]
pub(super) struct Lint {
    /// Feature files, or folders of them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

impl Lint {
    pub(super) fn execute(&self) -> Ended {
        let read = self.paths.iter().map(|path| OwnFeatures::read(path));
        let read = read.collect::<Result<Vec<_>, _>>()?;
        let files: usize = read.iter().map(|features| features.files.len()).sum();
        let (mut text, mut scenarios, mut complaints) = (String::new(), 0, 0);
        for catalog in read.into_iter().map(Catalog::of_own) {
            complaints += catalog.errors.len();
            // The cases of a scenario, one for each protocol, have one location.
            let places: BTreeSet<_> = catalog.cases.iter().map(|case| &case.location).collect();
            scenarios += places.len();
            for error in &catalog.errors {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{}", error.message);
            }
        }
        let (files, complained) = (counted(files, "file"), counted(complaints, "complaint"));
        let _ = writeln!(text, "{files}, {}: {complained}", counted(scenarios, "scenario"));
        let printed = print(text.as_bytes()).unwrap_or_else(Failed::tell);
        Ok(if complaints == 0 { printed } else { ExitCode::Failure })
    }
}
