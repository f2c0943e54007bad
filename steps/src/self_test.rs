//! The proof that the suite can fail: it is run against routers with one known defect each.
//!
//! A defect counts as caught only where a verdict carries the id of the requirement that it breaks,
//! in a scenario that the reference router passes; whatever else fails is collateral. Routers that
//! do not route at all give the null baseline, and routers that are correct but different must
//! pass.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cell_fleet::{CellMutant, Protocol};

use crate::catalog::{Case, Catalog};
use crate::coverage::Coverage;
use crate::launch::{broken_router, launch, reference_router};
use crate::ledger::{Ledger, Level, Profile, Requirement, RequirementId};
use crate::router_file::reference_claims;
use crate::run::PROCESS;
use crate::stage::{Launch, Waits};
use crate::suite::{Ended, run_all};
use crate::verdict::Outcome;

/// Which scenarios each broken router meets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Those that cite the requirement that it breaks, and one that does not, as a control.
    Citing,
    /// The whole suite.
    Whole,
}

/// Of the scenarios that say nothing about a router's process, one in so many meets a router whose
/// process is at fault.
const SAMPLED: usize = 40;

/// Something with one known defect, a router or a cell.
#[derive(Clone, Copy, Debug)]
pub struct MutantUnderTest {
    /// What it is called.
    pub name: &'static str,
    /// The one requirement that it breaks.
    pub requirement: &'static str,
    /// What its author got wrong.
    pub summary: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Router {
        protocols: broken_routers::Protocols,
        /// The capability that its defect is about; its scenarios are met beside those without any.
        capability: Option<&'static str>,
    },
    Cell(&'static CellMutant),
}

impl MutantUnderTest {
    /// All broken routers, but for those that break what is to be tested later, or a capability
    /// that the reference router does not claim: no scenario of it would be known to be passed by
    /// anybody.
    pub fn routers() -> impl Iterator<Item = Self> {
        let ledger = Ledger::embedded();
        let is_tested = |id: &str| {
            id.parse().ok().and_then(|id| ledger.row(&id)).is_some_and(|row| row.untested.is_none())
        };
        let sound = move |mutant: &&broken_routers::Mutant| {
            is_tested(mutant.requirement) && reference_claims(mutant.capability)
        };
        broken_routers::mutants().iter().filter(sound).map(|mutant| Self {
            name: mutant.name,
            requirement: mutant.requirement,
            summary: mutant.summary,
            kind: Kind::Router { protocols: mutant.protocols, capability: mutant.capability },
        })
    }

    /// All broken cells.
    pub fn cells() -> impl Iterator<Item = Self> {
        cell_fleet::cell_mutants().iter().map(|mutant| Self {
            name: mutant.name,
            requirement: mutant.requirement,
            summary: mutant.summary,
            kind: Kind::Cell(mutant),
        })
    }

    /// Whether it is a cell, not a router.
    pub fn is_cell(&self) -> bool {
        matches!(self.kind, Kind::Cell(_))
    }

    /// The cases that it meets. Scenarios without a router say nothing about one.
    pub fn cases<'a>(
        &'a self,
        catalog: &'a Catalog,
        extent: Extent,
    ) -> impl Iterator<Item = &'a Case> {
        let cites =
            |case: &Case| case.requirements.iter().any(|id| id.as_str() == self.requirement);
        let mut others = 0;
        catalog.cases.iter().filter(|case| self.meets(case)).filter(move |case| {
            if cites(case) {
                return true;
            }
            others += 1;
            match extent {
                Extent::Citing => others == 1,
                // Each scenario waits in vain for a router that never starts or never stops, and
                // none learns more than the one before.
                Extent::Whole => self.requirement != PROCESS || others % SAMPLED == 1,
            }
        })
    }

    fn meets(&self, case: &Case) -> bool {
        match self.kind {
            Kind::Router { protocols, capability } => {
                let applies = case.capability().is_none() || case.capability() == capability;
                case.has_router() && applies && follows(protocols, case.protocol)
            }
            Kind::Cell(mutant) => {
                case.capability().is_none() && mutant.protocols.contains(&case.protocol)
            }
        }
    }

    fn launch(&self, program: &Path) -> Launch {
        match self.kind {
            Kind::Router { .. } => Launch {
                waits: Waits::impatient(),
                ..launch(broken_router(program.to_owned(), self.name), 1)
            },
            Kind::Cell(mutant) => Launch {
                cell_mutant: Some(mutant),
                ..launch(reference_router(program.to_owned()), 1)
            },
        }
    }
}

fn follows(protocols: broken_routers::Protocols, protocol: Protocol) -> bool {
    protocols.contain(match protocol {
        Protocol::Buffering => broken_routers::Protocol::Buffering,
        Protocol::Learning => broken_routers::Protocol::Learning,
    })
}

/// What became of one suspect.
#[derive(Clone, Debug)]
pub struct MutationRun {
    /// The suspect.
    pub mutant: MutantUnderTest,
    /// Scenarios whose verdict carries the requirement that it breaks.
    pub caught_by: Vec<String>,
    /// Other requirements that verdicts carry, with how many scenarios.
    pub collateral: BTreeMap<RequirementId, usize>,
    /// Scenarios that were run.
    pub ran: usize,
    /// Where the suite itself failed on the way.
    pub suite_errors: Vec<String>,
}

impl MutationRun {
    /// Whether the suspect was caught by the requirement that it breaks.
    pub fn is_caught(&self) -> bool {
        !self.caught_by.is_empty()
    }
}

