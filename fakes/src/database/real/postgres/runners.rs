//! Runners and the queue of jobs on PostgreSQL: in `gitlab_runners`, which all cells share, and in
//! the `gitlab_ci` of each cell. A runner that asks locks the job that it gets, and passes over
//! those that others have locked.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio_postgres::{Error, Row};

use super::link::Link;
use super::migrations::Kind;
use super::own::PostgresOwn;
use super::rows::{Columns, bigint};
use super::shared::PostgresShared;
use crate::mutants::Mutation;
use crate::rows::{Id, Job, Lease, Runner, RunnerScope, StoreError, Tables, Taken};
use crate::runners::{LOOKING, RunnerTables};

/// The runners and jobs of one installation.
#[derive(Debug)]
pub(super) struct PostgresRunners {
    shared: Arc<PostgresShared>,
    own: Arc<PostgresOwn>,
    mistake: Option<Mutation>,
}

impl PostgresRunners {
    pub(super) fn new(
        shared: Arc<PostgresShared>,
        own: Arc<PostgresOwn>,
        mistake: Option<Mutation>,
    ) -> Self {
        Self { shared, own, mistake }
    }

    fn has(&self, mistake: Mutation) -> bool {
        self.mistake == Some(mistake)
    }

    /// The database that has these tables.
    fn link(&self, tables: &Tables) -> Result<&Link, StoreError> {
        match tables {
            Tables::Shared => self.shared.primary(Kind::Runners),
            Tables::Of(cell) => self.own.ci(cell),
        }
    }

    /// The time up to which a lease must have ended for its job to be free.
    fn free_until(&self, now: Duration) -> i64 {
        if self.has(Mutation::LeasesNotKept) {
            i64::MAX
        } else if self.has(Mutation::LeasesNeverEnd) {
            -1
        } else {
            millis(now)
        }
    }
}

/// A time as a column has it.
fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// The columns `scope_type` and `scope_path`.
fn scope_columns(scope: &RunnerScope) -> (&'static str, &str) {
    match scope {
        RunnerScope::Instance => ("instance", ""),
        RunnerScope::Group(path) => ("group", path),
        RunnerScope::Project(path) => ("project", path),
    }
}

impl Columns<'_> {
    fn runner(&self) -> Result<Runner, StoreError> {
        let (kind, path): (String, String) = (self.get("scope_type")?, self.get("scope_path")?);
        let scope = match kind.as_str() {
            "instance" => RunnerScope::Instance,
            "group" => RunnerScope::Group(path),
            _ => RunnerScope::Project(path),
        };
        Ok(Runner { id: self.unsigned("id")?, token: self.get("token")?, scope })
    }

    fn job(&self) -> Result<Job, StoreError> {
        Ok(Job {
            id: self.unsigned("id")?,
            project: self.get("project_path")?,
            project_id: self.parsed("project_id")?,
        })
    }
}

/// Projects as a column has them.
fn ids(projects: &[Id]) -> Vec<String> {
    projects.iter().map(Id::to_string).collect()
}

/// The first job that is free for a runner.
const FREE: &str = "SELECT id, project_path, project_id, status, runner_id \
    FROM ci_pending_builds \
    WHERE (status = 'pending' OR status = 'given' AND leased_until <= $1) \
    AND project_path <> ALL ($2) \
    AND ($3 = 'instance' OR $3 = 'project' AND project_path = $4 \
         OR $3 = 'group' AND starts_with(project_path, $4 || '/')) \
    ORDER BY id LIMIT 1";

#[async_trait]
impl RunnerTables for PostgresRunners {
    async fn add_runner(
        &self,
        tables: &Tables,
        token: String,
        scope: RunnerScope,
    ) -> Result<Runner, StoreError> {
        let link = self.link(tables)?;
        let (kind, path) = scope_columns(&scope);
        let sql = "INSERT INTO ci_runners (token, scope_type, scope_path) VALUES ($1, $2, $3) \
                   RETURNING *";
        let row = link.get().await?.query_one(sql, &[&token, &kind, &path]).await;
        Columns { row: &row.map_err(|error| link.failed(&error))?, link }.runner()
    }

    async fn runner(&self, tables: &Tables, token: &str) -> Result<Option<Runner>, StoreError> {
        let link = self.link(tables)?;
        let sql = "SELECT * FROM ci_runners WHERE token = $1";
        let row = link.get().await?.query_opt(sql, &[&token]).await;
        let row = row.map_err(|error| link.failed(&error))?;
        row.map(|row| Columns { row: &row, link }.runner()).transpose()
    }

    async fn add_job(
        &self,
        tables: &Tables,
        project: String,
        project_id: Id,
    ) -> Result<Job, StoreError> {
        let link = self.link(tables)?;
        let sql = "INSERT INTO ci_pending_builds (project_path, project_id) VALUES ($1, $2) \
                   RETURNING *";
        let row = link.get().await?.query_one(sql, &[&project, &project_id.to_string()]).await;
        Columns { row: &row.map_err(|error| link.failed(&error))?, link }.job()
    }

