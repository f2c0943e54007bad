//! The databases as a cell uses them: it reads its region's replica and writes to the primary, and
//! the journal has every access (RG-03, RG-04, RG-05).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::servers::{Front, Place, Server, Servers};
use super::store::{OwnDatabases, Read, SharedDatabases, Spread, Written};
use crate::ids::{Drawn, JournaledIds};
use crate::journal::{Access, Journal};
use crate::population::Work;
use crate::rows::{
    CellSettings, Change, Covering, Id, IdTable, MergeRequest, Namespace, Note, Organization,
    Position, Project, ProjectReference, Route, Stored, User,
};
use crate::{CellId, Region};

/// A table, behind its schema.
type Table = (&'static str, &'static str);

const USERS: Table = ("gitlab_users", "users");
const SESSIONS: Table = ("gitlab_users", "sessions");
const TOKENS: Table = ("gitlab_users", "personal_access_tokens");
const ORGANIZATIONS: Table = ("gitlab_routes", "organizations");
const ROUTES: Table = ("gitlab_routes", "routes");
const ROW_CELLS: Table = ("gitlab_routes", "row_cells");
const SETTINGS: Table = ("gitlab_admin", "application_settings");
const CELL_SETTINGS: Table = ("gitlab_admin", "per_cell_application_settings");
const NAMESPACES: Table = ("gitlab_main", "namespaces");
const PROJECTS: Table = ("gitlab_main", "projects");
const TODOS: Table = ("gitlab_main", "todos");
const MERGE_REQUESTS: Table = ("gitlab_main", "merge_requests");
const NOTES: Table = ("gitlab_main", "notes");
const PIPELINES: Table = ("gitlab_ci", "pipelines");
const REFS: Table = ("repositories", "refs");

/// The databases as one cell sees them.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The cell, as the topology names it.
    pub(crate) node: CellId,
    pub(crate) primary_region: Region,
    pub(crate) servers: Arc<dyn Servers>,
    /// How long a write takes to the primary from another region.
    pub(crate) distance: Duration,
    pub(crate) front: Arc<dyn Front>,
    pub(crate) shared: Arc<dyn SharedDatabases>,
    pub(crate) own: Arc<dyn OwnDatabases>,
    pub(crate) ids: JournaledIds,
    pub(crate) journal: Arc<Journal>,
}

/// What all cells share.
impl Connection {
    /// Writes to the primary. From another region that takes its time (RG-04).
    pub async fn write(&self, change: Change) -> Written {
        let access = self.access(change.table(), true);
        let place = self.servers.written(&self.node, &self.primary_region);
        let is_near = place.region() == self.node.region();
        let under_way = if is_near { Duration::ZERO } else { self.distance };
        if !under_way.is_zero() {
            tokio::time::sleep(under_way).await;
        }
        let written = match self.front.write(change) {
            Some(change) => self.shared.write(change, Spread::Replicated).await,
            None => self.shared.position().await.map(Ok),
        };
        // A refused write reached the primary too, and changed nothing.
        let position = match &written {
            Ok(Ok(position)) => Ok(*position),
            Ok(Err(_)) => self.shared.position().await,
            Err(error) => Err(error.clone()),
        };
        let position = self.noted(access, position)?;
        let access = Access { write: matches!(written, Ok(Ok(_))), ..access };
        access.made_at(&self.journal, place.to_string(), position, under_way);
        written
    }

    pub async fn session(&self, session: &str) -> Stored<Option<User>> {
        self.read(SESSIONS, self.shared.session(&self.replica(), session)).await
    }

    /// The user of a session, read where it was written.
    pub async fn session_at_primary(&self, session: &str) -> Stored<Option<User>> {
        self.read_at_primary(SESSIONS, self.shared.session(&Server::Primary, session)).await
    }

    /// The user with a name, read where it was written.
    pub async fn user_at_primary(&self, name: &str) -> Stored<Option<User>> {
        self.read_at_primary(USERS, self.shared.user(&Server::Primary, name)).await
    }

