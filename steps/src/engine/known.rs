//! What known failures can excuse: little of the core, and nothing that makes a router.

use std::collections::{BTreeMap, BTreeSet};

use cell_fleet::Protocol;

use super::claims::Claims;
use super::record::CaseRecord;
use crate::catalog::Case;
use crate::ledger::{Ledger, Level, Profile, RequirementId};
use crate::verdict::OutcomeWord;

/// The MUST requirements of the core that every router of the null baseline violates: routers that
/// do not route. `self-test --only baseline` holds the list.
const WITHOUT_ROUTING: [(Protocol, &[&str]); 2] = [
    (
        Protocol::Buffering,
        &[
            "AD-02", "BF-01", "BF-03", "BF-04", "BF-05", "BF-06", "BF-07", "BF-09", "BF-10",
            "BF-11", "BF-14", "CA-02", "CA-03", "CA-04", "CA-06", "CA-09", "CA-10", "CA-11",
            "CA-12", "CA-13", "CA-14", "CA-18", "ID-02", "PR-01", "RG-02", "RT-01", "RT-02",
            "RT-03", "RT-04", "RT-06", "RT-08", "RT-09", "RT-14", "TD-02", "UN-01", "UN-02",
            "UN-03",
        ],
    ),
    (
        Protocol::Learning,
        &[
            "AD-05", "BF-09", "CA-07", "CA-08", "CA-09", "CA-10", "CA-11", "CA-12", "CA-14",
            "CA-16", "ID-02", "LG-06", "LG-07", "LN-01", "LN-02", "LN-03", "LN-05", "LN-06",
            "LN-07", "LN-10", "LN-11", "LN-13", "LN-16", "LN-18", "LN-19", "LN-20", "LN-24",
            "PR-01", "RG-02", "RT-01", "RT-02", "RT-03", "RT-04", "RT-06", "RT-08", "RT-09",
            "RT-10", "RT-14", "TD-03", "UN-02", "UN-05",
        ],
    ),
];
/// At most one of this many requirements may be known to fail.
const OF: usize = 10;
const NAMED: usize = 12;

/// The MUST requirements of the core that a router violates in this protocol if it does not route.
pub fn without_routing(protocol: Protocol) -> &'static [&'static str] {
    let of_protocol = WITHOUT_ROUTING.iter().find(|(one, _)| *one == protocol);
    of_protocol.map_or(&[], |(_, ids)| ids)
}

pub fn is_must_of_core(id: &RequirementId) -> bool {
    let row = Ledger::embedded().row(id);
    row.is_some_and(|row| row.profile == Profile::Core && row.level == Level::Must)
}

/// Why a router is not conformant although its failures are known, in words: too many MUST
/// requirements of the core are known to fail, or one that every router fulfills that routes at
/// all.
///
/// `all` are the scenarios from which those of the record were selected.
pub(super) fn too_much(cases: &[CaseRecord], claims: &Claims, all: &[Case]) -> Vec<String> {
    let is_known = |case: &&CaseRecord| case.outcome.word == OutcomeWord::KnownFailure;
    if !cases.iter().any(|case| is_known(&case)) {
        return Vec::new();
    }
    let asked = |protocol: &Protocol| {
        let of_it = |case: &&CaseRecord| case.has_router && case.protocol == *protocol;
        let is_tried = |case: &CaseRecord| {
            !matches!(case.outcome.word, OutcomeWord::NotApplicable | OutcomeWord::NotAsked)
        };
        claims.allow(*protocol) && cases.iter().filter(of_it).any(is_tried)
    };
    let protocols: Vec<_> = Protocol::ALL.into_iter().filter(asked).collect();
    let applies = |case: &&Case| {
        protocols.contains(&case.protocol)
            && case.capability().is_none()
            && case.profile(Ledger::embedded()) == Profile::Core
            && case.needs().router
    };
    let core: Vec<&Case> = all.iter().filter(applies).collect();
    let of_core: BTreeSet<_> =
        core.iter().flat_map(|case| &case.requirements).filter(|id| is_must_of_core(id)).collect();

    let known: BTreeSet<&RequirementId> =
        cases.iter().filter(is_known).flat_map(violated).filter(|id| is_must_of_core(id)).collect();
    let mut complaints = Vec::new();
    if known.len() * OF > of_core.len() {
        complaints.push(format!(
            "{} of the {} MUST requirements of the core are known to fail, which is more than a \
             tenth: {}",
            known.len(),
            of_core.len(),
            some_of(&known.iter().map(|id| id.as_str()).collect::<Vec<_>>())
        ));
    }
    let outcomes: BTreeMap<_, _> =
        cases.iter().map(|case| (case.name.as_str(), case.outcome.word)).collect();
    for protocol in protocols {
        let never_met = |id: &&&str| {
            let is_about = |case: &&&Case| {
                case.protocol == protocol
                    && case.requirements.iter().any(|one| one.as_str() == **id)
            };
            // A scenario that was not selected might pass.
            let is_known =
                |case: &&Case| outcomes.get(&*case.name) == Some(&OutcomeWord::KnownFailure);
            let mut about = core.iter().filter(is_about).peekable();
            about.peek().is_some() && about.all(is_known)
        };
        let ids: Vec<_> = without_routing(protocol).iter().filter(never_met).copied().collect();
        if !ids.is_empty() {
            complaints.push(format!(
                "{}: every scenario of the core about {} is a known failure, as with a router that \
                 does not route",
                protocol.as_str(),
                some_of(&ids)
            ));
        }
    }
    complaints
}

