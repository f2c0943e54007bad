//! Requirements whose violations are no failures of an exploration, since they are known.

use cell_fleet::Protocol;

use conformance_suite::catalog::Catalog;
use conformance_suite::engine::claims::Claims;
use conformance_suite::engine::record::{LeftOutBy, LeftOutRecord};
use conformance_suite::ledger::{Ledger, RequirementId};

/// What the known failures of a router file are about, and what the options name.
///
/// # Errors
///
/// Names an option that is no requirement.
pub fn left_out(claims: &Claims, options: &[String]) -> Result<Vec<LeftOutRecord>, String> {
    let (ledger, cases) = (Ledger::embedded(), &Catalog::embedded().cases);
    let mut all: Vec<LeftOutRecord> = Vec::new();
    for option in options {
        let requirement = option.parse().ok().filter(|id| ledger.row(id).is_some());
        let Some(requirement) = requirement else {
            return Err(format!(
                "`--except {option}` names no requirement; `cells-lab spec` writes them all"
            ));
        };
        let by = LeftOutBy::Except;
        let one = LeftOutRecord { requirement, protocol: None, by, journeys: 0 };
        if !all.contains(&one) {
            all.push(one);
        }
    }
    for protocol in Protocol::ALL {
        for requirement in claims.known_requirements(cases, protocol) {
            if !all.iter().any(|one| covers(one, &requirement, protocol)) {
                let (protocol, by) = (Some(protocol), LeftOutBy::KnownFailure);
                all.push(LeftOutRecord { requirement, protocol, by, journeys: 0 });
            }
        }
    }
    Ok(all)
}

/// Whether a violation of a requirement in a protocol is left out.
pub(super) fn covers(one: &LeftOutRecord, requirement: &RequirementId, protocol: Protocol) -> bool {
    one.requirement == *requirement && one.protocol.is_none_or(|only| only == protocol)
}