    pub async fn token(&self, token: &str) -> Stored<Option<User>> {
        self.read(TOKENS, self.shared.token(&self.replica(), token)).await
    }

    pub async fn user(&self, name: &str) -> Stored<Option<User>> {
        self.read(USERS, self.shared.user(&self.replica(), name)).await
    }

    pub async fn organization(&self, slug: &str) -> Stored<Option<Organization>> {
        self.read(ORGANIZATIONS, self.shared.organization(&self.replica(), slug)).await
    }

    pub async fn organizations(&self) -> Stored<Vec<Organization>> {
        self.read(ORGANIZATIONS, self.shared.organizations(&self.replica())).await
    }

    pub async fn routes(&self, path: &str) -> Stored<Vec<Covering>> {
        self.read(ROUTES, self.shared.routes(&self.replica(), path)).await
    }

    /// All rows of `routes`, in the order of their paths.
    pub async fn all_routes(&self) -> Stored<Vec<Route>> {
        self.read(ROUTES, self.shared.all_routes(&self.replica())).await
    }

    pub async fn project_route(&self, project: &ProjectReference) -> Stored<Option<Route>> {
        self.read(ROUTES, self.shared.project_route(&self.replica(), project)).await
    }

    pub async fn namespace_route(&self, id: Id) -> Stored<Option<Route>> {
        self.read(ROUTES, self.shared.namespace_route(&self.replica(), id)).await
    }

    /// The cell that has a row, where that is written down.
    pub async fn row_cell(&self, table: IdTable, id: Id) -> Stored<Option<CellId>> {
        self.read(ROW_CELLS, self.shared.row_cell(&self.replica(), table, id)).await
    }

    /// The cell that drew an id, where the strategy can tell.
    pub async fn drawn_by(&self, table: IdTable, id: &Id) -> Stored<Option<CellId>> {
        self.ids.drawn_by(&self.node, table, id).await
    }

    pub async fn settings(&self) -> Stored<BTreeMap<String, String>> {
        let rows = self.read(SETTINGS, self.shared.settings(&self.replica())).await?;
        Ok(self.front.settings(rows))
    }

    /// The rows of the cells that have their own settings (AD-11).
    pub async fn cell_settings(&self) -> Stored<CellSettings> {
        let rows = self.read(CELL_SETTINGS, self.shared.cell_settings(&self.replica())).await?;
        Ok(self.front.cell_settings(rows))
    }

    /// The server that is read.
    fn replica(&self) -> Server {
        self.servers.read(&self.node, &self.primary_region)
    }

    /// Enters a read of the replica, and returns its rows.
    async fn read<T>(
        &self,
        (schema, table): Table,
        read: impl Future<Output = Read<T>>,
    ) -> Stored<T> {
        let seen = self.noted(self.access((schema, table), false), read.await)?;
        let place = Place::of(self.replica(), &self.primary_region);
        for table in [table].into_iter().chain(self.servers.beside(table)) {
            self.enter(self.access((schema, table), false), &place, seen.position);
        }
        Ok(seen.rows)
    }

    /// Enters a read of the primary, and returns its rows.
    async fn read_at_primary<T>(
        &self,
        table: Table,
        read: impl Future<Output = Read<T>>,
    ) -> Stored<T> {
        let access = self.access(table, false);
        let seen = self.noted(access, read.await)?;
        let place = Place::of(Server::Primary, &self.primary_region);
        self.enter(access, &place, seen.position);
        Ok(seen.rows)
    }
}

/// What the cell has for itself. It is named by its role.
impl Connection {
    pub async fn namespace(&self, role: &CellId, path: &str) -> Stored<Option<Namespace>> {
        self.read_own(NAMESPACES, self.own.namespace(role, path)).await
    }

