//! The databases as a cell uses them: it reads its region's replica and writes to the primary, and
//! the journal has every access (RG-03, RG-04, RG-05).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::servers::{Place, Server, Servers};
use super::store::{OpenStores, OwnDatabases, Read, SharedDatabases, Spread, Written};
use crate::ids::{Drawn, JournaledIds};
use crate::journal::{Access, Journal};
use crate::population::Work;
use crate::rows::{
    CellSettings, Change, Covering, Id, IdTable, MergeRequest, Namespace, Note, Organization,
    Position, Project, ProjectReference, Route, StoreError, User,
};
use crate::{CellId, Region};

/// The databases as one cell sees them.
#[derive(Clone, Debug)]
pub struct Connection {
    node: CellId,
    primary_region: Region,
    servers: Arc<dyn Servers>,
    /// How long a write takes to the primary from another region.
    distance: Duration,
    shared: Arc<dyn SharedDatabases>,
    own: Arc<dyn OwnDatabases>,
    ids: JournaledIds,
    journal: Arc<Journal>,
}

impl Connection {
    /// The connection of the cell that the topology names `node`.
    pub fn new(
        node: CellId,
        primary_region: Region,
        servers: Arc<dyn Servers>,
        distance: Duration,
        stores: OpenStores,
        ids: JournaledIds,
        journal: Arc<Journal>,
    ) -> Self {
        let OpenStores { shared, own, .. } = stores;
        Self { node, primary_region, servers, distance, shared, own, ids, journal }
    }

    /// Writes to the primary. From another region that takes its time (RG-04).
    pub async fn write(&self, change: Change) -> Written {
        let (schema, table) = change.table();
        let place = self.servers.written(&self.node, &self.primary_region);
        let is_near = place.region() == self.node.region();
        let under_way = if is_near { Duration::ZERO } else { self.distance };
        if !under_way.is_zero() {
            tokio::time::sleep(under_way).await;
        }
        let written = self.shared.write(change, Spread::Replicated).await;
        // A refused write reached the primary too, and changed nothing.
        let position = match &written {
            Ok(Ok(position)) => Ok(*position),
            Ok(Err(_)) => self.shared.position().await,
            Err(error) => Err(error.clone()),
        };
        let position = self.noted(schema, table, true, position)?;
        let accepted = matches!(written, Ok(Ok(_)));
        self.enter(schema, table, accepted, &place, position, under_way);
        written
    }

    pub async fn session(&self, session: &str) -> Result<Option<User>, StoreError> {
        let read = self.shared.session(&self.replica(), session).await;
        self.shared_rows("gitlab_users", "sessions", read)
    }

    /// The user of a session, read where it was written.
    pub async fn session_at_primary(&self, session: &str) -> Result<Option<User>, StoreError> {
        let read = self.shared.session(&Server::Primary, session).await;
        self.rows_at_primary("gitlab_users", "sessions", read)
    }

    /// The user with a name, read where it was written.
    pub async fn user_at_primary(&self, name: &str) -> Result<Option<User>, StoreError> {
        let read = self.shared.user(&Server::Primary, name).await;
        self.rows_at_primary("gitlab_users", "users", read)
    }

    pub async fn token(&self, token: &str) -> Result<Option<User>, StoreError> {
        let read = self.shared.token(&self.replica(), token).await;
        self.shared_rows("gitlab_users", "personal_access_tokens", read)
    }

    pub async fn user(&self, name: &str) -> Result<Option<User>, StoreError> {
        let read = self.shared.user(&self.replica(), name).await;
        self.shared_rows("gitlab_users", "users", read)
    }

    pub async fn organization(&self, slug: &str) -> Result<Option<Organization>, StoreError> {
        let read = self.shared.organization(&self.replica(), slug).await;
        self.shared_rows("gitlab_routes", "organizations", read)
    }

    pub async fn organizations(&self) -> Result<Vec<Organization>, StoreError> {
        let read = self.shared.organizations(&self.replica()).await;
        self.shared_rows("gitlab_routes", "organizations", read)
    }

