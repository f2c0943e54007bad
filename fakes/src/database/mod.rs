//! The databases: schemas that all cells share, and each cell's own.
//!
//! `gitlab_users`, `gitlab_routes` and `gitlab_admin` have one primary, which takes all writes, and
//! a replica in each region, from which that region's cells read (DB-05, A-71). `gitlab_main` and
//! `gitlab_ci` exist once for each cell (DB-04). The two traits are the seam: the fleet comes with
//! an implementation in memory ([`InMemory`], [`OwnInMemory`]), and a PostgreSQL could stand behind
//! them as well. Cells reach them through a [`Connection`], which enters every access into the
//! journal.

mod change;
mod connection;
mod memory;
mod own;
mod routing;
mod rows;

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

pub(crate) use change::{Change, Conflict};
pub(crate) use connection::{Connection, Way};
pub(crate) use memory::InMemory;
pub(crate) use own::OwnInMemory;
pub(crate) use rows::{Covering, Namespace, Organization, Project, Route, Source, User, may_see};

use crate::population::Work;
use crate::{CellId, Region};

/// What a database responses, in time.
pub(crate) type Reply<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A position in the primary's log: how many writes it has taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct LogPosition(pub u64);

impl fmt::Display for LogPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The server from which is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Server {
    Primary,
    Replica(Region),
}

/// What was read, and up to which write the server could see.
#[derive(Debug)]
pub(crate) struct Seen<T> {
    pub(crate) rows: T,
    pub(crate) position: LogPosition,
}

/// How soon a write can be read from the replicas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spread {
    /// As the replication takes it there.
    Replicated,
    /// At once and everywhere, whatever the lag: what a scenario takes as given.
    AtOnce,
}

/// A project as API paths name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ProjectReference {
    Id(u64),
    /// `group/project`.
    Path(String),
}

/// `gitlab_users`, `gitlab_routes` and `gitlab_admin`.
pub(crate) trait SharedDatabases: fmt::Debug + Send + Sync {
    /// Writes to the primary.
    fn write(&self, change: Change, spread: Spread) -> Reply<'_, Result<LogPosition, Conflict>>;
    /// The user of a session.
    fn session(&self, from: &Server, session: &str) -> Reply<'_, Seen<Option<User>>>;
    /// The user of a personal access token.
    fn token(&self, from: &Server, token: &str) -> Reply<'_, Seen<Option<User>>>;
    /// The user of a name.
    fn user(&self, from: &Server, name: &str) -> Reply<'_, Seen<Option<User>>>;
    /// The organization of a slug.
    fn organization(&self, from: &Server, slug: &str) -> Reply<'_, Seen<Option<Organization>>>;
    /// The routes that cover a path, the shortest first.
    fn routes(&self, from: &Server, path: &str) -> Reply<'_, Seen<Vec<Covering>>>;
    /// All routes, in the order of their paths.
    fn all_routes(&self, from: &Server) -> Reply<'_, Seen<Vec<Route>>>;
    /// The route of a project.
    fn project_route(
        &self,
        from: &Server,
        project: &ProjectReference,
    ) -> Reply<'_, Seen<Option<Route>>>;
    /// The application settings.
    fn settings(&self, from: &Server) -> Reply<'_, Seen<BTreeMap<String, String>>>;
    /// Waits until a region's replica has replayed the log up to a position.
    fn replayed(&self, region: &Region, position: LogPosition) -> Reply<'_, ()>;
    /// The last position of the primary's log.
    fn position(&self) -> LogPosition;
}

/// `gitlab_main` and `gitlab_ci` of every cell; cells are named by their roles.
pub(crate) trait OwnDatabases: fmt::Debug + Send + Sync {
    /// A namespace by its path.
    fn namespace(&self, cell: &CellId, path: &str) -> Reply<'_, Option<Namespace>>;
    /// All namespaces.
    fn namespaces(&self, cell: &CellId) -> Reply<'_, Vec<Namespace>>;
    /// A project by its full path or id.
    fn project(&self, cell: &CellId, project: &ProjectReference) -> Reply<'_, Option<Project>>;
    /// All projects.
    fn projects(&self, cell: &CellId) -> Reply<'_, Vec<Project>>;
    /// What waits for a user on this cell.
    fn work(&self, cell: &CellId, user: &str) -> Reply<'_, Work>;
    /// How many pipelines ran in a project (`gitlab_ci`).
    fn pipelines(&self, cell: &CellId, project: u64) -> Reply<'_, u64>;
    /// Draws an id that no other cell draws (ID-01).
    fn draw_id(&self, cell: &CellId) -> Reply<'_, u64>;
    /// Adds a namespace; that its path is free is for the routes table to say.
    fn add_namespace(&self, cell: &CellId, namespace: Namespace) -> Reply<'_, ()>;
    /// Takes everything of an organization from one cell to another; ids are kept (ID-05).
    /// Responses with the paths of the namespaces.
    fn move_organization(&self, slug: &str, from: &CellId, to: &CellId) -> Reply<'_, Vec<String>>;
}
