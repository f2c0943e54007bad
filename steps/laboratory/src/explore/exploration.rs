//! What an exploration is of: the router, the journeys, and how one of them is played.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cell_fleet::Protocol;

use super::explored::Scope;
use super::weights::Weights;
use conformance_suite::catalog::Case;
use conformance_suite::engine::Subject;
use conformance_suite::ledger::{Ledger, Level, RequirementId};
use conformance_suite::run::run;
use conformance_suite::stage::Launch;
use conformance_suite::verdict::{Outcome, Verdict};

/// What to explore.
#[derive(Debug)]
pub struct Exploration<'a> {
    /// The router under test: what it claims decides which journeys it cannot run.
    pub subject: &'a Subject,
    /// How the router is launched. Its stop ends the exploration.
    pub launch: &'a Launch,
    /// The requirements.
    pub ledger: &'a Ledger,
    /// How often what is drawn.
    pub weights: &'a Weights,
    /// The protocols, in turns.
    pub protocols: &'a [Protocol],
    /// The seed of the exploration.
    pub seed: u64,
    /// Which journeys it runs.
    pub scope: Scope,
    /// Parallel jobs.
    pub jobs: usize,
    /// Whether it goes on after a failure.
    pub keep_going: bool,
}

impl Exploration<'_> {
    /// The violated MUSTs of a verdict, in the order of its findings, and the other requirements
    /// that it violates.
    pub(super) fn violated(&self, verdict: &Verdict) -> (Vec<RequirementId>, Vec<RequirementId>) {
        let (mut musts, mut others) = (Vec::new(), Vec::new());
        for finding in &verdict.findings {
            let id = &finding.requirement;
            let is_must = self.ledger.level(id) == Level::Must;
            let ids = if is_must { &mut musts } else { &mut others };
            if !ids.contains(id) {
                ids.push(id.clone());
            }
        }
        (musts, others)
    }
}

/// Runs a case; a panic is a fault of the suite.
pub(super) fn played(case: &Case, launch: &Launch, ledger: &Ledger) -> Verdict {
    catch_unwind(AssertUnwindSafe(|| run(case, launch, ledger, &Arc::default()))).unwrap_or_else(
        |_| {
            Verdict::of(Outcome::SuiteError("the scenario panicked; see standard error".to_owned()))
        },
    )
}
