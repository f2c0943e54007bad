//! The journal's record of runners and jobs.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::queue::Queue;
use crate::clock::FleetClock;
use crate::journal::{Access, Event, JobEvent, JobStep, Journal};
use crate::rows::{Id, Job, Lease, Position, Runner, RunnerScope, Stored, Tables};
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
    /// These tables, for the cell that the topology names `node`.
    pub fn of<'r>(&'r self, node: &'r CellId, tables: &'r Tables) -> RunnersOf<'r> {
        RunnersOf { all: self, node, tables }
    }
}

/// Runners and jobs as one cell uses them.
#[derive(Clone, Copy, Debug)]
pub struct RunnersOf<'r> {
    all: &'r JournaledRunners,
    node: &'r CellId,
    tables: &'r Tables,
}

impl RunnersOf<'_> {
    /// Adds a runner.
    pub async fn register(self, token: String, scope: RunnerScope) -> Stored<Runner> {
        let add = self.all.queue.tables.add_runner(self.tables, token, scope);
        self.accessed(RUNNERS, true, add).await
    }

    /// The runner with a token.
    pub async fn runner(self, token: &str) -> Stored<Option<Runner>> {
        self.accessed(RUNNERS, false, self.all.queue.tables.runner(self.tables, token)).await
    }

    /// Adds a job to the queue.
    pub async fn queue(self, project: String, project_id: Id) -> Stored<Job> {
        let add = self.all.queue.tables.add_job(self.tables, project, project_id);
        let job = self.accessed(JOBS, true, add).await?;
        self.step(job.id, JobStep::Queued);
        Ok(job)
    }

    /// Gives a job to a runner, for the length of a lease; none of these projects, named by their
    /// paths. A poll is a write, since of two runners that ask at once one alone gets the job.
    pub async fn take(
        self,
        runner: &Runner,
        except: &BTreeSet<String>,
        token: String,
    ) -> Stored<Option<Job>> {
        let take = async {
            let (now, until) = self.now_and_end();
            let lease = Lease { runner: runner.id, token, until };
            let taken = self.all.queue.take(self.tables, &runner.scope, except, now, lease).await?;
            Ok(taken.map(|taken| (taken, until)))
        };
        let taken = self.accessed(JOBS, true, take).await?;
        let Some((taken, until)) = taken else { return Ok(None) };
        if let Some(before) = taken.before {
            self.step(taken.job.id, JobStep::Returned { runner: before });
        }
        self.step(taken.job.id, JobStep::Given { runner: runner.id, until });
        Ok(Some(taken.job))
    }

    /// Lets the lease of a job begin again.
    pub async fn renew(self, job: u64, token: &str) -> Stored<bool> {
        let renew = async {
            let (now, until) = self.now_and_end();
            let renewed = self.all.queue.renew(self.tables, job, token, now, until).await?;
            Ok(renewed.then_some(until))
        };
        let renewed = self.accessed(JOBS, true, renew).await?;
        if let Some(until) = renewed {
            self.step(job, JobStep::Renewed { until });
        }
        Ok(renewed.is_some())
    }

    /// Ends a job.
    pub async fn finish(self, job: u64, token: &str) -> Stored<bool> {
        let finish = async {
            let now = self.all.clock.since_1970();
            self.all.queue.finish(self.tables, job, token, now).await
        };
        let finished = self.accessed(JOBS, true, finish).await?;
        if finished {
            self.step(job, JobStep::Done);
        }
        Ok(finished)
    }

    /// Ends the leases of these projects' jobs at once.
    pub async fn give_back(self, projects: &[Id]) -> Stored<()> {
        let give_back = self.all.queue.give_back(self.tables, projects);
        for (job, runner) in self.accessed(JOBS, true, give_back).await? {
            self.step(job, JobStep::Returned { runner });
        }
        Ok(())
    }

    /// The jobs of these projects that have not ended.
    pub async fn unfinished(self, projects: &[Id]) -> Stored<Vec<Job>> {
        self.accessed(JOBS, false, self.all.queue.unfinished(self.tables, projects)).await
    }

    /// Puts these jobs of these projects, with fresh ids, in place of those that are there.
    pub async fn replace(self, projects: &[Id], jobs: &[Job]) -> Stored<()> {
        let remove = self.all.queue.tables.remove_jobs(self.tables, projects);
        self.accessed(JOBS, true, remove).await?;
        for job in jobs {
            self.queue(job.project.clone(), job.project_id).await?;
        }
        Ok(())
    }

    /// The time, and when a lease ends that begins now.
    fn now_and_end(self) -> (Duration, Duration) {
        let now = self.all.clock.since_1970();
        (now, now.saturating_add(self.all.lease))
    }

    /// Makes an access once it is where the table is, and enters it or its failure.
    async fn accessed<T>(
        self,
        table: &'static str,
        write: bool,
        call: impl Future<Output = Stored<T>>,
    ) -> Stored<T> {
        let JournaledRunners { journal, primary_region, distance, .. } = self.all;
        let is_far = *self.tables == Tables::Shared && self.node.region() != primary_region;
        let under_way = if is_far && write { *distance } else { Duration::ZERO };
        if !under_way.is_zero() {
            tokio::time::sleep(under_way).await;
        }
        let access = Access { cell: self.node, schema: self.tables.schema(), table, write };
        let done = call.await.inspect_err(|error| access.failed(journal, error))?;
        let server = match self.tables {
            // A queue has to be read where it is written, so nothing of it is read from replicas.
            Tables::Shared => format!("primary {primary_region}"),
            Tables::Of(_) => format!("own {}", self.node),
        };
        access.made_at(journal, server, Position::default(), under_way);
        Ok(done)
    }

    fn step(self, job: u64, step: JobStep) {
        let (cell, schema) = (self.node.clone(), self.tables.schema());
        let at = self.all.clock.since_1970();
        self.all.journal.append(Event::Job(JobEvent { cell, schema, job, at, step }));
    }
}
