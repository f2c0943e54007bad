//! The seam between the cells and the databases behind them: what a store must do.
//!
//! The traits are `async` and fallible, so that a database server fits behind them as well as
//! memory does. They are used as trait objects, because the plan of a fleet chooses the store when
//! the fleet starts; `async-trait` makes them object safe.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use async_trait::async_trait;

use super::memory::MemoryStores;
use super::seed::Seed;
use super::servers::{CorrectServers, Server, Servers};
use super::state::{CellState, MemoryState};
use crate::ids::{self, IdAllocator, IdCounters, IdSetup};
use crate::plan::ReplicationLag;
use crate::population::Work;
use crate::rows::{
    CellSettings, Change, Conflict, Covering, Id, IdTable, MergeRequest, Namespace, Note,
    OpenError, Organization, OrganizationRows, Position, Project, ProjectReference, Route, Stored,
    User,
};
use crate::runners::{CorrectLeases, LeaseRules, RunnerTables};
use crate::sessions::{MemorySessions, SessionStore};
use crate::{CellId, Region};

/// Opens the databases of one fleet after the other, and says what stands above them. Broken cells
/// stand on stores that wrap others.
#[async_trait]
pub trait StoreFactory: fmt::Debug + Send + Sync {
    /// The name of the store in messages.
    fn name(&self) -> &str;

    /// Opens databases that hold the seed and nothing else, with replicas that have replayed it.
    async fn open(&self, seed: Seed) -> Result<OpenStores, OpenError>;

    /// Opens an empty store of sessions for each region, used where the plan keeps sessions there.
    async fn open_sessions(&self) -> Result<Arc<dyn SessionStore>, OpenError> {
        Ok(Arc::new(MemorySessions::default()))
    }

    /// Opens the state that cells keep outside their rows, with nothing in it.
    async fn open_state(&self) -> Result<Arc<dyn CellState>, OpenError> {
        Ok(Arc::new(MemoryState::default()))
    }

    /// What draws the cells' ids from the counters of open stores.
    fn allocator(&self, setup: &IdSetup, counters: Arc<dyn IdCounters>) -> Arc<dyn IdAllocator> {
        ids::allocator(setup, counters)
    }

    /// The rules of leases, by which runners have jobs.
    fn leases(&self) -> Arc<dyn LeaseRules> {
        Arc::new(CorrectLeases)
    }

    /// Which servers of the databases a cell uses.
    fn servers(&self) -> Arc<dyn Servers> {
        Arc::new(CorrectServers)
    }
}

/// The open databases of one fleet.
#[derive(Clone, Debug)]
pub struct OpenStores {
    /// The schemas that all cells share.
    pub shared: Arc<dyn SharedDatabases>,
    /// The schemas of each cell.
    pub own: Arc<dyn OwnDatabases>,
    /// What ids are drawn from.
    pub counters: Arc<dyn IdCounters>,
    /// Runners and jobs.
    pub runners: Arc<dyn RunnerTables>,
}

/// The rows that were read, and the last write that the server had seen.
#[derive(Debug)]
pub struct Seen<T> {
    /// What was read.
    pub rows: T,
    /// The last write that the server had seen.
    pub position: Position,
}

/// How soon a write can be read from the replicas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spread {
    /// Once it has been replicated.
    Replicated,
    /// At once and everywhere, whatever the lag: the state that a scenario begins with.
    AtOnce,
}

/// The result of a write. The outer error is a failure of the store; the inner one is the conflict
/// for which the primary refuses the write.
pub type Written = Stored<Result<Position, Conflict>>;

pub type Read<T> = Stored<Seen<T>>;

/// `gitlab_users`, `gitlab_routes` and `gitlab_admin`: a primary, and a replica in each region. What
/// is asked of the replica of a region that has none is asked of the primary.
#[async_trait]
pub trait SharedDatabases: fmt::Debug + Send + Sync {
    /// Writes to the primary.
    async fn write(&self, change: Change, spread: Spread) -> Written;
    async fn session(&self, from: &Server, session: &str) -> Read<Option<User>>;
    /// The user of a personal access token.
    async fn token(&self, from: &Server, token: &str) -> Read<Option<User>>;
    async fn user(&self, from: &Server, name: &str) -> Read<Option<User>>;
    async fn organization(&self, from: &Server, slug: &str) -> Read<Option<Organization>>;
    /// All organizations, in the order of their slugs.
    async fn organizations(&self, from: &Server) -> Read<Vec<Organization>>;
    /// The routes that cover a path, the shortest first.
    async fn routes(&self, from: &Server, path: &str) -> Read<Vec<Covering>>;
    /// All routes, in the order of their paths.
    async fn all_routes(&self, from: &Server) -> Read<Vec<Route>>;
    async fn project_route(&self, from: &Server, project: &ProjectReference)
    -> Read<Option<Route>>;
    async fn namespace_route(&self, from: &Server, id: Id) -> Read<Option<Route>>;
    /// The cell that has a row, where that is written down.
    async fn row_cell(&self, from: &Server, table: IdTable, id: Id) -> Read<Option<CellId>>;
    /// The application settings.
    async fn settings(&self, from: &Server) -> Read<BTreeMap<String, String>>;
    /// The rows of the cells that have their own application settings.
    async fn cell_settings(&self, from: &Server) -> Read<CellSettings>;
    /// The last position of the primary's log.
    async fn position(&self) -> Stored<Position>;
    /// The position up to which a region's replica has replayed the log.
    async fn replica_position(&self, region: &Region) -> Stored<Position>;
    /// Says how far a region's replica is behind, also with writes that it has not replayed yet.
    async fn set_lag(&self, region: &Region, lag: ReplicationLag) -> Stored<()>;
    /// Waits until a region's replica has replayed the log up to a position. The caller bounds the
    /// wait: a replica that is held does not move.
    async fn wait_until_replayed(&self, region: &Region, position: Position) -> Stored<()>;
}

