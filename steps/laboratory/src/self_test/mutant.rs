//! Mutants: routers and cells with one known mistake each.

use std::collections::BTreeSet;
use std::path::Path;

use broken_cells::CellMutant;
use cell_fleet::Protocol;

use conformance_suite::catalog::{Case, Catalog, Coverage};
use conformance_suite::ledger::{Ledger, Level, Profile, Requirement, RequirementId};
use conformance_suite::router_file::reference_claims;
use conformance_suite::run::PROCESS;
use conformance_suite::stage::{Launch, RouterCommand, Waits, launch, reference_router};

/// Which scenarios each mutant meets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// The scenarios that cite the requirement that it breaks, or a paired row of another level;
    /// and one other scenario as a control.
    Citing,
    Whole,
}

/// A mutant that breaks the requirement on a router's process meets one in this many of the
/// scenarios that do not cite it.
const SAMPLED: usize = 40;

/// A router or a cell with one known mistake.
#[derive(Clone, Copy, Debug)]
pub struct MutantUnderTest {
    /// Its name on the command line.
    pub name: &'static str,
    /// The one requirement that it breaks.
    pub requirement: &'static str,
    /// What its author got wrong.
    pub summary: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Router(&'static broken_routers::Mutant),
    Cell(&'static CellMutant),
}

impl MutantUnderTest {
    /// All router mutants whose mistake a scenario can show. Left out are those of an untested
    /// requirement, and those of a capability that the reference router does not claim: nothing
    /// shows that a correct router passes its scenarios.
    pub fn routers() -> impl Iterator<Item = Self> {
        let ledger = Ledger::embedded();
        let is_tested = |id: &str| {
            id.parse().ok().and_then(|id| ledger.row(&id)).is_some_and(|row| row.untested.is_none())
        };
        let can_be_caught = move |mutant: &&broken_routers::Mutant| {
            is_tested(mutant.requirement) && reference_claims(mutant.capability)
        };
        broken_routers::mutants().iter().filter(can_be_caught).map(|mutant| Self {
            name: mutant.name,
            requirement: mutant.requirement,
            summary: mutant.summary,
            kind: Kind::Router(mutant),
        })
    }

    pub fn cells() -> impl Iterator<Item = Self> {
        broken_cells::cell_mutants().iter().map(|mutant| Self {
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

    /// The protocols in which its mistake shows.
    pub fn protocols(&self) -> Vec<Protocol> {
        let all = Protocol::ALL;
        let has = |protocol: &Protocol| match self.kind {
            Kind::Router(mutant) => follows(mutant.protocols, *protocol),
            Kind::Cell(mutant) => mutant.protocols.contains(protocol),
        };
        all.into_iter().filter(has).collect()
    }

    pub fn cases<'a>(
        &self,
        catalog: &'a Catalog,
        extent: Extent,
    ) -> impl Iterator<Item = &'a Case> + use<'a> {
        let mutant = *self;
        let own = mutant.requirement.parse();
        let beside = match (&own, extent) {
            (Ok(own), Extent::Citing) => Ledger::embedded().beside(own),
            _ => Vec::new(),
        };
        let mut others = 0;
        catalog.cases.iter().filter(move |case| mutant.applies_to(case)).filter(move |case| {
            let is_cited =
                |id: &RequirementId| id.as_str() == mutant.requirement || beside.contains(&id);
            if case.requirements.iter().any(is_cited) {
                return true;
            }
            others += 1;
            match extent {
                Extent::Citing => others == 1,
                // With a router that never starts or never stops, each scenario waits until its
                // time runs out, and shows no more than the scenario before.
                Extent::Whole => mutant.requirement != PROCESS || others % SAMPLED == 1,
            }
        })
    }

    fn applies_to(&self, case: &Case) -> bool {
        match self.kind {
            // Those of the capability that its mistake concerns, in addition to those of none.
            Kind::Router(mutant) => meets(mutant.protocols, mutant.capability, case),
            Kind::Cell(mutant) => {
                case.capability().is_none() && mutant.protocols.contains(&case.protocol)
            }
        }
    }

    /// How it is launched by this program: a router mutant in place of the router, a cell mutant
    /// with the reference router.
    pub(super) fn launch(&self, program: &Path) -> Launch {
        match self.kind {
            Kind::Router(_) => broken_router(program, self.name),
            Kind::Cell(mutant) => {
                Launch { cells: Some(mutant), ..launch(reference_router(program.to_owned()), 1) }
            }
        }
    }
}

/// How a mutant or a variant is launched by name: by this program's own subcommand.
pub(super) fn broken_router(program: &Path, name: &str) -> Launch {
    let arguments = vec!["broken".into(), name.into()];
    let command = RouterCommand { program: program.into(), arguments };
    Launch { waits: Waits::impatient(), ..launch(command, 1) }
}

/// Whether a router of these protocols and this capability meets a case. A scenario without a router
/// shows nothing about one.
pub(super) fn meets(
    protocols: broken_routers::Protocols,
    capability: Option<&str>,
    case: &Case,
) -> bool {
    let is_claimed = case.capability().is_none() || case.capability() == capability;
    case.needs().router && is_claimed && follows(protocols, case.protocol)
}

/// Whether a router of these protocols follows this one.
fn follows(protocols: broken_routers::Protocols, protocol: Protocol) -> bool {
    protocols.contain(match protocol {
        Protocol::Buffering => broken_routers::Protocol::Buffering,
        Protocol::Learning => broken_routers::Protocol::Learning,
    })
}

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
