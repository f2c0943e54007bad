//! The verdict of each profile.

use std::collections::BTreeMap;

use super::conclusion::{good, is_conformant_but};
use super::record::{CaseRecord, ProfileVerdict, RequirementRecord};
use crate::ledger::Profile;
use crate::verdict::OutcomeWord;

/// What a case means for a profile, the best first; each is the verdict if it is the worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Conformant,
    KnownFailure,
    Incomplete,
    NotConformant,
    SuiteFault,
}

impl Weight {
    fn name(self) -> &'static str {
        match self {
            Self::Conformant => "conformant",
            // The verdict counts them.
            Self::KnownFailure => "known failure",
            Self::Incomplete => "incomplete",
            Self::NotConformant => "not conformant",
            Self::SuiteFault => "suite at fault",
        }
    }
}

/// The verdict of one profile: by the cases whose main requirement is of it, and by the findings
/// about its requirements in any case.
pub(super) fn verdict_of(
    profile: Profile,
    cases: &[CaseRecord],
    requirements: &BTreeMap<String, RequirementRecord>,
) -> ProfileVerdict {
    let mut outcomes = BTreeMap::new();
    let (mut worst, mut known) = (None, 0);
    for case in cases {
        let is_of = case.profile == profile.as_str();
        if is_of {
            *outcomes.entry(case.outcome.word).or_default() += 1;
        }
        // A fault of the cells can show through a router, but such a failure counts as the
        // router's: it leaves open what the cells do.
        let is_routers = profile == Profile::Fleet && case.has_router;
        let means = match case.outcome.word {
            OutcomeWord::Passed => weight(case, is_of, profile, requirements),
            OutcomeWord::Failed if is_routers => is_of.then_some(Weight::Incomplete),
            _ if is_routers => None,
            _ => weight(case, is_of, profile, requirements),
        };
        known += usize::from(means == Some(Weight::KnownFailure));
        worst = worst.max(means);
    }
    let not_asked = outcomes.get(&OutcomeWord::NotAsked).copied().unwrap_or_default();
    let verdict = match worst {
        None if not_asked > 0 => OutcomeWord::NotAsked.to_string(),
        None => "not run".to_owned(),
        Some(Weight::Conformant | Weight::KnownFailure) => good(known, not_asked),
        Some(worst) => worst.name().to_owned(),
    };
    ProfileVerdict { profile: profile.to_string(), verdict, outcomes }
}

/// The verdict of the core where its known failures are too much to be excused.
pub(super) fn of_too_much(verdict: ProfileVerdict) -> ProfileVerdict {
    match verdict.verdict.as_str() {
        "suite at fault" => verdict,
        _ => ProfileVerdict { verdict: Weight::NotConformant.name().to_owned(), ..verdict },
    }
}

/// The verdict in the words of a part, which proves nothing about the rest of the profile.
pub(super) fn of_part(verdict: ProfileVerdict) -> ProfileVerdict {
    let words = match verdict.verdict.as_str() {
        "conformant" => "no failure",
        but if but.starts_with("conformant as far as") => "no failure",
        but if is_conformant_but(but) => "no failure but known ones",
        other => other,
    };
    ProfileVerdict { verdict: words.to_owned(), ..verdict }
}

fn weight(
    case: &CaseRecord,
    is_of: bool,
    profile: Profile,
    requirements: &BTreeMap<String, RequirementRecord>,
) -> Option<Weight> {
    let mut rows = case.findings.iter().filter_map(|found| requirements.get(&found.requirement));
    let violates = rows.any(|row| row.profile == profile.as_str() && row.level == "MUST");
    match case.outcome.word {
        OutcomeWord::Failed if violates => Some(Weight::NotConformant),
        OutcomeWord::KnownFailure if violates || is_of => Some(Weight::KnownFailure),
        OutcomeWord::CouldNotRun | OutcomeWord::NotRun if is_of => Some(Weight::Incomplete),
        OutcomeWord::SuiteError if is_of => Some(Weight::SuiteFault),
        // Its scenario failed by a requirement of another profile, or its router did not start: it
        // has to pass all the same.
        OutcomeWord::Failed if is_of => Some(Weight::NotConformant),
        OutcomeWord::Passed | OutcomeWord::Warned if is_of => Some(Weight::Conformant),
        _ => None,
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
        failed.findings[0].requirement = "Z-03".to_owned();
        if let Some(row) = report.requirements.get_mut("Z-03") {
            row.level = "MUST".to_owned();
        }
        let verdict = |profile, case: &CaseRecord| {
            verdict_of(profile, std::slice::from_ref(case), &report.requirements).verdict
        };
        // A scenario of the core violates a requirement of the hardening profile.
        assert_eq!(verdict(Profile::Core, &failed), "not conformant");
        // So does one whose router did not start, as the conclusion says, too.
        let unstarted = CaseRecord { trace: None, findings: Vec::new(), ..failed.clone() };
        assert_eq!(verdict(Profile::Core, &unstarted), "not conformant");
        assert_eq!(verdict(Profile::Hardening, &failed), "not conformant");
        assert_eq!(verdict(Profile::Fleet, &failed), "not run");
        failed.profile = "fleet".to_owned();
        assert_eq!(verdict(Profile::Fleet, &failed), "incomplete");
        failed.outcome.word = OutcomeWord::Passed;
        assert_eq!(verdict(Profile::Fleet, &failed), "conformant");
    }
}
