//! Routers without a single mistake: those that do not route at all, and correct variants.

use std::collections::BTreeSet;

use broken_routers::{Protocols, Variant, degenerate};
use cell_fleet::Protocol;

use super::assignment::{Assignment, CaseResult, run_each};
use super::mutant::{broken_router, meets};
use super::{REFERENCE_WARNED_OF, Setup};
use conformance_suite::engine::known::{is_must_of_core, without_routing};
use conformance_suite::ledger::{Ledger, Profile, RequirementId};
use conformance_suite::stage::Launch;
use conformance_suite::verdict::OutcomeWord;

/// Where the requirements stand that all routers violate that do not route.
const LIST: &str = "WITHOUT_ROUTING in engine/known.rs";

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RouterResult {
    /// Scenarios of the core profile that it met.
    pub core: usize,
    /// The cases of these that the router did not pass.
    pub core_failed: usize,
    /// All scenarios that it did not pass, with the first finding.
    failures: Vec<(String, String)>,
    /// The MUST requirements of the core that it violates in scenarios of the core, in each
    /// protocol.
    violated: BTreeSet<(&'static str, RequirementId)>,
}

impl RouterResult {
    /// A warning under one of `warnings`, or of those that the reference router gets, is no failure.
    fn from_results(results: &[CaseResult<'_>], warnings: &[&str]) -> Self {
        let is_known = |id: &str| warnings.contains(&id) || REFERENCE_WARNED_OF.contains(&id);
        let is_expected =
            |one: &CaseResult<'_>| one.violated.iter().all(|id| is_known(id.as_str()));
        let failed = |one: &&CaseResult<'_>| match one.outcome.word {
            OutcomeWord::Passed | OutcomeWord::NotApplicable | OutcomeWord::NotAsked => false,
            OutcomeWord::Warned => !is_expected(one),
            OutcomeWord::Failed
            | OutcomeWord::KnownFailure
            | OutcomeWord::CouldNotRun
            | OutcomeWord::NotRun
            | OutcomeWord::SuiteError => true,
        };
        let is_core = |one: &&CaseResult<'_>| one.case.profile(Ledger::embedded()) == Profile::Core;
        let found = |one: &CaseResult<'_>| {
            one.first_finding.clone().unwrap_or_else(|| one.outcome.to_string())
        };
        Self {
            core: results.iter().filter(is_core).count(),
            core_failed: results.iter().filter(is_core).filter(failed).count(),
            failures: results
                .iter()
                .filter(failed)
                .map(|one| (one.case.name.clone(), found(one)))
                .collect(),
            violated: results
                .iter()
                .filter(is_core)
                .flat_map(|one| {
                    let protocol = one.case.protocol.as_str();
                    one.violated.iter().map(move |id| (protocol, id.clone()))
                })
                .filter(|(_, id)| is_must_of_core(id))
                .collect(),
        }
    }
}

impl<'a> Setup<'a> {
    /// Runs routers that do not route against everything that applies to them, and returns what is
    /// wrong with the suite: one passes half of the core, or the list of the requirements that all
    /// of them violate is not that of these runs. `tell` hears of each router by its name, in order.
    pub fn run_degenerate(&self, mut tell: impl FnMut(&str, &RouterResult)) -> Vec<String> {
        let routers = degenerate();
        let assignments: Vec<_> =
            routers.iter().map(|one| self.assign(one.name, one.protocols, None)).collect();
        let listed: Vec<_> = Protocol::ALL
            .into_iter()
            .flat_map(|protocol| {
                without_routing(protocol).iter().map(move |id| (protocol.as_str(), *id))
            })
            .collect();
        let mut problems = Vec::new();
        let mut all: Option<BTreeSet<_>> = None;
        run_each(&assignments, self.jobs, self.stop, |index, results| {
            let (name, result) = (routers[index].name, RouterResult::from_results(&results, &[]));
            let RouterResult { core, core_failed, violated, .. } = &result;
            if 2 * core_failed <= *core {
                problems.push(format!(
                    "{name} does not route, but fails only {core_failed} of {core} core scenarios"
                ));
            }
            let is_kept = |(protocol, id): &&(&str, &str)| {
                !violated.iter().any(|(of, own)| of == protocol && own.as_str() == *id)
            };
            problems.extend(listed.iter().filter(is_kept).map(|(protocol, id)| {
                format!("{name} does not violate {id} in {protocol}: remove it from {LIST}")
            }));
            all = Some(match all.take() {
                Some(before) => before.intersection(violated).cloned().collect(),
                None => violated.clone(),
            });
            tell(name, &result);
        });
        let violated = all.unwrap_or_default();
        let unlisted = violated.iter().filter(|(of, id)| !listed.contains(&(*of, id.as_str())));
        problems.extend(unlisted.map(|(protocol, id)| {
            format!("no router that does not route keeps {id} in {protocol}: add it to {LIST}")
        }));
        problems
    }

    /// Runs variants against everything that applies to them, the capability that they claim
    /// included, and returns the scenarios that they do not pass. A warning about a SHOULD that a
    /// variant does not follow is no failure. `tell` hears of each in order, with the number of
    /// these scenarios.
    pub fn run_variants(
        &self,
        variants: &[&Variant],
        mut tell: impl FnMut(&Variant, usize),
    ) -> Vec<String> {
        let assignments: Vec<_> = variants
            .iter()
            .map(|one| self.assign(one.name, one.protocols, one.capability))
            .collect();
        let mut problems = Vec::new();
        run_each(&assignments, self.jobs, self.stop, |index, results| {
            let variant = variants[index];
            let RouterResult { failures, .. } =
                RouterResult::from_results(&results, variant.warnings);
            let name = variant.name;
            problems.extend(
                failures
                    .iter()
                    .map(|(case, found)| format!("{name} does not pass {case}: {found}")),
            );
            tell(variant, failures.len());
        });
        problems
    }

    /// Everything that applies to a router of these protocols and this capability.
    fn assign(&self, name: &str, protocols: Protocols, capability: Option<&str>) -> Assignment<'a> {
        let cases = self.catalog.cases.iter();
        Assignment {
            launch: Launch { stop: self.stop.clone(), ..broken_router(self.program, name) },
            cases: cases.filter(|case| meets(protocols, capability, case)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use conformance_suite::catalog::Catalog;

    #[test]
    fn only_an_expected_warning_is_no_failure() {
        let catalog = Catalog::embedded();
        let result = |word: OutcomeWord, id: &str| CaseResult {
            case: &catalog.cases[0],
            outcome: word.into(),
            violated: [id.parse().unwrap()].into(),
            first_finding: None,
            busy: None,
        };
        let failures =
            |one: CaseResult<'_>| RouterResult::from_results(&[one], &["ZZ-01"]).failures.len();
        assert_eq!(failures(result(OutcomeWord::Warned, "ZZ-01")), 0);
        assert_eq!(failures(result(OutcomeWord::Warned, "ZZ-02")), 1);
        assert_eq!(failures(result(OutcomeWord::Failed, "ZZ-01")), 1);
    }
}
