//! Scenarios that failed, once more: which of them pass at times.

use std::collections::BTreeSet;

use conformance_suite::engine::{Event, RunPlan, Selection, counted, run};
use conformance_suite::stage::Launch;
use conformance_suite::verdict::Outcome;

/// How often each is repeated.
const TIMES: u64 = 3;

/// The names of the scenarios that passed in at least one repetition. Each repetition has its own
/// seed.
///
/// # Errors
///
/// If the names select nothing, which no run leaves behind.
pub(super) fn passed_when_repeated(
    plan: &RunPlan<'_>,
    names: Vec<String>,
) -> Result<BTreeSet<String>, String> {
    let mut passed = BTreeSet::new();
    if names.is_empty() {
        return Ok(passed);
    }
    let features = plan.selection.features.clone();
    let count = counted(names.len(), "failure");
    let selection = Selection { features, filters: names, ..Selection::default() };
    for turn in 1..=TIMES {
        if plan.launch.stop.reason().is_some() {
            break;
        }
        eprintln!("repeating {count} for the draft of known failures, {turn} of {TIMES}");
        let launch = Launch { seed: plan.launch.seed.wrapping_add(turn), ..plan.launch.clone() };
        let again = RunPlan { selection: &selection, launch: &launch, ..*plan };
        run(&again, |event| {
            if let Event::Finished { case, verdict, .. } = event
                && matches!(verdict.outcome, Outcome::Passed | Outcome::Warned)
            {
                passed.insert(case.name.clone());
            }
        })?;
    }
    Ok(passed)
}
