//! Capabilities that a router claims, and that the run shows to be missing.
//!
//! A violated SHOULD or MAY is a warning, also where a capability is about it. The claim is the
//! router's own word, and nobody asks for it: one that is not kept makes the conclusion.

use cell_fleet::Protocol;

use super::claims::Claims;
use super::record::CaseRecord;
use crate::catalog::Case;
use crate::router_file::Capability;
use crate::verdict::OutcomeWord;

/// The claims that were not kept, in words. A capability counts as missing if, in one protocol,
/// more than half of the scenarios about its promise were warned. `all` has these scenarios, so it
/// does not matter what else was run. With fewer warnings the capability is there, but has faults.
pub(super) fn claims(cases: &[CaseRecord], claims: &Claims, all: &[Case]) -> Vec<String> {
    let claimed = Capability::ALL.iter().filter(|one| claims.capabilities.contains(one));
    let unkept = claimed.filter_map(|capability| {
        let promise = capability.promise()?;
        let name = capability.as_str();
        let missing: Vec<_> = Protocol::ALL
            .into_iter()
            .filter_map(|protocol| missing(cases, all, name, promise, protocol))
            .collect();
        (!missing.is_empty()).then(|| {
            format!(
                "{name} is claimed, but not shown: of the scenarios about it ({promise}), {} were \
                 warned; mend what the warnings say, or take the claim back",
                missing.join(" and ")
            )
        })
    });
    unkept.collect()
}

/// How many scenarios of a protocol say that the capability is missing, in words; `None` if it is
/// there, or if too few were run.
fn missing(
    cases: &[CaseRecord],
    all: &[Case],
    capability: &str,
    promise: &str,
    protocol: Protocol,
) -> Option<String> {
    let is_about = |case: &&Case| {
        case.protocol == protocol
            && case.capability() == Some(capability)
            && case.requirements.first().is_some_and(|id| id.as_str() == promise)
    };
    let all = all.iter().filter(is_about).count();
    let is_warned = |case: &&CaseRecord| {
        case.protocol == protocol
            && case.capability() == Some(capability)
            && case.requirements.first().is_some_and(|id| id.as_str() == promise)
            && case.outcome.word == OutcomeWord::Warned
    };
    let warned = cases.iter().filter(is_warned).count();
    (2 * warned > all).then(|| format!("{warned} of {all} in {protocol}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::catalog::Catalog;
    use crate::engine::Conclusion;
    use crate::engine::record::RunRecord;
    use crate::ledger::{Ledger, Level};

    /// A run of the scenarios of these capabilities, in which those for which `is_warned` says so
    /// were warned.
    fn run(claimed: &[&str], is_warned: impl Fn(&Case) -> bool) -> RunRecord {
        let catalog = Catalog::embedded();
        let mut record = crate::report::sample::report();
        record.router.known_failures.clear();
        record.router.capabilities =
            Capability::ALL.iter().copied().filter(|one| claimed.contains(&one.as_str())).collect();
        record.router.protocols = Protocol::ALL.into();
        let sample = record.scenarios.swap_remove(0);
        let is_of = |case: &&Case| case.capability().is_some_and(|name| claimed.contains(&name));
        record.scenarios = catalog
            .cases
            .iter()
            .filter(is_of)
            .map(|case| {
                let mut ran = sample.clone();
                ran.name.clone_from(&case.name);
                ran.protocol = case.protocol;
                ran.tags.clone_from(&case.tags);
                ran.requirements.clone_from(&case.requirements);
                ran.has_router = true;
                ran.outcome.word =
                    if is_warned(case) { OutcomeWord::Warned } else { OutcomeWord::Passed };
                ran
            })
            .collect();
        record.conclude(&catalog);
        record
    }

    #[test]
    fn a_capability_that_is_claimed_and_missing_makes_the_conclusion() {
        // What a Python router without it was warned of.
        let needs_upgrade = |case: &Case| !case.name.contains("requests_without_an_upgrade");
        let record = run(&["upgrade"], needs_upgrade);
        assert_eq!(record.conclusion, Conclusion::NotAsClaimed);
        assert_eq!(record.exit_code, 1);
        assert_eq!(
            record.complaints,
            ["upgrade is claimed, but not shown: of the scenarios about it (Z-23), 16 of 19 in \
              buffering and 14 of 17 in learning were warned; mend what the warnings say, or take \
              the claim back"]
        );
        assert_eq!(run(&["cookie-cache"], |_| true).conclusion, Conclusion::NotAsClaimed);
        assert_eq!(run(&["cross-region-fallback"], |_| true).conclusion, Conclusion::NotAsClaimed);
    }

    #[test]
    fn scenarios_that_could_not_run_contradict_no_claim() {
        let mut record = run(&["cross-region-fallback"], |_| false);
        for case in &mut record.scenarios {
            case.outcome.word = OutcomeWord::CouldNotRun;
        }
        record.conclude(&Catalog::embedded());
        assert_eq!((record.conclusion, record.complaints.len()), (Conclusion::Incomplete, 0));
    }

    #[test]
    fn a_capability_that_is_there_may_have_warnings() {
        // Cookies without an attribute, and WebSockets that fail for one reason.
        let is_minor = |case: &Case| {
            case.requirements[0].as_str() == "Z-19" || case.name.contains("five_messages")
        };
        let record = run(&["cookie-cache", "upgrade"], is_minor);
        assert!(record.conclusion.is_good() && record.complaints.is_empty());
    }

    #[test]
    fn it_is_missing_in_one_protocol_too_and_not_by_a_few_scenarios_alone() {
        let record = run(&["upgrade"], |case| case.protocol == Protocol::Learning);
        assert_eq!(record.conclusion, Conclusion::NotAsClaimed);
        let few = |case: &Case| case.name.contains("in_another_region[");
        let mut record = run(&["upgrade"], few);
        record.scenarios.retain(|case| case.outcome.word == OutcomeWord::Warned);
        record.conclude(&Catalog::embedded());
        assert!(record.scenarios.len() == 2 && record.conclusion.is_good());
    }

    #[test]
    fn each_capability_that_scenarios_test_has_a_promise_or_a_must() {
        let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
        for capability in Capability::ALL {
            let of_it = |case: &&Case| case.capability() == Some(capability.as_str());
            let cases: Vec<_> = catalog.cases.iter().filter(of_it).collect();
            let main: BTreeSet<_> = cases.iter().filter_map(|c| c.requirements.first()).collect();
            let is_weak = |id: &&crate::ledger::RequirementId| {
                ledger.row(id).is_some_and(|row| row.level != Level::Must)
            };
            match capability.promise() {
                Some(promise) => {
                    assert!(main.iter().filter(|id| is_weak(id)).any(|id| id.as_str() == promise));
                }
                None => assert!(cases.is_empty() || !main.iter().all(is_weak)),
            }
        }
    }
}
