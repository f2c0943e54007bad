//! The tables of runners and jobs in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;

use super::tables::RunnerTables;
use crate::mutants::Mutation;
use crate::rows::{Id, Job, Lease, Runner, RunnerScope, StoreError, Tables, Taken};

/// How long a mutant looks at the queue before it takes what it saw there.
pub(crate) const LOOKING: Duration = Duration::from_millis(50);

/// The tables of all cells.
#[derive(Debug)]
pub(crate) struct MemoryRunners {
    mistake: Option<Mutation>,
    tables: Mutex<BTreeMap<Tables, Rows>>,
}

#[derive(Debug, Default)]
struct Rows {
    runners: BTreeMap<String, Runner>,
    /// The jobs by their ids, which is the order in which they came.
    jobs: BTreeMap<u64, Row>,
    /// The id of the last job that came. No other gets it again.
    last_job: u64,
}

#[derive(Debug)]
struct Row {
    job: Job,
    state: State,
}

#[derive(Debug)]
enum State {
    Pending,
    /// The last runner that got it; its lease may have ended.
    Given(Lease),
    Done,
}

impl Row {
    /// The lease of the runner that has the job now and speaks by this token.
    fn held(&mut self, token: &str, now: Duration, is_lenient: bool) -> Option<&mut Lease> {
        let State::Given(lease) = &mut self.state else { return None };
        let is_held = is_lenient || lease.token == token && now < lease.until;
        is_held.then_some(lease)
    }
}

impl MemoryRunners {
    /// Empty tables, with the mistake of a mutant.
    pub(crate) fn new(mistake: Option<Mutation>) -> Self {
        Self { mistake, tables: Mutex::default() }
    }

    fn has(&self, mistake: Mutation) -> bool {
        self.mistake == Some(mistake)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Tables, Rows>> {
        // Each transaction changes one row in one go, so the rows are whole even after a panic.
        self.tables.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Whether a runner may get a job that is in this state.
    fn is_free(&self, state: &State, now: Duration) -> bool {
        match state {
            State::Pending => true,
            State::Given(_) if self.has(Mutation::LeasesNotKept) => true,
            State::Given(_) if self.has(Mutation::LeasesNeverEnd) => false,
            State::Given(lease) => lease.until <= now,
            State::Done => false,
        }
    }
}

impl Rows {
    /// The first job that is free for a runner of this scope.
    fn first(
        &mut self,
        scope: &RunnerScope,
        except: &BTreeSet<String>,
        is_free: impl Fn(&State) -> bool,
    ) -> Option<&mut Row> {
        let mut rows = self.jobs.values_mut();
        rows.find(|row| {
            let covered = scope.covers(&row.job.project) && !except.contains(&row.job.project);
            covered && is_free(&row.state)
        })
    }

    fn of_projects(&mut self, projects: &[Id]) -> impl Iterator<Item = &mut Row> {
        self.jobs.values_mut().filter(|row| projects.contains(&row.job.project_id))
    }
}

#[async_trait]
impl RunnerTables for MemoryRunners {
    async fn add_runner(
        &self,
        tables: &Tables,
        token: String,
        scope: RunnerScope,
    ) -> Result<Runner, StoreError> {
        let mut all = self.lock();
        let rows = all.entry(tables.clone()).or_default();
        let runner = Runner { id: rows.runners.len() as u64 + 1, token: token.clone(), scope };
        rows.runners.insert(token, runner.clone());
        Ok(runner)
    }

    async fn runner(&self, tables: &Tables, token: &str) -> Result<Option<Runner>, StoreError> {
        Ok(self.lock().get(tables).and_then(|rows| rows.runners.get(token).cloned()))
    }

    async fn add_job(
        &self,
        tables: &Tables,
        project: String,
        project_id: Id,
    ) -> Result<Job, StoreError> {
        let mut all = self.lock();
        let rows = all.entry(tables.clone()).or_default();
        rows.last_job += 1;
        let job = Job { id: rows.last_job, project, project_id };
        rows.jobs.insert(job.id, Row { job: job.clone(), state: State::Pending });
        Ok(job)
    }

    async fn take(
        &self,
        tables: &Tables,
        scope: &RunnerScope,
        except: &BTreeSet<String>,
        now: Duration,
        lease: Lease,
    ) -> Result<Option<Taken>, StoreError> {
        let mut seen = None;
        if self.has(Mutation::QueueReadBeforeItIsLocked) {
            // What two runners see at once, both of them take.
            let first = {
                let mut all = self.lock();
                let rows = all.entry(tables.clone()).or_default();
                rows.first(scope, except, |state| self.is_free(state, now)).map(|row| row.job.id)
            };
            let Some(first) = first else { return Ok(None) };
            tokio::time::sleep(LOOKING).await;
            seen = Some(first);
        }
        let mut all = self.lock();
        let rows = all.entry(tables.clone()).or_default();
        let row = match seen {
            Some(job) => rows.jobs.get_mut(&job),
            None => rows.first(scope, except, |state| self.is_free(state, now)),
        };
        Ok(row.map(|row| {
            let before = match std::mem::replace(&mut row.state, State::Given(lease)) {
                State::Given(before) => Some(before.runner),
                State::Pending | State::Done => None,
            };
            Taken { job: row.job.clone(), before }
        }))
    }

    async fn renew(
        &self,
        tables: &Tables,
        job: u64,
        token: &str,
        now: Duration,
        until: Duration,
    ) -> Result<bool, StoreError> {
        let mut all = self.lock();
        let row = all.get_mut(tables).and_then(|rows| rows.jobs.get_mut(&job));
        let held = row.and_then(|row| row.held(token, now, false));
        Ok(held.map(|lease| lease.until = until).is_some())
    }

    async fn finish(
        &self,
        tables: &Tables,
        job: u64,
        token: &str,
        now: Duration,
    ) -> Result<bool, StoreError> {
        let is_lenient = self.has(Mutation::LateReportsCount);
        let mut all = self.lock();
        let row = all.get_mut(tables).and_then(|rows| rows.jobs.get_mut(&job));
        let Some(row) = row else { return Ok(false) };
        let is_held = row.held(token, now, is_lenient).is_some();
        if is_held {
            row.state = State::Done;
        }
        Ok(is_held)
    }

    async fn give_back(
        &self,
        tables: &Tables,
        projects: &[Id],
    ) -> Result<Vec<(u64, u64)>, StoreError> {
        let mut all = self.lock();
        let Some(rows) = all.get_mut(tables) else { return Ok(Vec::new()) };
        let mut returned = Vec::new();
        for row in rows.of_projects(projects) {
            if let State::Given(lease) = &row.state {
                returned.push((row.job.id, lease.runner));
                row.state = State::Pending;
            }
        }
        Ok(returned)
    }

    async fn unfinished(&self, tables: &Tables, projects: &[Id]) -> Result<Vec<Job>, StoreError> {
        let lost = self.has(Mutation::LeasedJobsLost);
        let mut all = self.lock();
        let Some(rows) = all.get_mut(tables) else { return Ok(Vec::new()) };
        let moves = |state: &State| match state {
            State::Pending => true,
            State::Given(_) => !lost,
            State::Done => false,
        };
        let rows = rows.of_projects(projects).filter(|row| moves(&row.state));
        Ok(rows.map(|row| row.job.clone()).collect())
    }

    async fn remove_jobs(&self, tables: &Tables, projects: &[Id]) -> Result<(), StoreError> {
        if let Some(rows) = self.lock().get_mut(tables) {
            rows.jobs.retain(|_, row| !projects.contains(&row.job.project_id));
        }
        Ok(())
    }
}
