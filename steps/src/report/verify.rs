//! Judges the exchanges of a report again, without a router, and says what follows from them.
//!
//! The record is built once more, as a run builds it: each trace is judged by the Then steps of the
//! same features, and the conclusion is drawn from the outcomes. Where a member of the record has
//! another value, the report does not follow.

mod exploration;
mod scenario;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::lines::cut;
use crate::catalog::{Case, Catalog};
use crate::engine::record::{CaseRecord, PartOfRun, RunRecord, requirements_of, suite_with};
use crate::engine::{Selection, counted, hex};
use crate::ledger::Ledger;
use crate::report::Styles;
use crate::stage::readable_text;
use crate::trace::held_of;
use crate::verdict::OutcomeWord;

/// Characters that are shown of a value.
const VALUE: usize = 200;

/// What a report cannot prove by itself.
pub const NOT_PROVEN: &str = "\
What this does not prove:
  - that the exchanges took place: the author of a report can invent exchanges that fit it
  - that the router that is named, of that version and configuration, is the one that ran
  - that the suite that wrote the report was unmodified
  - times: they are judged as they are recorded, and nothing shows that the clock was right
  - waits: whether a step that waits for something would have gone on, or was cut short
  - bodies longer than 64 KiB, of which the report holds length, digest and first KiB alone
  - a known failure's reason, and that the report lists the known failures of the router file";

/// The result of judging a report again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verification {
    /// Why it cannot be judged by this program: it was written with other features or another
    /// ledger.
    pub differs: Vec<String>,
    /// What does not follow from what the report records.
    pub contradictions: Vec<String>,
    /// Scenarios whose exchanges were judged again.
    pub judged: usize,
    /// Scenarios that left nothing to be judged, by the reason why their outcomes are taken as
    /// recorded.
    pub on_its_word: BTreeMap<String, usize>,
    /// Further notes for a reader.
    pub notes: Vec<String>,
}

impl Verification {
    /// Judges a report by the embedded features and the ledger.
    pub fn judge(record: &RunRecord, catalog: &Catalog, ledger: &Ledger) -> Self {
        let mut catalog = catalog.clone();
        if let Some(beside) = &record.explored {
            catalog.cases.extend(Catalog::of_own(beside.features.clone()).cases);
        }
        let own = suite_with(record.features.as_ref());
        let digests = [
            ("the features differ", &record.suite.features_digest, &own.features_digest),
            ("the ledger of requirements differs", &record.suite.ledger_digest, &own.ledger_digest),
        ];
        let differing = digests.into_iter().filter(|(_, theirs, own)| theirs != own);
        let differs: Vec<_> = differing
            .map(|(what, theirs, own)| {
                format!("{what}: its SHA-256 is {theirs} in the report, {own} here")
            })
            .collect();
        if !differs.is_empty() {
            return Self { differs, ..Self::default() };
        }
        let mut verification = Self { notes: notes(record), ..Self::default() };
        verification.contradictions = exploration::contradictions(record);
        verification.completeness(record, &catalog, ledger);
        verification.contradictions.extend(wrong_bodies(record));
        verification.values(record, &catalog, ledger);
        verification
    }

    /// Whether everything that the report says follows from what it records.
    pub fn follows(&self) -> bool {
        self.differs.is_empty() && self.contradictions.is_empty()
    }

    /// Compares the scenarios with the selection that the report names.
    fn completeness(&mut self, record: &RunRecord, catalog: &Catalog, ledger: &Ledger) {
        // An exploration that found nothing has no scenario.
        if record.exploration.is_some() && catalog.cases.is_empty() {
            return;
        }
        let selected = Selection::from_words(&record.run.selection)
            .and_then(|selection| selection.of(&catalog.cases, ledger))
            .unwrap_or_else(|why| {
                self.contradictions.push(format!("the selection that the report names: {why}"));
                Vec::new()
            });
        let selected: BTreeSet<_> = selected.iter().map(|case| case.name.as_str()).collect();
        let mut seen = BTreeSet::new();
        for CaseRecord { name, .. } in &record.scenarios {
            let why = if !seen.insert(name.as_str()) {
                "is twice in the report"
            } else if !catalog.cases.iter().any(|case| case.name == *name) {
                "the features have no such scenario"
            } else if !selected.contains(name.as_str()) && record.found_as(name).is_none() {
                "was not selected, but is in the report"
            } else {
                continue;
            };
            self.contradictions.push(format!("{name}: {why}"));
        }
        let missing = selected.difference(&seen);
        if let Some(shard) = record.run.part.as_ref().and_then(PartOfRun::shard) {
            self.notes.push(format!(
                "{shard}: the other shards have {}; verify the merged report to see that none is \
                 missing",
                counted(missing.count(), "selected scenario")
            ));
        } else {
            let why = "was selected, but is missing in the report";
            self.contradictions.extend(missing.map(|name| format!("{name}: {why}")));
        }
    }

