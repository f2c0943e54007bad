//! Runs one case to its verdict.
//!
//! Each case has its own runtime: panics and logs of the fake cells land on its thread and are
//! shown with it.

mod findings;
mod job_slot;
mod length;
mod panics;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cell_fleet::Stores;
use futures_util::FutureExt as _;

use crate::catalog::{BoundCase, Case};
use crate::ledger::{Ledger, RequirementId};
use crate::perform::ActionError;
use crate::plan::ScenarioPlan;
use crate::stage::{
    Cleared, Launch, RouterError, Stage, StageError, StopReason, Waits, files_for, machine,
};
use crate::trace::{Recorder, Trace};
use crate::verdict::{Finding, Outcome, StartFailure, Verdict};
pub use findings::PROCESS;
use findings::{Findings, without_step};
pub use job_slot::JobSlot;
pub(crate) use job_slot::WAITING;
pub(crate) use length::expected_length;

/// Longer than all waits of a scenario together.
const SCENARIO_LIMIT: Duration = Duration::from_secs(300);

/// Runs a case. It waits, and so gives its job slot away, while its routers start, and later while
/// its runtime has nothing to do.
pub fn run(case: &Case, launch: &Launch, ledger: &Ledger, slot: &Arc<JobSlot>) -> Verdict {
    let bound = match case.bound() {
        Ok(bound) => bound,
        Err(why) => return Verdict::of(Outcome::SuiteError(why)),
    };
    if let Some(reason) = launch.stop.reason() {
        return not_run(reason);
    }
    let watch = panics::PanicCollector::begin();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .on_thread_park({
            let slot = slot.clone();
            move || slot.parked()
        })
        .on_thread_unpark({
            let slot = slot.clone();
            move || slot.unparked()
        })
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            return Verdict::of(Outcome::SuiteError(format!(
                "no runtime for the scenario: {error}"
            )));
        }
    };
    let (recorder, began) = (Arc::new(Recorder::default()), machine::now());
    let limit = SCENARIO_LIMIT + launch.waits.longest_start();
    let play =
        AssertUnwindSafe(play(case, bound, launch, recorder, ledger, slot, began)).catch_unwind();
    let played = runtime.block_on(async {
        tokio::select! {
            biased;
            // The stage ends its routers and removes its files when it is dropped.
            reason = launch.stop.requested() => Err(reason),
            played = tokio::time::timeout(limit, play) => Ok(played),
        }
    });
    let played = match played {
        Ok(played) => played,
        Err(reason) => return not_run(reason),
    };
    let verdict = match played {
        Ok(Ok(verdict)) => verdict,
        Ok(Err(_)) => Verdict::of(Outcome::SuiteError("a step panicked".to_owned())),
        Err(_) => {
            Verdict::of(Outcome::SuiteError(format!("the scenario did not end within {limit:?}")))
        }
    };
    match watch.panics() {
        panics if panics.is_empty() => verdict,
        // After a panic of a step or of a fake cell, no verdict can be trusted.
        panics => Verdict { outcome: Outcome::SuiteError(panics.join("\n")), ..verdict },
    }
}

/// Judges the trace of an earlier run of a case again, with the case's Then steps. `stall` is the
/// longest stall of the machine in that run.
///
/// # Errors
///
/// Names the steps that are not defined or cannot be read.
pub fn judge_again(
    case: &Case,
    trace: Arc<Trace>,
    stall: Duration,
    ledger: &Ledger,
) -> Result<Verdict, String> {
    let bound = case.bound()?;
    let mut findings = Findings::judged_by(&bound.checks, &trace, &bound.plan);
    findings.add_of_every_request(&trace);
    Ok(findings.verdict(trace, stall, ledger))
}

/// The plan of a case.
///
/// # Errors
///
/// Names the steps that are not defined, or do not fit the plan.
pub fn planned_for(case: &Case) -> Result<ScenarioPlan, String> {
    case.bound().map(|bound| bound.plan.clone())
}

