//! Checks what a report says of an exploration against its scenarios, which are the failures.

use super::super::journeys::count as journeys;
use crate::engine::counted;
use crate::engine::record::{CaseRecord, ExplorationRecord, RunRecord};

/// What of an exploration nothing in the report shows.
pub(super) fn note(exploration: &ExplorationRecord) -> String {
    format!(
        "the report is of an exploration: of {} it holds the failures alone, {}, and what passed is \
         taken as recorded",
        journeys(exploration.all(), "journey"),
        counted(exploration.found.len(), "scenario"),
    )
}

/// What contradicts itself in what was explored, alone or in addition to scenarios.
pub(super) fn contradictions(report: &RunRecord) -> Vec<String> {
    let Some(exploration) = report.explored() else { return Vec::new() };
    let Some(texts) = report.explored_features() else {
        return vec!["the report does not hold the texts of the scenarios".to_owned()];
    };
    // Beside scenarios of a run, the failures are those whose features exploration wrote.
    let is_own = |one: &&CaseRecord| {
        report.explored.is_none() || texts.files.iter().any(|text| text.file == one.file)
    };
    let own: Vec<_> = report.scenarios.iter().filter(is_own).collect();
    let mut faults = Vec::new();
    for found in &exploration.found {
        let scenario = own.iter().find(|one| one.name == found.scenario);
        let mut findings = scenario.iter().flat_map(|one| &one.findings);
        let why = if scenario.is_none() {
            "was found, but is missing in the report"
        } else if !findings.any(|finding| finding.requirement == found.requirement) {
            "was found for a requirement that its findings do not name"
        } else {
            continue;
        };
        faults.push(format!("{}: {why}", found.scenario));
    }
    let unfound = own.iter().filter(|one| exploration.found_as(&one.name).is_none());
    let why = "is in the report, but exploration did not find it";
    faults.extend(unfound.map(|one| format!("{}: {why}", one.name)));
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn an_exploration_agrees_with_its_scenarios() {
        let faults = |change: &dyn Fn(&mut RunRecord)| {
            let mut report = sample::exploration();
            change(&mut report);
            contradictions(&report).join("\n")
        };
        assert_eq!(faults(&|_| {}), "");
        assert!(faults(&|report| report.scenarios.clear()).contains("is missing"));
        assert!(faults(&|report| report.features = None).contains("texts"));
        let other = |report: &mut RunRecord| report.scenarios[0].name.push('x');
        assert!(faults(&other).contains("did not find it"));
        let without = |report: &mut RunRecord| report.scenarios[0].findings.clear();
        assert!(faults(&without).contains("do not name"));
    }
}
