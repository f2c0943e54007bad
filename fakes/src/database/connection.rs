//! A cell's way to the databases: reads go to the own region's replica, writes to the primary, and
//! every access is entered into the journal (RG-03, RG-04, RG-05).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::{
    Change, Conflict, Covering, LogPosition, Namespace, Organization, OwnDatabases, Project,
    ProjectReference, Route, Seen, Server, SharedDatabases, Spread, User,
};
use crate::population::Work;
use crate::{CellId, DatabaseAccess, Event, Journal, Region};

/// To which servers of the shared databases a cell goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// It reads its own region's replica and writes at the primary.
    Sound,
    /// Broken: it reads the primary.
    ReadsPrimary,
    /// Broken: it reads the replica beside the primary, wherever it stands itself.
    ReadsPrimarysReplica,
    /// Broken: it writes at its own region's server, which hands the write on.
    WritesAtHome,
    /// Broken: it writes at a primary of its own region.
    PrimaryAtHome,
    /// Broken: what should be in its own `gitlab_ci` is in one that all cells share.
    SharesCi,
    /// Broken: the owner of a route stands in a table of its own.
    OwnersBesideRoutes,
}

/// The databases as one cell sees them.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    node: CellId,
    primary_region: Region,
    way: Way,
    /// How long a write is under way to the primary from another region.
    distance: Duration,
    shared: Arc<dyn SharedDatabases>,
    own: Arc<dyn OwnDatabases>,
    journal: Arc<Journal>,
}

impl Connection {
    /// The connection of the cell in this seat.
    pub(crate) fn new(
        node: CellId,
        primary_region: Region,
        way: Way,
        distance: Duration,
        shared: Arc<dyn SharedDatabases>,
        own: Arc<dyn OwnDatabases>,
        journal: Arc<Journal>,
    ) -> Self {
        Self { node, primary_region, way, distance, shared, own, journal }
    }

    /// Writes to the primary; from another region that takes its time (RG-04).
    pub(crate) async fn write(&self, change: Change) -> Result<LogPosition, Conflict> {
        let (schema, table) = change.table();
        let at_home = matches!(self.way, Way::WritesAtHome | Way::PrimaryAtHome)
            || *self.node.region() == self.primary_region;
        let under_way = if at_home { Duration::ZERO } else { self.distance };
        if !under_way.is_zero() {
            tokio::time::sleep(under_way).await;
        }
        let written = self.shared.write(change, Spread::Replicated).await;
        // A refused write reached the primary too, and changed nothing.
        let position = written.as_ref().copied().unwrap_or_else(|_| self.shared.position());
        let server = match self.way {
            Way::WritesAtHome => self.called(&Server::Replica(self.node.region().clone())),
            Way::PrimaryAtHome => format!("primary {}", self.node.region()),
            _ => self.called(&Server::Primary),
        };
        self.enter(schema, table, written.is_ok(), server, position.0, under_way);
        written
    }

    pub(crate) async fn session(&self, session: &str) -> Option<User> {
        self.read("gitlab_users", "sessions", self.shared.session(&self.replica(), session).await)
    }

    pub(crate) async fn token(&self, token: &str) -> Option<User> {
        self.read(
            "gitlab_users",
            "personal_access_tokens",
            self.shared.token(&self.replica(), token).await,
        )
    }

    pub(crate) async fn user(&self, name: &str) -> Option<User> {
        self.read("gitlab_users", "users", self.shared.user(&self.replica(), name).await)
    }

    pub(crate) async fn organization(&self, slug: &str) -> Option<Organization> {
        self.read(
            "gitlab_routes",
            "organizations",
            self.shared.organization(&self.replica(), slug).await,
        )
    }

    pub(crate) async fn routes(&self, path: &str) -> Vec<Covering> {
        self.read("gitlab_routes", "routes", self.shared.routes(&self.replica(), path).await)
    }

    /// All rows of `routes`, in the order of their paths.
    pub(crate) async fn all_routes(&self) -> Vec<Route> {
        self.read("gitlab_routes", "routes", self.shared.all_routes(&self.replica()).await)
    }