/// Starts the stage, performs the actions, and judges.
async fn play(
    case: &Case,
    bound: &BoundCase,
    launch: &Launch,
    recorder: Arc<Recorder>,
    ledger: &Ledger,
    slot: &JobSlot,
    began: Instant,
) -> Verdict {
    let suite_error = |why: String| Verdict::of(Outcome::SuiteError(why));
    let misfit = |step: usize, why: &str| suite_error(case.at_step(step, why));
    let BoundCase { plan, actions, checks, starts, watched_paths, .. } = bound;
    let _files = match files_for(actions.iter().map(|(_, action)| action)).await {
        Ok(files) => files,
        Err(why) => return Verdict::of(Outcome::CouldNotRun(why)),
    };
    let mut stage = match Stage::set_up(plan.clone(), launch.clone(), recorder).await {
        Ok(stage) => stage,
        Err(error) => return not_started(starts.clone(), error, &launch.waits, began, ledger),
    };
    // Real stores have connections for as many fleets as there are jobs.
    if plan.fleet.stores.name() == Stores::in_memory().name() {
        slot.routers_start();
    }
    if let Err(error) = stage.routers_ready().await {
        return not_started(starts.clone(), error.into(), &launch.waits, began, ledger);
    }
    if !slot.acquire().await {
        return Verdict::of(Outcome::NotRun("the run ended before".to_owned()));
    }
    let lived = actions.partition_point(|(step, _)| *step < case.life);
    let (life, exchange) = actions.split_at(lived);
    for (_, action) in life {
        // What a router does wrong here is judged with all that follows.
        if let Err(ActionError::Invalid(why) | ActionError::Suite(why)) =
            action.perform(&mut stage).await
        {
            return suite_error(why);
        }
    }
    if let Err(error) = stage.open().await {
        return not_started(starts.clone(), error, &launch.waits, began, ledger);
    }
    let mut interruption = None;
    for (step, action) in exchange {
        stage.begin_step(action.clone());
        match action.perform(&mut stage).await {
            Ok(()) if stage.has_lost_a_router().await => break,
            Ok(()) => {}
            Err(ActionError::Invalid(why)) => return misfit(*step, &why),
            Err(ActionError::Suite(why)) => return suite_error(why),
            // The later actions have nothing to go on from. What did happen is judged.
            Err(ActionError::Interrupted(why)) => {
                interruption = Some(why);
                break;
            }
        }
    }
    let cleared = match stage.clear(watched_paths).await {
        Ok(cleared) => cleared,
        Err(why) => return suite_error(why),
    };
    let Cleared { trace, logs, deaths, unreachable, trouble } = cleared;
    if let Some(error) = unreachable {
        // Whether the router violated anything before it went away is not known.
        let why = format!("{error}; it could be reached when the scenario began");
        let start_failure = Some(StartFailure::Unreachable);
        return Verdict { start_failure, ..Verdict::of(Outcome::CouldNotRun(why)) };
    }
    let mut findings = Findings::judged_by(checks, &trace, plan);
    findings.add_of_every_request(&trace);
    // A router that died explains everything after it.
    match interruption.filter(|_| deaths.is_empty()) {
        Some(why) => findings.add_interruption(case, &why),
        None => findings.add_deaths(deaths),
    }
    let stall = machine::worst_since(began);
    let verdict = Verdict { logs, ..findings.verdict(Arc::new(trace), stall, ledger) };
    match trouble {
        Some(why) if matches!(verdict.outcome, Outcome::Failed | Outcome::Warned) => {
            Verdict { outcome: Outcome::SuiteError(why), ..verdict }
        }
        _ => verdict,
    }
}

/// The verdict of a case that the end of the run left without one.
fn not_run(reason: StopReason) -> Verdict {
    Verdict::of(Outcome::NotRun(format!("the run ended before: {reason}")))
}

/// The verdict of a case whose stage did not start: `starts` is the requirement of a step about the
/// router's process.
fn not_started(
    starts: Option<RequirementId>,
    error: StageError,
    waits: &Waits,
    began: Instant,
    ledger: &Ledger,
) -> Verdict {
    let router = match error {
        StageError::Suite(why) => return Verdict::of(Outcome::SuiteError(why)),
        StageError::NotAsked(why) => return Verdict::of(Outcome::NotAsked(why)),
        StageError::Unfit(why) => return Verdict::of(Outcome::CouldNotRun(why)),
        StageError::Router(error) => error,
    };
    let message = router.to_string();
    // A router that was kept back as long as the suite waits at all had no start to judge.
    let (rests_on, kept_back) = match &router {
        RouterError::NotReady { limit, kept_back, .. } => {
            let is_all = waits.ready + *kept_back >= waits.longest_start();
            (Some(*limit), if is_all { *kept_back } else { Duration::ZERO })
        }
        _ => (None, Duration::ZERO),
    };
    let (failure, is_violation) = match router {
        RouterError::Suite(_) => return Verdict::of(Outcome::SuiteError(message)),
        RouterError::ProtocolNotFollowed(protocol) => {
            return Verdict::of(Outcome::NotApplicable(format!(
                "the router does not follow the {} protocol",
                protocol.as_str()
            )));
        }
        RouterError::NotStarted { .. } => (StartFailure::NoProcess, false),
        RouterError::NotReset { .. } => (StartFailure::NotReset, false),
        RouterError::Unreachable { .. } => (StartFailure::Unreachable, false),
        RouterError::Ended { .. } => (StartFailure::Ended, true),
        RouterError::NotReady { .. } => (StartFailure::NotReady, true),
    };
    let violated = starts.or_else(|| PROCESS.parse().ok());
    let verdict = match violated.filter(|_| is_violation) {
        Some(requirement) => {
            let finding = Finding { rests_on, ..without_step(requirement, message) };
            Verdict::weigh(vec![finding], machine::worst_since(began).max(kept_back), ledger)
        }
        None if is_violation => Verdict::of(Outcome::SuiteError(message)),
        None => Verdict::of(Outcome::CouldNotRun(message)),
    };
    Verdict { start_failure: Some(failure), ..verdict }
}