/// `gitlab_main` and `gitlab_ci` of every cell; cells are named by their roles.
#[async_trait]
pub trait OwnDatabases: fmt::Debug + Send + Sync {
    async fn namespace(&self, cell: &CellId, path: &str) -> Stored<Option<Namespace>>;
    async fn namespaces(&self, cell: &CellId) -> Stored<Vec<Namespace>>;
    /// A project, by its full path or id.
    async fn project(&self, cell: &CellId, project: &ProjectReference) -> Stored<Option<Project>>;
    async fn projects(&self, cell: &CellId) -> Stored<Vec<Project>>;
    /// The open work of a user on this cell.
    async fn work(&self, cell: &CellId, user: &str) -> Stored<Work>;
    /// The number of pipelines of a project (`gitlab_ci`).
    async fn pipelines(&self, cell: &CellId, project: Id) -> Stored<u64>;
    /// Adds a namespace. The routes table has already decided that its path is free.
    async fn add_namespace(&self, cell: &CellId, namespace: Namespace) -> Stored<()> {
        let namespaces = vec![namespace];
        self.add_rows(cell, OrganizationRows { namespaces, ..OrganizationRows::default() }).await
    }
    /// Adds a project without pipelines. The routes table has already decided that its path is
    /// free.
    async fn add_project(&self, cell: &CellId, project: Project) -> Stored<()> {
        let projects = vec![(project, 0)];
        self.add_rows(cell, OrganizationRows { projects, ..OrganizationRows::default() }).await
    }
    /// Gives the namespace with a path, and its projects, another path; nothing where there is no
    /// such namespace.
    async fn rename_namespace(&self, cell: &CellId, path: &str, to: &str) -> Stored<()>;
    /// Adds a merge request with the next IID of its project, and returns it with that.
    async fn add_merge_request(
        &self,
        cell: &CellId,
        merge_request: MergeRequest,
    ) -> Stored<MergeRequest>;
    /// The merge requests of a project, in the order of their IIDs.
    async fn merge_requests(&self, cell: &CellId, project: Id) -> Stored<Vec<MergeRequest>>;
    /// The merge request with an id.
    async fn merge_request(&self, cell: &CellId, id: Id) -> Stored<Option<MergeRequest>>;
    async fn add_note(&self, cell: &CellId, note: Note) -> Stored<()> {
        let notes = vec![note];
        self.add_rows(cell, OrganizationRows { notes, ..OrganizationRows::default() }).await
    }
    /// The notes of a merge request, in the order of their ids.
    async fn notes(&self, cell: &CellId, merge_request: Id) -> Stored<Vec<Note>>;
    /// Everything of an organization on a cell.
    async fn organization_rows(&self, cell: &CellId, slug: &str) -> Stored<OrganizationRows>;
    /// Adds rows, such as those of an organization that another cell had, in one transaction.
    async fn add_rows(&self, cell: &CellId, rows: OrganizationRows) -> Stored<()>;
    /// Removes everything of an organization from a cell, in one transaction.
    async fn remove_rows(&self, cell: &CellId, slug: &str) -> Stored<()>;
}

/// The databases behind a fleet's cells. The default keeps them in memory.
///
/// ```
/// use cell_fleet::{FleetPlan, Protocol, Stores};
/// let plan = FleetPlan::documents(Protocol::Learning);
/// assert_eq!(plan.stores.name(), Stores::in_memory().name());
/// ```
#[derive(Clone, Debug)]
pub struct Stores(Arc<dyn StoreFactory>);

impl Stores {
    /// Databases in memory, which end with the fleet.
    pub fn in_memory() -> Self {
        Self::from_factory(MemoryStores::default())
    }

    /// The stores that this factory opens.
    pub fn from_factory(factory: impl StoreFactory + 'static) -> Self {
        Self(Arc::new(factory))
    }

    /// The name of the store in messages.
    pub fn name(&self) -> &str {
        self.0.name()
    }
}

impl Deref for Stores {
    type Target = dyn StoreFactory;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Default for Stores {
    fn default() -> Self {
        Self::in_memory()
    }
}
