//! A step whose arguments have been read: a change of the plan, an action or a check.

use std::fmt;

use super::argument::Arguments;
use crate::action::Action;
use crate::exchange::Comparison;
use crate::ledger::RequirementId;
use crate::plan::ScenarioPlan;
use crate::trace::Trace;

/// A change of the plan; an error says why the step does not fit the plan.
pub(crate) type PlanChange = dyn FnOnce(&mut ScenarioPlan) -> Result<(), String>;

/// A judgement of the trace of a scenario with this plan.
pub(crate) type Check = dyn FnOnce(&Trace, &ScenarioPlan) -> CheckResult;

/// A step whose arguments have been read.
pub(crate) enum BoundStep {
    /// What a Given step changes in the plan; an error says why the step does not fit the plan.
    Condition(Box<PlanChange>),
    /// What a When step does.
    Action(Action),
    /// What a Then step asks of the trace.
    Check(Box<Check>),
}

impl fmt::Debug for BoundStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Condition(_) => "Condition",
            Self::Action(_) => "Action",
            Self::Check(_) => "Check",
        })
    }
}

/// What a Then step found.
#[derive(Debug)]
pub(crate) enum CheckResult {
    /// It holds, or the error says what was found instead.
    Proof(Result<(), String>),
    /// The observed exchange beside the drawn one.
    Comparison(Box<Comparison>),
    /// What contradicts the documents, each under a requirement of its own.
    Violations(Vec<(RequirementId, String)>),
}

impl From<Result<(), String>> for CheckResult {
    fn from(proof: Result<(), String>) -> Self {
        Self::Proof(proof)
    }
}

impl From<Comparison> for CheckResult {
    fn from(comparison: Comparison) -> Self {
        Self::Comparison(Box::new(comparison))
    }
}

/// Reads the arguments of a step.
pub(super) type Bind = dyn Fn(&Arguments<'_>) -> Result<BoundStep, String> + Send + Sync;
