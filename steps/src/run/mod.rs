//! Runs one case to its verdict.
//!
//! Each case has a runtime of its own: panics and logs of the fake cells land on its thread and are
//! shown with it.

mod panics;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;

use crate::catalog::Case;
use crate::exchange::{Comparison, observe};
use crate::ledger::{Ledger, RequirementId};
use crate::plan::ScenarioPlan;
use crate::stage::{Launch, RouterFault, Stage, StageFault};
use crate::steps::{self, BoundStep, CheckResult, NotFound, Role};
use crate::trace::{Recorder, Trace};
use crate::verdict::{Finding, Outcome, Verdict};
use crate::world::World;

/// Beyond what all waits of a scenario can take together.
const SCENARIO_LIMIT: Duration = Duration::from_secs(300);

/// The requirement on a router's process, beside what a scenario cites: it becomes ready, follows
/// its `listen`, stops, and frees its address.
pub(crate) const PROCESS: &str = "Z-39";

/// Runs a case.
pub fn run(case: &Case, launch: &Launch, ledger: &Ledger) -> Verdict {
    let steps = match resolve(case) {
        Ok(steps) => steps,
        Err(why) => return Verdict::of(Outcome::SuiteError(why)),
    };
    let watch = panics::Watch::begin();
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            return Verdict::of(Outcome::SuiteError(format!(
                "no runtime for the scenario: {error}"
            )));
        }
    };
    let recorder = Arc::new(Recorder::default());
    let play = AssertUnwindSafe(play(case, steps, launch, recorder, ledger)).catch_unwind();
    let verdict = match runtime.block_on(async { tokio::time::timeout(SCENARIO_LIMIT, play).await })
    {
        Ok(Ok(verdict)) => verdict,
        Ok(Err(_)) => Verdict::of(Outcome::SuiteError("a step panicked".to_owned())),
        Err(_) => Verdict::of(Outcome::SuiteError(format!(
            "the scenario did not end within {SCENARIO_LIMIT:?}"
        ))),
    };
    match watch.panics() {
        panics if panics.is_empty() => verdict,
        // Whatever the verdict was, a panic of a step or of a fake cell takes its ground away.
        panics => Verdict { outcome: Outcome::SuiteError(panics.join("\n")), ..verdict },
    }
}

/// A step of a case, ready to run.
struct ReadyStep {
    /// Its position in the case's steps.
    index: usize,
    bound: BoundStep,
    role: Role,
    /// The requirement that a Then step proves.
    cites: Option<RequirementId>,
}

/// Finds all steps and reads their arguments before anything starts, so that every step that cannot
/// be taken is named at once.
fn resolve(case: &Case) -> Result<Vec<ReadyStep>, String> {
    let mut ready = Vec::new();
    let mut errors = Vec::new();
    for (index, step) in case.steps.iter().enumerate() {
        let bound = steps::find(step).map_err(|error| undefined(case, index, &error));
        let bound = bound.and_then(|found| match found.bind() {
            Ok(bound) => Ok((found, bound)),
            Err(why) => Err(refused(case, index, &why)),
        });
        match bound {
            Ok((found, bound)) => ready.push(ReadyStep {
                index,
                bound,
                role: found.definition.role,
                cites: found.cites,
            }),
            Err(why) => errors.push(why),
        }
    }
    if errors.is_empty() { Ok(ready) } else { Err(errors.join("\n")) }
}

fn undefined(case: &Case, index: usize, error: &NotFound) -> String {
    let text = case.step_text(index);
    match error {
        NotFound::Undefined => format!("{}: no step is defined for `{text}`", case.place),
        NotFound::Ambiguous(expressions) => {
            format!("{}: `{text}` fits several steps: {}", case.place, expressions.join(" and "))
        }
    }
}

fn refused(case: &Case, index: usize, why: &str) -> String {
    format!("{}: `{}`: {why}", case.place, case.step_text(index))
}

/// What the Then steps of a case found.
#[derive(Default)]
struct Findings {
    findings: Vec<Finding>,
    exchanges: Vec<(Option<usize>, Comparison)>,
}

impl Findings {
    /// Adds what the step at this position found, which proves this requirement.
    fn add(&mut self, step: usize, proves: &RequirementId, result: CheckResult) {
        let step = Some(step);
        let comparison = match result {
            CheckResult::Proof(Ok(())) => return,
            CheckResult::Proof(Err(message)) => {
                let requirement = proves.clone();
                self.findings.push(Finding { requirement, step, message, comparison: None });
                return;
            }
            CheckResult::Comparison(comparison) => *comparison,
        };
        let violations = comparison.choices.iter().chain(&comparison.divergence);
        for violation in violations {
            self.findings.push(Finding {
                requirement: violation.requirement.clone().unwrap_or_else(|| proves.clone()),
                step,
                message: violation.why.clone(),
                comparison: Some(Comparison {
                    divergence: Some(violation.clone()),
                    ..comparison.clone()
                }),
            });
        }
        self.exchanges.push((step, comparison));
    }

