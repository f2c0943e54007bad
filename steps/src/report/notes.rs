//! What every form of the report says of the run as a whole, beside its outcomes: what was explored,
//! which shard it is, that it ended early, and how often flaky scenarios failed.

use super::exploration::headline;
use super::shard::shard_line;
use crate::counted::counted;
use crate::engine::record::RunRecord;

/// Lines about the run as a whole; the first lines of longer texts.
pub(crate) fn notes(record: &RunRecord) -> Vec<String> {
    let first_line = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    let incomplete = incomplete(record).map(|text| first_line(&text));
    let explored = record.exploration.as_ref().map(headline);
    let all = explored.into_iter().chain(shard_line(record)).chain(incomplete);
    all.chain(flaky(record)).collect()
}

/// Why the run ended early; None if it ran everything.
pub(crate) fn incomplete(record: &RunRecord) -> Option<String> {
    let incomplete = record.incomplete.as_ref()?;
    if record.exploration.is_some() {
        return Some(format!("the exploration ended early: {}", incomplete.reason.trim_end()));
    }
    let (not_run, all) = (incomplete.not_run, counted(record.scenarios.len(), "scenario"));
    Some(format!(
        "the run ended early, {not_run} of {all} not run: {}",
        incomplete.reason.trim_end()
    ))
}

/// How often flaky scenarios failed; None if the router file lists none.
pub(crate) fn flaky(record: &RunRecord) -> Option<String> {
    let listed = record.flaky.len();
    let failed: usize = record.flaky.iter().map(|entry| entry.failed).sum();
    let passed: usize = record.flaky.iter().map(|entry| entry.passed).sum();
    (listed > 0).then(|| format!("flaky: {listed} listed, {failed} failed, {passed} passed"))
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;
    use crate::engine::record::{EndedBy, FlakyRecord, IncompleteRecord};

    #[test]
    fn an_early_end_and_flaky_scenarios_are_counted() {
        let mut report = sample::report();
        assert!(notes(&report).is_empty());
        let entry = FlakyRecord {
            scenario: "a*".to_owned(),
            reason: "a race".to_owned(),
            failed: 1,
            passed: 2,
        };
        report.flaky = vec![entry.clone(), FlakyRecord { failed: 0, ..entry }];
        let reason = "the router did not start\nits log".to_owned();
        report.incomplete =
            Some(IncompleteRecord { ended_by: EndedBy::StartFailures, reason, not_run: 3 });
        assert_eq!(
            notes(&report),
            [
                "the run ended early, 3 of 7 scenarios not run: the router did not start",
                "flaky: 2 listed, 1 failed, 4 passed"
            ]
        );
        assert!(incomplete(&report).unwrap().ends_with("\nits log"));
    }
}
