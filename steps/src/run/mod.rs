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
use crate::verdict::{Finding, OutcomeWord, StartFailure, Verdict};
use findings::Findings;
pub use findings::PROCESS;
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
        Err(why) => return Verdict::of(OutcomeWord::SuiteError.because(why)),
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
            let why = format!("no runtime for the scenario: {error}");
            return Verdict::of(OutcomeWord::SuiteError.because(why));
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
        Ok(Err(_)) => Verdict::of(OutcomeWord::SuiteError.because("a step panicked")),
        Err(_) => {
            let why = format!("the scenario did not end within {limit:?}");
            Verdict::of(OutcomeWord::SuiteError.because(why))
        }
    };
    match watch.panics() {
        panics if panics.is_empty() => verdict,
        // After a panic of a step or of a fake cell, no verdict can be trusted.
        panics => {
            Verdict { outcome: OutcomeWord::SuiteError.because(panics.join("\n")), ..verdict }
        }
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
    let findings = Findings::judged_by((case, ledger), &bound.checks, &trace, &bound.plan);
    Ok(findings.verdict(trace, stall))
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
    let suite_error = |why: String| Verdict::of(OutcomeWord::SuiteError.because(why));
    let misfit = |step: usize, why: &str| suite_error(case.at_step(step, why));
    let BoundCase { plan, actions, checks, starts, watched_paths, .. } = bound;
    let _files = match files_for(actions.iter().map(|(_, action)| action)).await {
        Ok(files) => files,
        Err(why) => return Verdict::of(OutcomeWord::CouldNotRun.because(why)),
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
        return Verdict::of(OutcomeWord::NotRun.because("the run ended before"));
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
        let verdict = Verdict::of(OutcomeWord::CouldNotRun.because(why));
        return Verdict { start_failure, ..verdict };
    }
    let mut findings = Findings::judged_by((case, ledger), checks, &trace, plan);
    // A router that died explains everything after it.
    match interruption.filter(|_| deaths.is_empty()) {
        Some(why) => findings.add_interruption(&why),
        None => findings.add_deaths(deaths),
    }
    let stall = machine::worst_since(began);
    let verdict = Verdict { logs, ..findings.verdict(Arc::new(trace), stall) };
    match trouble {
        Some(why) if matches!(verdict.outcome.word, OutcomeWord::Failed | OutcomeWord::Warned) => {
            Verdict { outcome: OutcomeWord::SuiteError.because(why), ..verdict }
        }
        _ => verdict,
    }
}

/// The verdict of a case that the end of the run left without one.
fn not_run(reason: StopReason) -> Verdict {
    Verdict::of(OutcomeWord::NotRun.because(format!("the run ended before: {reason}")))
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
        StageError::Suite(why) => return Verdict::of(OutcomeWord::SuiteError.because(why)),
        StageError::NotAsked(why) => return Verdict::of(OutcomeWord::NotAsked.because(why)),
        StageError::Unfit(why) => return Verdict::of(OutcomeWord::CouldNotRun.because(why)),
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
        RouterError::Suite(_) => return Verdict::of(OutcomeWord::SuiteError.because(message)),
        RouterError::ProtocolNotFollowed(protocol) => {
            let why = format!("the router does not follow the {} protocol", protocol.as_str());
            return Verdict::of(OutcomeWord::NotApplicable.because(why));
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
            let finding = Finding::new(requirement, message, ledger);
            let stall = machine::worst_since(began).max(kept_back);
            Verdict::weigh(vec![(finding, rests_on)], stall)
        }
        None if is_violation => Verdict::of(OutcomeWord::SuiteError.because(message)),
        None => Verdict::of(OutcomeWord::CouldNotRun.because(message)),
    };
    Verdict { start_failure: Some(failure), ..verdict }
}
