//! The journal's record of runners and jobs.

use std::sync::Arc;
use std::time::Duration;

use super::tables::{Job, Lease, Runner, RunnerScope, RunnerTables, Tables};
use crate::clock::FleetClock;
use crate::database::{Position, StoreError};
use crate::ids::Id;
use crate::journal::{DatabaseAccess, Event, JobEvent, JobStep, Journal, StoreFailure};
use crate::{CellId, Region};

const RUNNERS: &str = "ci_runners";
const JOBS: &str = "ci_pending_builds";

/// Tables of runners and jobs whose accesses and events stand in the journal.
#[derive(Clone, Debug)]
pub(crate) struct JournaledRunners {
    pub(crate) tables: Arc<dyn RunnerTables>,
    pub(crate) clock: Arc<FleetClock>,
    pub(crate) journal: Arc<Journal>,
    /// The region of the shared tables' primary.
    pub(crate) primary_region: Region,
    /// How long an access to it takes from another region, at least (RG-04).
    pub(crate) distance: Duration,
    /// How long a lease lasts.
    pub(crate) lease: Duration,
}

impl JournaledRunners {
    /// Adds a runner, for the cell that the topology names `node`.
    pub(crate) async fn register(
        &self,
        node: &CellId,
        tables: &Tables,
        token: String,
        scope: RunnerScope,
    ) -> Result<Runner, StoreError> {
        let access = self.access(node, tables, RUNNERS, true);
        self.under_way(access.under_way).await;
        let added = self.tables.add_runner(tables, token, scope).await;
        self.entered(access, added)
    }

    /// The runner with a token.
    pub(crate) async fn runner(
        &self,
        node: &CellId,
        tables: &Tables,
        token: &str,
    ) -> Result<Option<Runner>, StoreError> {
        let access = self.access(node, tables, RUNNERS, false);
        let found = self.tables.runner(tables, token).await;
        self.entered(access, found)
    }

    /// Adds a job to the queue.
    pub(crate) async fn queue(
        &self,
        node: &CellId,
        tables: &Tables,
        project: String,
        project_id: Id,
    ) -> Result<Job, StoreError> {
        let access = self.access(node, tables, JOBS, true);
        self.under_way(access.under_way).await;
        let added = self.tables.add_job(tables, project, project_id).await;
        let job = self.entered(access, added)?;
        self.step(node, tables, job.id, JobStep::Queued);
        Ok(job)
    }

    /// Gives a job of these tables to a runner, for the length of a lease. A poll is a write, since
    /// of two runners that ask at once one alone gets the job.
    pub(crate) async fn take(
        &self,
        node: &CellId,
        tables: &Tables,
        runner: &Runner,
        token: String,
    ) -> Result<Option<Job>, StoreError> {
        let access = self.access(node, tables, JOBS, true);
        self.under_way(access.under_way).await;
        let now = self.clock.now();
        let until = now.saturating_add(self.lease);
        let lease = Lease { runner: runner.id, token, until };
        let taken = self.tables.take(tables, &runner.scope, now, lease).await;
        let Some(taken) = self.entered(access, taken)? else { return Ok(None) };
        if let Some(before) = taken.before {
            self.step(node, tables, taken.job.id, JobStep::Returned { runner: before });
        }
        self.step(node, tables, taken.job.id, JobStep::Given { runner: runner.id, until });
        Ok(Some(taken.job))
    }

    /// Lets the lease of a job begin anew.
    pub(crate) async fn renew(
        &self,
        node: &CellId,
        tables: &Tables,
        job: u64,
        token: &str,
    ) -> Result<bool, StoreError> {
        let access = self.access(node, tables, JOBS, true);
        self.under_way(access.under_way).await;
        let now = self.clock.now();
        let until = now.saturating_add(self.lease);
        let renewed = self.tables.renew(tables, job, token, now, until).await;
        let renewed = self.entered(access, renewed)?;
        if renewed {
            self.step(node, tables, job, JobStep::Renewed { until });
        }
        Ok(renewed)
    }

    /// Ends a job.
    pub(crate) async fn finish(
        &self,
        node: &CellId,
        tables: &Tables,
        job: u64,
        token: &str,
    ) -> Result<bool, StoreError> {
        let access = self.access(node, tables, JOBS, true);
        self.under_way(access.under_way).await;
        let finished = self.tables.finish(tables, job, token, self.clock.now()).await;
        let finished = self.entered(access, finished)?;
        if finished {
            self.step(node, tables, job, JobStep::Done);
        }
        Ok(finished)
    }

    /// The access to a table, not yet entered.
    fn access(
        &self,
        node: &CellId,
        tables: &Tables,
        table: &'static str,
        write: bool,
    ) -> DatabaseAccess {
        let is_far = *tables == Tables::Shared && *node.region() != self.primary_region;
        let server = match tables {
            // A queue has to be read where it is written, so nothing of it is read from replicas.
            Tables::Shared => format!("primary {}", self.primary_region),
            Tables::Of(_) => format!("own {node}"),
        };
        DatabaseAccess {
            cell: node.clone(),
            schema: tables.schema(),
            table,
            write,
            server,
            position: Position::default(),
            under_way: if is_far && write { self.distance } else { Duration::ZERO },
        }
    }

    async fn under_way(&self, distance: Duration) {
        if !distance.is_zero() {
            tokio::time::sleep(distance).await;
        }
    }

    /// Enters an access, or its failure, and returns its result.
    fn entered<T>(
        &self,
        access: DatabaseAccess,
        result: Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        match &result {
            Ok(_) => self.journal.append(Event::Database(access)),
            Err(error) => {
                let verb = if access.write { "writing" } else { "reading" };
                self.journal.append(Event::StoreFailed(StoreFailure {
                    cell: Some(access.cell),
                    access: format!("{verb} {}.{}", access.schema, access.table),
                    error: error.clone(),
                }))
            }
        };
        result
    }

    fn step(&self, node: &CellId, tables: &Tables, job: u64, step: JobStep) {
        let (cell, schema, at) = (node.clone(), tables.schema(), self.clock.now());
        self.journal.append(Event::Job(JobEvent { cell, schema, job, at, step }));
    }
}
