//! The queue of jobs: the rules of leases above the tables of a store.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;

use super::RunnerTables;
use super::leases::LeaseRules;
use crate::rows::{Id, Job, JobState, Lease, RunnerScope, Stored, Tables};

#[derive(Clone, Debug)]
pub struct Queue {
    pub(super) tables: Arc<dyn RunnerTables>,
    leases: Arc<dyn LeaseRules>,
    /// Held by a runner that looks for another job, since others were quicker.
    turn: Arc<Mutex<()>>,
}

/// A job that was given to a runner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    pub job: Job,
    /// The runner whose lease of it has ended.
    pub before: Option<u64>,
}

impl Queue {
    pub fn new(tables: Arc<dyn RunnerTables>, leases: Arc<dyn LeaseRules>) -> Self {
        Self { tables, leases, turn: Arc::default() }
    }

    /// Gives a runner the first job of the queue that no other runner has now. Of runners that ask
    /// at once, only one gets it. `except` has the paths of projects whose jobs are left out.
    pub async fn take(
        &self,
        tables: &Tables,
        scope: &RunnerScope,
        except: &BTreeSet<String>,
        now: Duration,
        lease: Lease,
    ) -> Stored<Option<Taken>> {
        let is_free = |state: &JobState| match state {
            JobState::Pending => true,
            JobState::Given(lease) => self.leases.is_free(lease, now),
            JobState::Done => false,
        };
        let mut turn = None;
        loop {
            let mut jobs = self.tables.jobs(tables).await?.into_iter();
            let first = jobs.find(|(job, state)| {
                scope.covers(&job.project) && !except.contains(&job.project) && is_free(state)
            });
            let Some((job, seen)) = first else { return Ok(None) };
            let given = JobState::Given(lease.clone());
            if self.tables.change(tables, job.id, &seen, given).await? {
                let before = match seen {
                    JobState::Given(lease) => Some(lease.runner),
                    JobState::Pending | JobState::Done => None,
                };
                return Ok(Some(Taken { job, before }));
            }
            // Another runner was quicker, and another job is the first. Of many that ask at once,
            // those who lost go on one by one, instead of all losing to one each time.
            if turn.is_none() {
                turn = Some(self.turn.lock().await);
            }
        }
    }

    /// Lets a lease end later; false where it has ended, or the token is not that of the job.
    pub async fn renew(
        &self,
        tables: &Tables,
        job: u64,
        token: &str,
        now: Duration,
        until: Duration,
    ) -> Stored<bool> {
        let renewed = self.changed(tables, job, |lease| {
            let renewed = || JobState::Given(Lease { until, ..lease.clone() });
            self.leases.is_held(lease, token, now).then(renewed)
        });
        Ok(renewed.await?.is_some())
    }

    /// Ends a job; false where the lease has ended, or the token is not that of the job.
    pub async fn finish(
        &self,
        tables: &Tables,
        job: u64,
        token: &str,
        now: Duration,
    ) -> Stored<bool> {
        let ended = self.changed(tables, job, |lease| {
            self.leases.ends(lease, token, now).then_some(JobState::Done)
        });
        Ok(ended.await?.is_some())
    }

    /// Ends the leases of these projects' jobs at once, and returns the jobs with the runners that
    /// had them.
    pub async fn give_back(&self, tables: &Tables, projects: &[Id]) -> Stored<Vec<(u64, u64)>> {
        let mut returned = Vec::new();
        if self.leases.ends_at_freeze() {
            for (job, _) in self.jobs_of_projects(tables, projects).await? {
                let given_back = self.changed(tables, job.id, |_| Some(JobState::Pending));
                returned.extend(given_back.await?.map(|lease| (job.id, lease.runner)));
            }
        }
        Ok(returned)
    }

    /// The jobs of these projects that have not ended, in the order of the queue.
    pub async fn unfinished(&self, tables: &Tables, projects: &[Id]) -> Stored<Vec<Job>> {
        let mut jobs = self.jobs_of_projects(tables, projects).await?;
        jobs.retain(|(_, state)| *state == JobState::Pending || self.leases.moves());
        Ok(jobs.into_iter().map(|(job, _)| job).collect())
    }

    async fn jobs_of_projects(
        &self,
        tables: &Tables,
        projects: &[Id],
    ) -> Stored<Vec<(Job, JobState)>> {
        let mut jobs = self.tables.jobs(tables).await?;
        jobs.retain(|(job, _)| projects.contains(&job.project_id));
        Ok(jobs)
    }

    /// Puts a job that a runner has into the state that follows by a rule, and returns the lease
    /// that it had; `None` where it has none, or the rule refuses.
    async fn changed(
        &self,
        tables: &Tables,
        job: u64,
        next: impl Fn(&Lease) -> Option<JobState> + Send + Sync,
    ) -> Stored<Option<Lease>> {
        loop {
            let jobs = self.tables.jobs(tables).await?;
            let seen = jobs.into_iter().find(|(row, _)| row.id == job).map(|(_, state)| state);
            let Some(JobState::Given(lease)) = seen else { return Ok(None) };
            let Some(to) = next(&lease) else { return Ok(None) };
            if self.tables.change(tables, job, &JobState::Given(lease.clone()), to).await? {
                return Ok(Some(lease));
            }
            // Something came between: the rule is asked about what is there now.
        }
    }
}
