//! The verdict of each profile.

use std::collections::BTreeMap;

use super::Conclusion;
use super::record::{CaseRecord, ProfileVerdict, RequirementRecord};
use crate::ledger::{Level, Profile, RequirementId};
use crate::verdict::OutcomeWord;

/// The verdict of one profile: by the cases whose main requirement is of it, and by the findings
/// about its requirements in any case.
pub(super) fn verdict_of(
    profile: Profile,
    cases: &[CaseRecord],
    requirements: &BTreeMap<RequirementId, RequirementRecord>,
) -> ProfileVerdict {
    let mut outcomes = BTreeMap::new();
    for case in cases.iter().filter(|case| case.profile == profile) {
        *outcomes.entry(case.outcome.word).or_default() += 1;
    }
    let counted = cases.iter().filter_map(|case| counts_as(case, profile, requirements));
    let verdict = match Conclusion::worst(counted) {
        Some(worst) => worst,
        None if outcomes.contains_key(&OutcomeWord::NotAsked) => Conclusion::NotAsked,
        None => Conclusion::NotRun,
    };
    ProfileVerdict { profile, verdict, outcomes }
}

/// The outcome that a case has for a profile; `None` if it says nothing about it.
fn counts_as(
    case: &CaseRecord,
    profile: Profile,
    requirements: &BTreeMap<RequirementId, RequirementRecord>,
) -> Option<OutcomeWord> {
    let is_of = case.profile == profile;
    // A fault of the cells can show through a router, but such a failure counts as the router's: it
    // leaves open what the cells do.
    let is_routers = profile == Profile::Fleet && case.has_router;
    let mut rows = case.findings.iter().filter_map(|found| requirements.get(&found.requirement));
    let mut violates = || rows.any(|row| row.profile == profile && row.level == Level::Must);
    match case.outcome.word {
        word @ (OutcomeWord::Passed | OutcomeWord::NotAsked) => is_of.then_some(word),
        OutcomeWord::Failed if is_routers => is_of.then_some(OutcomeWord::CouldNotRun),
        _ if is_routers => None,
        // A case whose main requirement is of the profile has to pass, whatever failed in it.
        word @ (OutcomeWord::Failed | OutcomeWord::KnownFailure) => {
            (is_of || violates()).then_some(word)
        }
        word => is_of.then_some(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn a_profile_with_a_failure_is_not_conformant() {
        let mut report = sample::report();
        let mut failed = report.scenarios.swap_remove(2);
        let id: RequirementId = "Z-03".parse().unwrap();
        failed.findings[0].requirement = id.clone();
        report.requirements.get_mut(&id).unwrap().level = Level::Must;
        let verdict = |profile, case: &CaseRecord| {
            verdict_of(profile, std::slice::from_ref(case), &report.requirements).verdict
        };
        // A scenario of the core violates a requirement of the hardening profile.
        assert_eq!(verdict(Profile::Core, &failed), Conclusion::NotConformant);
        // So does one whose router did not start, as the conclusion says, too.
        let unstarted = CaseRecord { trace: None, findings: Vec::new(), ..failed.clone() };
        assert_eq!(verdict(Profile::Core, &unstarted), Conclusion::NotConformant);
        assert_eq!(verdict(Profile::Hardening, &failed), Conclusion::NotConformant);
        assert_eq!(verdict(Profile::Fleet, &failed), Conclusion::NotRun);
        failed.profile = Profile::Fleet;
        assert_eq!(verdict(Profile::Fleet, &failed), Conclusion::Incomplete);
        failed.outcome.word = OutcomeWord::Passed;
        assert_eq!(verdict(Profile::Fleet, &failed), Conclusion::Conformant);
    }
}