    /// Compares the values of the record with those that follow.
    fn values(&mut self, record: &RunRecord, catalog: &Catalog, ledger: &Ledger) {
        let cases: BTreeMap<_, _> =
            catalog.cases.iter().map(|case| (case.name.as_str(), case)).collect();
        // `completeness` has reported a scenario that the features do not have.
        let known = record
            .scenarios
            .iter()
            .filter_map(|recorded| cases.get(recorded.name.as_str()).map(|case| (recorded, *case)));
        let known: Vec<(&CaseRecord, &Case)> = known.collect();
        let again = known.iter().map(|(recorded, case)| self.again(record, recorded, case, ledger));
        let scenarios: Vec<_> = again.collect();
        let requirements = requirements_of(&scenarios, ledger);
        // Scenarios and bodies are compared one by one.
        let (none, no_bodies) = (Vec::new(), BTreeMap::new());
        let alone = RunRecord { scenarios: none, bodies: no_bodies, ..record.clone() };
        let mut follows = RunRecord { scenarios, requirements, ..alone.clone() };
        if let Ok(selection) = Selection::from_words(&record.run.selection) {
            follows.run.excluded = selection.left_out(&catalog.cases, ledger);
        }
        follows.conclude(catalog);
        let found = &mut self.contradictions;
        for ((recorded, _), follows) in known.iter().zip(&follows.scenarios) {
            let name = format!("{}: ", recorded.name);
            differences(&name, &value_of(recorded), &value_of(follows), found);
        }
        let is_not_run = |one: &&CaseRecord| one.outcome.word == OutcomeWord::NotRun;
        let not_run = record.scenarios.iter().filter(is_not_run).count();
        let recorded = record.incomplete.as_ref().map_or(0, |early| early.not_run);
        if record.exploration.is_none() {
            differences("incomplete.not_run", &json!(recorded), &json!(not_run), found);
        }
        follows.scenarios.clear();
        differences("", &json!(alone), &json!(follows), found);
    }
}

/// Bodies that do not match their digests.
fn wrong_bodies(record: &RunRecord) -> impl Iterator<Item = String> {
    record.bodies.iter().filter_map(|(digest, body)| {
        let held = body.beginning.len() as u64;
        if held != held_of(body.length) {
            return Some(format!("body {digest}: {held} bytes are held of {}", body.length));
        }
        let own = hex(Sha256::digest(&*body.beginning));
        let is_wrong = held == body.length && own != *digest;
        is_wrong.then(|| format!("body {digest}: its bytes have the digest {own}"))
    })
}

/// A scenario as a value, without its trace, from which both follow.
fn value_of(case: &CaseRecord) -> Value {
    json!(CaseRecord { trace: None, ..case.clone() })
}

/// Where two values differ: the path of each member, with both.
fn differences(path: &str, recorded: &Value, follows: &Value, found: &mut Vec<String>) {
    let within = |name: &dyn fmt::Display| match path.is_empty() || path.ends_with(' ') {
        true => format!("{path}{name}"),
        false => format!("{path}.{name}"),
    };
    match (recorded, follows) {
        _ if recorded == follows => {}
        (Value::Object(one), Value::Object(other)) => {
            let names: BTreeSet<_> = one.keys().chain(other.keys()).collect();
            for name in names {
                differences(&within(name), &recorded[name], &follows[name], found);
            }
        }
        (Value::Array(one), Value::Array(other)) => {
            let at = |values: &[Value], place| values.get(place).cloned().unwrap_or_default();
            for place in 0..one.len().max(other.len()) {
                differences(&within(&place), &at(one, place), &at(other, place), found);
            }
        }
        _ => {
            let shown = |value: &Value| match value {
                Value::Null => "nothing".to_owned(),
                Value::String(text) => cut(text, VALUE),
                other => cut(&other.to_string(), VALUE),
            };
            let (recorded, follows) = (shown(recorded), shown(follows));
            found.push(format!("{path} is recorded as {recorded}, but {follows} follows"));
        }
    }
}

