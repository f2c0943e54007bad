//! Each case as a trial of its own, for `cargo test` and nextest.

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Completion, Failed, Trial};

use crate::catalog::Catalog;
use crate::ledger::Ledger;
use crate::report::describe;
use crate::run::run;
use crate::stage::Launch;
use crate::verdict::Outcome;

/// Runs the embedded features against the router that `launch` starts, as a test program does.
///
/// `is_strict` makes violations of level SHOULD fail too, which is what a router's own authors want
/// of a router that has none.
pub fn main(launch: Launch, is_strict: bool) -> ExitCode {
    let arguments = Arguments::from_iter(understood(std::env::args()));
    // A process that runs one case need not read all features.
    let exact = arguments.filter.as_deref().filter(|_| arguments.exact);
    let catalog = exact.map_or_else(Catalog::embedded, Catalog::embedded_for);
    let launch = Arc::new(launch);
    let mut trials: Vec<_> = catalog.cases.into_iter().map(|case| trial(case, launch.clone(), is_strict)).collect();
    trials.extend(catalog.faults.into_iter().map(|fault| Trial::test(fault.name, move || Err(failed(fault.message)))));
    let selected = trials.iter().filter(|trial| !arguments.is_filtered_out(trial)).count();
    if selected == 0 && !arguments.list {
        eprintln!("error: no scenario is named like that; `--list` shows the names");
        return ExitCode::from(4);
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// What people type to cargo's own test programs and libtest-mimic does not know.
fn understood(arguments: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    arguments.filter(|argument| !matches!(argument.as_str(), "--no-capture" | "--show-output"))
}

fn trial(case: crate::catalog::Case, launch: Arc<Launch>, is_strict: bool) -> Trial {
    Trial::ignorable_test(case.name.clone(), move || {
        let ledger = Ledger::embedded();
        let verdict = run(&case, &launch, ledger);
        match &verdict.outcome {
            Outcome::Passed => Ok(Completion::Completed),
            Outcome::KnownFailure { .. } => Ok(Completion::Completed),
            Outcome::Warned if !is_strict => Ok(Completion::Completed),
            Outcome::NotApplicable(why) => Ok(Completion::ignored_with(why)),
            Outcome::Warned | Outcome::Failed | Outcome::CouldNotRun(_) | Outcome::SuiteError(_) => {
                Err(failed(describe(&case, &verdict, ledger)))
            }
        }
    })
}

/// nextest takes a failure's message from standard error alone; elsewhere libtest-mimic prints it.
fn failed(message: String) -> Failed {
    if std::env::var_os("NEXTEST").is_some() {
        eprintln!("Error: {message}");
        Failed::without_message()
    } else {
        message.into()
    }
}
