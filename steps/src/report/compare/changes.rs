//! The changes from one report to another.

mod write;

use std::collections::BTreeMap;

use super::super::text::identity;
use crate::engine::record::{CaseRecord, RunRecord};
use crate::ledger::Level;
use crate::verdict::OutcomeWord;

/// What a change of an outcome means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Meaning {
    /// The router got worse: it violates now, or violates a MUST where it violated less.
    Regression,
    /// The scenario passed or was warned, and has no verdict anymore.
    VerdictLost,
    /// The router got better: it violates nothing now, or no MUST anymore.
    Fix,
    /// Neither: the scenario had no verdict before, or its failure is listed as known now, or no
    /// longer.
    Other,
}

/// A scenario whose outcome changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The name of the scenario.
    pub name: String,
    /// Its outcome before.
    pub before: OutcomeWord,
    /// Its outcome after.
    pub after: OutcomeWord,
    /// What it violates after; empty for nothing.
    pub violated: String,
    /// What the change means.
    pub meaning: Meaning,
}

/// The changes between two reports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// Causes of changes other than the router: another suite, other features, another selection.
    pub notes: Vec<String>,
    /// Scenarios whose outcome changed.
    pub changed: Vec<Change>,
    /// Scenarios with the same outcome that violate other requirements: name, before, after.
    pub shifted: Vec<(String, String, String)>,
    /// Scenarios of the second report alone, with their outcomes.
    pub new: Vec<(String, OutcomeWord)>,
    /// Scenarios of the first report alone, with their outcomes.
    pub gone: Vec<(String, OutcomeWord)>,
    /// Whether both were selected from the same features: then what one of the reports has alone
    /// was not selected for the other.
    pub from_the_same: bool,
}

impl Changes {
    /// The changes from `before` to `after`.
    pub fn between(before: &RunRecord, after: &RunRecord) -> Self {
        let by_name = |report| -> BTreeMap<_, _> {
            scenarios(report).map(|scenario| (scenario.name.as_str(), scenario)).collect()
        };
        let (old, new) = (by_name(before), by_name(after));
        let from_the_same = before.suite.features_digest == after.suite.features_digest;
        let mut changes = Self { notes: notes(before, after), from_the_same, ..Self::default() };
        for scenario in scenarios(after) {
            let (name, word) = (scenario.name.clone(), scenario.outcome.word);
            match old.get(name.as_str()) {
                None => changes.new.push((name, word)),
                Some(former) if former.outcome.word != word => changes.changed.push(Change {
                    name,
                    before: former.outcome.word,
                    after: word,
                    violated: violated(scenario),
                    meaning: meaning(former, scenario),
                }),
                Some(former) if violated(former) != violated(scenario) => {
                    changes.shifted.push((name, violated(former), violated(scenario)));
                }
                Some(_) => {}
            }
        }
        let gone = scenarios(before).filter(|scenario| !new.contains_key(scenario.name.as_str()));
        changes.gone =
            gone.map(|scenario| (scenario.name.clone(), scenario.outcome.word)).collect();
        changes
    }

    /// The changes with this meaning.
    pub fn with(&self, meaning: Meaning) -> impl Iterator<Item = &Change> {
        self.changed.iter().filter(move |change| change.meaning == meaning)
    }

    /// Whether a scenario that passed or was warned before has no verdict after: a regression
    /// cannot be excluded.
    pub fn lost_a_verdict(&self) -> bool {
        let held =
            |(_, word): &(String, _)| matches!(word, OutcomeWord::Passed | OutcomeWord::Warned);
        self.with(Meaning::VerdictLost).next().is_some() || self.gone.iter().any(held)
    }
}

/// How much a scenario found wrong: 0 nothing, 1 a SHOULD or MAY, 2 a MUST. `None` without a
/// verdict. That a failure is listed as known changes nothing.
fn severity(scenario: &CaseRecord) -> Option<u8> {
    match scenario.outcome.word {
        OutcomeWord::Passed => Some(0),
        OutcomeWord::Warned => Some(1),
        OutcomeWord::Failed => Some(2),
        OutcomeWord::KnownFailure => {
            let mut levels = scenario.findings.iter().map(|finding| finding.level);
            let is_weak = !scenario.findings.is_empty() && levels.all(|level| level != Level::Must);
            Some(if is_weak { 1 } else { 2 })
        }
        _ => None,
    }
}

fn meaning(before: &CaseRecord, after: &CaseRecord) -> Meaning {
    match (severity(before), severity(after)) {
        (Some(old), Some(new)) if new > old => Meaning::Regression,
        (Some(old), Some(new)) if new < old => Meaning::Fix,
        (Some(0 | 1), None) => Meaning::VerdictLost,
        _ => Meaning::Other,
    }
}

fn scenarios(report: &RunRecord) -> impl Iterator<Item = &CaseRecord> {
    report.scenarios.iter()
}

/// The violated requirements, each once, sorted; empty for none.
fn violated(scenario: &CaseRecord) -> String {
    let mut ids: Vec<_> =
        scenario.findings.iter().map(|finding| finding.requirement.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.join(" ")
}

fn notes(before: &RunRecord, after: &RunRecord) -> Vec<String> {
    let short = |digest: &str| digest.chars().take(12).collect::<String>();
    let all = |selection: &[String]| {
        if selection.is_empty() { "all scenarios".to_owned() } else { selection.join(" ") }
    };
    let part = |report: &RunRecord| match report.run.part.as_ref().map(|part| part.shard()) {
        None => "a whole run".to_owned(),
        Some(None) => "one test".to_owned(),
        Some(Some(shard)) => format!("{shard} alone"),
    };
    let (old, new) = (&before.suite, &after.suite);
    [
        ("the suite's version differs", old.version.clone(), new.version.clone()),
        ("the features differ", short(&old.features_digest), short(&new.features_digest)),
        (
            "the ledger of requirements differs",
            short(&old.ledger_digest),
            short(&new.ledger_digest),
        ),
        ("the selection differs", all(&before.run.selection), all(&after.run.selection)),
        ("the part of the run differs", part(before), part(after)),
        ("the router differs", identity(&before.router), identity(&after.router)),
        ("the seed differs", before.run.seed.to_string(), after.run.seed.to_string()),
    ]
    .into_iter()
    .filter(|(_, old, new)| old != new)
    .map(|(what, old, new)| format!("{what}: {old}, then {new}"))
    .collect()
}

#[cfg(test)]
mod tests;
