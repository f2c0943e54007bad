//! What a scenario does to jobs and to the clock of a fleet.

use std::time::Duration;

use super::control::ControlError;
use super::installation::Installation;
use crate::database::{ProjectReference, Server, Source};

impl Installation {
    /// Queues jobs of a project, given as `group/project`.
    ///
    /// # Errors
    /// Where there is no such project, or a store fails.
    pub async fn queue_jobs(&self, project: &str, jobs: u64) -> Result<(), ControlError> {
        let path = project.trim_matches('/');
        let reference = ProjectReference::Path(path.to_owned());
        let route = self.stores.shared.project_route(&Server::Primary, &reference).await;
        let route = self.noted("reading gitlab_routes.routes", route)?.rows;
        let unknown = || ControlError::UnknownProject(path.to_owned());
        let route = route.ok_or_else(unknown)?;
        let Source::Project(id) = route.source else { return Err(unknown()) };
        let (node, queue) = (self.casting.node_of(&route.cell), self.queue_of(&route.cell));
        for _ in 0..jobs {
            self.runners.queue(&node, &queue, path.to_owned(), id).await?;
        }
        Ok(())
    }

    /// Advances the clock of the fleet, by which leases end. Nothing waits.
    pub fn advance_clock(&self, by: Duration) {
        self.runners.clock.advance(by);
    }
}
