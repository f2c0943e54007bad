//! Judges the exchanges of a report again, without a router, and says what follows from them.
//!
//! The report is rebuilt from what it recorded: each trace is judged by the Then steps of the same
//! features, and the verdicts of the profiles and the conclusion are drawn from the outcomes once
//! more. Whatever differs from what stands in the report does not follow.

mod record;
mod scenario;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use super::data::Report;
use super::{Description, collect, digests};
use crate::catalog::{Case, Catalog};
use crate::claims;
use crate::ledger::Ledger;
use crate::router_file::RouterFile;
use crate::suite::{Conclusion, Ended};
use scenario::{Judged, again};

/// What no report can prove of itself.
pub const NOT_PROVEN: &str = "\
What this does not prove:
  - that the exchanges took place: whoever writes a report can write exchanges that fit it
  - that the router that is named, of that version and configuration, is the one that ran
  - that the suite that wrote the report was unmodified
  - times: they are judged as they are recorded, and nothing shows that the clock was right
  - waits: whether a step that waits for something would have gone on, or was cut short
  - bodies beyond their first 64 KiB, of which the report holds the length and the digest alone
  - a known failure's reason, and that no entry of the router file's list is stale";

/// What came of judging a report again.
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
    /// What a reader should know beside this.
    pub notes: Vec<String>,
}

impl Verification {
    /// Of a report that selects these cases of the embedded catalog, or whose selection cannot be
    /// made again.
    pub fn of(
        report: &Report,
        selected: Result<Vec<Case>, String>,
        catalog: &Catalog,
        ledger: &Ledger,
    ) -> Self {
        let mut verification = Self { differs: differences(report), ..Self::default() };
        if !verification.differs.is_empty() {
            return verification;
        }
        if report.suite.version != env!("CARGO_PKG_VERSION") {
            let (theirs, own) = (&report.suite.version, env!("CARGO_PKG_VERSION"));
            verification.notes.push(format!("written by version {theirs} of the suite, judged by version {own}: steps may have changed"));
        }
        verification.completeness(report, selected, catalog);
        verification.contradictions.extend(record::of_ledger(report, ledger));
        verification.contradictions.extend(record::of_bodies(report));
        let ended = verification.scenarios(report, catalog, ledger);
        verification.totals(report, ended, catalog, ledger);
        verification
    }

    /// Whether everything that the report says follows from what it records.
    pub fn follows(&self) -> bool {
        self.differs.is_empty() && self.contradictions.is_empty()
    }

    /// Holds the scenarios against the selection that the report says was run.
    fn completeness(
        &mut self,
        report: &Report,
        selected: Result<Vec<Case>, String>,
        catalog: &Catalog,
    ) {
        let mut seen = BTreeSet::new();
        for scenario in &report.scenarios {
            if !seen.insert(scenario.name.as_str()) {
                self.contradictions.push(format!("{}: stands in the report twice", scenario.name));
            }
            if !catalog.cases.iter().any(|case| case.name == scenario.name) {
                self.contradictions
                    .push(format!("{}: the features have no such scenario", scenario.name));
            }
        }
        let selected = match selected {
            Ok(selected) => selected,
            Err(why) => {
                return self
                    .contradictions
                    .push(format!("the selection that the report names: {why}"));
            }
        };
        for case in selected.iter().filter(|case| !seen.contains(case.name.as_str())) {
            self.contradictions
                .push(format!("{}: was selected, but is missing in the report", case.name));
        }
        let names: BTreeSet<_> = selected.iter().map(|case| case.name.as_str()).collect();
        for name in seen
            .difference(&names)
            .filter(|name| catalog.cases.iter().any(|case| case.name == **name))
        {
            self.contradictions.push(format!("{name}: was not selected, but stands in the report"));
        }
    }

