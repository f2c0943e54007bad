//! A router's claims, compared with the outcomes of its run.
//!
//! A scenario that needs an unclaimed capability is not applicable. A claim whose scenarios were
//! skipped is contradicted. A known failure that passes, or that matches no scenario, is stale.
//! Contradictions and stale entries fail a run.

use std::collections::BTreeSet;
use std::time::Duration;

use cell_fleet::Protocol;

use super::record::{CaseRecord, FlakyRecord, RouterRecord};
use crate::catalog::{Case, is_own};
use crate::engine::counted;
use crate::engine::record::KnownFailure;
use crate::ledger::RequirementId;
use crate::router_file::{Capability, REFERENCE_CLAIMS, RouterFile};
use crate::stage::FleetPlace;
use crate::verdict::{Outcome, OutcomeWord};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Claims {
    /// The protocols; `None` if none are named, so that both are tried.
    pub protocols: Option<Vec<Protocol>>,
    pub capabilities: Vec<Capability>,
    /// Scenarios that are known not to pass.
    pub known_failures: Vec<KnownFailure>,
    /// The path on which it asks cells for their health; with `health-checks` alone.
    pub health_check_path: Option<String>,
    /// How long it may take to start, where it says so.
    pub start_timeout: Option<Duration>,
    pub place: FleetPlace,
    pub by: ClaimedBy,
    /// Whether it runs already: then it follows one protocol, whatever it claims.
    pub is_running: bool,
}

/// Who says what a router claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ClaimedBy {
    RouterFile,
    /// The program itself, for the reference router; also if there are no claims.
    #[default]
    Program,
    TestProgram,
}

impl From<&RouterFile> for Claims {
    fn from(file: &RouterFile) -> Self {
        let claimed = Protocol::ALL.into_iter().filter(|protocol| file.claims_protocol(*protocol));
        Self {
            protocols: Some(claimed.collect()),
            capabilities: file.capabilities.clone(),
            known_failures: file.known_failures.clone(),
            health_check_path: file
                .health_check_path
                .clone()
                .filter(|_| file.capabilities.contains(&Capability::HealthChecks)),
            start_timeout: file.start_timeout,
            place: file.place(),
            by: ClaimedBy::RouterFile,
            is_running: false,
        }
    }
}

impl Claims {
    pub(crate) fn of_reference() -> Self {
        Self { capabilities: REFERENCE_CLAIMS.into(), ..Self::default() }
    }

    pub(crate) fn recorded(router: &RouterRecord) -> Self {
        // A router that was already running has no command. Its record names the protocol that it
        // was set up for, which is no claim.
        let claims_protocols = !router.protocols.is_empty() && !router.command.is_empty();
        Self {
            protocols: claims_protocols.then(|| router.protocols.clone()),
            capabilities: router.capabilities.clone(),
            known_failures: router.known_failures.clone(),
            // The recorded traces have no health checks anymore.
            health_check_path: None,
            // Nothing starts anymore.
            start_timeout: None,
            place: FleetPlace::default(),
            by: if claims_protocols { ClaimedBy::RouterFile } else { ClaimedBy::Program },
            is_running: !router.running.is_empty(),
        }
    }

    /// Whether a protocol is claimed, or no protocols are named.
    pub fn allow(&self, protocol: Protocol) -> bool {
        self.protocols.as_ref().is_none_or(|claimed| claimed.contains(&protocol))
    }

    /// Why a case does not apply to this router; `None` if it does.
    pub fn not_applicable(&self, case: &Case) -> Option<String> {
        let protocol = case.protocol;
        if case.needs().router && !self.allow(protocol) {
            return Some(format!("the router does not claim the {} protocol", protocol.as_str()));
        }
        let needed = case.capability()?;
        if self.capabilities.iter().any(|claimed| claimed.as_str() == needed) {
            return None;
        }
        Some(match self.by {
            ClaimedBy::RouterFile => format!("the router does not claim {needed}"),
            ClaimedBy::Program => format!("nothing claims {needed}; a router file can"),
            ClaimedBy::TestProgram => {
                format!("nothing claims {needed}; `Harness::claiming` or a router file can")
            }
        })
    }

