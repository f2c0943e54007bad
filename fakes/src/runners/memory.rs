//! The tables of runners and jobs in memory.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::RunnerTables;
use crate::lock::Lock;
use crate::rows::{Id, Job, JobState, Runner, RunnerScope, Stored, Tables};

/// The tables of all cells.
#[derive(Debug, Default)]
pub(crate) struct MemoryRunners(Lock<BTreeMap<Tables, Rows>>);

#[derive(Debug, Default)]
struct Rows {
    runners: BTreeMap<String, Runner>,
    /// The jobs by their ids, which is the order in which they came.
    jobs: BTreeMap<u64, (Job, JobState)>,
    /// The id of the latest job. Ids are never used again.
    last_job: u64,
}

#[async_trait]
impl RunnerTables for MemoryRunners {
    async fn add_runner(
        &self,
        tables: &Tables,
        token: String,
        scope: RunnerScope,
    ) -> Stored<Runner> {
        let mut all = self.0.lock();
        let rows = all.entry(tables.clone()).or_default();
        let runner = Runner { id: rows.runners.len() as u64 + 1, token: token.clone(), scope };
        rows.runners.insert(token, runner.clone());
        Ok(runner)
    }

    async fn runner(&self, tables: &Tables, token: &str) -> Stored<Option<Runner>> {
        Ok(self.0.lock().get(tables).and_then(|rows| rows.runners.get(token).cloned()))
    }

    async fn add_job(&self, tables: &Tables, project: String, project_id: Id) -> Stored<Job> {
        let mut all = self.0.lock();
        let rows = all.entry(tables.clone()).or_default();
        rows.last_job += 1;
        let job = Job { id: rows.last_job, project, project_id };
        rows.jobs.insert(job.id, (job.clone(), JobState::Pending));
        Ok(job)
    }

    async fn jobs(&self, tables: &Tables) -> Stored<Vec<(Job, JobState)>> {
        let all = self.0.lock();
        let jobs = all.get(tables).into_iter().flat_map(|rows| rows.jobs.values());
        Ok(jobs.filter(|(_, state)| *state != JobState::Done).cloned().collect())
    }

    async fn change(
        &self,
        tables: &Tables,
        job: u64,
        seen: &JobState,
        to: JobState,
    ) -> Stored<bool> {
        let mut all = self.0.lock();
        let row = all.get_mut(tables).and_then(|rows| rows.jobs.get_mut(&job));
        let state = row.map(|(_, state)| state).filter(|state| *state == seen);
        Ok(state.map(|state| *state = to).is_some())
    }

    async fn remove_jobs(&self, tables: &Tables, projects: &[Id]) -> Stored<()> {
        if let Some(rows) = self.0.lock().get_mut(tables) {
            rows.jobs.retain(|_, (job, _)| !projects.contains(&job.project_id));
        }
        Ok(())
    }
}