/// The requirements that a case violates. Where no judge could find anything, its main one.
fn violated(case: &CaseRecord) -> impl Iterator<Item = &RequirementId> {
    let found = case.findings.iter().map(|finding| &finding.requirement);
    let main = case.requirements.first().filter(|_| case.findings.is_empty());
    found.chain(main)
}

/// The first ids, and how many more there are.
fn some_of(ids: &[&str]) -> String {
    let named = ids[..ids.len().min(NAMED)].join(", ");
    match ids.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use crate::report::sample;

    /// A record of every scenario of the core in buffering, in which those that `is_known` says are
    /// known failures of their main requirement.
    fn complaints(is_known: impl Fn(&Case) -> bool) -> Vec<String> {
        let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
        let template = sample::report().scenarios.swap_remove(0);
        let of_core = |case: &&Case| {
            case.needs().router
                && case.protocol == Protocol::Buffering
                && case.profile(ledger) == Profile::Core
        };
        let record = |case: &Case| {
            let mut record = CaseRecord {
                name: case.name.clone(),
                requirements: case.requirements.clone(),
                ..template.clone()
            };
            if is_known(case) {
                record.outcome.word = OutcomeWord::KnownFailure;
            }
            record
        };
        let cases: Vec<_> = catalog.cases.iter().filter(of_core).map(record).collect();
        too_much(&cases, &Claims::default(), &catalog.cases)
    }

    fn is_about(case: &Case, id: &str) -> bool {
        case.requirements.iter().any(|cited| cited.as_str() == id)
    }

    #[test]
    fn a_router_that_fails_everything_is_not_excused() {
        let said = complaints(|_| true);
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].contains("more than a tenth: "), "{said:?}");
        assert!(said[1].starts_with("buffering: every scenario of the core about "), "{said:?}");
    }

    #[test]
    fn some_failures_of_the_core_are_excused_and_all_about_one_requirement_are_not() {
        assert_eq!(complaints(|_| false), Vec::<String>::new());
        let catalog = Catalog::embedded();
        let one = catalog.cases.iter().find(|case| is_about(case, "BF-03")).unwrap();
        assert_eq!(complaints(|case| case.name == one.name), Vec::<String>::new());
        let said = complaints(|case| is_about(case, "BF-03"));
        assert!(said.last().is_some_and(|why| why.contains("about BF-03")), "{said:?}");
    }

    #[test]
    fn each_listed_requirement_is_a_must_of_the_core_that_a_scenario_of_its_protocol_cites() {
        let catalog = Catalog::embedded();
        for (protocol, ids) in WITHOUT_ROUTING {
            for id in ids {
                let row = id.parse().unwrap();
                assert!(is_must_of_core(&row), "{id}");
                let cites = |case: &&Case| case.protocol == protocol && is_about(case, id);
                assert!(catalog.cases.iter().any(|case| cites(&case)), "{id}");
            }
            assert!(ids.is_sorted(), "{protocol:?}");
        }
    }
}