    /// The outcome of a case whose failure the router file lists; `None` if it does not, or if the
    /// case did not fail.
    pub(crate) fn known(
        &self,
        name: &str,
        protocol: Protocol,
        word: OutcomeWord,
    ) -> Option<Outcome> {
        let failed = matches!(word, OutcomeWord::Failed | OutcomeWord::Warned);
        let mut entries = self.known_failures.iter().filter(|_| failed);
        let entry = entries.find(|entry| entry.matches(name, protocol))?;
        let link = Some(entry.link.clone()).filter(|link| !link.is_empty());
        Some(Outcome { link, ..OutcomeWord::KnownFailure.because(&entry.reason) })
    }

    /// The requirements that the router is known to violate in this protocol: those that the
    /// scenarios of its known failures are about first.
    pub fn known_requirements(&self, all: &[Case], protocol: Protocol) -> BTreeSet<RequirementId> {
        let is_listed = |case: &&Case| {
            case.protocol == protocol
                && self.known_failures.iter().any(|entry| entry.matches(&case.name, protocol))
        };
        all.iter().filter(is_listed).filter_map(|case| case.requirements.first().cloned()).collect()
    }

    /// A router's record with these claims.
    pub(super) fn describe(&self, router: RouterRecord) -> RouterRecord {
        RouterRecord {
            protocols: self.protocols.clone().unwrap_or_default(),
            capabilities: self.capabilities.clone(),
            known_failures: self.known_failures.clone(),
            ..router
        }
    }
}

