//! Requirements without a mutant.

use std::collections::BTreeSet;

use super::mutant::MutantUnderTest;
use conformance_suite::catalog::{Catalog, Coverage};
use conformance_suite::ledger::{Ledger, Level, Profile, Requirement, RequirementId};
use conformance_suite::router_file::reference_claims;

/// Requirements that no mutant breaks: no router, or for a requirement that only a cell can
/// violate, no cell.
///
/// Left out are untested requirements; MAYs, which only permit something, so that there is nothing
/// to break; and requirements whose scenarios all belong to capabilities that the reference router
/// does not claim, since no mutant meets those.
pub fn unbroken(catalog: &Catalog) -> Vec<RequirementId> {
    let ids = |mutants: &mut dyn Iterator<Item = MutantUnderTest>| {
        mutants.map(|mutant| mutant.requirement).collect::<BTreeSet<_>>()
    };
    let (routers, cells) =
        (ids(&mut MutantUnderTest::routers()), ids(&mut MutantUnderTest::cells()));
    let coverage = Coverage::of(catalog);
    let is_met = |row: &Requirement| {
        let cases = coverage.cases(&row.id);
        cases.is_empty() || cases.iter().any(|case| reference_claims(case.capability()))
    };
    let is_broken = |row: &Requirement| match row.profile {
        Profile::Fleet => cells.contains(row.id.as_str()) || routers.contains(row.id.as_str()),
        Profile::Core | Profile::Hardening => routers.contains(row.id.as_str()),
    };
    let can_be_broken =
        |row: &&Requirement| row.untested.is_none() && row.level != Level::May && is_met(row);
    Ledger::embedded()
        .rows()
        .filter(can_be_broken)
        .filter(|row| !is_broken(row))
        .map(|row| row.id.clone())
        .collect()
}
