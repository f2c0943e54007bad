//! What a step means. Step functions say it here; nothing happens yet.

use std::fmt;

use super::doc_strings::DocString;
use crate::action::{Action, Needs};
use crate::exchange::Comparison;
use crate::judge::{Judgment, Proof, Wrong};
use crate::ledger::RequirementId;
use crate::plan::ScenarioPlan;
use crate::trace::Trace;

/// A change of the plan; an error says why the step does not fit the plan.
pub(crate) type PlanChange = dyn FnOnce(&mut ScenarioPlan) -> Result<(), String>;

/// A judgment of the trace of a scenario with this plan.
pub(crate) type Check = dyn Fn(&Trace, &ScenarioPlan) -> CheckResult + Send + Sync;

/// A step whose arguments have been read.
pub(crate) enum BoundStep {
    /// What a Given step changes in the plan; an error says why the step does not fit the plan.
    Condition(Box<PlanChange>),
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
    Proof(Result<(), Wrong>),
    /// The observed exchange next to the drawn one.
    Comparison(Box<Comparison>),
    /// What contradicts the documents, each under its own requirement.
    Violations(Vec<(RequirementId, String)>),
}

impl From<Proof> for CheckResult {
    fn from(proof: Proof) -> Self {
        Self::Proof(proof.map_err(Wrong::from))
    }
}

impl From<Judgment> for CheckResult {
    fn from(judgment: Judgment) -> Self {
        Self::Proof(judgment)
    }
}

impl From<Arrivals> for CheckResult {
    fn from(Arrivals(proof): Arrivals) -> Self {
        Self::Proof(proof.map_err(Wrong::arrived))
    }
}

/// What a check found among what arrived, at cells or at users: it is there, however long anything
/// took.
pub(super) struct Arrivals(pub(super) Proof);

impl From<Comparison> for CheckResult {
    fn from(comparison: Comparison) -> Self {
        Self::Comparison(Box::new(comparison))
    }
}

/// What a step is to its scenario, where that does not follow from its keyword.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Judges the trace by a drawn exchange, which cites its own requirements.
    Exchange,
    /// Judges who owns, at the end, the paths that it quotes: the trace has to name them.
    Ownership,
    /// Judges how a router's process started and stopped. A router that never becomes ready
    /// violates what the step cites.
    ProcessLife,
}

/// The `World` of the step functions: a step says in it what it is, what it needs and, where its
/// keyword does not tell, its role. All steps of a scenario are read before anything starts.
#[derive(Debug, Default, cucumber::World)]
pub(crate) struct Meaning {
    bound: Option<BoundStep>,
    needs: Needs,
    role: Option<Role>,
    doc_string: Option<String>,
    /// Why the step cannot be read.
    trouble: Option<String>,
}

impl Meaning {
    /// Before the function of a step with this doc string has said anything.
    pub(super) fn of(doc_string: Option<String>) -> Self {
        Self { doc_string, ..Self::default() }
    }

    /// A Given step: what it changes in the plan.
    pub(super) fn condition<R: ConditionResult>(
        &mut self,
        change: impl FnOnce(&mut ScenarioPlan) -> R + 'static,
    ) {
        let change = Box::new(move |plan: &mut ScenarioPlan| change(plan).into_result());
        self.bound = Some(BoundStep::Condition(change));
    }

    pub(super) fn action(&mut self, action: Action) {
        self.needs(action.needs());
        self.bound = Some(BoundStep::Action(action));
    }

    /// A Then step: what it asks of the trace.
    pub(super) fn check<R: Into<CheckResult>>(
        &mut self,
        judge: impl Fn(&Trace) -> R + Send + Sync + 'static,
    ) {
        self.check_by_plan(move |trace, _| judge(trace));
    }

    /// A Then step: what it asks of the trace of a scenario with this plan.
    pub(super) fn check_by_plan<R: Into<CheckResult>>(
        &mut self,
        judge: impl Fn(&Trace, &ScenarioPlan) -> R + Send + Sync + 'static,
    ) {
        let judge = move |trace: &Trace, plan: &ScenarioPlan| judge(trace, plan).into();
        self.bound = Some(BoundStep::Check(Box::new(judge)));
    }

    /// What the step needs, in addition to the needs of its action.
    pub(super) fn needs(&mut self, needs: Needs) {
        self.needs = self.needs | needs;
    }

    pub(super) fn role(&mut self, role: Role) {
        self.role = Some(role);
    }

    /// The doc string below the step. Without one, or where it is no such text, the step cannot be
    /// read, and there is nothing more to say of it.
    pub(super) fn doc_string<T: DocString>(&mut self) -> Option<T> {
        let text = self.doc_string.as_deref();
        match text.ok_or_else(|| "the step needs a doc string".to_owned()).and_then(T::read) {
            Ok(read) => Some(read),
            Err(why) => {
                self.cannot_be_read(why);
                None
            }
        }
    }

    /// The step cannot be read, for this reason.
    pub(super) fn cannot_be_read(&mut self, why: String) {
        self.trouble = Some(why);
    }

    pub(crate) fn needed(&self) -> Needs {
        self.needs
    }

    pub(crate) fn is(&self, role: Role) -> bool {
        self.role == Some(role)
    }

    /// The step, ready to be used.
    pub(crate) fn bound(self) -> Result<BoundStep, String> {
        match (self.trouble, self.bound) {
            (Some(why), _) => Err(why),
            (None, Some(bound)) => Ok(bound),
            (None, None) => Err("its function says nothing of it".to_owned()),
        }
    }
}

/// What a change of the plan may return: nothing, or why the step does not fit the plan.
pub(super) trait ConditionResult {
    fn into_result(self) -> Result<(), String>;
}

impl ConditionResult for () {
    fn into_result(self) -> Result<(), String> {
        Ok(())
    }
}

impl ConditionResult for Result<(), String> {
    fn into_result(self) -> Result<(), String> {
        self
    }
}
