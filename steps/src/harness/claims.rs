//! What a router claims, where each scenario is a trial: all of it is decided when listing.

use std::collections::BTreeMap;

use cell_fleet::Protocol;

use crate::catalog::Case;
use crate::claims;
use crate::router_file::{Capability, KnownFailure, RouterFile};

/// What a router claims.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    file: Option<RouterFile>,
    /// Claimed in code; both protocols where nothing is said.
    pub(super) protocols: Option<Vec<Protocol>>,
    /// Claimed in code, beside what a router file claims.
    pub(super) capabilities: Vec<Capability>,
}

impl Claims {
    /// As a router file says.
    pub(super) fn of(file: RouterFile) -> Self {
        Self { file: Some(file), ..Self::default() }
    }

    /// The router file.
    pub(super) fn file(&self) -> Option<&RouterFile> {
        self.file.as_ref()
    }

    /// Why a case is not for this router, if it is not.
    pub(super) fn not_applicable(&self, case: &Case) -> Option<String> {
        if let Some(file) = &self.file {
            return claims::not_applicable(case, file);
        }
        let follows =
            self.protocols.as_ref().is_none_or(|protocols| protocols.contains(&case.protocol));
        if case.needs.router && !follows {
            return Some(format!(
                "the router does not claim the {} protocol",
                case.protocol.as_str()
            ));
        }
        let needed = case
            .capability()
            .filter(|needed| !self.capabilities.iter().any(|claimed| claimed.as_str() == *needed));
        needed.map(|needed| {
            format!("nothing claims {needed}; `Harness::claiming` or a router file can")
        })
    }

    /// The first entry of the known failures that means a case.
    pub(super) fn known_failure(&self, case: &Case) -> Option<&KnownFailure> {
        self.file.as_ref()?.known_failures.iter().find(|entry| entry.matches(case))
    }

    /// Whether any failure is known.
    pub(super) fn has_known_failures(&self) -> bool {
        self.file.as_ref().is_some_and(|file| !file.known_failures.is_empty())
    }

    /// What to say of a router that refuses, by status 69, what it is taken to claim.
    pub(super) fn contradiction(&self, case: &Case) -> String {
        let protocol = case.protocol.as_str();
        let cure = match &self.file {
            Some(_) => "the router file claims it",
            None => {
                "a test program cannot find that out when it lists its trials: say `Harness::following`, or write a router file"
            }
        };
        format!("the router says that it does not follow the {protocol} protocol; {cure}")
    }
}

/// The known failures that mean no case which is for this router.
pub(super) fn meaningless(file: &RouterFile, cases: &[Case]) -> Vec<String> {
    let meant = |entry: &&KnownFailure| {
        cases.iter().any(|case| entry.matches(case) && claims::not_applicable(case, file).is_none())
    };
    let meaningless = file.known_failures.iter().filter(|entry| !meant(entry));
    meaningless
        .map(|entry| {
            format!(
                "the known failure `{}` means no scenario of this router: take it out",
                entry.scenario
            )
        })
        .collect()
}

/// The reasons for which cases are left out, each with how many.
pub(super) fn reasons(reasons: &[String]) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in reasons {
        *counts.entry(reason).or_default() += 1;
    }
    counts
        .into_iter()
        .map(|(reason, count)| {
            format!("not applicable, listed as ignored: {count} scenarios, because {reason}")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    fn file(more: &str) -> RouterFile {
        RouterFile::parse(&format!(
            "name = \"r\"\ncommand = [\"r\"]\nprotocols = [\"learning\"]\n{more}"
        ))
        .unwrap()
    }

    fn entry(scenario: &str) -> String {
        format!("[[known_failure]]\nscenario = \"{scenario}\"\nreason = \"young\"\nlink = \"/1\"\n")
    }

    #[test]
    fn code_and_router_file_can_claim_one_protocol() {
        let catalog = Catalog::embedded();
        let in_code = Claims { protocols: Some(vec![Protocol::Learning]), ..Claims::default() };
        for claims in [in_code, Claims::of(file(""))] {
            for case in
                catalog.cases.iter().filter(|case| case.needs.router && case.capability().is_none())
            {
                assert_eq!(
                    claims.not_applicable(case).is_some(),
                    case.protocol == Protocol::Buffering,
                    "{}",
                    case.name
                );
            }
        }
        let nothing_said = Claims::default();
        assert!(
            catalog
                .cases
                .iter()
                .filter(|case| case.capability().is_none())
                .all(|case| nothing_said.not_applicable(case).is_none())
        );
    }

    #[test]
    fn an_entry_has_to_mean_a_scenario_that_is_for_the_router() {
        let catalog = Catalog::embedded();
        let entries =
            [entry("journeys::*"), entry("no::such::scenario"), entry("protocol::buffering::*")]
                .concat();
        let meaningless = meaningless(&file(&entries), &catalog.cases);
        assert_eq!(meaningless.len(), 2, "{meaningless:?}");
        assert!(
            meaningless[0].contains("no::such::scenario")
                && meaningless[1].contains("protocol::buffering")
        );
    }

    #[test]
    fn reasons_are_counted() {
        let lines = reasons(&["a".to_owned(), "b".to_owned(), "a".to_owned()]);
        assert!(lines.len() == 2 && lines[0].contains("2 scenarios, because a"), "{lines:?}");
    }
}
