//! What a router claims, held against what its run showed.
//!
//! Not claimed means not applicable. Claimed and skipped is a contradiction. A known failure that
//! passes, or that matches nothing, is stale. Contradictions and stale entries fail a run.

use cell_fleet::Protocol;

use crate::catalog::Case;
use crate::router_file::{Capability, RouterFile};
use crate::suite::Ended;
use crate::verdict::Outcome;

/// Why a case is not for this router, if it is not.
pub fn not_applicable(case: &Case, router: &RouterFile) -> Option<String> {
    if case.needs.router && !router.claims_protocol(case.protocol) {
        return Some(format!("the router does not claim the {} protocol", case.protocol.as_str()));
    }
    let needed = case.capability()?;
    let claimed = router.capabilities.iter().any(|capability| capability.as_str() == needed);
    (!claimed).then(|| format!("the router does not claim {needed}"))
}

/// Turns failures that the router file knows into known failures; responses with what contradicts
/// it. An entry for a scenario among `all` that was not selected is not held against it.
pub fn settle(ended: &mut [Ended<'_>], router: &RouterFile, all: &[Case]) -> Vec<String> {
    let mut complaints = Vec::new();
    for entry in &router.known_failures {
        let mut matched = false;
        for one in ended.iter_mut().filter(|one| entry.matches(one.case)) {
            match one.verdict.outcome {
                Outcome::Failed | Outcome::Warned => {
                    matched = true;
                    one.verdict.outcome = Outcome::KnownFailure {
                        reason: entry.reason.clone(),
                        link: entry.link.clone(),
                    };
                }
                Outcome::KnownFailure { .. } => matched = true,
                Outcome::Passed => {
                    matched = true;
                    complaints.push(format!(
                        "{} passes, but the router file knows it as a failure: take the entry `{}` out",
                        one.case.name, entry.scenario
                    ));
                }
                Outcome::NotApplicable(_) | Outcome::CouldNotRun(_) | Outcome::SuiteError(_) => {}
            }
        }
        let was_run = |case: &Case| ended.iter().any(|one| one.case.name == case.name);
        let is_elsewhere = all.iter().any(|case| entry.matches(case) && !was_run(case));
        if !matched && !is_elsewhere {
            complaints.push(format!(
                "the known failure `{}` matches no scenario that was run",
                entry.scenario
            ));
        }
    }
    complaints.extend(contradictions(ended, router));
    complaints
}

/// Capabilities that are claimed and that no scenario of a run is about.
pub fn unchecked(ended: &[Ended<'_>], router: &RouterFile) -> Vec<&'static str> {
    let checked = |capability: &&Capability| {
        ended.iter().any(|one| one.case.capability() == Some(capability.as_str()))
    };
    let claimed =
        Capability::ALL.iter().filter(|capability| router.capabilities.contains(capability));
    claimed
        .filter(|capability| !checked(capability))
        .map(|capability| capability.as_str())
        .collect()
}

/// Where nothing is claimed: a router follows a protocol or does not, but not from case to case.
pub fn inconsistencies(ended: &[Ended<'_>]) -> Vec<String> {
    let mut found = Vec::new();
    for protocol in [Protocol::Buffering, Protocol::Learning] {
        let of_protocol: Vec<_> = ended
            .iter()
            .filter(|one| {
                one.case.needs.router
                    && one.case.protocol == protocol
                    && one.case.capability().is_none()
            })
            .collect();
        let refused = of_protocol
            .iter()
            .filter(|one| matches!(one.verdict.outcome, Outcome::NotApplicable(_)))
            .count();
        if refused > 0 && refused < of_protocol.len() {
            let all = of_protocol.len();
            found.push(format!(
                "the router said in {refused} of {all} scenarios that it does not follow the {} protocol, and followed it in the others",
                protocol.as_str()
            ));
        }
    }
    found
}

/// What is claimed and was skipped all the same.
fn contradictions(ended: &[Ended<'_>], router: &RouterFile) -> Vec<String> {
    let mut found = Vec::new();
    for protocol in [Protocol::Buffering, Protocol::Learning]
        .into_iter()
        .filter(|protocol| router.claims_protocol(*protocol))
    {
        let of_protocol: Vec<_> = ended
            .iter()
            .filter(|one| {
                one.case.needs.router
                    && one.case.protocol == protocol
                    && one.case.capability().is_none()
            })
            .collect();
        let skipped = of_protocol
            .iter()
            .filter(|one| matches!(one.verdict.outcome, Outcome::NotApplicable(_)))
            .count();
        if skipped > 0 {
            found.push(format!(
                "the router file claims the {} protocol, but the router said that it does not follow it in {skipped} of {} scenarios",
                protocol.as_str(),
                of_protocol.len()
            ));
        }
    }
    for capability in
        Capability::ALL.into_iter().filter(|capability| router.capabilities.contains(capability))
    {
        let skips = |one: &&Ended<'_>| {
            one.case.capability() == Some(capability.as_str())
                && matches!(one.verdict.outcome, Outcome::NotApplicable(_))
        };
        let unclaimed = |one: &Ended<'_>| !router.claims_protocol(one.case.protocol);
        if let Some(one) = ended.iter().filter(skips).find(|one| !unclaimed(one)) {
            found.push(format!(
                "{} is claimed, but {} was skipped",
                capability.as_str(),
                one.case.name
            ));
        }
    }
    found
}
