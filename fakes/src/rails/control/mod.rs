//! What a scenario does to an installation from outside. None of it is a request, so the journal
//! shows only the ids that are drawn and the stores that fail.

mod rows;

use super::installation::Installation;
use crate::database::{
    Change, Conflict, Position, ProjectReference, Route, Server, Source, Spread, Stored, User,
};
use crate::ids::{Id, IdTable};
use crate::plan::ReplicationLag;
use crate::population::Visibility;
use crate::rows::StoreError;
use crate::runners::{Job, Tables};
use crate::wire::segments::is_plain_segment;
use crate::{CellId, Region};

impl Installation {
    /// Creates a top-level namespace in an organization, or in `GitLab.com Public`, and returns its
    /// id.
    ///
    /// # Errors
    /// Where there is no such organization, the path is not free, or a store fails.
    pub async fn create_namespace(
        &self,
        path: &str,
        organization: Option<&str>,
        visibility: Visibility,
    ) -> Result<Id, ControlError> {
        let cell = match organization {
            None => self.latest().clone(),
            Some(slug) => self.cell_of(slug).await?,
        };
        let path = path.trim_matches('/');
        if !is_plain_segment(path) {
            return Err(ControlError::PathNotFree(path.to_owned()));
        }
        let node = self.casting.node_of(&cell);
        let drawn = self.ids.draw(&node, &cell, IdTable::Namespaces).await?;
        let id = drawn.id;
        self.add_namespace(&cell, drawn, path, organization, visibility).await?;
        Ok(id)
    }

    /// Adds a namespace as a row of the routes table alone: a page at its path, and at every path
    /// below it.
    ///
    /// # Errors
    /// Where the topology does not have the cell, the path is not free, or a store fails.
    pub async fn create_route(&self, path: &str, cell: &CellId) -> Result<(), ControlError> {
        self.known(cell)?;
        let is_taken = self.route_at(path).await?.is_some();
        let is_path = path.len() > 1 && path.starts_with('/') && !path.contains(['?', '#']);
        if is_taken || !is_path {
            return Err(ControlError::PathNotFree(path.to_owned()));
        }
        let route = Route {
            learned_by_own_path: true,
            ..Route::new(path.to_owned(), cell.clone(), Source::Page, Visibility::Public)
        };
        self.add_route(path, route).await
    }

    /// Creates a public project `group/project` on the cell of its group, and returns its id.
    ///
    /// # Errors
    /// Where the path does not name a project of an existing group, is not free, or a store fails.
    pub async fn create_project(&self, path: &str) -> Result<Id, ControlError> {
        let path = path.trim_matches('/');
        let not_free = || ControlError::PathNotFree(path.to_owned());
        let (group, _) =
            path.split_once('/').filter(|(_, it)| is_plain_segment(it)).ok_or_else(not_free)?;
        let of_group = self.route_at(&format!("/{group}")).await?.ok_or_else(not_free)?;
        let cell = of_group.cell;
        let found = self.stores.own.namespace(&cell, group).await;
        let found = self.noted("reading gitlab_main.namespaces", found)?.ok_or_else(not_free)?;
        let node = self.casting.node_of(&cell);
        let drawn = self.ids.draw(&node, &cell, IdTable::Projects).await?;
        let id = drawn.id;
        self.add_project(&cell, drawn, path, found.organization).await?;
        Ok(id)
    }

    /// Gives a namespace, and everything below it, another path. Ids are kept.
    ///
    /// # Errors
    /// Where nothing is at the path, the other path is not free, or a store fails.
    pub async fn rename_namespace(&self, path: &str, to: &str) -> Result<(), ControlError> {
        let not_free = |path: &str| ControlError::PathNotFree(path.to_owned());
        let row = self.route_at(path).await?.ok_or_else(|| not_free(path))?;
        if to.len() < 2 || !to.starts_with('/') {
            return Err(not_free(to));
        }
        let change = Change::RenameRoutes { path: path.to_owned(), to: to.to_owned() };
        self.write(change, Spread::Replicated).await?.map_err(|_| not_free(to))?;
        let (path, to) = (path.trim_start_matches('/'), to.trim_start_matches('/'));
        let renamed = self.stores.own.rename_namespace(&row.cell, path, to).await;
        self.noted("writing gitlab_main.namespaces", renamed)?;
        Ok(())
    }

    /// Refuses a cell that the topology does not have.
    pub(super) fn known(&self, cell: &CellId) -> Result<(), ControlError> {
        let unknown = || ControlError::UnknownCell(cell.clone());
        self.plan.topology.contains(cell).then_some(()).ok_or_else(unknown)
    }

    /// The row of the primary's routes table that covers this path most closely.
    async fn longest_route(&self, path: &str) -> Stored<Option<Route>> {
        let covering = self.stores.shared.routes(&Server::Primary, path).await;
        let covering = self.noted("reading gitlab_routes.routes", covering)?.rows;
        Ok(covering.into_iter().next_back().map(|covering| covering.route))
    }

    /// The row of the primary's routes table with this path.
    async fn route_at(&self, path: &str) -> Stored<Option<Route>> {
        Ok(self.longest_route(path).await?.filter(|route| route.path == path))
    }

