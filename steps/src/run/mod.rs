//! Runs one case to its verdict.
//!
//! cucumber's step collection finds the steps; the executor is our own, since a scenario is a
//! trial of its own here, with a runtime of its own: panics and logs of the fake cells land on the
//! scenario's thread and are shown with it.

mod panics;

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use cucumber::step::{Collection, Context};
use cucumber::{World as _, step};
use futures_util::FutureExt as _;
use gherkin::StepType;

use crate::catalog::Case;
use crate::exchange::observe;
use crate::ledger::{Ledger, RequirementId};
use crate::stage::{Launch, RouterError, StageError};
use crate::trace::{Recorder, Trace};
use crate::verdict::{Finding, Outcome, Verdict};
use crate::world::{Evidence, World};

/// All step definitions. Never cloned: a clone would compile every expression anew.
static STEPS: LazyLock<Collection<World>> = LazyLock::new(World::collection);

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

struct Resolved {
    function: &'static step::Step<World>,
    context: Context,
    kind: StepType,
    text: String,
    cites: Option<RequirementId>,
}

/// Finds all steps before anything starts, so that every undefined one is named at once.
fn resolve(case: &Case) -> Result<Vec<Resolved>, String> {
    let mut resolved = Vec::new();
    let mut faults = Vec::new();
    for step in &case.steps {
        let mut bare = step.clone();
        let mut cites = None;
        if let (StepType::Then, Some((text, id))) =
            (step.ty, RequirementId::split_citation(&step.value))
        {
            bare.value = text.to_owned();
            cites = Some(id);
        }
        let text = format!("{} {}", step.keyword.trim(), step.value);
        match STEPS.find(&bare) {
            Ok(Some((function, _, _, context))) => {
                resolved.push(Resolved { function, context, kind: step.ty, text, cites })
            }
            Ok(None) => faults.push(format!("{}: no step is defined for `{text}`", case.place)),
            Err(error) => {
                faults.push(format!("{}: `{text}` fits several steps. {error}", case.place))
            }
        }
    }
    if faults.is_empty() { Ok(resolved) } else { Err(faults.join("\n")) }
}

/// Judges a case again on a trace of an earlier run: its Then steps, and nothing else.
///
/// # Errors
///
/// Where a step is not defined, or does not fit the trace.
pub fn judge_again(case: &Case, trace: Trace, ledger: &Ledger) -> Result<Verdict, String> {
    let mut world = World::judging(trace);
    for step in resolve(case)?.into_iter().filter(|step| step.kind == StepType::Then) {
        if let Some(id) = step.cites {
            world.begin_then(id, step.text.clone());
        }
        // Then steps look at the trace and wait for nothing.
        (step.function)(&mut world, step.context)
            .now_or_never()
            .ok_or_else(|| format!("`{}` waits for something", step.text))?;
        if let Some(why) = world.refusal() {
            return Err(format!("`{}`: {why}", step.text));
        }
    }
    let Evidence { findings, exchanges, trace } = world.into_evidence();
    Ok(Verdict { exchanges, trace, ..Verdict::weigh(findings, ledger) })
}

async fn play(
    case: &Case,
    steps: Vec<Resolved>,
    launch: &Launch,
    recorder: Arc<Recorder>,
    ledger: &Ledger,
) -> Verdict {
    let mut world = World::new(case.protocol, launch.clone(), recorder);
    let mut acts = 0;
    let mut logs = None;
    for step in steps {
        match step.kind {
            StepType::Given => {}
            // Where a When step could not go on, those after it have nothing to stand on; what did
            // happen is judged all the same.
            StepType::When if world.interruption().is_some() => continue,
            StepType::When => {
                world.begin_when(acts);
                acts += 1;
            }
            StepType::Then => {
                if logs.is_none() {
                    match world.judge(&case.quoted_paths()).await {
                        Ok(ends) => logs = Some(ends),
                        Err(fault) => return of_fault(case, fault),
                    }
                }
                if let Some(id) = step.cites {
                    world.begin_then(id, step.text.clone());
                }
            }
        }
        (step.function)(&mut world, step.context).await;
        if let Some(why) = world.refusal() {
            return Verdict::of(Outcome::SuiteError(format!(
                "{}: `{}`: {why}",
                case.place, step.text
            )));
        }
    }
    let interruption = world.interruption().map(str::to_owned);
    let Evidence { mut findings, mut exchanges, trace } = world.into_evidence();
    if let (true, Some(trace)) = (exchanges.is_empty(), &trace) {
        exchanges.push((String::new(), observe(trace)));
    }
    // A scenario that could not go on must not pass because its checks happen to hold.
    if let (Some(why), true, Some(id)) =
        (interruption, findings.is_empty(), case.requirements.first())
    {
        findings.push(Finding {
            requirement: id.clone(),
            step: String::new(),
            message: format!("the scenario could not go on: {why}"),
            comparison: None,
        });
    }
    Verdict { exchanges, trace, logs: logs.unwrap_or_default(), ..Verdict::weigh(findings, ledger) }
}

fn of_fault(case: &Case, fault: StageError) -> Verdict {
    match (fault, start_proves(case)) {
        (StageError::Router(RouterError::ProtocolNotFollowed(protocol)), _) => {
            Verdict::of(Outcome::NotApplicable(format!(
                "the router does not follow the {} protocol",
                protocol.as_str()
            )))
        }
        (
            StageError::Router(
                fault @ (RouterError::NotStarted { .. } | RouterError::NotReset { .. }),
            ),
            _,
        ) => Verdict::of(Outcome::CouldNotRun(fault.to_string())),
        (StageError::Unfit(why), _) => Verdict::of(Outcome::CouldNotRun(why)),
        (StageError::Router(fault), Some(requirement)) => {
            let finding = Finding {
                requirement,
                step: "the router becomes ready".to_owned(),
                message: fault.to_string(),
                comparison: None,
            };
            Verdict { findings: vec![finding], ..Verdict::of(Outcome::Failed) }
        }
        (fault, _) => Verdict::of(Outcome::SuiteError(fault.to_string())),
    }
}

/// What a router violates that does not become ready: what the scenario says of its start, where it
/// says anything, and the requirement on a router's process otherwise.
fn start_proves(case: &Case) -> Option<RequirementId> {
    let says = |step: &&gherkin::Step| {
        step.ty == StepType::Then && step.value.contains(" became ready and ")
    };
    let cited =
        case.steps.iter().find(says).and_then(|step| RequirementId::split_citation(&step.value));
    cited.map(|(_, id)| id).or_else(|| PROCESS.parse().ok())
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