    pub async fn namespaces(&self, role: &CellId) -> Stored<Vec<Namespace>> {
        self.read_own(NAMESPACES, self.own.namespaces(role)).await
    }

    pub async fn project(
        &self,
        role: &CellId,
        project: &ProjectReference,
    ) -> Stored<Option<Project>> {
        self.read_own(PROJECTS, self.own.project(role, project)).await
    }

    pub async fn projects(&self, role: &CellId) -> Stored<Vec<Project>> {
        self.read_own(PROJECTS, self.own.projects(role)).await
    }

    pub async fn work(&self, role: &CellId, user: &str) -> Stored<Work> {
        self.read_own(TODOS, self.own.work(role, user)).await
    }

    pub async fn pipelines(&self, role: &CellId, project: Id) -> Stored<u64> {
        self.read_own(PIPELINES, self.own.pipelines(role, project)).await
    }

    pub async fn add_namespace(&self, role: &CellId, namespace: Namespace) -> Stored<()> {
        self.write_own(NAMESPACES, self.own.add_namespace(role, namespace)).await
    }

    pub async fn add_project(&self, role: &CellId, project: Project) -> Stored<()> {
        self.write_own(PROJECTS, self.own.add_project(role, project)).await
    }

    pub async fn add_merge_request(
        &self,
        role: &CellId,
        row: MergeRequest,
    ) -> Stored<MergeRequest> {
        self.write_own(MERGE_REQUESTS, self.own.add_merge_request(role, row)).await
    }

    pub async fn merge_requests(&self, role: &CellId, project: Id) -> Stored<Vec<MergeRequest>> {
        self.read_own(MERGE_REQUESTS, self.own.merge_requests(role, project)).await
    }

    pub async fn merge_request(&self, role: &CellId, id: Id) -> Stored<Option<MergeRequest>> {
        self.read_own(MERGE_REQUESTS, self.own.merge_request(role, id)).await
    }

    pub async fn add_note(&self, role: &CellId, note: Note) -> Stored<()> {
        self.write_own(NOTES, self.own.add_note(role, note)).await
    }

    pub async fn notes(&self, role: &CellId, of: Id) -> Stored<Vec<Note>> {
        self.read_own(NOTES, self.own.notes(role, of)).await
    }

    /// Draws the id of a new row of this cell.
    pub async fn draw_id(&self, role: &CellId, table: IdTable) -> Stored<Drawn> {
        self.ids.draw(&self.node, role, table).await
    }

    /// Enters that refs of a Git repository of the cell have changed.
    pub fn enter_refs(&self) {
        let place = Place::Own(self.node.clone());
        self.enter(self.access(REFS, true), &place, Position::default());
    }

    async fn read_own<T>(&self, table: Table, read: impl Future<Output = Stored<T>>) -> Stored<T> {
        self.entered_own(self.access(table, false), read.await)
    }

    async fn write_own<T>(
        &self,
        table: Table,
        write: impl Future<Output = Stored<T>>,
    ) -> Stored<T> {
        self.entered_own(self.access(table, true), write.await)
    }

    /// Enters an access to the cell's own schemas, and returns its result.
    fn entered_own<T>(&self, access: Access<'_>, result: Stored<T>) -> Stored<T> {
        let rows = self.noted(access, result)?;
        let place = self.servers.own(&self.node, access.schema, &self.primary_region);
        self.enter(access, &place, Position::default());
        Ok(rows)
    }
}

/// The journal's record.
impl Connection {
    fn access(&self, (schema, table): Table, write: bool) -> Access<'_> {
        Access { cell: &self.node, schema, table, write }
    }

    /// Enters the failure of an access, where it failed.
    fn noted<T>(&self, access: Access<'_>, result: Stored<T>) -> Stored<T> {
        result.inspect_err(|error| access.failed(&self.journal, error))
    }

    fn enter(&self, access: Access<'_>, place: &Place, position: Position) {
        access.made_at(&self.journal, place.to_string(), position, Duration::ZERO);
    }
}