    async fn take(
        &self,
        tables: &Tables,
        scope: &RunnerScope,
        except: &BTreeSet<String>,
        now: Duration,
        lease: Lease,
    ) -> Result<Option<Taken>, StoreError> {
        let link = self.link(tables)?;
        let failed = |error| link.failed(&error);
        let looks_first = self.has(Mutation::QueueReadBeforeItIsLocked);
        let lock = if looks_first { "" } else { "FOR UPDATE SKIP LOCKED" };
        let sql = format!("{FREE} {lock}");
        let (free_until, except) = (self.free_until(now), except.iter().collect::<Vec<_>>());
        let (kind, path) = scope_columns(scope);
        let mut client = link.get().await?;
        let transaction = client.transaction().await.map_err(failed)?;
        let free = transaction.query_opt(&sql, &[&free_until, &except, &kind, &path]).await;
        let Some(row) = free.map_err(failed)? else { return Ok(None) };
        if looks_first {
            tokio::time::sleep(LOOKING).await;
        }
        let columns = Columns { row: &row, link };
        let (job, status) = (columns.job()?, columns.get::<String>("status")?);
        let before = if status == "given" { Some(columns.unsigned("runner_id")?) } else { None };
        let sql = "UPDATE ci_pending_builds SET status = 'given', runner_id = $2, token = $3, \
                   leased_until = $4 WHERE id = $1";
        let (runner, until) = (bigint(lease.runner), millis(lease.until));
        let given =
            transaction.execute(sql, &[&bigint(job.id), &runner, &lease.token, &until]).await;
        given.map_err(failed)?;
        transaction.commit().await.map_err(failed)?;
        Ok(Some(Taken { job, before }))
    }

    async fn renew(
        &self,
        tables: &Tables,
        job: u64,
        token: &str,
        now: Duration,
        until: Duration,
    ) -> Result<bool, StoreError> {
        let link = self.link(tables)?;
        let sql = "UPDATE ci_pending_builds SET leased_until = $4 \
                   WHERE id = $1 AND status = 'given' AND token = $2 AND leased_until > $3";
        let (job, now, until) = (bigint(job), millis(now), millis(until));
        let renewed = link.get().await?.execute(sql, &[&job, &token, &now, &until]).await;
        Ok(renewed.map_err(|error| link.failed(&error))? > 0)
    }

    async fn finish(
        &self,
        tables: &Tables,
        job: u64,
        token: &str,
        now: Duration,
    ) -> Result<bool, StoreError> {
        let link = self.link(tables)?;
        let sql = "UPDATE ci_pending_builds SET status = 'done' WHERE id = $1 \
                   AND status = 'given' AND ($4 OR token = $2 AND leased_until > $3)";
        let is_lenient = self.has(Mutation::LateReportsCount);
        let (job, now) = (bigint(job), millis(now));
        let done = link.get().await?.execute(sql, &[&job, &token, &now, &is_lenient]).await;
        Ok(done.map_err(|error| link.failed(&error))? > 0)
    }

    async fn give_back(
        &self,
        tables: &Tables,
        projects: &[Id],
    ) -> Result<Vec<(u64, u64)>, StoreError> {
        let link = self.link(tables)?;
        let failed = |error: Error| link.failed(&error);
        let mut client = link.get().await?;
        let transaction = client.transaction().await.map_err(failed)?;
        let sql = "SELECT id, runner_id FROM ci_pending_builds \
                   WHERE project_id = ANY ($1) AND status = 'given' ORDER BY id FOR UPDATE";
        let given = transaction.query(sql, &[&ids(projects)]).await.map_err(failed)?;
        let returned = |row: &Row| {
            let columns = Columns { row, link };
            Ok((columns.unsigned("id")?, columns.unsigned("runner_id")?))
        };
        let returned = given.iter().map(returned).collect::<Result<Vec<_>, StoreError>>()?;
        let jobs: Vec<_> = returned.iter().map(|(job, _)| bigint(*job)).collect();
        let sql = "UPDATE ci_pending_builds SET status = 'pending', runner_id = NULL, \
                   token = NULL, leased_until = NULL WHERE id = ANY ($1)";
        transaction.execute(sql, &[&jobs]).await.map_err(failed)?;
        transaction.commit().await.map_err(failed)?;
        Ok(returned)
    }

    async fn unfinished(&self, tables: &Tables, projects: &[Id]) -> Result<Vec<Job>, StoreError> {
        let link = self.link(tables)?;
        let sql = "SELECT * FROM ci_pending_builds WHERE project_id = ANY ($1) \
                   AND (status = 'pending' OR status = 'given' AND NOT $2) ORDER BY id";
        let lost = self.has(Mutation::LeasedJobsLost);
        let rows = link.get().await?.query(sql, &[&ids(projects), &lost]).await;
        let rows = rows.map_err(|error| link.failed(&error))?;
        rows.iter().map(|row| Columns { row, link }.job()).collect()
    }

    async fn remove_jobs(&self, tables: &Tables, projects: &[Id]) -> Result<(), StoreError> {
        let link = self.link(tables)?;
        let sql = "DELETE FROM ci_pending_builds WHERE project_id = ANY ($1)";
        let removed = link.get().await?.execute(sql, &[&ids(projects)]).await;
        removed.map(drop).map_err(|error| link.failed(&error))
    }
}
