//! Judges the exchanges of a report again, without a router, and says what follows from them.
//!
//! The report is rebuilt from what it recorded: each trace is judged by the Then steps of the same
//! features, and the verdicts of the profiles and the conclusion are drawn from the outcomes once
//! more. Where the result differs from the report, the report does not follow.

mod exploration;
mod record;
mod scenario;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use super::text::of_outcome;
use crate::catalog::Catalog;
use crate::engine::record::{
    CaseRecord, FindingRecord, PartOfRun, ProfileVerdict, RunRecord, requirements_of, suite_with,
};
use crate::engine::{Conclusion, Selection, counted, is_conformant_but};
use crate::ledger::Ledger;
use crate::report::Styles;
use crate::stage::readable_text;
use crate::verdict::OutcomeWord;
use scenario::{Judged, again};

/// The verdict of a profile with known failures in reports of earlier versions, whose conclusion
/// did not mention known failures.
const WITHOUT_NUMBER: &str = "conformant but for known failures";

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
    pub fn of(record: &RunRecord, catalog: &Catalog, ledger: &Ledger) -> Self {
        let with_found = record.explored.as_ref().map(|beside| {
            let mut all = catalog.clone();
            all.cases.extend(Catalog::of_own(beside.features.clone()).cases);
            all
        });
        let catalog = with_found.as_ref().unwrap_or(catalog);
        let mut verification = Self { differs: differences(record), ..Self::default() };
        if !verification.differs.is_empty() {
            return verification;
        }
        if record.suite.version != env!("CARGO_PKG_VERSION") {
            let (theirs, own) = (&record.suite.version, env!("CARGO_PKG_VERSION"));
            verification.notes.push(format!(
                "written by version {theirs} of the suite, judged by version {own}: steps may have \
                 changed"
            ));
        }
        if let Some(explored) = &record.exploration {
            verification.notes.push(exploration::note(explored));
            verification.contradictions.extend(exploration::contradictions(record, explored));
        } else if let Some(own) = &record.features {
            verification.notes.push(format!(
                "the scenarios are not the suite's, but those of the feature files that the report holds \
                 ({}): they prove what they say, and no conformance",
                own.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>().join(", ")
            ));
        }
        if let Some(beside) = &record.explored {
            verification.contradictions.extend(exploration::beside(record, beside));
        }
        verification.completeness(record, catalog, ledger);
        verification.contradictions.extend(record::of_ledger(record, ledger));
        verification.contradictions.extend(record::of_bodies(record));
        let cases = verification.cases(record, catalog, ledger);
        verification.totals(record, cases, catalog, ledger);
        verification
    }

    /// Whether everything that the report says follows from what it records.
    pub fn follows(&self) -> bool {
        self.differs.is_empty() && self.contradictions.is_empty()
    }

    /// Compares the scenarios with the selection that the report names.
    fn completeness(&mut self, record: &RunRecord, catalog: &Catalog, ledger: &Ledger) {
        let mut seen = BTreeSet::new();
        for scenario in &record.scenarios {
            if !seen.insert(scenario.name.as_str()) {
                self.contradictions.push(format!("{}: is twice in the report", scenario.name));
            }
            if !catalog.cases.iter().any(|case| case.name == scenario.name) {
                self.contradictions
                    .push(format!("{}: the features have no such scenario", scenario.name));
            }
        }
        // An exploration that found nothing has no scenario.
        if record.exploration.is_some() && catalog.cases.is_empty() {
            return;
        }
        let selected = Selection::from_words(&record.run.selection).and_then(|selection| {
            if selection.left_out(&catalog.cases, ledger) != record.run.excluded {
                let why = "the excluded scenarios are not those that the selection leaves out";
                self.contradictions.push(why.to_owned());
            }
            selection.of(&catalog.cases, ledger)
        });
        let selected = match selected {
            Ok(selected) => selected,
            Err(why) => {
                return self
                    .contradictions
                    .push(format!("the selection that the report names: {why}"));
            }
        };
        let missing = selected.iter().filter(|case| !seen.contains(case.name.as_str()));
        if let Some(shard) = record.run.part.as_ref().and_then(PartOfRun::shard) {
            self.notes.push(format!(
                "{shard}: the other shards have {}; verify the merged report to see that none is \
                 missing",
                counted(missing.count(), "selected scenario")
            ));
        } else {
            let missing = missing.map(|case| &case.name);
            self.contradictions.extend(
                missing.map(|name| format!("{name}: was selected, but is missing in the report")),
            );
        }
        let is_found = |name: &str| record.found_as(name).is_some();
        let names: BTreeSet<_> = selected.iter().map(|case| case.name.as_str()).collect();
        for name in seen
            .difference(&names)
            .filter(|name| catalog.cases.iter().any(|case| case.name == **name))
            .filter(|name| !is_found(name))
        {
            self.contradictions.push(format!("{name}: was not selected, but is in the report"));
        }
    }

    /// Judges the cases again, and returns their records as they follow.
    fn cases(&mut self, record: &RunRecord, catalog: &Catalog, ledger: &Ledger) -> Vec<CaseRecord> {
        let cases: BTreeMap<_, _> =
            catalog.cases.iter().map(|case| (case.name.as_str(), case)).collect();
        let mut follow = Vec::new();
        for recorded in &record.scenarios {
            // `completeness` has reported a case that the features do not have.
            let Some(case) = cases.get(recorded.name.as_str()).copied() else { continue };
            let Judged { verdict, contradictions, on_its_word } =
                again(record, recorded, case, ledger, &cases);
            match on_its_word {
                Some(why) => *self.on_its_word.entry(why).or_default() += 1,
                None => self.judged += 1,
            }
            self.contradictions
                .extend(contradictions.into_iter().map(|why| format!("{}: {why}", recorded.name)));
            let is_listed = || {
                let mut entries = record.router.known_failures.iter();
                entries.any(|entry| entry.matches(&recorded.name, &recorded.protocol))
            };
            if recorded.outcome.word == OutcomeWord::KnownFailure && !is_listed() {
                self.contradictions.push(format!(
                    "{}: recorded as a known failure, but the report lists none that matches it",
                    recorded.name
                ));
            }
            follow.push(CaseRecord {
                outcome: (&verdict.outcome).into(),
                findings: FindingRecord::all_of(case, &verdict, ledger),
                profile: case.profile(ledger).to_string(),
                has_router: case.needs().router,
                protocol: case.protocol.as_str().to_owned(),
                tags: case.tags.clone(),
                requirements: case.requirements.iter().map(ToString::to_string).collect(),
                ..recorded.clone()
            });
        }
        follow
    }

    /// Draws the verdicts of the profiles and the conclusion again.
    fn totals(
        &mut self,
        record: &RunRecord,
        cases: Vec<CaseRecord>,
        catalog: &Catalog,
        ledger: &Ledger,
    ) {
        let requirements = requirements_of(&cases, ledger);
        let mut follows = RunRecord { scenarios: cases, requirements, ..record.clone() };
        if let Err(why) = follows.conclude(catalog) {
            return self.contradictions.push(format!("the router's claims are invalid: {why}"));
        }
        // Reports of earlier versions say of each scenario of an entry that it passes.
        let names_one_entry = |one: &str, other: &str| {
            record.router.known_failures.iter().any(|entry| {
                let named = format!("the entry `{}`", entry.scenario);
                one.contains(&named) && other.contains(&named)
            })
        };
        let is_said =
            |why: &str| record.complaints.iter().any(|one| one == why || names_one_entry(one, why));
        let unsaid = follows.complaints.iter().filter(|why| !is_said(why));
        self.contradictions
            .extend(unsaid.map(|why| format!("the report does not complain that {why}")));
        let not_run = of_outcome(record, OutcomeWord::NotRun).count();
        if record.exploration.is_none()
            && record.incomplete.as_ref().map_or(0, |early| early.not_run) != not_run
        {
            self.contradictions.push(format!(
                "{not_run} scenarios are recorded as not run, which is not what the report says of \
                 the end of the run"
            ));
        }
        if record.flaky != follows.flaky {
            let why = "the counts of flaky known failures are not those of the scenarios";
            self.contradictions.push(why.to_owned());
        }
        // An unfounded complaint of the report never makes its conclusion better than not
        // conformant.
        let recorded = (record.conclusion, record.exit_code);
        let is_founded = |why: &String| follows.complaints.contains(why);
        let conclusion = if record.complaints.iter().all(is_founded) {
            follows.conclusion
        } else {
            follows.conclusion.max(Conclusion::NotConformant)
        };
        let is_earlier = record.profiles.iter().any(|profile| profile.verdict == WITHOUT_NUMBER);
        let is_same = match (recorded.0, conclusion) {
            (Conclusion::Conformant, Conclusion::ConformantBut(_)) if is_earlier => {
                self.notes.push(format!(
                    "written before known failures were counted: today the conclusion is \
                     {conclusion}"
                ));
                true
            }
            (recorded, conclusion) => recorded == conclusion,
        };
        if !is_same {
            self.contradictions.push(format!(
                "the conclusion is recorded as {}, but {conclusion} follows",
                recorded.0
            ));
        } else if recorded.1 != conclusion.exit_code().code() {
            self.contradictions.push(format!(
                "the exit code is recorded as {}, but {} follows",
                recorded.1,
                conclusion.exit_code().code()
            ));
        }
        self.profiles(&record.profiles, &follows.profiles);
    }

    /// Compares the recorded verdicts of the profiles with those that follow.
    fn profiles(&mut self, recorded: &[ProfileVerdict], follow: &[ProfileVerdict]) {
        for ProfileVerdict { profile, verdict, outcomes } in follow {
            let found = match recorded.iter().find(|recorded| recorded.profile == *profile) {
                None => format!("the verdict of {profile} is missing"),
                Some(recorded)
                    if recorded.verdict != *verdict
                        && !(recorded.verdict == WITHOUT_NUMBER && is_conformant_but(verdict)) =>
                {
                    format!("{profile} is recorded as {}, but {verdict} follows", recorded.verdict)
                }
                Some(recorded) if recorded.outcomes != *outcomes => {
                    format!("the counts of {profile} are not those of its scenarios")
                }
                Some(_) => continue,
            };
            self.contradictions.push(found);
        }
        if recorded.len() != follow.len() {
            let why = "the report has verdicts of other profiles than core, hardening and fleet";
            self.contradictions.push(why.to_owned());
        }
    }
}