    /// What a router violates with which a scenario could not go on. It must not pass because its
    /// checks happen to hold, nor hide this behind what they found.
    fn add_interruption(&mut self, case: &Case, why: &str) {
        self.findings.extend(case.requirements.first().map(|id| Finding {
            requirement: id.clone(),
            step: None,
            message: format!("the scenario could not go on: {why}"),
            comparison: None,
        }));
    }

    fn verdict(mut self, trace: Trace, ledger: &Ledger) -> Verdict {
        if self.exchanges.is_empty() {
            self.exchanges.push((None, observe(&trace)));
        }
        Verdict {
            exchanges: self.exchanges,
            trace: Some(Arc::new(trace)),
            ..Verdict::weigh(self.findings, ledger)
        }
    }
}

/// Judges a case again on a trace of an earlier run: its Then steps, and nothing else.
///
/// # Errors
///
/// Where a step is not defined.
pub fn judge_again(case: &Case, trace: Trace, ledger: &Ledger) -> Result<Verdict, String> {
    Ok(judge(resolve(case)?, &trace).verdict(trace, ledger))
}

/// Lets the Then steps judge a trace.
fn judge(steps: Vec<ReadyStep>, trace: &Trace) -> Findings {
    let mut findings = Findings::default();
    for step in steps {
        if let (BoundStep::Check(check), Some(id)) = (step.bound, &step.cites) {
            findings.add(step.index, id, check(trace));
        }
    }
    findings
}

/// Fills the plan, starts the stage, acts, and judges.
async fn play(
    case: &Case,
    steps: Vec<ReadyStep>,
    launch: &Launch,
    recorder: Arc<Recorder>,
    ledger: &Ledger,
) -> Verdict {
    let suite_error = |why: String| Verdict::of(Outcome::SuiteError(why));
    let starts = start_requirement(&steps);
    let mut plan = ScenarioPlan::documents(case.protocol);
    let mut actions = Vec::new();
    let mut checks = Vec::new();
    for ReadyStep { index, bound, role, cites } in steps {
        match bound {
            BoundStep::Condition(fill) => {
                if let Err(why) = fill(&mut plan) {
                    return suite_error(refused(case, index, &why));
                }
            }
            BoundStep::Action(action) => actions.push((index, action)),
            BoundStep::Check(_) => checks.push(ReadyStep { index, bound, role, cites }),
        }
    }
    let stage = match Stage::set(plan, launch.clone(), recorder).await {
        Ok(stage) => stage,
        Err(fault) => return of_fault(starts, fault),
    };
    let mut world = World::new(stage);
    for (number, (index, action)) in actions.into_iter().enumerate() {
        // Where a When step could not go on, those after it have nothing to stand on; what did
        // happen is judged all the same.
        if world.interruption().is_some() {
            break;
        }
        world.begin(number);
        action(&mut world).await;
        if let Some(why) = world.refusal() {
            return suite_error(refused(case, index, why));
        }
    }
    let (stage, interruption) = world.end();
    let (trace, logs) = match stage.clear(&case.watched_paths()).await {
        Ok(cleared) => cleared,
        Err(why) => return suite_error(why),
    };
    let mut findings = judge(checks, &trace);
    if let Some(why) = interruption {
        findings.add_interruption(case, &why);
    }
    Verdict { logs, ..findings.verdict(trace, ledger) }
}

fn of_fault(starts: Option<RequirementId>, fault: StageFault) -> Verdict {
    match (fault, starts) {
        (StageFault::Router(RouterFault::ProtocolNotFollowed(protocol)), _) => {
            Verdict::of(Outcome::NotApplicable(format!(
                "the router does not follow the {} protocol",
                protocol.as_str()
            )))
        }
        (
            StageFault::Router(
                fault @ (RouterFault::NotStarted { .. } | RouterFault::NotReset { .. }),
            ),
            _,
        ) => Verdict::of(Outcome::CouldNotRun(fault.to_string())),
        (StageFault::Unfit(why), _) => Verdict::of(Outcome::CouldNotRun(why)),
        (StageFault::Router(fault), Some(requirement)) => {
            let finding =
                Finding { requirement, step: None, message: fault.to_string(), comparison: None };
            Verdict { findings: vec![finding], ..Verdict::of(Outcome::Failed) }
        }
        (fault, _) => Verdict::of(Outcome::SuiteError(fault.to_string())),
    }
}

/// What a router violates that does not become ready: what the scenario proves of its process,
/// where it does, and the requirement on a router's process otherwise.
fn start_requirement(steps: &[ReadyStep]) -> Option<RequirementId> {
    let about_process = steps.iter().filter(|step| step.role == Role::ProcessLife);
    about_process.filter_map(|step| step.cites.clone()).next().or_else(|| PROCESS.parse().ok())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::catalog::Catalog;

    #[test]
    fn every_step_of_every_feature_is_defined_once() {
        let catalog = Catalog::embedded();
        assert_eq!(catalog.faults, []);
        assert!(!catalog.cases.is_empty());
        let faults: BTreeSet<_> =
            catalog.cases.iter().filter_map(|case| resolve(case).err()).collect();
        assert!(faults.is_empty(), "{}", faults.into_iter().collect::<Vec<_>>().join("\n"));
    }
}
