//! What a scenario does to jobs.

use super::error::ControlError;
use crate::CellId;
use crate::database::Source;
use crate::ids::Id;
use crate::rails::installation::Installation;
use crate::runners::{Job, Tables};

impl Installation {
    /// Queues jobs of a project, given as `group/project`.
    ///
    /// # Errors
    /// Where there is no such project, its organization is frozen by a move, or a store fails.
    pub async fn queue_jobs(&self, project: &str, jobs: u64) -> Result<(), ControlError> {
        let path = project.trim_matches('/');
        let unknown = || ControlError::UnknownProject(path.to_owned());
        let route = self.route_of_project(path).await?.ok_or_else(unknown)?;
        let Source::Project(id) = route.source else { return Err(unknown()) };
        let group = path.split('/').next().unwrap_or_default();
        let found = self.stores.own.namespace(&route.cell, group).await;
        let found = self.noted("reading gitlab_main.namespaces", found)?;
        let slug = found.and_then(|namespace| namespace.organization);
        let begun = slug.as_deref().map(|slug| (slug, self.gates.acquire(&route.cell, slug)));
        if let Some((slug, None)) = begun {
            return Err(ControlError::OtherMove(slug.to_owned(), route.cell));
        }
        let (node, queue) = (self.casting.node_of(&route.cell), self.queue_of(&route.cell));
        let queue = self.runners.of(&node, &queue);
        for _ in 0..jobs {
            queue.queue(path.to_owned(), id).await?;
        }
        Ok(())
    }

    /// The queue that a cell has for itself. `None` where cells share one queue, since a move
    /// leaves that as it is.
    fn own_queue(&self, cell: &CellId) -> Option<Tables> {
        Some(self.queue_of(cell)).filter(|queue| *queue != Tables::Shared)
    }

    /// Ends the leases of projects' jobs on a cell.
    pub(in crate::rails) async fn give_back_jobs(
        &self,
        cell: &CellId,
        projects: &[Id],
    ) -> Result<(), ControlError> {
        if let Some(queue) = self.own_queue(cell) {
            self.runners.of(&self.casting.node_of(cell), &queue).give_back(projects).await?;
        }
        Ok(())
    }

    /// The jobs of projects on a cell that have not ended.
    pub async fn jobs_of(&self, cell: &CellId, projects: &[Id]) -> Result<Vec<Job>, ControlError> {
        Ok(match self.own_queue(cell) {
            Some(queue) => {
                self.runners.of(&self.casting.node_of(cell), &queue).unfinished(projects).await?
            }
            None => Vec::new(),
        })
    }

    /// Puts these jobs of projects in place of those that are on a cell.
    pub async fn replace_jobs(
        &self,
        cell: &CellId,
        projects: &[Id],
        jobs: &[Job],
    ) -> Result<(), ControlError> {
        if let Some(queue) = self.own_queue(cell) {
            let node = self.casting.node_of(cell);
            self.runners.of(&node, &queue).replace(projects, jobs).await?;
        }
        Ok(())
    }
}
