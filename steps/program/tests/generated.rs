//! Some mutants that nobody wrote, killed in an earlier round: the scenario that killed each still
//! does. `ci/generated` plays a round of new ones.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use conformance_laboratory::self_test::Setup;
use conformance_laboratory::self_test::generated::{Row, still_kills};
use conformance_suite::catalog::Catalog;
use conformance_suite::stage::Stop;
use libtest_mimic::{Arguments, Trial};

/// Rows of a round. Where the tables of deviations change, seeds mean others: `ci/generated --keep`
/// renews them.
const ROWS: &str = include_str!("../fixtures/generated.txt");

fn main() -> ExitCode {
    let catalog = Arc::new(Catalog::embedded());
    let trial = |line: &'static str| {
        let catalog = catalog.clone();
        let seed = line.split_whitespace().nth(1).unwrap_or("row");
        Trial::test(format!("killed::{seed}"), move || {
            let row: Row = line.parse()?;
            let program = Path::new(env!("CARGO_BIN_EXE_cells-conformance"));
            let setup = Setup { catalog: &catalog, program, jobs: 1, stop: &Stop::default() };
            still_kills(&setup, &row).map_err(|why| format!("{row} does not kill it: {why}").into())
        })
    };
    let trials = ROWS.lines().filter(|line| !line.starts_with('#')).map(trial).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
