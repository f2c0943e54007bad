//! Mutants against the suite: the rows of the kill matrix. One behavior has one level, so no mutant is
//! caught under a MUST and under a weaker row.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::Setup;
use super::assignment::{Assignment, CaseResult, run_each};
use super::mutant::{Extent, MutantUnderTest};
use conformance_suite::ledger::{Ledger, Level, RequirementId};
use conformance_suite::stage::Launch;
use conformance_suite::verdict::OutcomeWord;

/// The result of one mutant.
#[derive(Clone, Debug)]
pub struct MutationRun {
    pub mutant: MutantUnderTest,
    /// Scenarios whose verdict carries the requirement that it breaks.
    pub caught_by: Vec<String>,
    /// Other requirements that verdicts carry, with the number of scenarios.
    pub collateral: BTreeMap<RequirementId, usize>,
    pub ran: usize,
    /// Scenarios in which the suite itself failed, and why.
    pub suite_errors: Vec<String>,
}

impl MutationRun {
    /// Whether the mutant was caught by the requirement that it breaks.
    pub fn is_caught(&self) -> bool {
        !self.caught_by.is_empty()
    }

    /// What is wrong with the suite, when it ran the mutant against this extent of scenarios: the
    /// mutant survived, the suite failed itself, or one behavior has two levels.
    fn problems(&self, extent: Extent) -> Vec<String> {
        let MutantUnderTest { name, requirement, summary, .. } = self.mutant;
        let survived =
            (!self.is_caught()).then(|| format!("survived: {name} ({requirement}): {summary}"));
        let errors = self.suite_errors.iter();
        let errors = errors.map(|error| format!("suite error with {name}: {error}"));
        let own = requirement.parse().ok().filter(|_| self.is_caught());
        // In the whole suite a mutant breaks more than the one behavior.
        let complaint = (extent == Extent::Citing)
            .then(|| complaint(name, own.iter().chain(self.collateral.keys())))
            .flatten();
        survived.into_iter().chain(errors).chain(complaint).collect()
    }

    fn from_results(mutant: MutantUnderTest, results: Vec<CaseResult<'_>>) -> Self {
        let mut run = Self {
            mutant,
            caught_by: Vec::new(),
            collateral: BTreeMap::new(),
            ran: 0,
            suite_errors: Vec::new(),
        };
        for CaseResult { case, outcome, violated, .. } in results {
            match outcome.word {
                OutcomeWord::NotApplicable | OutcomeWord::NotAsked => continue,
                OutcomeWord::SuiteError | OutcomeWord::CouldNotRun | OutcomeWord::NotRun => {
                    let why = outcome.reason.unwrap_or_default();
                    run.suite_errors.push(format!("{}: {why}", case.name));
                }
                OutcomeWord::Passed
                | OutcomeWord::Warned
                | OutcomeWord::Failed
                | OutcomeWord::KnownFailure => {}
            }
            run.ran += 1;
            for id in violated {
                if id.as_str() == mutant.requirement {
                    run.caught_by.push(case.name.clone());
                } else {
                    *run.collateral.entry(id).or_default() += 1;
                }
            }
        }
        run
    }
}

impl<'a> Setup<'a> {
    /// Runs mutants against the suite, without the cases of these names, and returns what is wrong
    /// with the suite. `tell` hears of each mutant in order.
    pub fn run_mutants(
        &self,
        mutants: &[MutantUnderTest],
        extent: Extent,
        without: &BTreeSet<String>,
        mut tell: impl FnMut(&MutationRun),
    ) -> Vec<String> {
        let mut assignments: Vec<_> =
            mutants.iter().map(|mutant| self.assign_to_mutant(mutant, extent)).collect();
        for one in &mut assignments {
            one.cases.retain(|case| !without.contains(&case.name));
        }
        let mut problems = Vec::new();
        run_each(&assignments, self.mutation_jobs(), self.stop, |index, results| {
            let run = MutationRun::from_results(mutants[index], results);
            problems.extend(run.problems(extent));
            tell(&run);
        });
        problems
    }

