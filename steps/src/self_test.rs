//! The proof that the suite can fail: it is run against routers with one known defect each.
//!
//! A defect counts as caught only where a verdict carries the id of the requirement that it breaks,
//! in a scenario that the reference router passes; whatever else fails is collateral.

use std::collections::BTreeMap;
use std::path::PathBuf;

use broken_routers::Defect;
use cell_fleet::Protocol;

use crate::catalog::{Case, Catalog};
use crate::cli::broken_router;
use crate::ledger::{Ledger, RequirementId};
use crate::stage::{Launch, Waits};
use crate::suite::run_all;
use crate::verdict::Outcome;

/// Which scenarios each broken router meets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Those that cite the requirement that it breaks, and one that does not, as a control.
    Citing,
    /// The whole suite.
    Whole,
}

/// What became of one defect.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// The defect.
    pub defect: &'static Defect,
    /// Scenarios whose verdict carries the requirement that it breaks.
    pub caught_by: Vec<String>,
    /// Other requirements that verdicts carry, with how many scenarios.
    pub collateral: BTreeMap<RequirementId, usize>,
    /// Scenarios that were run.
    pub ran: usize,
    /// Scenarios that did not pass.
    pub not_passed: usize,
    /// Where the suite itself failed on the way.
    pub suite_errors: Vec<String>,
}

impl Hunt {
    /// Whether the defect was caught by the requirement that it breaks.
    pub fn is_caught(&self) -> bool {
        !self.caught_by.is_empty()
    }
}

/// Runs a broken router against the suite.
pub fn hunt(defect: &'static Defect, catalog: &Catalog, program: PathBuf, extent: Extent, jobs: usize) -> Hunt {
    let cases: Vec<_> = selection(defect, catalog, extent).cloned().collect();
    let launch = Launch { command: broken_router(program, defect.name), waits: Waits::impatient(), seed: 1 };
    let ended = run_all(&cases, &launch, Ledger::embedded(), jobs, |_| {});
    let mut hunt = Hunt { defect, caught_by: Vec::new(), collateral: BTreeMap::new(), ran: 0, not_passed: 0, suite_errors: Vec::new() };
    for one in &ended {
        match &one.verdict.outcome {
            Outcome::NotApplicable(_) => continue,
            Outcome::SuiteError(why) | Outcome::CouldNotRun(why) => hunt.suite_errors.push(format!("{}: {why}", one.case.name)),
            Outcome::Passed | Outcome::Warned | Outcome::Failed | Outcome::KnownFailure { .. } => {}
        }
        hunt.ran += 1;
        hunt.not_passed += usize::from(one.verdict.outcome != Outcome::Passed);
        let mut ids: Vec<_> = one.verdict.findings.iter().map(|finding| &finding.requirement).collect();
        ids.sort();
        ids.dedup();
        for id in ids {
            if id.as_str() == defect.requirement {
                hunt.caught_by.push(one.case.name.clone());
            } else {
                *hunt.collateral.entry(id.clone()).or_default() += 1;
            }
        }
    }
    hunt
}

/// The cases that a broken router meets. Scenarios without a router say nothing about one.
pub fn selection<'a>(defect: &'a Defect, catalog: &'a Catalog, extent: Extent) -> impl Iterator<Item = &'a Case> {
    let applies = |case: &Case| {
        let protocol = match case.protocol {
            Protocol::Buffering => broken_routers::Protocol::Buffering,
            Protocol::Learning => broken_routers::Protocol::Learning,
        };
        defect.protocols.contain(protocol) && case.has_router()
    };
    let cites = |case: &Case| case.requirements.iter().any(|id| id.as_str() == defect.requirement);
    let mut controls = 1;
    catalog.cases.iter().filter(move |case| applies(case)).filter(move |case| {
        let is_control = !cites(case) && controls > 0;
        controls -= usize::from(is_control);
        extent == Extent::Whole || cites(case) || is_control
    })
}