    pub async fn routes(&self, path: &str) -> Result<Vec<Covering>, StoreError> {
        let read = self.shared.routes(&self.replica(), path).await;
        self.shared_rows("gitlab_routes", "routes", read)
    }

    /// All rows of `routes`, in the order of their paths.
    pub async fn all_routes(&self) -> Result<Vec<Route>, StoreError> {
        let read = self.shared.all_routes(&self.replica()).await;
        self.shared_rows("gitlab_routes", "routes", read)
    }

    pub async fn project_route(
        &self,
        project: &ProjectReference,
    ) -> Result<Option<Route>, StoreError> {
        let read = self.shared.project_route(&self.replica(), project).await;
        self.shared_rows("gitlab_routes", "routes", read)
    }

    pub async fn namespace_route(&self, id: Id) -> Result<Option<Route>, StoreError> {
        let read = self.shared.namespace_route(&self.replica(), id).await;
        self.shared_rows("gitlab_routes", "routes", read)
    }

    /// The cell that has a row, where that is written down.
    pub async fn row_cell(&self, table: IdTable, id: Id) -> Result<Option<CellId>, StoreError> {
        let read = self.shared.row_cell(&self.replica(), table, id).await;
        self.shared_rows("gitlab_routes", "row_cells", read)
    }

    /// The cell that drew an id, where the strategy can tell.
    pub async fn drawn_by(&self, table: IdTable, id: &Id) -> Result<Option<CellId>, StoreError> {
        self.ids.drawn_by(&self.node, table, id).await
    }

    pub async fn settings(&self) -> Result<BTreeMap<String, String>, StoreError> {
        let read = self.shared.settings(&self.replica()).await;
        self.shared_rows("gitlab_admin", "application_settings", read)
    }

    /// The rows of the cells that have their own settings (AD-11).
    pub async fn cell_settings(&self) -> Result<CellSettings, StoreError> {
        let read = self.shared.cell_settings(&self.replica()).await;
        self.shared_rows("gitlab_admin", "per_cell_application_settings", read)
    }

    pub async fn namespace(
        &self,
        role: &CellId,
        path: &str,
    ) -> Result<Option<Namespace>, StoreError> {
        let read = self.own.namespace(role, path).await;
        self.own_rows("gitlab_main", "namespaces", false, read)
    }

    pub async fn namespaces(&self, role: &CellId) -> Result<Vec<Namespace>, StoreError> {
        let read = self.own.namespaces(role).await;
        self.own_rows("gitlab_main", "namespaces", false, read)
    }

    pub async fn project(
        &self,
        role: &CellId,
        project: &ProjectReference,
    ) -> Result<Option<Project>, StoreError> {
        let read = self.own.project(role, project).await;
        self.own_rows("gitlab_main", "projects", false, read)
    }

    pub async fn projects(&self, role: &CellId) -> Result<Vec<Project>, StoreError> {
        let read = self.own.projects(role).await;
        self.own_rows("gitlab_main", "projects", false, read)
    }

    pub async fn work(&self, role: &CellId, user: &str) -> Result<Work, StoreError> {
        let read = self.own.work(role, user).await;
        self.own_rows("gitlab_main", "todos", false, read)
    }

    pub async fn pipelines(&self, role: &CellId, project: Id) -> Result<u64, StoreError> {
        let read = self.own.pipelines(role, project).await;
        self.own_rows("gitlab_ci", "pipelines", false, read)
    }

    pub async fn add_namespace(
        &self,
        role: &CellId,
        namespace: Namespace,
    ) -> Result<(), StoreError> {
        let written = self.own.add_namespace(role, namespace).await;
        self.own_rows("gitlab_main", "namespaces", true, written)
    }

    pub async fn add_project(&self, role: &CellId, project: Project) -> Result<(), StoreError> {
        let written = self.own.add_project(role, project).await;
        self.own_rows("gitlab_main", "projects", true, written)
    }

