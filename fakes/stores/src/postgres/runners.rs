//! Runners and the queue of jobs on PostgreSQL: in `gitlab_runners`, which all cells share, and in
//! the `gitlab_ci` of each cell.

use std::time::Duration;

use async_trait::async_trait;
use cell_fleet::store::{Job, JobState, Lease, Runner, RunnerScope, RunnerTables, Tables};
use cell_fleet::{Id, Stored};
use tokio_postgres::types::ToSql;

use super::Both;
use super::kind::Kind;
use super::link::Link;
use super::rows::{Columns, bigint};

impl Both {
    /// The database that has these tables.
    fn link(&self, tables: &Tables) -> Stored<&Link> {
        match tables {
            Tables::Shared => self.shared.primary(Kind::Runners),
            Tables::Of(cell) => self.own.ci(cell),
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
    fn runner(&self) -> Stored<Runner> {
        let (kind, path): (String, String) = (self.get("scope_type")?, self.get("scope_path")?);
        let scope = match kind.as_str() {
            "instance" => RunnerScope::Instance,
            "group" => RunnerScope::Group(path),
            _ => RunnerScope::Project(path),
        };
        Ok(Runner { id: self.unsigned("id")?, token: self.get("token")?, scope })
    }

    fn job(&self) -> Stored<Job> {
        Ok(Job {
            id: self.unsigned("id")?,
            project: self.get("project_path")?,
            project_id: self.parsed("project_id")?,
        })
    }

    fn job_state(&self) -> Stored<JobState> {
        Ok(match self.get::<String>("status")?.as_str() {
            "given" => JobState::Given(Lease {
                runner: self.unsigned("runner_id")?,
                token: self.get("token")?,
                until: Duration::from_millis(self.unsigned("leased_until")?),
            }),
            "done" => JobState::Done,
            _ => JobState::Pending,
        })
    }
}

/// The columns of a job's state.
struct StateColumns<'s> {
    status: &'static str,
    runner: Option<i64>,
    token: Option<&'s str>,
    until: Option<i64>,
}

impl<'s> StateColumns<'s> {
    fn of(state: &'s JobState) -> Self {
        let without_lease = |status| Self { status, runner: None, token: None, until: None };
        match state {
            JobState::Pending => without_lease("pending"),
            JobState::Done => without_lease("done"),
            JobState::Given(lease) => Self {
                status: "given",
                runner: Some(bigint(lease.runner)),
                token: Some(&lease.token),
                until: Some(millis(lease.until)),
            },
        }
    }

    fn values(&self) -> [&(dyn ToSql + Sync); 4] {
        [&self.status, &self.runner, &self.token, &self.until]
    }
}

#[async_trait]
impl RunnerTables for Both {
    async fn add_runner(
        &self,
        tables: &Tables,
        token: String,
        scope: RunnerScope,
    ) -> Stored<Runner> {
        let (kind, path) = scope_columns(&scope);
        let sql = "INSERT INTO ci_runners (token, scope_type, scope_path) VALUES ($1, $2, $3) \
                   RETURNING *";
        self.link(tables)?.one(sql, &[&token, &kind, &path], |columns| columns.runner()).await
    }

    async fn runner(&self, tables: &Tables, token: &str) -> Stored<Option<Runner>> {
        let sql = "SELECT * FROM ci_runners WHERE token = $1";
        self.link(tables)?.first(sql, &[&token], |columns| columns.runner()).await
    }

    async fn add_job(&self, tables: &Tables, project: String, project_id: Id) -> Stored<Job> {
        let sql = "INSERT INTO ci_pending_builds (project_path, project_id) VALUES ($1, $2) \
                   RETURNING *";
        let project_id = project_id.to_string();
        self.link(tables)?.one(sql, &[&project, &project_id], |columns| columns.job()).await
    }

    async fn jobs(&self, tables: &Tables) -> Stored<Vec<(Job, JobState)>> {
        let sql = "SELECT * FROM ci_pending_builds WHERE status <> 'done' ORDER BY id";
        let link = self.link(tables)?;
        link.all(sql, &[], |columns| Ok((columns.job()?, columns.job_state()?))).await
    }

    async fn change(
        &self,
        tables: &Tables,
        job: u64,
        seen: &JobState,
        to: JobState,
    ) -> Stored<bool> {
        // Of writers that saw the same, the first locks the row, and the others look again.
        let sql = "UPDATE ci_pending_builds \
                   SET status = $2, runner_id = $3, token = $4, leased_until = $5 \
                   WHERE id = $1 AND status = $6 AND runner_id IS NOT DISTINCT FROM $7 \
                   AND token IS NOT DISTINCT FROM $8 AND leased_until IS NOT DISTINCT FROM $9";
        let (seen, to) = (StateColumns::of(seen), StateColumns::of(&to));
        let (new, old) = (to.values(), seen.values());
        let job = bigint(job);
        let values: Vec<_> =
            [&job as &(dyn ToSql + Sync)].into_iter().chain(new).chain(old).collect();
        Ok(self.link(tables)?.execute(sql, &values).await? > 0)
    }

    async fn remove_jobs(&self, tables: &Tables, projects: &[Id]) -> Stored<()> {
        let ids: Vec<_> = projects.iter().map(Id::to_string).collect();
        let sql = "DELETE FROM ci_pending_builds WHERE project_id = ANY ($1)";
        self.link(tables)?.execute(sql, &[&ids]).await.map(drop)
    }
}