    pub(crate) async fn project_route(&self, project: &ProjectReference) -> Option<Route> {
        self.read(
            "gitlab_routes",
            "routes",
            self.shared.project_route(&self.replica(), project).await,
        )
    }

    pub(crate) async fn settings(&self) -> BTreeMap<String, String> {
        self.read(
            "gitlab_admin",
            "application_settings",
            self.shared.settings(&self.replica()).await,
        )
    }

    pub(crate) async fn namespace(&self, role: &CellId, path: &str) -> Option<Namespace> {
        self.enter_own("gitlab_main", "namespaces", false);
        self.own.namespace(role, path).await
    }

    pub(crate) async fn namespaces(&self, role: &CellId) -> Vec<Namespace> {
        self.enter_own("gitlab_main", "namespaces", false);
        self.own.namespaces(role).await
    }

    pub(crate) async fn project(
        &self,
        role: &CellId,
        project: &ProjectReference,
    ) -> Option<Project> {
        self.enter_own("gitlab_main", "projects", false);
        self.own.project(role, project).await
    }

    pub(crate) async fn projects(&self, role: &CellId) -> Vec<Project> {
        self.enter_own("gitlab_main", "projects", false);
        self.own.projects(role).await
    }

    pub(crate) async fn work(&self, role: &CellId, user: &str) -> Work {
        self.enter_own("gitlab_main", "todos", false);
        self.own.work(role, user).await
    }

    pub(crate) async fn pipelines(&self, role: &CellId, project: u64) -> u64 {
        match self.way {
            Way::SharesCi => self.enter(
                "gitlab_ci",
                "pipelines",
                false,
                self.called(&Server::Primary),
                0,
                Duration::ZERO,
            ),
            _ => self.enter_own("gitlab_ci", "pipelines", false),
        }
        self.own.pipelines(role, project).await
    }

    pub(crate) async fn draw_id(&self, role: &CellId) -> u64 {
        self.own.draw_id(role).await
    }

    pub(crate) async fn add_namespace(&self, role: &CellId, namespace: Namespace) {
        self.enter_own("gitlab_main", "namespaces", true);
        self.own.add_namespace(role, namespace).await;
    }

    /// Whether the replica of the cell's region has not replayed the whole log.
    pub(crate) async fn is_behind(&self) -> bool {
        self.shared.settings(&self.replica()).await.position < self.shared.position()
    }

    /// The server that is read.
    fn replica(&self) -> Server {
        match self.way {
            Way::ReadsPrimary => Server::Primary,
            Way::ReadsPrimarysReplica => Server::Replica(self.primary_region.clone()),
            Way::Sound
            | Way::WritesAtHome
            | Way::PrimaryAtHome
            | Way::SharesCi
            | Way::OwnersBesideRoutes => Server::Replica(self.node.region().clone()),
        }
    }

    /// A server as the journal calls it.
    fn called(&self, server: &Server) -> String {
        match server {
            Server::Primary => format!("primary {}", self.primary_region),
            Server::Replica(region) => format!("replica {region}"),
        }
    }

    fn read<T>(&self, schema: &'static str, table: &'static str, seen: Seen<T>) -> T {
        self.enter(
            schema,
            table,
            false,
            self.called(&self.replica()),
            seen.position.0,
            Duration::ZERO,
        );
        if self.way == Way::OwnersBesideRoutes && table == "routes" {
            self.enter(
                schema,
                "route_owners",
                false,
                self.called(&self.replica()),
                seen.position.0,
                Duration::ZERO,
            );
        }
        seen.rows
    }

    fn enter_own(&self, schema: &'static str, table: &'static str, write: bool) {
        self.enter(schema, table, write, format!("own {}", self.node), 0, Duration::ZERO);
    }

    fn enter(
        &self,
        schema: &'static str,
        table: &'static str,
        write: bool,
        server: String,
        position: u64,
        under_way: Duration,
    ) {
        let access = DatabaseAccess {
            cell: self.node.clone(),
            schema,
            table,
            write,
            server,
            position,
            under_way,
        };
        self.journal.append(Event::Database(access));
    }
}