/// The cases on which claims are settled.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scope<'a> {
    /// The cases that were selected among all of these.
    Among(&'a [Case]),
    /// The cases of a shard of these. Known failures are marked; what contradicts the claims shows
    /// only when the shards are merged.
    Shard(&'a [Case]),
    /// One alone: entries that do not match it are ignored.
    One,
}

/// Marks known failures, and returns what contradicts the claims. An entry that matches only cases
/// outside the selection is not stale.
pub(super) fn settle(cases: &mut [CaseRecord], claims: &Claims, scope: Scope<'_>) -> Vec<String> {
    for case in cases.iter_mut() {
        if let Some(known) = claims.known(&case.name, case.protocol, case.outcome.word) {
            case.outcome = known;
        }
    }
    let mut complaints = Vec::new();
    for entry in &claims.known_failures {
        let mut matched = false;
        let mut passed = Vec::new();
        let mut failed = 0;
        for case in cases.iter().filter(|case| entry.matches(&case.name, case.protocol)) {
            match case.outcome.word {
                // Where a router runs already, of another protocol than it runs with.
                OutcomeWord::NotApplicable if !claims.is_running => continue,
                OutcomeWord::KnownFailure => failed += 1,
                OutcomeWord::Passed if !entry.flaky => passed.push(case.name.as_str()),
                // It is not known whether another would have passed.
                _ => {}
            }
            matched = true;
        }
        complaints.extend(stale_entry(entry, &passed, failed));
        let Scope::Among(all) = scope else { continue };
        // An entry about custom scenarios says nothing about the suite's, and the other way
        // round.
        if is_own(&entry.scenario) != all.first().is_some_and(|case| is_own(&case.name)) {
            continue;
        }
        let was_selected = |case: &Case| cases.iter().any(|one| one.name == case.name);
        let matches_another = || {
            let mut others = all.iter().filter(|case| !was_selected(case));
            others.any(|case| entry.matches(&case.name, case.protocol))
        };
        if !matched && !matches_another() {
            complaints.push(format!(
                "the known failure `{}` matches no scenario that was run: remove the entry",
                entry.scenario
            ));
        }
    }
    if let Scope::Shard(_) = scope {
        return Vec::new();
    }
    for protocol in Protocol::ALL {
        complaints.extend(refused(cases, protocol, claims));
    }
    complaints.extend(contradicted_capabilities(cases, claims));
    complaints
}

/// The complaint about an entry if some of its scenarios pass: those `passed`, while `others` do
/// not. `None` if none passes.
fn stale_entry(entry: &KnownFailure, passed: &[&str], others: usize) -> Option<String> {
    let first = passed.first()?;
    let scenario = &entry.scenario;
    let advice = match others {
        0 => format!("remove the entry `{scenario}`"),
        _ => format!("narrow the entry `{scenario}` to the {others} that do not"),
    };
    Some(match passed.len() {
        1 => format!(
            "{first} passes, but the router file lists it as a known failure: {advice}, or write \
             `flaky = true` into it if the scenario passes at times"
        ),
        many => format!(
            "{many} scenarios pass, {first} the first of them, but the router file lists them as \
             known failures: {advice}, or write `flaky = true` into it if they pass at times"
        ),
    })
}

/// How often the scenarios of each flaky entry failed and passed.
pub(super) fn flaky(cases: &[CaseRecord], claims: &Claims) -> Vec<FlakyRecord> {
    let entries = claims.known_failures.iter().filter(|entry| entry.flaky);
    let counted = entries.map(|entry| {
        let count = |word: OutcomeWord| {
            let is_of = |case: &&CaseRecord| {
                case.outcome.word == word && entry.matches(&case.name, case.protocol)
            };
            cases.iter().filter(is_of).count()
        };
        FlakyRecord {
            scenario: entry.scenario.clone(),
            reason: entry.reason.clone(),
            failed: count(OutcomeWord::KnownFailure),
            passed: count(OutcomeWord::Passed),
        }
    });
    counted.collect()
}

/// Claimed capabilities that no scenario of a run tests.
pub fn unchecked(cases: &[CaseRecord], claims: &Claims) -> Vec<&'static str> {
    let is_checked = |name: &str| cases.iter().any(|case| case.capability() == Some(name));
    let claimed = Capability::ALL.iter().copied().filter(|one| claims.capabilities.contains(one));
    claimed.map(Capability::as_str).filter(|name| !is_checked(name)).collect()
}

fn is_not_applicable(case: &CaseRecord) -> bool {
    case.outcome.word == OutcomeWord::NotApplicable
}

/// A router that refused a protocol in some scenarios: it must refuse none if it claims the
/// protocol, and all or none otherwise.
fn refused(cases: &[CaseRecord], protocol: Protocol, claims: &Claims) -> Option<String> {
    if !claims.allow(protocol) {
        return None;
    }
    // A scenario that was not run says nothing of the router.
    let of_protocol = |case: &&CaseRecord| {
        case.has_router
            && case.protocol == protocol
            && case.capability().is_none()
            && case.outcome.word != OutcomeWord::NotRun
    };
    let all = cases.iter().filter(of_protocol).count();
    let refused = cases.iter().filter(of_protocol).filter(|case| is_not_applicable(case)).count();
    if refused == 0 {
        return None;
    }
    if claims.protocols.is_some() {
        let by = if claims.by == ClaimedBy::TestProgram { "test program" } else { "router file" };
        let all = counted(all, "scenario");
        return Some(format!(
            "the {by} claims the {protocol} protocol, but the router refused it in {refused} of {all}"
        ));
    }
    (refused < all).then(|| {
        format!(
            "the router refused the {protocol} protocol in {refused} of {all} scenarios, and \
             followed it in the others"
        )
    })
}

