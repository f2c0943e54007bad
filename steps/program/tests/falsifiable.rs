//! Each mutant is caught by the requirement that it breaks: one trial for each, over the scenarios
//! that cite that requirement, until one of them catches it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use broken_routers::variants;
use conformance_laboratory::self_test::{MutantUnderTest, Setup, unbroken};
use conformance_suite::catalog::Catalog;
use conformance_suite::spec::Freedom;
use conformance_suite::stage::Stop;
use libtest_mimic::{Arguments, Trial};

/// Mutants that run side by side, unless `--test-threads` says otherwise.
const TRIALS_AT_ONCE: usize = 16;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Most of the time is spent waiting for what mutants never do.
    arguments.test_threads.get_or_insert(TRIALS_AT_ONCE);
    let catalog = Arc::new(Catalog::embedded());
    let mut trials: Vec<_> = MutantUnderTest::routers()
        .chain(MutantUnderTest::cells())
        .map(|mutant| trial(mutant, catalog.clone()))
        .collect();
    trials.push(Trial::test(
        "every_tested_requirement_is_broken_by_a_mutant",
        move || match unbroken(&catalog) {
            ids if ids.is_empty() => Ok(()),
            ids => Err(format!(
                "no mutant breaks {}",
                ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
            )
            .into()),
        },
    ));
    trials.push(Trial::test("each_variant_takes_a_freedom_that_a_text_leaves", || {
        let variants: BTreeSet<_> = variants().iter().map(|variant| variant.name).collect();
        let freedoms = Freedom::all().iter().map(|freedom| freedom.variant.as_str());
        if freedoms.collect::<BTreeSet<_>>() == variants {
            Ok(())
        } else {
            Err("fixtures/freedoms.toml has other names than the variants".into())
        }
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(mutant: MutantUnderTest, catalog: Arc<Catalog>) -> Trial {
    Trial::test(format!("caught::{}", mutant.name.replace('-', "_")), move || {
        let program = Path::new(env!("CARGO_BIN_EXE_cells-lab"));
        // The conformance target shows that the reference router passes these scenarios.
        let setup = Setup { catalog: &catalog, program, jobs: 1, stop: &Stop::default() };
        let run = setup.run_until_caught(mutant);
        if let Some(error) = run.suite_errors.first() {
            return Err(error.as_str().into());
        }
        if run.is_caught() {
            return Ok(());
        }
        let MutantUnderTest { name, requirement, summary, .. } = mutant;
        Err(format!("{name} survives {} scenarios; it breaks {requirement}: {summary}", run.ran)
            .into())
    })
}
