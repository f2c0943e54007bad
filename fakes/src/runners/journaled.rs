//! The journal's record of runners and jobs.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::queue::Queue;
use crate::clock::FleetClock;
use crate::journal::{Access, Event, JobEvent, JobStep, Journal};
use crate::rows::{Id, Job, Lease, Position, Runner, RunnerScope, StoreError, Tables};
use crate::{CellId, Region};

const RUNNERS: &str = "ci_runners";
const JOBS: &str = "ci_pending_builds";

/// Tables of runners and jobs whose accesses and events stand in the journal.
#[derive(Clone, Debug)]
pub struct JournaledRunners {
    /// The tables, and the rules of leases above them.
    pub queue: Queue,
    /// What says when a lease ends.
    pub clock: Arc<FleetClock>,
    /// What has the accesses and events.
    pub journal: Arc<Journal>,
    /// The region of the shared tables' primary.
    pub primary_region: Region,
    /// How long an access to it takes from another region, at least (RG-04).
    pub distance: Duration,
    /// How long a lease lasts.
    pub lease: Duration,
}

impl JournaledRunners {
    /// Adds a runner, for the cell that the topology names `node`.
    pub async fn register(
        &self,
        node: &CellId,
        tables: &Tables,
        token: String,
        scope: RunnerScope,
    ) -> Result<Runner, StoreError> {
        let add = self.queue.tables.add_runner(tables, token, scope);
        self.accessed(node, tables, RUNNERS, true, add).await
    }

    /// The runner with a token.
    pub async fn runner(
        &self,
        node: &CellId,
        tables: &Tables,
        token: &str,
    ) -> Result<Option<Runner>, StoreError> {
        self.accessed(node, tables, RUNNERS, false, self.queue.tables.runner(tables, token)).await
    }

    /// Adds a job to the queue.
    pub async fn queue(
        &self,
        node: &CellId,
        tables: &Tables,
        project: String,
        project_id: Id,
    ) -> Result<Job, StoreError> {
        let add = self.queue.tables.add_job(tables, project, project_id);
        let job = self.accessed(node, tables, JOBS, true, add).await?;
        self.step(node, tables, job.id, JobStep::Queued);
        Ok(job)
    }

    /// Gives a job of these tables to a runner, for the length of a lease; none of these projects,
    /// named by their paths. A poll is a write, since of two runners that ask at once one alone
    /// gets the job.
    pub async fn take(
        &self,
        node: &CellId,
        tables: &Tables,
        runner: &Runner,
        except: &BTreeSet<String>,
        token: String,
    ) -> Result<Option<Job>, StoreError> {
        let take = async {
            let (now, until) = self.now_and_end();
            let lease = Lease { runner: runner.id, token, until };
            let taken = self.queue.take(tables, &runner.scope, except, now, lease).await?;
            Ok(taken.map(|taken| (taken, until)))
        };
        let taken = self.accessed(node, tables, JOBS, true, take).await?;
        let Some((taken, until)) = taken else { return Ok(None) };
        if let Some(before) = taken.before {
            self.step(node, tables, taken.job.id, JobStep::Returned { runner: before });
        }
        self.step(node, tables, taken.job.id, JobStep::Given { runner: runner.id, until });
        Ok(Some(taken.job))
    }

    /// Lets the lease of a job begin again.
    pub async fn renew(
        &self,
        node: &CellId,
        tables: &Tables,
        job: u64,
        token: &str,
    ) -> Result<bool, StoreError> {
        let renew = async {
            let (now, until) = self.now_and_end();
            let renewed = self.queue.renew(tables, job, token, now, until).await?;
            Ok(renewed.then_some(until))
        };
        let renewed = self.accessed(node, tables, JOBS, true, renew).await?;
        if let Some(until) = renewed {
            self.step(node, tables, job, JobStep::Renewed { until });
        }
        Ok(renewed.is_some())
    }

    /// Ends a job.
    pub async fn finish(
        &self,
        node: &CellId,
        tables: &Tables,
        job: u64,
        token: &str,
    ) -> Result<bool, StoreError> {
        let finish = async { self.queue.finish(tables, job, token, self.clock.since_1970()).await };
        let finished = self.accessed(node, tables, JOBS, true, finish).await?;
        if finished {
            self.step(node, tables, job, JobStep::Done);
        }
        Ok(finished)
    }

    /// Ends the leases of these projects' jobs at once.
    pub async fn give_back(
        &self,
        node: &CellId,
        tables: &Tables,
        projects: &[Id],
    ) -> Result<(), StoreError> {
        let give_back = self.queue.give_back(tables, projects);
        for (job, runner) in self.accessed(node, tables, JOBS, true, give_back).await? {
            self.step(node, tables, job, JobStep::Returned { runner });
        }
        Ok(())
    }

    /// The jobs of these projects that have not ended.
    pub async fn unfinished(
        &self,
        node: &CellId,
        tables: &Tables,
        projects: &[Id],
    ) -> Result<Vec<Job>, StoreError> {
        let unfinished = self.queue.unfinished(tables, projects);
        self.accessed(node, tables, JOBS, false, unfinished).await
    }

    /// Puts these jobs of these projects, with fresh ids, in place of those that are there.
    pub async fn replace(
        &self,
        node: &CellId,
        tables: &Tables,
        projects: &[Id],
        jobs: &[Job],
    ) -> Result<(), StoreError> {
        let remove = self.queue.tables.remove_jobs(tables, projects);
        self.accessed(node, tables, JOBS, true, remove).await?;
        for job in jobs {
            self.queue(node, tables, job.project.clone(), job.project_id).await?;
        }
        Ok(())
    }

    /// The time, and when a lease ends that begins now.
    fn now_and_end(&self) -> (Duration, Duration) {
        let now = self.clock.since_1970();
        (now, now.saturating_add(self.lease))
    }

    /// Makes an access once it is where the table is, and enters it or its failure.
    async fn accessed<T>(
        &self,
        node: &CellId,
        tables: &Tables,
        table: &'static str,
        write: bool,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let is_far = *tables == Tables::Shared && *node.region() != self.primary_region;
        let under_way = if is_far && write { self.distance } else { Duration::ZERO };
        if !under_way.is_zero() {
            tokio::time::sleep(under_way).await;
        }
        let access = Access { cell: node, schema: tables.schema(), table, write };
        let done = call.await.inspect_err(|error| access.failed(&self.journal, error))?;
        let server = match tables {
            // A queue has to be read where it is written, so nothing of it is read from replicas.
            Tables::Shared => format!("primary {}", self.primary_region),
            Tables::Of(_) => format!("own {node}"),
        };
        access.made_at(&self.journal, server, Position::default(), under_way);
        Ok(done)
    }

    fn step(&self, node: &CellId, tables: &Tables, job: u64, step: JobStep) {
        let (cell, schema, at) = (node.clone(), tables.schema(), self.clock.since_1970());
        self.journal.append(Event::Job(JobEvent { cell, schema, job, at, step }));
    }
}
