//! Requirements whose violations are no failures of an exploration, since they are known.

use cell_fleet::Protocol;

use conformance_suite::catalog::Catalog;
use conformance_suite::engine::claims::Claims;
use conformance_suite::engine::record::LeftOutBy;
use conformance_suite::ledger::{Ledger, RequirementId};

/// A requirement that an exploration leaves out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LeftOut {
    pub(crate) requirement: RequirementId,
    /// In this protocol alone.
    pub(crate) protocol: Option<Protocol>,
    /// Who leaves it out.
    pub(crate) by: LeftOutBy,
}

impl LeftOut {
    /// What the known failures of a router file are about, and what the options name.
    ///
    /// # Errors
    ///
    /// Names an option that is no requirement.
    pub fn from_claims(claims: &Claims, options: &[String]) -> Result<Vec<Self>, String> {
        let (ledger, cases) = (Ledger::embedded(), &Catalog::embedded().cases);
        let mut all = Vec::new();
        for option in options {
            let requirement = option.parse().ok().filter(|id| ledger.row(id).is_some());
            let Some(requirement) = requirement else {
                return Err(format!(
                    "`--except {option}` names no requirement; `cells-lab spec` \
                     writes them all"
                ));
            };
            let one = Self { requirement, protocol: None, by: LeftOutBy::Except };
            if !all.contains(&one) {
                all.push(one);
            }
        }
        let known = Protocol::ALL.into_iter().flat_map(|protocol| {
            let requirements = claims.known_requirements(cases, protocol);
            requirements.into_iter().map(move |requirement| (protocol, requirement))
        });
        for (protocol, requirement) in known {
            if !all.iter().any(|one| one.covers(&requirement, protocol)) {
                let by = LeftOutBy::KnownFailure;
                all.push(Self { requirement, protocol: Some(protocol), by });
            }
        }
        Ok(all)
    }

    pub(super) fn covers(&self, requirement: &RequirementId, protocol: Protocol) -> bool {
        self.requirement == *requirement && self.protocol.is_none_or(|only| only == protocol)
    }
}