/// Runs a suspect against the suite. Scenarios that the reference router is known not to pass do
/// not count.
pub fn mutation_run(
    mutant: MutantUnderTest,
    catalog: &Catalog,
    program: &Path,
    extent: Extent,
    jobs: usize,
    discounted: &BTreeSet<String>,
) -> MutationRun {
    let cases: Vec<_> = mutant.cases(catalog, extent).cloned().collect();
    let ended = run_all(&cases, &mutant.launch(program), Ledger::embedded(), jobs, |_| {});
    let mut mutation_run = MutationRun {
        mutant,
        caught_by: Vec::new(),
        collateral: BTreeMap::new(),
        ran: 0,
        suite_errors: Vec::new(),
    };
    for one in ended.iter().filter(|one| !discounted.contains(&one.case.name)) {
        match &one.verdict.outcome {
            Outcome::NotApplicable(_) => continue,
            Outcome::SuiteError(why) | Outcome::CouldNotRun(why) => {
                mutation_run.suite_errors.push(format!("{}: {why}", one.case.name))
            }
            Outcome::Passed | Outcome::Warned | Outcome::Failed | Outcome::KnownFailure { .. } => {}
        }
        mutation_run.ran += 1;
        let ids: BTreeSet<_> =
            one.verdict.findings.iter().map(|finding| &finding.requirement).collect();
        for id in ids {
            if id.as_str() == mutant.requirement {
                mutation_run.caught_by.push(one.case.name.clone());
            } else {
                *mutation_run.collateral.entry(id.clone()).or_default() += 1;
            }
        }
    }
    mutation_run
}

/// Scenarios with a router that the reference router does not pass, among those that apply to it:
/// none of them proves anything.
pub fn reference_failures(catalog: &Catalog, program: &Path, jobs: usize) -> BTreeSet<String> {
    let applies = |case: &&Case| case.has_router() && reference_claims(case.capability());
    let cases: Vec<_> = catalog.cases.iter().filter(applies).cloned().collect();
    let ended = run_all(
        &cases,
        &launch(reference_router(program.to_owned()), 1),
        Ledger::embedded(),
        jobs,
        |_| {},
    );
    ended
        .into_iter()
        .filter(|one| one.verdict.outcome != Outcome::Passed)
        .map(|one| one.case.name.clone())
        .collect()
}

/// How a router fares that is not broken in one place.
#[derive(Clone, Debug)]
pub struct Fare {
    /// Scenarios of the core that it met.
    pub core: usize,
    /// Those of them that it did not pass.
    pub core_failed: usize,
    /// All scenarios that it did not pass, with the first thing that was found.
    pub failures: Vec<(String, String)>,
}

/// Runs a router that does not route against everything that applies to it.
pub fn fare_of_degenerate(
    router: &broken_routers::Mutant,
    catalog: &Catalog,
    program: &Path,
    jobs: usize,
) -> Fare {
    fare(router.name, router.protocols, None, &[], catalog, program, jobs)
}

/// Runs a correct router against everything that applies to it, with the capability that it claims.
/// A warning about a SHOULD that it is known not to follow is no failure.
pub fn fare_of_variant(
    variant: &broken_routers::Variant,
    catalog: &Catalog,
    program: &Path,
    jobs: usize,
) -> Fare {
    fare(
        variant.name,
        variant.protocols,
        variant.capability,
        variant.warnings,
        catalog,
        program,
        jobs,
    )
}

fn fare(
    name: &str,
    protocols: broken_routers::Protocols,
    capability: Option<&str>,
    warnings: &[&str],
    catalog: &Catalog,
    program: &Path,
    jobs: usize,
) -> Fare {
    let claimed = |case: &Case| case.capability().is_none() || case.capability() == capability;
    let applies =
        |case: &&Case| case.has_router() && claimed(case) && follows(protocols, case.protocol);
    let cases: Vec<_> = catalog.cases.iter().filter(applies).cloned().collect();
    let ledger = Ledger::embedded();
    let launch =
        Launch { waits: Waits::impatient(), ..launch(broken_router(program.to_owned(), name), 1) };
    let ended = run_all(&cases, &launch, ledger, jobs, |_| {});
    let expected = |one: &Ended<'_>| {
        one.verdict.findings.iter().all(|finding| warnings.contains(&finding.requirement.as_str()))
    };
    let failed = |one: &&Ended<'_>| match one.verdict.outcome {
        Outcome::Passed | Outcome::NotApplicable(_) => false,
        Outcome::Warned => !expected(one),
        Outcome::Failed
        | Outcome::KnownFailure { .. }
        | Outcome::CouldNotRun(_)
        | Outcome::SuiteError(_) => true,
    };
    let is_core = |one: &&Ended<'_>| one.case.profile(ledger) == Profile::Core;
    Fare {
        core: ended.iter().filter(is_core).count(),
        core_failed: ended.iter().filter(is_core).filter(failed).count(),
        failures: ended
            .iter()
            .filter(failed)
            .map(|one| (one.case.name.clone(), first_finding(one)))
            .collect(),
    }
}

fn first_finding(one: &Ended<'_>) -> String {
    let found = one
        .verdict
        .findings
        .first()
        .map(|finding| format!("{}: {}", finding.requirement, finding.message));
    found.unwrap_or_else(|| format!("{:?}", one.verdict.outcome))
}

/// Rows of the ledger that nothing breaks: no broken router, or for rows that only a cell can
/// violate, no broken cell. Every row counts that has no reason for being untested. A MAY only
/// permits something, so there is nothing to break; and no broken router meets a row whose
/// scenarios are all of a capability that the reference router does not claim.
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
    let forbids =
        |row: &&Requirement| row.untested.is_none() && row.level != Level::May && is_met(row);
    Ledger::embedded()
        .rows()
        .filter(forbids)
        .filter(|row| !is_broken(row))
        .map(|row| row.id.clone())
        .collect()
}
