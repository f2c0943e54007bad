//! The proof that the suite can fail: it runs against mutants, routers and cells with one known
//! mistake each.
//!
//! A mutant is caught where a verdict carries the requirement that the mutant breaks, in a scenario
//! that the reference router passes. Every other finding is collateral. Routers that do not route
//! are the null baseline. Variants, which are correct in another way, must pass.

mod assignment;
mod mutant;
mod mutation_run;
mod routers;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use conformance_suite::catalog::{Case, Catalog};
use conformance_suite::engine::run_all;
use conformance_suite::ledger::Ledger;
use conformance_suite::router_file::reference_claims;
use conformance_suite::stage::{Launch, Stop, StoresChoice, launch, reference_router};
use conformance_suite::verdict::OutcomeWord;
pub use mutant::{Extent, MutantUnderTest, unbroken};
pub use mutation_run::MutationRun;
pub use routers::RouterResult;

/// By how much the usual number of jobs is multiplied: mutants spend most of their time in waits
/// that run out and keep no core busy.
const MUTATION_JOBS: usize = 6;

/// The weaker rows that the reference router differs from for a reason: hyper repairs what RFC 9112
/// lets a server repair.
const REFERENCE_WARNED_OF: [&str; 1] = ["Z-55"];

#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    pub catalog: &'a Catalog,
    /// This program, which serves the routers as subcommands.
    pub program: &'a Path,
    /// How many scenarios of a working router run side by side.
    pub jobs: usize,
    /// What ends it before its time: then nothing more starts, and nothing unfinished is told.
    pub stop: &'a Stop,
}

impl Setup<'_> {
    /// How many scenarios of mutants run side by side. Each needs its own databases, so that on
    /// real stores more of them at once mean more databases, and no less time.
    fn mutation_jobs(&self) -> usize {
        match StoresChoice::of_environment() {
            Ok(StoresChoice::Real) => self.jobs,
            _ => MUTATION_JOBS * self.jobs,
        }
    }

    /// Names of the cases that these mutants meet, and no others.
    pub fn met(&self, mutants: &[MutantUnderTest], extent: Extent) -> BTreeSet<&str> {
        let cases = mutants.iter().flat_map(|mutant| mutant.cases(self.catalog, extent));
        cases.map(|case| case.name.as_str()).collect()
    }

    /// Names of the cases that the reference router does not pass, among those of these names (all
    /// without names) that apply to it, and whether only rows from which it differs for a
    /// reason say so. They prove nothing about a mutant.
    pub fn reference_failures(&self, among: Option<&BTreeSet<&str>>) -> BTreeMap<String, bool> {
        let is_asked = |case: &Case| among.is_none_or(|names| names.contains(case.name.as_str()));
        let cases = self.catalog.cases.iter();
        let cases: Vec<_> = cases
            .filter(|case| is_asked(case) && reference_claims(case.capability()))
            .cloned()
            .collect();
        let launch = Launch {
            stop: self.stop.clone(),
            ..launch(reference_router(self.program.to_owned()), 1)
        };
        run_all(&cases, &launch, Ledger::embedded(), self.jobs)
            .into_iter()
            .filter(|one| one.verdict.outcome.word != OutcomeWord::Passed)
            .map(|one| {
                let is_known = one.verdict.outcome.word == OutcomeWord::Warned
                    && (one.verdict.findings.iter())
                        .all(|finding| REFERENCE_WARNED_OF.contains(&finding.requirement.as_str()));
                (one.case.name.clone(), is_known)
            })
            .collect()
    }
}