    /// Runs one mutant against the scenarios that cite its requirement, one after the other, until
    /// one of them catches it.
    pub fn run_until_caught(&self, mutant: MutantUnderTest) -> MutationRun {
        let Assignment { launch, cases } = self.assign_to_mutant(&mutant, Extent::Citing);
        let mut all = Vec::new();
        for case in cases {
            let one = Assignment { launch: launch.clone(), cases: vec![case] };
            run_each(&[one], self.jobs, self.stop, |_, results| all.extend(results));
            let is_own = |id: &RequirementId| id.as_str() == mutant.requirement;
            if all.last().is_some_and(|last| last.violated.iter().any(is_own)) {
                break;
            }
        }
        MutationRun::from_results(mutant, all)
    }

    fn assign_to_mutant(&self, mutant: &MutantUnderTest, extent: Extent) -> Assignment<'a> {
        Assignment {
            launch: Launch { stop: self.stop.clone(), ..mutant.launch(self.program) },
            cases: mutant.cases(self.catalog, extent).collect(),
        }
    }
}

/// A reason, kept by hand, and the mutants for which it holds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    reason: String,
    mutants: Vec<String>,
}

/// Why some mutants may be caught at two levels.
static LISTED: LazyLock<BTreeMap<String, Vec<Reason>>> = LazyLock::new(|| {
    toml::from_str(include_str!("../../fixtures/two-levels.toml"))
        .unwrap_or_else(|error| panic!("fixtures/two-levels.toml: {error}"))
});

/// The mutants with a reason.
fn listed() -> impl Iterator<Item = &'static str> {
    let explained = LISTED.values().flatten().filter(|one| !one.reason.is_empty());
    explained.flat_map(|one| &one.mutants).map(String::as_str)
}

/// What is wrong where a mutant is caught under a MUST and under a weaker row, and no reason is
/// listed: two rows judge one behavior, or a scenario cites a row for what another one covers.
fn complaint<'a>(mutant: &str, ids: impl IntoIterator<Item = &'a RequirementId>) -> Option<String> {
    let levels = at_two_levels(ids).filter(|_| !listed().any(|name| name == mutant))?;
    Some(format!(
        "{mutant} is caught {levels}: one behavior has one level, so cite one row for it, or say \
         why in fixtures/two-levels.toml"
    ))
}

/// The rows by level, if they are a MUST and a weaker one.
fn at_two_levels<'a>(ids: impl IntoIterator<Item = &'a RequirementId>) -> Option<String> {
    let ledger = Ledger::embedded();
    let (must, weaker): (Vec<_>, Vec<_>) =
        ids.into_iter().partition(|id| ledger.level(id) == Level::Must);
    let words = |ids: &[&RequirementId]| {
        let words = ids.iter().map(|id| format!("{id} ({})", ledger.level(id)));
        words.collect::<Vec<_>>().join(", ")
    };
    (!must.is_empty() && !weaker.is_empty())
        .then(|| format!("under {} and under {}", words(&must), words(&weaker)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use conformance_suite::catalog::Catalog;

    #[test]
    fn only_its_own_requirement_catches_a_mutant() {
        let catalog = Catalog::embedded();
        let mutant = MutantUnderTest::routers().next().unwrap();
        let result = |word: OutcomeWord, ids: &[&str]| CaseResult {
            case: &catalog.cases[0],
            outcome: word.into(),
            violated: ids.iter().map(|id| id.parse().unwrap()).collect(),
            first_finding: None,
            busy: None,
        };
        let run = MutationRun::from_results(
            mutant,
            vec![
                result(OutcomeWord::Failed, &["ZZ-99"]),
                result(OutcomeWord::SuiteError, &[]),
                result(OutcomeWord::NotApplicable, &[]),
            ],
        );
        assert!(!run.is_caught());
        assert_eq!((run.ran, run.suite_errors.len()), (2, 1));
        assert_eq!(run.collateral.into_iter().collect::<Vec<_>>(), [("ZZ-99".parse().unwrap(), 1)]);

        let run = MutationRun::from_results(
            mutant,
            vec![result(OutcomeWord::Failed, &[mutant.requirement])],
        );
        assert_eq!(run.caught_by, [catalog.cases[0].name.as_str()]);
    }

    fn mutants() -> Vec<&'static str> {
        MutantUnderTest::routers().chain(MutantUnderTest::cells()).map(|it| it.name).collect()
    }

    #[test]
    fn each_reason_is_listed_once_and_for_mutants_alone() {
        let mut names = BTreeSet::new();
        for name in listed() {
            assert!(mutants().contains(&name), "no such mutant: {name}");
            assert!(names.insert(name), "{name} has two reasons");
        }
    }
}
