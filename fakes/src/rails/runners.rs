//! What runners ask: to be registered, for a job, and to report about one.
//!
//! Where a cell has the tables by itself, these requests have to reach it. Each token that it gives
//! names it, which is enough in the buffering protocol, where a cell reads the body; and it
//! announces its own path prefix, by which a router reaches it in both protocols.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::call::Call;
use super::cell::Cell;
use super::decision::{Owner, RouteDecision};
use super::endpoint::RunnerCall;
use super::installation::Installation;
use super::request::{Form, Visit};
use super::response::{self, PageResult, refused};
use super::sign_in::token::new_token;
use crate::CellId;
use crate::database::{ProjectReference, Route, Stored};
use crate::plan::RunnerModel;
use crate::runners::{Job, Runner, RunnerScope, RunnersOf, Tables};

/// Begins the token by which runners are registered; the slug of a cell follows.
const REGISTRATION: &str = "glrr";
/// Begins the token of a runner.
pub const RUNNER: &str = "glrt";
/// Begins the token of a job.
pub const JOB: &str = "glcbt";

/// `POST /api/v4/runners`: to be registered.
pub(super) async fn register(Call { cell, .. }: Call, form: Form) -> PageResult {
    let Some(by) = form.filled("token").and_then(|token| cell.cell_named(token, REGISTRATION))
    else {
        return Ok(forbidden("the token registers no runner"));
    };
    let Some((scope, home)) = cell.scope_of(&form).await? else {
        return Ok(refused("There is no such group or project."));
    };
    let tables = cell.tables_of(&scope);
    if let Tables::Of(role) = &tables {
        let home = home.unwrap_or_else(|| cell.installation.casting.role_of(&by));
        if home != *role {
            let node = cell.installation.casting.node_of(&home);
            return Ok(refused(&format!("Register this runner at {}.", prefix(&node))));
        }
    }
    let token = format!("{RUNNER}-{}{}", cell.part(&tables), new_token());
    let runner = cell.runners(&tables).register(token, scope).await?;
    let body = json!({ "id": runner.id, "token": runner.token, "url": cell.url(&tables) });
    Ok(response::json(StatusCode::CREATED, &body))
}

/// `POST /api/v4/jobs/request`: a job.
pub(super) async fn request(Call { cell, .. }: Call, form: Form) -> PageResult {
    let token = form.filled("token").unwrap_or_default();
    let Some(runner) = cell.runner(token).await? else {
        return Ok(forbidden(&cell.where_to(token, RUNNER)));
    };
    let role = cell.role();
    let queue = cell.installation.queue_of(&role);
    let token = format!("{JOB}-{}{}", cell.part(&queue), new_token());
    // A poll that has begun ends before a freeze is done, and one that begins later passes over the
    // jobs of the organization.
    let (_begun, frozen) = cell.installation.gates.acquire_all(&role);
    let except = match &queue {
        Tables::Of(_) => cell.projects_of(&frozen).await?,
        Tables::Shared => BTreeSet::new(),
    };
    let taken = cell.runners(&queue).take(&runner, &except, token.clone()).await?;
    let Some(job) = taken else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    Ok(given(&cell, &queue, &job, &token))
}

/// The response that gives a job of these tables to a runner.
pub fn given(cell: &Cell, queue: &Tables, job: &Job, token: &str) -> Response {
    let body = json!({
        "id": job.id,
        "token": token,
        "url": cell.url(queue),
        "lease_seconds": cell.installation.plan.runner_plan.lease.as_secs(),
        "job_info": { "project_id": job.project_id, "project_name": job.project },
    });
    response::json(StatusCode::CREATED, &body)
}

/// `PUT /api/v4/jobs/<id>`: about a job.
pub(super) async fn report(call: Call, form: Form) -> PageResult {
    let cell = &call.cell;
    let Some(job) = call.asked.job() else { return Ok(call.not_found()) };
    let token = form.filled("token").unwrap_or_default();
    let queue = cell.installation.queue_of(&cell.role());
    let jobs = cell.runners(&queue);
    let state = form.filled("state").unwrap_or_default();
    let is_held = match state {
        "running" => jobs.renew(job, token).await?,
        "success" | "failed" => jobs.finish(job, token).await?,
        _ => return Ok(refused("Give `state` as running, success or failed.")),
    };
    if !is_held {
        return Ok(forbidden(&cell.where_to(token, JOB)));
    }
    Ok(response::json(StatusCode::OK, &json!({ "id": job, "status": state })))
}

/// The path prefix of a cell that has its own tables.
fn prefix(node: &CellId) -> String {
    format!("/-/cells/{}", node.slug())
}

/// The response to a token that is not accepted here.
pub fn forbidden(why: &str) -> Response {
    response::json(StatusCode::FORBIDDEN, &json!({ "message": format!("403 Forbidden: {why}") }))
}

impl Installation {
    /// The tables with the jobs of the projects on a cell, named by its role.
    pub fn queue_of(&self, role: &CellId) -> Tables {
        let is_shared = self.plan.runner_plan.model == RunnerModel::Shared;
        if is_shared { Tables::Shared } else { Tables::Of(role.clone()) }
    }
}