/// What a reader should know of a report that follows.
fn notes(record: &RunRecord) -> Vec<String> {
    let (theirs, own) = (&record.suite.version, env!("CARGO_PKG_VERSION"));
    let version = (theirs != own).then(|| {
        format!(
            "written by version {theirs} of the suite, judged by version {own}: steps may have \
             changed"
        )
    });
    let exploration = record.exploration.as_ref().map(exploration::note);
    let own = record.features.as_ref().filter(|_| record.exploration.is_none()).map(|own| {
        format!(
            "the scenarios are not the suite's, but those of the feature files that the report \
             holds ({}): they prove what they say, and no conformance",
            own.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>().join(", ")
        )
    });
    version.into_iter().chain(exploration).chain(own).collect()
}

impl Verification {
    /// The result as text in these styles.
    pub fn text(&self, styles: &Styles) -> String {
        // A report of others can hold anything, also what a terminal obeys.
        let item = |text: &str| readable_text(text).replace('\n', "\n    ");
        let list = |all: &[String]| -> String {
            all.iter().map(|why| format!("  - {}\n", item(why))).collect()
        };
        if !self.differs.is_empty() {
            return format!(
                "the report cannot be judged by this program:\n{}the version of the suite that \
                 wrote it can judge it\n",
                list(&self.differs)
            );
        }
        let notes = self.notes.iter().map(|note| format!("note: {}\n", item(note)));
        let mut text: String = notes.collect();
        text.push_str(&format!("judged again: {}\n", counted(self.judged, "scenario")));
        if !self.on_its_word.is_empty() {
            text.push_str("taken as recorded, since they left nothing to judge:\n");
            let line = |(why, count): (&String, &usize)| format!("  {count:>5}  {}\n", item(why));
            text.extend(self.on_its_word.iter().map(line));
        }
        let Styles { passed, failed, .. } = styles;
        let from = "from what the report records";
        text.push_str(&match self.contradictions.len() {
            0 => format!("{passed}all verdicts follow {from}{passed:#}\n"),
            count => format!("{failed}does not follow {from} ({count}):{failed:#}\n"),
        });
        format!("{text}{}\n{NOT_PROVEN}\n", list(&self.contradictions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::record::Body;

    #[test]
    fn each_member_that_differs_is_named_with_both_values() {
        let recorded = json!({ "a": [1, { "b": "x" }], "c": { "d": null }, "same": [1] });
        let follows = json!({ "a": [1, { "b": "y" }, "more"], "c": { "d": 2 }, "same": [1] });
        let mut found = Vec::new();
        differences("", &recorded, &follows, &mut found);
        assert_eq!(
            found,
            [
                "a.1.b is recorded as x, but y follows",
                "a.2 is recorded as nothing, but more follows",
                "c.d is recorded as nothing, but 2 follows",
            ]
        );
    }

    #[test]
    fn bodies_must_be_those_of_their_digests() {
        let faults = |digest: &str, length: u64, beginning: &[u8]| {
            let mut report = crate::report::sample::report();
            report.bodies.insert(digest.to_owned(), Body { length, beginning: beginning.into() });
            wrong_bodies(&report).count()
        };
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(faults(empty, 0, b""), 0);
        assert_eq!(faults(empty, 1, b"x"), 1);
        assert_eq!(faults(empty, 2, b"x"), 1);
        // Only the beginning of a longer body is held, so only the length of that can be checked.
        assert_eq!(faults("00", 64 * 1024 + 1, &[b'x'; 1024]), 0);
        assert_eq!(faults("00", 64 * 1024 + 1, b"x"), 1);
        assert_eq!(faults("00", 64 * 1024, &[b'x'; 1024]), 1);
    }
}