fn contradicted_capabilities(cases: &[CaseRecord], claims: &Claims) -> Vec<String> {
    let Some(protocols) = &claims.protocols else { return Vec::new() };
    let is_claimed = |case: &&CaseRecord| protocols.contains(&case.protocol);
    let claimed = Capability::ALL.iter().copied().filter(|one| claims.capabilities.contains(one));
    let skipped = claimed.filter_map(|capability| {
        let name = capability.as_str();
        let of_it = |case: &&CaseRecord| case.capability() == Some(name) && is_not_applicable(case);
        let case = cases.iter().filter(of_it).find(is_claimed)?;
        Some(format!("{name} is claimed, but {} was skipped", case.name))
    });
    skipped.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    #[test]
    fn code_and_router_file_can_claim_one_protocol() {
        let in_code = Claims { protocols: Some(vec![Protocol::Learning]), ..Claims::default() };
        let text = "name = \"r\"\ncommand = [\"r\"]\nprotocols = [\"learning\"]\n";
        let in_file = Claims::from(&RouterFile::parse(text).unwrap());
        let catalog = Catalog::embedded();
        let needs_nothing = |case: &&Case| case.capability().is_none();
        for case in catalog.cases.iter().filter(needs_nothing) {
            let is_other = case.needs().router && case.protocol == Protocol::Buffering;
            for claims in [&in_code, &in_file] {
                assert_eq!(claims.not_applicable(case).is_some(), is_other, "{}", case.name);
            }
            assert_eq!(Claims::default().not_applicable(case), None, "{}", case.name);
        }
    }

    #[test]
    fn known_failures_are_about_the_main_requirement_of_their_scenarios() {
        let catalog = Catalog::embedded();
        let case = catalog.cases.iter().find(|case| case.requirements.len() > 1).unwrap();
        let bare = crate::catalog::without_protocol(&case.name);
        let text = format!(
            "name = \"r\"\ncommand = [\"r\"]\nprotocols = [\"buffering\", \"learning\"]\n\
             [[known_failure]]\nscenario = \"{bare}\"\nprotocol = \"{}\"\nreason = \"x\"\n",
            case.protocol.as_str()
        );
        let claims = Claims::from(&RouterFile::parse(&text).unwrap());
        for protocol in Protocol::ALL {
            let known = claims.known_requirements(&catalog.cases, protocol);
            let is_its_own = protocol == case.protocol;
            assert_eq!(
                known,
                is_its_own.then(|| case.requirements[0].clone()).into_iter().collect()
            );
            assert!(Claims::default().known_requirements(&catalog.cases, protocol).is_empty());
        }
    }

    #[test]
    fn what_was_not_run_does_not_contradict_a_refusal() {
        let mut cases = crate::report::sample::report().scenarios;
        for case in &mut cases {
            case.protocol = Protocol::Learning;
            case.outcome.word = OutcomeWord::NotRun;
        }
        cases[0].outcome.word = OutcomeWord::NotApplicable;
        let complaint = |cases: &[_]| refused(cases, Protocol::Learning, &Claims::default());
        assert_eq!(complaint(&cases), None);
        cases[1].outcome.word = OutcomeWord::Passed;
        assert!(complaint(&cases).unwrap().contains("in 1 of 2 scenarios"));
    }

    #[test]
    fn a_pattern_whose_scenarios_pass_complains_once() {
        let entry = r#"{"scenario":"a::*","reason":"x"}"#;
        let entry: KnownFailure = serde_json::from_str(entry).unwrap();
        let said =
            |passed: &[&str], others| stale_entry(&entry, passed, others).unwrap_or_default();
        assert_eq!(said(&[], 3), "");
        assert!(said(&["a::b"], 0).starts_with("a::b passes, but the router file lists it"));
        let many = said(&["a::b", "a::c"], 0);
        assert!(many.starts_with("2 scenarios pass, a::b the first of them, but"), "{many}");
        assert!(many.contains("remove the entry `a::*`, or"), "{many}");
        assert!(said(&["a::b"], 3).contains("narrow the entry `a::*` to the 3 that do not"));
    }
}
