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
    let texts = report.explored_features().map(|own| own.files.as_slice()).unwrap_or_default();
    // Beside scenarios of a run, the failures are those whose features exploration wrote.
    let is_own = |one: &&CaseRecord| {
        report.explored.is_none() || texts.iter().any(|text| text.file == one.file)
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
        } else if found.failed > found.repeated {
            "failed more often than it was repeated"
        } else if !(1..=exploration.all()).contains(&found.after) {
            "was not found after any of the journeys"
        } else {
            continue;
        };
        faults.push(format!("{}: {why}", found.scenario));
    }
    let unfound = own.iter().filter(|one| exploration.found_as(&one.name).is_none());
    faults.extend(
        unfound
            .map(|one| format!("{}: is in the report, but exploration did not find it", one.name)),
    );
    let (pairs, all) = (&exploration.pairs, exploration.all());
    let checks = [
        (
            report.explored_features().is_none(),
            "the report does not hold the texts of the scenarios",
        ),
        (
            pairs.kinds.iter().any(|row| row.met.len() != pairs.states.len()),
            "a row of the table of pairs has not as many numbers as columns",
        ),
        (
            exploration.planned.is_some_and(|planned| planned < all),
            "more journeys were run than were planned",
        ),
    ];
    faults.extend(checks.iter().filter(|(is, _)| *is).map(|(_, why)| (*why).to_owned()));
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn an_exploration_agrees_with_its_scenarios() {
        let faults = |change: &dyn Fn(&mut RunRecord, &mut ExplorationRecord)| {
            let mut report = sample::exploration();
            let mut exploration = report.exploration.take().unwrap();
            change(&mut report, &mut exploration);
            report.exploration = Some(exploration);
            contradictions(&report).join("\n")
        };
        assert_eq!(faults(&|_, _| {}), "");
        assert!(faults(&|report, _| report.scenarios.clear()).contains("is missing"));
        assert!(faults(&|_, one| one.found.clear()).contains("did not find it"));
        let another = |one: &mut ExplorationRecord| {
            one.found[0].requirement = "BF-05".parse().unwrap();
        };
        assert!(faults(&|_, one| another(one)).contains("not name"));
        assert!(faults(&|_, one| one.found[0].failed = 11).contains("more often"));
        assert!(faults(&|_, one| one.found[0].after = 1_001).contains("after any"));
        assert!(faults(&|_, one| one.pairs.kinds[0].met.clear()).contains("columns"));
        assert!(faults(&|_, one| one.planned = Some(999)).contains("planned"));
        assert!(faults(&|report, _| report.features = None).contains("texts"));
    }
}