    /// Judges all scenarios again; responses with what they came to.
    fn scenarios<'a>(
        &mut self,
        report: &Report,
        catalog: &'a Catalog,
        ledger: &Ledger,
    ) -> Vec<Ended<'a>> {
        let cases: BTreeMap<_, _> =
            catalog.cases.iter().map(|case| (case.name.as_str(), case)).collect();
        let mut ended = Vec::new();
        for scenario in &report.scenarios {
            // What the features do not have has been told already.
            let Some(case) = cases.get(scenario.name.as_str()).copied() else { continue };
            let Judged { verdict, contradictions, on_its_word } =
                again(report, scenario, case, ledger, &cases);
            match on_its_word {
                Some(why) => *self.on_its_word.entry(why).or_default() += 1,
                None => self.judged += 1,
            }
            self.contradictions
                .extend(contradictions.into_iter().map(|why| format!("{}: {why}", scenario.name)));
            ended.push(Ended { case, verdict, took: Duration::from_millis(scenario.took_ms) });
        }
        ended
    }

    /// Draws the verdicts of the profiles and the conclusion again.
    fn totals(
        &mut self,
        report: &Report,
        mut ended: Vec<Ended<'_>>,
        catalog: &Catalog,
        ledger: &Ledger,
    ) {
        match claims_of(report) {
            Ok(Some(file)) => {
                let contradicted = claims::settle(&mut ended, &file, &catalog.cases)
                    .into_iter()
                    .filter(|why| !report.complaints.contains(why));
                self.contradictions.extend(
                    contradicted.map(|why| format!("the report does not complain that {why}")),
                );
            }
            Ok(None) => {}
            Err(why) => self.contradictions.push(format!("the router's claims are none: {why}")),
        }
        let conclusion = Conclusion::of(ended.iter().map(|one| &one.verdict.outcome));
        let conclusion = if report.complaints.is_empty() {
            conclusion
        } else {
            conclusion.max(Conclusion::NotConformant)
        };
        let conclusion =
            if catalog.errors.is_empty() { conclusion } else { Conclusion::SuiteFault };
        let description = Description {
            router: report.router.clone(),
            began: std::time::SystemTime::UNIX_EPOCH,
            took: Duration::from_millis(report.run.took_ms),
            seed: report.run.seed,
            jobs: report.run.jobs,
            selection: report.run.selection.clone(),
            complaints: report.complaints.clone(),
            conclusion,
        };
        let rebuilt = collect(description, &ended, ledger);
        if rebuilt.conclusion != report.conclusion {
            let (recorded, follows) = (&report.conclusion, &rebuilt.conclusion);
            self.contradictions
                .push(format!("the conclusion is recorded as {recorded}, but {follows} follows"));
        }
        for follows in &rebuilt.profiles {
            match report.profiles.iter().find(|recorded| recorded.profile == follows.profile) {
                None => self
                    .contradictions
                    .push(format!("the verdict of {} is missing", follows.profile)),
                Some(recorded) if recorded.verdict != follows.verdict => {
                    let (profile, recorded, follows) =
                        (&follows.profile, &recorded.verdict, &follows.verdict);
                    self.contradictions.push(format!(
                        "{profile} is recorded as {recorded}, but {follows} follows"
                    ));
                }
                Some(recorded) if recorded.outcomes != follows.outcomes => {
                    self.contradictions.push(format!(
                        "the counts of {} are not those of its scenarios",
                        follows.profile
                    ));
                }
                Some(_) => {}
            }
        }
        if report.profiles.len() != rebuilt.profiles.len() {
            self.contradictions.push(
                "the report has verdicts of other profiles than core, hardening and fleet"
                    .to_owned(),
            );
        }
    }
}

/// Where the report rests on other features or another ledger than this program has.
fn differences(report: &Report) -> Vec<String> {
    let (features, ledger) = digests();
    let pairs = [
        ("the features", "SHA-256 of the features", &report.suite.features_digest, &features),
        (
            "the ledger of requirements",
            "SHA-256 of the ledger",
            &report.suite.ledger_digest,
            &ledger,
        ),
    ];
    let differing = pairs.into_iter().filter(|(_, _, theirs, own)| theirs != own);
    differing
        .map(|(what, digest, theirs, own)| {
            format!("{what} differ; {digest}: {theirs} in the report, {own} here")
        })
        .collect()
}

/// What the router file claimed, as far as the report has it; nothing where there was none.
fn claims_of(report: &Report) -> Result<Option<RouterFile>, String> {
    let router = &report.router;
    // Routers that run already have no command: their protocol is the one that they were set up
    // for.
    if router.protocols.is_empty() || router.command.is_empty() {
        return Ok(None);
    }
    let text = format!(
        "name = \"\"\ncommand = [\"-\"]\nprotocols = {:?}\ncapabilities = {:?}\n",
        router.protocols, router.capabilities
    );
    RouterFile::parse(&text).map(Some)
}

impl fmt::Display for Verification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.differs.is_empty() {
            writeln!(f, "the report cannot be judged by this program:")?;
            self.differs.iter().try_for_each(|why| writeln!(f, "  - {why}"))?;
            return writeln!(f, "the version of the suite that wrote it can judge it");
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {note}"))?;
        writeln!(f, "judged again: {} scenarios", self.judged)?;
        if !self.on_its_word.is_empty() {
            writeln!(f, "taken as recorded, since they left nothing to judge:")?;
            self.on_its_word
                .iter()
                .try_for_each(|(why, count)| writeln!(f, "  {count:>5}  {why}"))?;
        }
        if self.contradictions.is_empty() {
            writeln!(f, "all verdicts follow from what the report records")?;
        } else {
            writeln!(
                f,
                "does not follow from what the report records ({}):",
                self.contradictions.len()
            )?;
            self.contradictions.iter().try_for_each(|why| writeln!(f, "  - {why}"))?;
        }
        writeln!(f, "\n{NOT_PROVEN}")
    }
}
