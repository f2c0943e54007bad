//! Checks what a report says of an exploration against its scenarios, which are the failures.

use std::collections::BTreeSet;

use super::super::journeys::count as journeys;
use crate::engine::counted;
use crate::engine::record::{
    CaseRecord, ExplorationRecord, ExploredBeside, FoundRecord, RunRecord,
};
use crate::verdict::OutcomeWord;

/// What of an exploration nothing in the report shows.
pub(super) fn note(exploration: &ExplorationRecord) -> String {
    format!(
        "the report is of an exploration: of {} it holds the failures alone, {}, and what passed is \
         taken as recorded",
        journeys(exploration.all(), "journey"),
        counted(exploration.found.len(), "scenario"),
    )
}

/// What contradicts itself.
pub(super) fn contradictions(report: &RunRecord, exploration: &ExplorationRecord) -> Vec<String> {
    let mut faults = Vec::new();
    let names: BTreeSet<_> = report.scenarios.iter().map(|one| one.name.as_str()).collect();
    let found: BTreeSet<_> = exploration.found.iter().map(|one| one.scenario.as_str()).collect();
    faults.extend(
        found
            .difference(&names)
            .map(|name| format!("{name}: was found, but is missing in the report")),
    );
    for scenario in &report.scenarios {
        let why = match exploration.found_as(&scenario.name) {
            None => Some("is in the report, but exploration did not find it".to_owned()),
            Some(found) => of_found(found, scenario, exploration),
        };
        faults.extend(why.map(|why| format!("{}: {why}", scenario.name)));
    }
    if report.features.is_none() {
        faults.push("the report does not hold the texts of the scenarios".to_owned());
    }
    let columns = exploration.pairs.states.len();
    if exploration.pairs.kinds.iter().any(|row| row.met.len() != columns) {
        faults.push("a row of the table of pairs has not as many numbers as columns".to_owned());
    }
    if exploration.planned.is_some_and(|planned| planned < exploration.all()) {
        faults.push("more journeys were run than were planned".to_owned());
    }
    faults
}

/// What contradicts itself in what was explored in addition to scenarios: the failures are those of
/// the record that its features have.
pub(super) fn beside(report: &RunRecord, explored: &ExploredBeside) -> Vec<String> {
    let texts = &explored.features.files;
    let is_found = |one: &&CaseRecord| texts.iter().any(|text| text.file == one.file);
    let alone = RunRecord {
        scenarios: report.scenarios.iter().filter(is_found).cloned().collect(),
        features: Some(explored.features.clone()),
        ..report.clone()
    };
    contradictions(&alone, &explored.exploration)
}

fn of_found(
    found: &FoundRecord,
    scenario: &CaseRecord,
    exploration: &ExplorationRecord,
) -> Option<String> {
    let FoundRecord { requirement, after, repeated, failed, .. } = found;
    if !matches!(scenario.outcome.word, OutcomeWord::Failed | OutcomeWord::KnownFailure) {
        return Some(format!("was found, but is recorded as {}", scenario.outcome.word));
    }
    if !scenario.findings.iter().any(|finding| finding.requirement == *requirement) {
        return Some(format!("was found for {requirement}, which its findings do not name"));
    }
    if failed > repeated {
        return Some(format!("failed {failed} times of {repeated}"));
    }
    (*after == 0 || *after > exploration.all())
        .then(|| format!("was found after {after} journeys of {}", exploration.all()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn an_exploration_agrees_with_its_scenarios() {
        let report = sample::exploration();
        let faults = |change: &dyn Fn(&mut RunRecord, &mut ExplorationRecord)| {
            let mut report = report.clone();
            let mut exploration = report.exploration.clone().unwrap();
            change(&mut report, &mut exploration);
            contradictions(&report, &exploration).join("\n")
        };
        assert_eq!(faults(&|_, _| {}), "");
        assert!(faults(&|report, _| report.scenarios.clear()).contains("is missing"));
        assert!(faults(&|_, one| one.found.clear()).contains("did not find it"));
        assert!(faults(&|_, one| one.found[0].requirement = "BF-05".into()).contains("BF-05"));
        assert!(faults(&|_, one| one.found[0].failed = 11).contains("11 times of 10"));
        assert!(faults(&|_, one| one.found[0].after = 1_001).contains("after 1001 journeys"));
        assert!(faults(&|_, one| one.pairs.kinds[0].met.clear()).contains("columns"));
        assert!(faults(&|_, one| one.planned = Some(999)).contains("planned"));
        assert!(faults(&|report, _| report.features = None).contains("texts"));
        let passed = |report: &mut RunRecord, _: &mut ExplorationRecord| {
            report.scenarios[0].outcome.word = OutcomeWord::Passed;
        };
        assert!(faults(&passed).contains("recorded as passed"));
        assert!(note(&report.exploration.clone().unwrap()).contains("1000 journeys"));
    }
}
