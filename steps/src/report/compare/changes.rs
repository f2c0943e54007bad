//! The changes from one report to another.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::Style;

use super::super::screen::Styles;
use super::super::text::identity;
use crate::engine::counted;
use crate::engine::record::{CaseRecord, RunRecord};
use crate::ledger::Level;
use crate::stage::readable_text;
use crate::verdict::OutcomeWord;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeKind {
    /// The router got worse: it violates now, or violates a MUST where it violated less.
    Regression,
    /// The scenario passed or was warned, and has no verdict anymore.
    VerdictLost,
    /// The router got better: it violates nothing now, or no MUST anymore.
    Fix,
    /// Another outcome, and none of these: the scenario had no verdict before, or its failure is
    /// listed as known now, or no longer.
    OtherOutcome,
    /// The same outcome, but other requirements are violated.
    OtherFindings,
    /// It is in the second report alone.
    New,
    /// It is in the first report alone.
    Gone,
}

impl ChangeKind {
    /// All, in the order in which they are shown, with the title of each.
    const TITLES: [(Self, &str); 7] = [
        (Self::Regression, "regressions"),
        (Self::VerdictLost, "verdicts lost"),
        (Self::Fix, "fixes"),
        (Self::OtherOutcome, "other changes of the outcome"),
        (Self::OtherFindings, "same outcome, other findings"),
        (Self::New, "new"),
        (Self::Gone, "gone"),
    ];

    fn style(self, styles: &Styles) -> Style {
        match self {
            Self::Regression => styles.failed,
            Self::VerdictLost => styles.warned,
            Self::Fix => styles.passed,
            _ => Style::new(),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    pub name: String,
    pub kind: ChangeKind,
    /// What it was before and is after, in words.
    pub what: String,
    /// Whether it passed or was warned before.
    pub was_good: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changes {
    /// Causes of changes other than the router: another suite, other features, another selection.
    pub notes: Vec<String>,
    pub changed: Vec<Change>,
    /// Whether both were selected from the same features: then what one of the reports has alone
    /// was not selected for the other.
    pub from_the_same: bool,
}

impl Changes {
    pub fn between(before: &RunRecord, after: &RunRecord) -> Self {
        let (old, new) = (by_name(before), by_name(after));
        let here = |case: &CaseRecord| change(old.get(case.name.as_str()).copied(), Some(case));
        let gone = before.scenarios.iter().filter(|case| !new.contains_key(case.name.as_str()));
        let gone = gone.filter_map(|case| change(Some(case), None));
        Self {
            notes: notes(before, after),
            changed: after.scenarios.iter().filter_map(here).chain(gone).collect(),
            from_the_same: before.suite.features_digest == after.suite.features_digest,
        }
    }

    pub fn with(&self, kind: ChangeKind) -> impl Iterator<Item = &Change> {
        self.changed.iter().filter(move |change| change.kind == kind)
    }

    /// Whether a scenario that passed or was warned before has no verdict after: a regression
    /// cannot be excluded.
    pub fn lost_a_verdict(&self) -> bool {
        let gone = self.with(ChangeKind::Gone).filter(|change| change.was_good);
        self.with(ChangeKind::VerdictLost).chain(gone).next().is_some()
    }

    /// The changes as lines of text in these styles.
    pub fn text(&self, styles: &Styles) -> String {
        // Reports of others can hold anything, also what a terminal obeys.
        let plain = readable_text;
        let mut text = String::new();
        for note in &self.notes {
            let _ = writeln!(text, "note: {}", plain(note));
        }
        if self.changed.is_empty() {
            text.push_str("no scenario changed\n");
        }
        for (kind, title) in ChangeKind::TITLES {
            let changes: Vec<_> = self.with(kind).collect();
            let unselected = match kind {
                ChangeKind::New if self.from_the_same => Some("first"),
                ChangeKind::Gone if self.from_the_same => Some("second"),
                _ => None,
            };
            if changes.is_empty() {
                continue;
            } else if let Some(report) = unselected {
                let count = counted(changes.len(), "scenario");
                let _ = writeln!(text, "not selected for the {report} report: {count}");
                continue;
            }
            let style = kind.style(styles);
            let _ = writeln!(text, "{style}{title} ({}):{style:#}", changes.len());
            for Change { name, what, .. } in changes {
                let _ = writeln!(text, "  {}\n    {}", plain(name), plain(what));
            }
        }
        text
    }
}

fn by_name(report: &RunRecord) -> BTreeMap<&str, &CaseRecord> {
    report.scenarios.iter().map(|case| (case.name.as_str(), case)).collect()
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

/// The change of a scenario of either report; `None` if it is the same in both.
fn change(before: Option<&CaseRecord>, after: Option<&CaseRecord>) -> Option<Change> {
    let word = |case: &CaseRecord| case.outcome.word;
    let was_good = before.and_then(severity).is_some_and(|severity| severity < 2);
    let (kind, what) = match (before, after) {
        (None, new) => (ChangeKind::New, word(new?).to_string()),
        (Some(gone), None) => (ChangeKind::Gone, word(gone).to_string()),
        (Some(old), Some(new)) if word(old) != word(new) => {
            let kind = match (severity(old), severity(new)) {
                (Some(old), Some(new)) if new > old => ChangeKind::Regression,
                (Some(old), Some(new)) if new < old => ChangeKind::Fix,
                (_, None) if was_good => ChangeKind::VerdictLost,
                _ => ChangeKind::OtherOutcome,
            };
            let ids = violated(new).map_or(String::new(), |ids| format!(" ({ids})"));
            (kind, format!("{} -> {}{ids}", word(old), word(new)))
        }
        (Some(old), Some(new)) if violated(old) != violated(new) => {
            let [old, new] = [old, new].map(|case| violated(case).unwrap_or("nothing".to_owned()));
            (ChangeKind::OtherFindings, format!("{old} -> {new}"))
        }
        _ => return None,
    };
    let name = after.or(before)?.name.clone();
    Some(Change { name, kind, what, was_good })
}

/// The violated requirements, each once, sorted; `None` for none.
fn violated(scenario: &CaseRecord) -> Option<String> {
    let mut ids: Vec<_> =
        scenario.findings.iter().map(|finding| finding.requirement.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    (!ids.is_empty()).then(|| ids.join(" "))
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
