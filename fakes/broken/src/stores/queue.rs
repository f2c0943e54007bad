//! A queue that is read before it is locked.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use cell_fleet::store::{Job, JobState, OpenStores, Runner, RunnerScope, RunnerTables, Tables};
use cell_fleet::{Id, IdStrategy, StoreError};

/// How long a cell looks at the queue before it takes what it saw there.
const LOOKING: Duration = Duration::from_millis(50);

/// Takes the job that it saw without looking again: what two runners see at once, both of them take.
#[derive(Debug)]
struct ReadBeforeItIsLocked(Arc<dyn RunnerTables>);

/// Stores whose queue is read before it is locked.
pub(crate) fn read_before_it_is_locked(stores: OpenStores, _ids: IdStrategy) -> OpenStores {
    OpenStores { runners: Arc::new(ReadBeforeItIsLocked(stores.runners)), ..stores }
}

/// Whether a change gives a job to a runner that did not have it.
fn gives(seen: &JobState, to: &JobState) -> bool {
    match (seen, to) {
        (JobState::Given(had), JobState::Given(has)) => had.token != has.token,
        (_, to) => matches!(to, JobState::Given(_)),
    }
}

#[async_trait]
impl RunnerTables for ReadBeforeItIsLocked {
    async fn add_runner(
        &self,
        tables: &Tables,
        token: String,
        scope: RunnerScope,
    ) -> Result<Runner, StoreError> {
        self.0.add_runner(tables, token, scope).await
    }

    async fn runner(&self, tables: &Tables, token: &str) -> Result<Option<Runner>, StoreError> {
        self.0.runner(tables, token).await
    }

    async fn add_job(
        &self,
        tables: &Tables,
        project: String,
        project_id: Id,
    ) -> Result<Job, StoreError> {
        self.0.add_job(tables, project, project_id).await
    }

    async fn jobs(&self, tables: &Tables) -> Result<Vec<(Job, JobState)>, StoreError> {
        self.0.jobs(tables).await
    }

    async fn change(
        &self,
        tables: &Tables,
        job: u64,
        seen: &JobState,
        to: JobState,
    ) -> Result<bool, StoreError> {
        if !gives(seen, &to) {
            return self.0.change(tables, job, seen, to).await;
        }
        tokio::time::sleep(LOOKING).await;
        loop {
            let jobs = self.0.jobs(tables).await?;
            let Some((_, now)) = jobs.into_iter().find(|(row, _)| row.id == job) else {
                return Ok(false);
            };
            if self.0.change(tables, job, &now, to.clone()).await? {
                return Ok(true);
            }
        }
    }

    async fn remove_jobs(&self, tables: &Tables, projects: &[Id]) -> Result<(), StoreError> {
        self.0.remove_jobs(tables, projects).await
    }
}
