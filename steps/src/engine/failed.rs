//! What did not pass in an earlier run.

use std::collections::BTreeSet;

use super::Selection;
use super::record::{RunRecord, suite_with};
use crate::catalog::Catalog;
use crate::ledger::Ledger;
use crate::verdict::OutcomeWord;

/// The scenarios that did not pass in an earlier run, and are to be run again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NotPassed {
    /// The names of those that the features have today.
    pub names: BTreeSet<String>,
    /// The names of those that they do not have anymore.
    pub unknown: Vec<String>,
}

impl NotPassed {
    /// The scenarios that failed, were warned, could not run, or have no verdict because of an
    /// error of the suite; also those that the run selected and did not reach. Known failures are
    /// expected, so they are not among them.
    pub fn of(record: &RunRecord, catalog: &Catalog, ledger: &Ledger) -> Self {
        let known: BTreeSet<_> = catalog.cases.iter().map(|case| case.name.as_str()).collect();
        let is_expected = |word| {
            matches!(
                word,
                OutcomeWord::Passed
                    | OutcomeWord::KnownFailure
                    | OutcomeWord::NotApplicable
                    | OutcomeWord::NotAsked
            )
        };
        let mut not_passed = Self::default();
        for case in record.scenarios.iter().filter(|case| !is_expected(case.outcome.word)) {
            if known.contains(case.name.as_str()) {
                not_passed.names.insert(case.name.clone());
            } else {
                not_passed.unknown.push(case.name.clone());
            }
        }
        not_passed.names.extend(not_reached(record, catalog, ledger));
        not_passed
    }
}

/// The scenarios that a whole run selected, and that its record does not have. The record of a
/// shard or of a test does not have those of the others.
fn not_reached(record: &RunRecord, catalog: &Catalog, ledger: &Ledger) -> Vec<String> {
    if record.run.part.is_some() {
        return Vec::new();
    }
    // Words that select nothing today have nothing to be run again.
    let selected = Selection::from_words(&record.run.selection)
        .and_then(|selection| selection.of(&catalog.cases, ledger))
        .unwrap_or_default();
    // Scenarios that are new in other features were not forgotten by the run.
    let own = suite_with(catalog.own.as_ref());
    let is_same_suite = record.suite.features_digest == own.features_digest;
    let has: BTreeSet<_> = record.scenarios.iter().map(|case| case.name.as_str()).collect();
    let missing = selected.into_iter().filter(|case| !has.contains(case.name.as_str()));
    missing.filter(|_| is_same_suite).map(|case| case.name).collect()
}

#[cfg(test)]
mod tests {
    use super::super::record::{PartOfRun, suite};
    use super::*;
    use crate::report::sample;

    /// A record of the first scenarios of the features, each with one of these outcomes.
    fn record(outcomes: &[OutcomeWord], catalog: &Catalog) -> RunRecord {
        let mut record = sample::report();
        let one = record.scenarios[0].clone();
        let scenarios = outcomes.iter().zip(&catalog.cases).map(|(outcome, case)| {
            let mut scenario = one.clone();
            scenario.name = case.name.clone();
            scenario.outcome = (*outcome).into();
            scenario
        });
        record.scenarios = scenarios.collect();
        record.run.selection = record.scenarios.iter().map(|case| case.name.clone()).collect();
        record.suite = suite().clone();
        record
    }

    #[test]
    fn what_has_no_good_verdict_is_run_again() {
        let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
        let outcomes = [
            OutcomeWord::Passed,
            OutcomeWord::Failed,
            OutcomeWord::Warned,
            OutcomeWord::KnownFailure,
            OutcomeWord::NotApplicable,
            OutcomeWord::CouldNotRun,
            OutcomeWord::SuiteError,
        ];
        let record = record(&outcomes, &catalog);
        let names = NotPassed::of(&record, &catalog, ledger).names;
        let expected = [1, 2, 5, 6].map(|at: usize| catalog.cases[at].name.clone());
        assert_eq!(names, BTreeSet::from(expected));
    }

    #[test]
    fn what_a_whole_run_did_not_reach_is_run_again() {
        let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
        let mut record = record(&[OutcomeWord::Passed, OutcomeWord::Passed], &catalog);
        let gone = record.scenarios.pop().unwrap().name;
        let names = |record: &RunRecord| NotPassed::of(record, &catalog, ledger).names;
        assert_eq!(names(&record), BTreeSet::from([gone]));
        record.run.part = Some(PartOfRun::Trial);
        assert_eq!(names(&record), BTreeSet::new());
        record.run.part = None;
        record.suite.features_digest = "00".to_owned();
        assert_eq!(names(&record), BTreeSet::new());
    }

    #[test]
    fn a_name_that_is_unknown_today_is_kept_apart() {
        let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
        let mut record = record(&[OutcomeWord::Failed], &catalog);
        record.scenarios[0].name = "gone".to_owned();
        let not_passed = NotPassed::of(&record, &catalog, ledger);
        assert_eq!(not_passed.unknown, ["gone"]);
    }
}
