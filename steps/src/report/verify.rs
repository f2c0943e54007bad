//! Judges the exchanges of a report again, without a router, and says what follows from them.
//!
//! The record is built once more, as a run builds it: each trace is judged by the Then steps of the
//! same features, and the conclusion is drawn from the outcomes. Where a member of the record has
//! another value, the report does not follow.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::lines::cut;
use crate::catalog::{Case, Catalog};
use crate::engine::claims::Claims;
use crate::engine::record::{
    CaseRecord, FoundRecord, PartOfRun, RunRecord, requirements_of, suite_with,
};
use crate::engine::{Selection, counted, hex};
use crate::ledger::Ledger;
use crate::report::Styles;
use crate::run::judge_again;
use crate::stage::readable_text;
use crate::trace::{Trace, held_of};
use crate::verdict::{Finding, OutcomeWord, Verdict};

/// Characters that are shown of a value.
const VALUE: usize = 200;

/// Members of a scenario that are taken as recorded: the others follow from its trace, and nothing
/// in a report shows the rest.
const AS_RECORDED: [&str; 6] = ["trace", "began_ms", "took_ms", "stalled", "earlier", "logs"];

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
        let explored = record.explored_features().cloned().map(Catalog::of_own).unwrap_or_default();
        let mut catalog = catalog.clone();
        if record.explored.is_some() {
            catalog.cases.extend(explored.cases.clone());
        }
        let mut verification = Self { notes: notes(record), ..Self::default() };
        verification.contradictions = wrongly_found(record, &explored.cases);
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
        let found = record.explored().into_iter().flat_map(|explored| &explored.found);
        let selected = selected.iter().map(|case| case.name.as_str());
        let selected: BTreeSet<_> =
            selected.chain(found.map(|found| found.scenario.as_str())).collect();
        let mut seen = BTreeSet::new();
        for CaseRecord { name, .. } in &record.scenarios {
            let why = if !seen.insert(name.as_str()) {
                "is twice in the report"
            } else if !catalog.cases.iter().any(|case| case.name == *name) {
                "the features have no such scenario"
            } else if !selected.contains(name.as_str()) {
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
            .filter_map(|recorded| Some((recorded, *cases.get(recorded.name.as_str())?)));
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

    /// The record of a scenario as it follows from its trace and its features, but for what is
    /// taken as recorded. Known failures are not marked yet.
    fn again(
        &mut self,
        record: &RunRecord,
        recorded: &CaseRecord,
        case: &Case,
        ledger: &Ledger,
    ) -> CaseRecord {
        let word = recorded.outcome.word;
        // What the suite or a busy machine cut short can have left anything.
        let is_cut_short = matches!(word, OutcomeWord::CouldNotRun | OutcomeWord::SuiteError);
        let trace = recorded.trace.as_ref().filter(|_| !is_cut_short);
        let judged = match trace {
            Some(trace) => judged(recorded, trace, case, ledger),
            None => unfounded(record, recorded, case).map_or(Ok(None), Err),
        };
        let judged = judged.unwrap_or_else(|why| {
            self.contradictions.push(format!("{}: {why}", recorded.name));
            None
        });
        let recorded_by = |verdict: Verdict| {
            // The bodies are compared with their digests.
            let verdict = Verdict { trace: None, ..verdict };
            let zero = Duration::ZERO;
            CaseRecord::of(case, &verdict, zero, zero, ledger, &mut BTreeMap::new())
        };
        if let Some(verdict) = judged {
            self.judged += 1;
            return recorded_by(verdict);
        }
        let findings = findings_of(recorded, case, ledger);
        let (why, outcome) = match (word, trace) {
            (
                OutcomeWord::Passed
                | OutcomeWord::Warned
                | OutcomeWord::Failed
                | OutcomeWord::KnownFailure,
                trace,
            ) => {
                let since = match trace {
                    None => ", before anything was exchanged",
                    Some(_) => ", since the scenario could not go on",
                };
                (format!("{word}{since}"), OutcomeWord::of(&findings).into())
            }
            _ => (word.to_string(), word.because(recorded.outcome.reason())),
        };
        *self.on_its_word.entry(why).or_default() += 1;
        CaseRecord {
            exchanges: recorded.exchanges.clone(),
            ..recorded_by(Verdict { findings, ..Verdict::of(outcome) })
        }
    }
}

/// The verdict that follows from a trace; `None` if only what no trace shows decides it.
/// It is an error if no run can have left this record.
fn judged(
    recorded: &CaseRecord,
    trace: &Arc<Trace>,
    case: &Case,
    ledger: &Ledger,
) -> Result<Option<Verdict>, String> {
    let stall = recorded.stalled.as_ref().map_or(0, |stalled| stalled.stall_ms);
    let stall = Duration::from_millis(stall);
    // In a record that no run could have made, a step may look for something that does not exist.
    let judge = AssertUnwindSafe(|| judge_again(case, trace.clone(), stall, ledger));
    let judged = catch_unwind(judge)
        .unwrap_or_else(|_| Err("no run of the suite can have made these exchanges".to_owned()))
        .map_err(|why| format!("its exchanges cannot be judged: {why}"))?;
    let findings = findings_of(recorded, case, ledger);
    // Findings that nothing in the trace shows. Those at the beginning say that routers died; one
    // after them says why the scenario could not go on.
    let is_of_trace =
        |finding: &&Finding| finding.step_index.is_some() || judged.findings.contains(finding);
    let deaths: Vec<_> =
        findings.iter().take_while(|finding| !is_of_trace(finding)).cloned().collect();
    let interruption = findings.iter().skip(deaths.len()).find(|finding| !is_of_trace(finding));
    if deaths.is_empty() && interruption.is_none() {
        return Ok(Some(judged));
    }
    if judged.findings.is_empty() {
        return Ok(None);
    }
    let findings = [deaths, judged.findings, interruption.cloned().into_iter().collect()].concat();
    let outcome = OutcomeWord::of(&findings).into();
    Ok(Some(Verdict { outcome, findings, ..judged }))
}

/// The recorded findings, with level and step as ledger and features have them.
fn findings_of(recorded: &CaseRecord, case: &Case, ledger: &Ledger) -> Vec<Finding> {
    let finding = |found: &Finding| {
        let again = Finding::new(found.requirement.clone(), found.message.clone(), ledger);
        match found.step_index {
            Some(step) => again.at(case, step),
            None => again,
        }
    };
    recorded.findings.iter().map(finding).collect()
}

/// Why a scenario without an exchange to judge cannot have its outcome.
fn unfounded(record: &RunRecord, recorded: &CaseRecord, case: &Case) -> Option<String> {
    let word = recorded.outcome.word;
    let needs_router = case.needs().router;
    let why = match word {
        OutcomeWord::Passed | OutcomeWord::Warned => "the report has no exchange".to_owned(),
        OutcomeWord::NotAsked if record.router.running.is_empty() => {
            "the suite started the router".to_owned()
        }
        OutcomeWord::NotAsked if !needs_router => "it is about cells alone".to_owned(),
        OutcomeWord::NotApplicable => {
            if Claims::recorded(&record.router).not_applicable(case).is_some() {
                return None;
            }
            // The router itself said that it does not follow the protocol. Then it must have said
            // so in every scenario.
            let follows = |other: &&CaseRecord| {
                other.protocol == recorded.protocol && other.trace.is_some() && other.has_router
            };
            match record.scenarios.iter().find(follows) {
                _ if !needs_router => "it needs nothing of a router".to_owned(),
                None => return None,
                Some(other) => format!(
                    "the router followed the {} protocol in {}",
                    recorded.protocol, other.name
                ),
            }
        }
        _ => return None,
    };
    Some(format!("recorded as {word}, but {why}"))
}

/// What contradicts itself in what was explored, alone or in addition to scenarios: its failures
/// are the scenarios whose texts the report holds, each with a finding of its requirement.
fn wrongly_found(record: &RunRecord, texts: &[Case]) -> Vec<String> {
    let Some(exploration) = record.explored() else { return Vec::new() };
    let is_shown = |found: &FoundRecord| {
        let shows = |one: &CaseRecord| {
            one.name == found.scenario
                && one.findings.iter().any(|finding| finding.requirement == found.requirement)
        };
        record.scenarios.iter().any(shows)
    };
    let unshown = exploration.found.iter().filter(|found| !is_shown(found)).map(|found| {
        format!("{}: was found to violate {}", found.scenario, found.requirement)
            + ", which no finding in the report says"
    });
    let unfound = texts.iter().filter(|case| exploration.found_as(&case.name).is_none());
    let unfound = unfound
        .map(|case| format!("{}: is in the report, but exploration did not find it", case.name));
    unshown.chain(unfound).collect()
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

/// A scenario as a value, without what is taken as recorded.
fn value_of(case: &CaseRecord) -> Value {
    let mut value = json!(CaseRecord { trace: None, ..case.clone() });
    if let Some(members) = value.as_object_mut() {
        members.retain(|name, _| !AS_RECORDED.contains(&name.as_str()));
    }
    value
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
    let exploration = record.exploration.as_ref().map(|exploration| {
        format!(
            "the report is of an exploration: of {} it holds the failures alone, {}, and what \
             passed is taken as recorded",
            counted(exploration.all(), "journey"),
            counted(exploration.found.len(), "scenario"),
        )
    });
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