/// Where the report rests on other features or another ledger than this program has.
fn differences(record: &RunRecord) -> Vec<String> {
    let own = suite_with(record.features.as_ref());
    let pairs = [
        (
            "the features differ",
            "SHA-256 of the features",
            &record.suite.features_digest,
            &own.features_digest,
        ),
        (
            "the ledger of requirements differs",
            "SHA-256 of the ledger",
            &record.suite.ledger_digest,
            &own.ledger_digest,
        ),
    ];
    let differing = pairs.into_iter().filter(|(_, _, theirs, own)| theirs != own);
    differing
        .map(|(what, digest, theirs, own)| {
            format!("{what}; {digest}: {theirs} in the report, {own} here")
        })
        .collect()
}

impl Verification {
    /// The result as text in these styles.
    pub fn text(&self, styles: &Styles) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, styles);
        text
    }

    fn write(&self, f: &mut String, styles: &Styles) -> fmt::Result {
        // A report of others can hold anything, also what a terminal obeys.
        let item = |text: &str| readable_text(text).replace('\n', "\n    ");
        let Styles { passed, failed, .. } = styles;
        if !self.differs.is_empty() {
            writeln!(f, "the report cannot be judged by this program:")?;
            self.differs.iter().try_for_each(|why| writeln!(f, "  - {}", item(why)))?;
            return writeln!(f, "the version of the suite that wrote it can judge it");
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {}", item(note)))?;
        writeln!(f, "judged again: {}", counted(self.judged, "scenario"))?;
        if !self.on_its_word.is_empty() {
            writeln!(f, "taken as recorded, since they left nothing to judge:")?;
            self.on_its_word
                .iter()
                .try_for_each(|(why, count)| writeln!(f, "  {count:>5}  {}", item(why)))?;
        }
        if self.contradictions.is_empty() {
            let follows = "all verdicts follow from what the report records";
            writeln!(f, "{passed}{follows}{passed:#}")?;
        } else {
            writeln!(
                f,
                "{failed}does not follow from what the report records ({}):{failed:#}",
                self.contradictions.len()
            )?;
            self.contradictions.iter().try_for_each(|why| writeln!(f, "  - {}", item(why)))?;
        }
        writeln!(f, "\n{NOT_PROVEN}")
    }
}
