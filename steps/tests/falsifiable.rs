//! Each broken router and each broken cell is caught by the requirement that it breaks: one trial
//! for each defect, over the scenarios that cite that requirement and one control.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use cells_conformance::catalog::Catalog;
use cells_conformance::self_test::{Extent, MutantUnderTest, mutation_run, unbroken};
use libtest_mimic::{Arguments, Trial};

/// How many broken routers are hunted side by side, where nobody says otherwise.
const TRIALS_AT_ONCE: usize = 16;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Most of the time is spent waiting for what broken routers never do.
    arguments.test_threads.get_or_insert(TRIALS_AT_ONCE);
    let catalog = Arc::new(Catalog::embedded());
    let mut trials: Vec<_> = MutantUnderTest::routers()
        .chain(MutantUnderTest::cells())
        .map(|mutant| trial(mutant, catalog.clone()))
        .collect();
    trials.push(Trial::test("every_tested_requirement_is_broken_by_something", move || {
        match unbroken(&catalog) {
            ids if ids.is_empty() => Ok(()),
            ids => Err(format!(
                "nothing broken breaks {}",
                ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
            )
            .into()),
        }
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(mutant: MutantUnderTest, catalog: Arc<Catalog>) -> Trial {
    Trial::test(format!("caught::{}", mutant.name.replace('-', "_")), move || {
        let program = Path::new(env!("CARGO_BIN_EXE_cells-conformance"));
        // That the reference passes these scenarios is what the conformance target shows.
        let mutation_run =
            mutation_run(mutant, &catalog, program, Extent::Citing, 1, &BTreeSet::new());
        if let Some(error) = mutation_run.suite_errors.first() {
            return Err(error.as_str().into());
        }
        if mutation_run.is_caught() {
            return Ok(());
        }
        let MutantUnderTest { name, requirement, summary, .. } = mutant;
        Err(format!(
            "{name} survives {} scenarios; it breaks {requirement}: {summary}",
            mutation_run.ran
        )
        .into())
    })
}