    pub async fn add_merge_request(
        &self,
        role: &CellId,
        row: MergeRequest,
    ) -> Result<MergeRequest, StoreError> {
        let written = self.own.add_merge_request(role, row).await;
        self.own_rows("gitlab_main", "merge_requests", true, written)
    }

    pub async fn merge_requests(
        &self,
        role: &CellId,
        project: Id,
    ) -> Result<Vec<MergeRequest>, StoreError> {
        let read = self.own.merge_requests(role, project).await;
        self.own_rows("gitlab_main", "merge_requests", false, read)
    }

    pub async fn merge_request(
        &self,
        role: &CellId,
        id: Id,
    ) -> Result<Option<MergeRequest>, StoreError> {
        let read = self.own.merge_request(role, id).await;
        self.own_rows("gitlab_main", "merge_requests", false, read)
    }

    pub async fn add_note(&self, role: &CellId, note: Note) -> Result<(), StoreError> {
        let written = self.own.add_note(role, note).await;
        self.own_rows("gitlab_main", "notes", true, written)
    }

    pub async fn notes(&self, role: &CellId, of: Id) -> Result<Vec<Note>, StoreError> {
        let read = self.own.notes(role, of).await;
        self.own_rows("gitlab_main", "notes", false, read)
    }

    /// Draws the id of a new row of this cell.
    pub async fn draw_id(&self, role: &CellId, table: IdTable) -> Result<Drawn, StoreError> {
        self.ids.draw(&self.node, role, table).await
    }

    /// Enters that refs of a Git repository of the cell have changed.
    pub fn enter_refs(&self) {
        let place = Place::Own(self.node.clone());
        self.enter("repositories", "refs", true, &place, Position::default(), Duration::ZERO);
    }

    /// The server that is read.
    fn replica(&self) -> Server {
        self.servers.read(&self.node, &self.primary_region)
    }

    /// Enters a read of a shared schema, and returns its rows.
    fn shared_rows<T>(
        &self,
        schema: &'static str,
        table: &'static str,
        read: Read<T>,
    ) -> Result<T, StoreError> {
        let seen = self.noted(schema, table, false, read)?;
        let place = Place::of(self.replica(), &self.primary_region);
        for table in [table].into_iter().chain(self.servers.beside(table)) {
            self.enter(schema, table, false, &place, seen.position, Duration::ZERO);
        }
        Ok(seen.rows)
    }

    /// Enters a read of a shared schema at its primary, and returns its rows.
    fn rows_at_primary<T>(
        &self,
        schema: &'static str,
        table: &'static str,
        read: Read<T>,
    ) -> Result<T, StoreError> {
        let seen = self.noted(schema, table, false, read)?;
        let place = Place::of(Server::Primary, &self.primary_region);
        self.enter(schema, table, false, &place, seen.position, Duration::ZERO);
        Ok(seen.rows)
    }

    /// Enters an access to the cell's own schemas, and returns its result.
    fn own_rows<T>(
        &self,
        schema: &'static str,
        table: &'static str,
        write: bool,
        result: Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let rows = self.noted(schema, table, write, result)?;
        let place = self.servers.own(&self.node, schema, &self.primary_region);
        self.enter(schema, table, write, &place, Position::default(), Duration::ZERO);
        Ok(rows)
    }

    /// Enters the failure of an access, where it failed.
    fn noted<T>(
        &self,
        schema: &'static str,
        table: &'static str,
        write: bool,
        result: Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let access = Access { cell: &self.node, schema, table, write };
        result.inspect_err(|error| access.failed(&self.journal, error))
    }

    fn enter(
        &self,
        schema: &'static str,
        table: &'static str,
        write: bool,
        place: &Place,
        position: Position,
        under_way: Duration,
    ) {
        let access = Access { cell: &self.node, schema, table, write };
        access.made_at(&self.journal, place.to_string(), position, under_way);
    }
}
