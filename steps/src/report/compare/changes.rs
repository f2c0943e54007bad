//! The changes from one report to another.

use std::collections::BTreeMap;
use std::fmt;

use crate::engine::record::{CaseRecord, RunRecord};

/// The changes between two reports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// Causes of changes other than the router: another suite, other features, another selection.
    pub notes: Vec<String>,
    /// Scenarios whose outcome changed: name, before, after.
    pub changed: Vec<(String, String, String)>,
    /// Scenarios with the same outcome that violate other requirements: name, before, after.
    pub shifted: Vec<(String, String, String)>,
    /// Scenarios of the second report alone, with their outcomes.
    pub new: Vec<(String, String)>,
    /// Scenarios of the first report alone, with their outcomes.
    pub gone: Vec<(String, String)>,
}

impl Changes {
    /// The changes from `before` to `after`.
    pub fn between(before: &RunRecord, after: &RunRecord) -> Self {
        let by_name = |report| -> BTreeMap<_, _> {
            scenarios(report).map(|scenario| (scenario.name.as_str(), scenario)).collect()
        };
        let (old, new) = (by_name(before), by_name(after));
        let mut changes = Self { notes: notes(before, after), ..Self::default() };
        for scenario in scenarios(after) {
            let (name, word) = (scenario.name.clone(), scenario.outcome.word.clone());
            match old.get(name.as_str()) {
                None => changes.new.push((name, word)),
                Some(former) if former.outcome.word != word => {
                    changes.changed.push((name, former.outcome.word.clone(), word))
                }
                Some(former) if violated(former) != violated(scenario) => {
                    changes.shifted.push((name, violated(former), violated(scenario)));
                }
                Some(_) => {}
            }
        }
        let gone = scenarios(before).filter(|scenario| !new.contains_key(scenario.name.as_str()));
        changes.gone =
            gone.map(|scenario| (scenario.name.clone(), scenario.outcome.word.clone())).collect();
        changes
    }
}

fn scenarios(report: &RunRecord) -> impl Iterator<Item = &CaseRecord> {
    report.scenarios.iter()
}

/// The violated requirements, each once, sorted.
fn violated(scenario: &CaseRecord) -> String {
    let mut ids: Vec<_> =
        scenario.findings.iter().map(|finding| finding.requirement.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() { "nothing".to_owned() } else { ids.join(" ") }
}

fn notes(before: &RunRecord, after: &RunRecord) -> Vec<String> {
    let short = |digest: &str| digest.chars().take(12).collect::<String>();
    let all = |selection: &[String]| {
        if selection.is_empty() { "all scenarios".to_owned() } else { selection.join(" ") }
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
    ]
    .into_iter()
    .filter(|(_, old, new)| old != new)
    .map(|(what, old, new)| format!("{what}: {old}, then {new}"))
    .collect()
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {note}"))?;
        if self.changed.is_empty()
            && self.shifted.is_empty()
            && self.new.is_empty()
            && self.gone.is_empty()
        {
            return writeln!(f, "no scenario changed");
        }
        let pairs = |f: &mut fmt::Formatter<'_>, title: &str, rows: &[(String, String, String)]| {
            if rows.is_empty() {
                return Ok(());
            }
            writeln!(f, "{title} ({}):", rows.len())?;
            rows.iter().try_for_each(|(name, old, new)| writeln!(f, "  {name}\n    {old} -> {new}"))
        };
        pairs(f, "outcome changed", &self.changed)?;
        pairs(f, "same outcome, other requirements violated", &self.shifted)?;
        for (title, rows) in [("new", &self.new), ("gone", &self.gone)] {
            if !rows.is_empty() {
                writeln!(f, "{title} ({}):", rows.len())?;
                rows.iter().try_for_each(|(name, word)| writeln!(f, "  {name}\n    {word}"))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::sample;
    use super::*;

    #[test]
    fn each_kind_of_change_is_named() {
        let before = sample::report();
        assert_eq!(Changes::between(&before, &before), Changes::default());
        let mut after = before.clone();
        after.suite.features_digest = "00".repeat(32);
        after.scenarios[0].outcome.word = "failed".to_owned();
        after.scenarios[2].findings[0].requirement = "RT-08".to_owned();
        after.scenarios[6].name = "journeys::sample::renamed[buffering]".to_owned();
        let changes = Changes::between(&before, &after);
        assert_eq!(changes.notes, ["the features differ: f0f0f0f0f0f0, then 000000000000"]);
        assert_eq!(
            changes.changed,
            [(
                "journeys::sample::a_project[buffering]".to_owned(),
                "passed".to_owned(),
                "failed".to_owned()
            )]
        );
        assert_eq!(
            (changes.shifted[0].1.as_str(), changes.shifted[0].2.as_str()),
            ("BF-03", "RT-08")
        );
        assert_eq!(
            changes.new,
            [("journeys::sample::renamed[buffering]".to_owned(), "suite error".to_owned())]
        );
        assert_eq!(
            changes.gone,
            [("journeys::sample::a_panic[buffering]".to_owned(), "suite error".to_owned())]
        );
        let text = changes.to_string();
        for part in ["note: the features differ", "passed -> failed", "new (1)", "gone (1)"] {
            assert!(text.contains(part), "{text}");
        }
        assert_eq!(Changes::default().to_string(), "no scenario changed\n");
    }
}
