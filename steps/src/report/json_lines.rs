//! `run --format json`: a line of JSON for each scenario, and one for the conclusion.

use serde_json::json;

use super::outcomes::Counts;
use crate::engine::Ended;
use crate::engine::record::{CaseRecord, RunRecord, milliseconds};
use crate::ledger::Level;
use crate::verdict::{Finding, Outcome};

/// The line of a scenario that has ended.
pub fn scenario(Ended { case, verdict, took }: &Ended<'_>) -> String {
    line(&case.name, &verdict.outcome, &verdict.findings, milliseconds(*took))
}

/// The line of a scenario that was not run.
pub fn left_out(case: &CaseRecord) -> String {
    line(&case.name, &case.outcome, &case.findings, case.took_ms)
}

fn line(name: &str, outcome: &Outcome, findings: &[Finding], took_ms: u64) -> String {
    // Only a MUST can be violated; the findings have every level.
    let violated: Vec<_> = findings
        .iter()
        .filter(|found| found.level == Level::Must)
        .map(|found| found.requirement.as_str())
        .collect();
    json!({
        "name": name,
        "outcome": outcome.word,
        "reason": outcome.reason,
        "link": outcome.link,
        "violated": violated,
        "findings": findings,
        "took_ms": took_ms,
    })
    .to_string()
}

/// The line of the conclusion, the last one.
pub fn conclusion(record: &RunRecord) -> String {
    json!({
        "conclusion": record.conclusion,
        "exit_code": record.exit_code,
        "incomplete": record.incomplete,
        "scenarios": record.scenarios.len(),
        "excluded": record.run.excluded.len(),
        "outcomes": Counts::among(&record.scenarios).0,
        "flaky": record.flaky,
        "complaints": record.complaints,
        "seed": record.run.seed,
    })
    .to_string()
}