    /// The cell that owns a request path of a namespace, a project or a further route, by the
    /// primary's routes; named by its role.
    pub async fn owner_of(&self, path: &str) -> Stored<Option<CellId>> {
        Ok(self.longest_route(path).await?.map(|route| route.cell))
    }

    /// The id of a project, given as `group/project`.
    pub async fn project_id(&self, path: &str) -> Stored<Option<Id>> {
        Ok(self.route_of_project(path).await?.and_then(|route| match route.source {
            Source::Project(id) => Some(id),
            Source::Namespace(_) | Source::Page => None,
        }))
    }

    /// The route of a project, given as `group/project`.
    async fn route_of_project(&self, path: &str) -> Stored<Option<Route>> {
        let reference = ProjectReference::Path(path.trim_matches('/').to_owned());
        let route = self.stores.shared.project_route(&Server::Primary, &reference).await;
        Ok(self.noted("reading gitlab_routes.routes", route)?.rows)
    }

    /// Changes the lag of the replicas; [`ReplicationLag::None`] releases what was held. Where the
    /// plan names one lagging region, the others are left as they are.
    pub async fn set_replication_lag(&self, lag: ReplicationLag) -> Stored<()> {
        for region in self.plan.topology.regions() {
            if self.plan.lagging.as_ref().is_none_or(|lagging| *lagging == region) {
                let set = self.stores.shared.set_lag(&region, lag).await;
                self.noted("changing the replication", set)?;
            }
        }
        Ok(())
    }

    /// Holds a region's replica: it replays nothing until it is released.
    pub async fn hold_replica(&self, region: &Region) -> Stored<()> {
        let held = self.stores.shared.set_lag(region, ReplicationLag::UntilReleased).await;
        self.noted("changing the replication", held)
    }

    /// The last position of the primary's log.
    pub async fn position(&self) -> Stored<Position> {
        self.noted("reading the position of the log", self.stores.shared.position().await)
    }

    /// The position up to which a region's replica has replayed the log.
    pub async fn replica_position(&self, region: &Region) -> Stored<Position> {
        let position = self.stores.shared.replica_position(region).await;
        self.noted("reading the position of a replica", position)
    }

    /// Waits until a region's replica has replayed the log up to a position. The caller bounds the
    /// wait: replicas that are held do not move.
    pub async fn wait_until_replayed(&self, region: &Region, position: Position) -> Stored<()> {
        let waited = self.stores.shared.wait_until_replayed(region, position).await;
        self.noted("waiting for a replica", waited)
    }

    /// The cell of an organization, named by its role.
    pub(super) async fn cell_of(&self, slug: &str) -> Result<CellId, ControlError> {
        let found = self.stores.shared.organization(&Server::Primary, slug).await;
        let found = self.noted("reading gitlab_routes.organizations", found)?.rows;
        let unknown = || ControlError::UnknownOrganization(slug.to_owned());
        Ok(found.ok_or_else(unknown)?.cell)
    }

    /// The user with a name.
    pub(super) async fn user_named(&self, name: &str) -> Result<User, ControlError> {
        let found = self.stores.shared.user(&Server::Primary, name).await;
        let found = self.noted("reading gitlab_users.users", found)?.rows;
        found.ok_or_else(|| ControlError::UnknownUser(name.to_owned()))
    }

    pub(super) async fn write(
        &self,
        change: Change,
        spread: Spread,
    ) -> Stored<Result<Position, Conflict>> {
        let (schema, table) = change.table();
        let written = self.stores.shared.write(change, spread).await;
        self.noted(&format!("writing {schema}.{table}"), written)
    }

    /// Enters a failure into the journal, so that [`Fleet::stop`](crate::Fleet::stop) reports it
    /// whatever the caller makes of it.
    pub(super) fn noted<T>(&self, access: &str, result: Stored<T>) -> Stored<T> {
        result.inspect_err(|error| {
            self.journal.store_failed(None, access.to_owned(), error);
        })
    }
}

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

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ControlError {
    /// No user has this name.
    #[error("there is no user `{0}`")]
    UnknownUser(String),
    /// No organization has this slug.
    #[error("there is no organization `{0}`")]
    UnknownOrganization(String),
    /// The topology does not have this cell.
    #[error("the installation has no {0}")]
    UnknownCell(CellId),
    /// The path is taken, or not valid for a namespace.
    #[error("`{0}` is taken, or not a valid path of a namespace")]
    PathNotFree(String),
    /// Rows of this table are not inserted by a scenario.
    #[error("rows of `{0}` are created by requests alone")]
    NotInserted(IdTable),
    /// No project has this path.
    #[error("there is no project `{0}`")]
    UnknownProject(String),
    /// The organization is on its way to this cell, or there already.
    #[error("`{0}` is on its way to {1}, or there already")]
    OtherMove(String, CellId),
    /// No move of this organization is under way.
    #[error("no move of `{0}` is under way")]
    NoMove(String),
    /// The replica of this region does not know yet that the organization has moved.
    #[error(
        "the replica of {0} does not know of the move yet; run the move again once it has caught up"
    )]
    ReplicaLags(Region),
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
