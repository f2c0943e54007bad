//! Runners: who is known where, who gets a job, and when it is given back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use axum::body::{Body, to_bytes};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use cell_fleet::inside::runners::{JOB, RUNNER, forbidden, given};
use cell_fleet::inside::{
    Asked, Call, Cell, Endpoint, Owner, PageResult, Parts, RouteDecision, RowPage, RunnerCall,
    StoreError, Viewer, token::new_token,
};
use cell_fleet::store::{RunnerScope, Tables};
use cell_fleet::{CellId, FleetPlan};

use crate::mutant::mutants;
use crate::stores::{Stored, leases, queue};
use crate::ways::{Decides, Planned};

mutants! {
    JobsQueuedOnTheirCell: Both, "RU-01",
        "runners are shared, and each cell keeps the queue of its jobs to itself"
            => Polls(Poll::OwnJobs);
    RunnersKnownWhereRegistered: Both, "RU-01",
        "the queue is shared, and the cell that registered a runner alone knows it"
            => KnownWhereRegistered::default();
    GroupRunnersLeftOut: Both, "RU-02",
        "runners of groups and projects are not shared although the plan says so"
            => Planned(without_groups);
    GroupRunnersTakeAnyJob: Both, "RU-02", "a runner of a group gets jobs of other groups"
            => Polls(Poll::AnyJob);
    RunnersTakeJobsOfOtherCells: Both, "RU-03",
        "a runner gets jobs of cells where it is not registered, where its own has none"
            => Polls(Poll::OtherCells);
    QueueReadBeforeItIsLocked: Both, "RU-05",
        "a cell looks for a job, and takes what it saw without looking again"
            => Stored::Databases(queue::read_before_it_is_locked);
    LeasesNotKept: Both, "RU-05", "a job that a runner has is given to the next one that asks"
            => Stored::Leases(|| Arc::new(leases::NotKept));
    LeasesNeverEnd: Both, "RU-06", "the job of a runner that died is never given to another"
            => Stored::Leases(|| Arc::new(leases::NeverEnding));
    LateReportsCount: Both, "RU-06",
        "a runner ends a job that another one has since its lease ended"
            => Stored::Leases(|| Arc::new(leases::Lenient));
    RunnerPathsOnTheLegacyCell: Both, "RU-07",
        "what is below the path prefix of any cell belongs to Cell US0"
            => Decides(on_the_legacy_cell);
    RunnerTokensNotRead: Buffering, "RU-07",
        "the asked cell responds to a runner, whatever cell its token names"
            => Decides(wherever_it_came);
}

fn without_groups(plan: &mut FleetPlan) {
    plan.runner_plan.group_and_project = false;
}

fn on_the_legacy_cell(
    cell: &Cell,
    asked: &Asked,
    _: Option<&Viewer>,
    decision: &mut RouteDecision,
) {
    if asked.endpoint == Endpoint::RunnersOfCell && decision.owner != Owner::Missing {
        decision.owner = Owner::Node(cell.installation.latest().clone());
    }
}

fn wherever_it_came(_: &Cell, asked: &Asked, _: Option<&Viewer>, decision: &mut RouteDecision) {
    if let Endpoint::Runners(RunnerCall::Request | RunnerCall::Report) = asked.endpoint {
        decision.owner = Owner::Any;
    }
}

/// What goes wrong where a runner asks for a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Poll {
    /// It gets any job, whatever its scope is.
    AnyJob,
    /// It gets the jobs of the other cells, where its own has none.
    OtherCells,
    /// It gets those jobs alone whose projects are on the asked cell, though all share a queue.
    OwnJobs,
    /// It gets jobs of organizations that are frozen.
    Frozen,
}

#[derive(Debug)]
struct Polls(Poll);

#[async_trait]
impl Parts for Polls {
    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        if is_poll(&call) { poll(&call, self.0).await } else { Ok(page.run(call).await) }
    }
}

/// Whether a runner asks for a job.
pub(super) fn is_poll(call: &Call) -> bool {
    call.asked.path.ends_with("/api/v4/jobs/request")
}

/// What a correct cell responds to a runner that asks for a job, but for one thing.
pub(super) async fn poll(call: &Call, wrong: Poll) -> PageResult {
    let (cell, form) = (&call.cell, call.visit.form());
    let token = form.filled("token").unwrap_or_default();
    let Some(mut runner) = cell.runner(token).await? else {
        return Ok(forbidden(&cell.where_to(token, RUNNER)));
    };
    if wrong == Poll::AnyJob {
        runner.scope = RunnerScope::Instance;
    }
    let role = cell.role();
    let queue = cell.installation.queue_of(&role);
    let (_begun, frozen) = cell.installation.gates.acquire_all(&role);
    let mut except = match &queue {
        Tables::Of(_) if wrong != Poll::Frozen => cell.projects_of(&frozen).await?,
        _ => BTreeSet::new(),
    };
    if wrong == Poll::OwnJobs {
        except.extend(projects_elsewhere(cell, &role).await?);
    }
    let others = cell.installation.plan.topology.cells.iter().filter(|other| **other != role);
    let others = others.filter(|_| wrong == Poll::OtherCells).cloned().map(Tables::Of);
    let token = format!("{JOB}-{}{}", cell.part(&queue), new_token());
    for queue in std::iter::once(queue).chain(others) {
        let taken = cell.runners(&queue).take(&runner, &except, token.clone()).await?;
        if let Some(job) = taken {
            return Ok(given(cell, &queue, &job, &token));
        }
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// The paths of the projects on all other cells.
async fn projects_elsewhere(cell: &Cell, role: &CellId) -> Result<Vec<String>, StoreError> {
    let mut paths = Vec::new();
    for other in cell.installation.plan.topology.cells.iter().filter(|other| *other != role) {
        let projects = cell.installation.stores.own.projects(other).await?;
        paths.extend(projects.into_iter().map(|project| project.path));
    }
    Ok(paths)
}

/// Which cell registered each runner, by its token.
#[derive(Debug, Default)]
struct KnownWhereRegistered(Mutex<BTreeMap<String, CellId>>);

#[async_trait]
impl Parts for KnownWhereRegistered {
    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if is_poll(&call) {
            let token = call.visit.form().filled("token").unwrap_or_default().to_owned();
            let is_known = lock().get(&token).is_none_or(|cell| *cell == call.cell.node);
            if !is_known {
                return Ok(forbidden("the token is unknown, or its lease has ended"));
            }
        }
        let registers = call.asked.path.ends_with("/api/v4/runners");
        let node = call.cell.node.clone();
        let (head, body) = page.run(call).await.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
        if registers && let Some(token) = token_in(&body) {
            lock().insert(token, node);
        }
        Ok(Response::from_parts(head, Body::from(body)))
    }
}

/// The token in a response to a runner that was registered.
fn token_in(body: &[u8]) -> Option<String> {
    let body: serde_json::Value = serde_json::from_slice(body).ok()?;
    Some(body.get("token")?.as_str()?.to_owned())
}
