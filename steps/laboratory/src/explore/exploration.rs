//! What is explored: the router, the journeys, and how one of them is played.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cell_fleet::Protocol;

use super::explored::Scope;
use super::left_out::LeftOut;
use super::source::REQUIREMENT;
use conformance_suite::catalog::Case;
use conformance_suite::engine::{Subject, run_again};
use conformance_suite::ledger::{Ledger, Level, RequirementId};
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
    /// The protocols, in turns.
    pub protocols: &'a [Protocol],
    /// The seed of the exploration.
    pub seed: u64,
    /// Which journeys it runs.
    pub scope: Scope,
    /// The seeds of journeys that go before the one of [`Scope::One`], with the same router.
    pub earlier: &'a [u64],
    /// Parallel jobs.
    pub jobs: usize,
    /// The requirements whose violations are no failures.
    pub left_out: &'a [LeftOut],
    /// Whether each journey has its own router.
    pub alone: bool,
    /// Whether it goes on after a failure.
    pub keep_going: bool,
    /// Whether violations of a SHOULD or a MAY are failures, too.
    pub every_level: bool,
}

impl Exploration<'_> {
    /// Whether the violation of a requirement is a failure.
    pub(super) fn is_failure(&self, id: &RequirementId, protocol: Protocol) -> bool {
        !self.left_out.iter().any(|one| one.covers(id, protocol))
            && (self.every_level || self.ledger.level(id) == Level::Must)
    }

    /// The requirements that a verdict violates, in the order of its findings. That the user did
    /// not get the owner's response follows from most others.
    pub(super) fn violated(&self, protocol: Protocol, verdict: &Verdict) -> Violated {
        let mut violated = Violated::default();
        for finding in &verdict.findings {
            let id = &finding.requirement;
            let ids = if self.is_failure(id, protocol) {
                &mut violated.musts
            } else if self.left_out.iter().any(|one| one.covers(id, protocol)) {
                &mut violated.left_out
            } else {
                &mut violated.others
            };
            if !ids.contains(id) {
                ids.push(id.clone());
            }
        }
        // What says least stands last: a failure is named after the first.
        violated.musts.sort_by_key(|id| id.as_str() == REQUIREMENT);
        violated
    }
}

/// What a verdict violates, each requirement once.
#[derive(Debug, Default)]
pub(super) struct Violated {
    /// The MUSTs.
    pub(super) musts: Vec<RequirementId>,
    /// The requirements of lower levels.
    pub(super) others: Vec<RequirementId>,
    /// The requirements that the exploration leaves out.
    pub(super) left_out: Vec<RequirementId>,
}

/// Runs a case; a panic is a fault of the suite.
pub(super) fn played(case: &Case, launch: &Launch, ledger: &Ledger) -> Verdict {
    catch_unwind(AssertUnwindSafe(|| run_again(case, launch, ledger))).unwrap_or_else(|_| {
        Verdict::of(Outcome::SuiteError("the scenario panicked; see standard error".to_owned()))
    })
}