impl Cell {
    /// These tables, as this cell uses them.
    pub fn runners<'c>(&'c self, tables: &'c Tables) -> RunnersOf<'c> {
        self.installation.runners.of(&self.node, tables)
    }

    /// The owner of a runner's request in the buffering protocol, where the body counts too.
    pub(super) async fn owner_of_runner(&self, asked: RunnerCall, visit: &Visit) -> Stored<Owner> {
        let form = visit.form();
        let kind = match asked {
            RunnerCall::Register => REGISTRATION,
            RunnerCall::Request => RUNNER,
            RunnerCall::Report => JOB,
        };
        let named = form.filled("token").and_then(|token| self.cell_named(token, kind));
        if asked == RunnerCall::Register {
            let Some((scope, home)) = self.scope_of(&form).await? else { return Ok(Owner::Any) };
            return Ok(match (self.is_shared(&scope), home) {
                (true, _) => Owner::Any,
                (false, Some(home)) => Owner::Role(home),
                (false, None) => named.map_or(Owner::Any, Owner::Node),
            });
        }
        Ok(named.map_or(Owner::Any, Owner::Node))
    }

    /// The paths of the projects that organizations have on this cell.
    pub async fn projects_of(&self, organizations: &[String]) -> Stored<BTreeSet<String>> {
        let mut paths = BTreeSet::new();
        for slug in organizations {
            let rows = self.installation.organization_rows(&self.role(), slug).await?;
            paths.extend(rows.projects.into_iter().map(|(project, _)| project.path));
        }
        Ok(paths)
    }

    /// The route decision for what is below the prefix of a cell.
    pub(super) fn decide_runners_cell(&self, spelling: &str) -> RouteDecision {
        let Some(cell) = self.spelled(spelling) else { return RouteDecision::of(Owner::Missing) };
        RouteDecision::of(Owner::Node(cell)).prefix(&format!("/-/cells/{spelling}"), "fixed")
    }

    /// The cell that a token of this kind names: `glrt-celleu0-...` names EU0.
    fn cell_named(&self, token: &str, kind: &str) -> Option<CellId> {
        let rest = token.strip_prefix(kind)?.strip_prefix('-')?;
        self.spelled(rest.split_once('-').map_or(rest, |(slug, _)| slug))
    }

    /// Whether the runners of a scope are known to all cells.
    fn is_shared(&self, scope: &RunnerScope) -> bool {
        let plan = &self.installation.plan.runner_plan;
        plan.model == RunnerModel::Shared
            && (plan.group_and_project || *scope == RunnerScope::Instance)
    }

    fn tables_of(&self, scope: &RunnerScope) -> Tables {
        if self.is_shared(scope) { Tables::Shared } else { Tables::Of(self.role()) }
    }

    /// How the token of a runner names its cell: not at all, or by its slug.
    pub fn part(&self, tables: &Tables) -> String {
        match tables {
            Tables::Shared => String::new(),
            Tables::Of(_) => format!("{}-", self.node.slug()),
        }
    }

    /// The prefix below which a runner speaks of what is in these tables.
    pub fn url(&self, tables: &Tables) -> String {
        match tables {
            Tables::Shared => String::new(),
            Tables::Of(_) => prefix(&self.node),
        }
    }

    /// The runner with a token, if this cell knows it.
    pub async fn runner(&self, token: &str) -> Stored<Option<Runner>> {
        let tables = match self.cell_named(token, RUNNER) {
            None => Tables::Shared,
            Some(cell) if cell == self.node => Tables::Of(self.role()),
            Some(_) => return Ok(None),
        };
        self.runners(&tables).runner(token).await
    }

    /// Why a token is refused, and where it may be accepted.
    pub fn where_to(&self, token: &str, kind: &str) -> String {
        match self.cell_named(token, kind).filter(|cell| *cell != self.node) {
            Some(cell) => format!("use this token below {}", prefix(&cell)),
            None => "the token is unknown, or its lease has ended".to_owned(),
        }
    }

    /// The scope of a runner that is to be registered, and the cell of its group or project by its
    /// role; `None` where there is no such group or project.
    async fn scope_of(&self, form: &Form) -> Stored<Option<(RunnerScope, Option<CellId>)>> {
        let (route, scope): (_, fn(String) -> RunnerScope) =
            match (form.filled("group_id"), form.filled("project_id")) {
                (None, None) => return Ok(Some((RunnerScope::Instance, None))),
                (Some(group), _) => (self.namespace_named(group).await?, RunnerScope::Group),
                (None, Some(project)) => {
                    let reference = match project.parse() {
                        Ok(id) => ProjectReference::Id(id),
                        Err(_) => ProjectReference::Path(project.to_owned()),
                    };
                    (self.database.project_route(&reference).await?, RunnerScope::Project)
                }
            };
        let named =
            |route: Route| (scope(route.path.trim_start_matches('/').to_owned()), Some(route.cell));
        Ok(route.map(named))
    }
}
