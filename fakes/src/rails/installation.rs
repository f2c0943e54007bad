//! What all cells of a fleet share.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::watch;

use crate::clock::FleetClock;
use crate::database::{CellState, Connection, Front, OpenError, OpenStores, Seed};
use crate::git::on_disk::RepositoryFolders;
use crate::ids::{IdControl, IdDisturbance, IdSetup, JournaledIds};
use crate::moves::{Moves, ProjectData, WriteGates};
use crate::plan::{LoginBy, Protocol, ReplicationLag};
use crate::runners::{JournaledRunners, Queue};
use crate::sessions::{RegionalSessions, TokenKey};
use crate::{Casting, CellId, FleetPlan, Journal};

/// The databases of a fleet, and the plan that its cells follow.
///
/// The application works with roles, the cells as the documents name them; see [`Casting`].
#[derive(Debug)]
pub struct Installation {
    pub plan: FleetPlan,
    /// Which cell plays which role.
    pub casting: Arc<Casting>,
    /// What the cells saw and did.
    pub journal: Arc<Journal>,
    /// The databases of all cells.
    pub stores: OpenStores,
    /// What draws the ids of new rows.
    pub ids: JournaledIds,
    /// The tables of runners and jobs.
    pub runners: JournaledRunners,
    /// What a scenario does to the place that hands out ids.
    id_control: Arc<IdControl>,
    /// The moves that have begun and not ended.
    pub moves: Moves,
    /// The gates for writes of organizations.
    pub gates: WriteGates,
    /// What cells keep outside their databases.
    pub side: ProjectData,
    /// Which cells serve the repositories on disk.
    pub folders: RepositoryFolders,
    /// What cells keep in Redis.
    pub state: Arc<dyn CellState>,
    /// The stores of sessions in the regions, where the plan keeps them there.
    pub sessions: RegionalSessions,
    /// What signs sessions that are JWTs.
    pub token_key: TokenKey,
    /// What the cells take for the time.
    pub clock: Arc<FleetClock>,
    /// How many rows a scenario has inserted from outside.
    pub inserted: AtomicU64,
    /// Where the cells listen, once they do.
    pub addresses: OnceLock<BTreeMap<CellId, SocketAddr>>,
    /// Ends what outlives its request, such as a WebSocket, when the installation is dropped.
    pub life: watch::Sender<()>,
}

impl Installation {
    /// Opens the databases and fills them with the plan's population, which has been checked.
    ///
    /// # Errors
    /// Where rows of the population contradict each other, or a store fails.
    pub async fn new(
        plan: &FleetPlan,
        journal: Arc<Journal>,
        casting: Arc<Casting>,
    ) -> Result<Arc<Self>, OpenError> {
        let plan =
            FleetPlan { sign_in_cell: plan.topology.present(&plan.sign_in_cell), ..plan.clone() };
        let id_control = Arc::new(IdControl::default());
        let seed = Seed {
            lags: plan.lag != ReplicationLag::None,
            runners: plan.runner_plan.model,
            ..Seed::from_population(&plan.topology, &plan.population, &plan.id_plan)
        };
        let id_setup = IdSetup {
            plan: plan.id_plan.clone(),
            topology: plan.topology.clone(),
            greatest: seed.greatest.clone(),
            control: id_control.clone(),
        };
        let stores = plan.stores.open(seed).await?;
        let ids = plan.stores.allocator(&id_setup, stores.counters.clone());
        let clock = Arc::new(FleetClock::default());
        let runners = JournaledRunners {
            queue: Queue::new(stores.runners.clone(), plan.stores.leases()),
            clock: clock.clone(),
            journal: journal.clone(),
            primary_region: plan.topology.primary_region.clone(),
            distance: plan.write_distance,
            lease: plan.runner_plan.lease,
        };
        let regions = plan.topology.regions().into_iter().collect();
        let sessions = plan.stores.open_sessions().await?;
        let installation = Self {
            plan: plan.clone(),
            casting,
            ids: JournaledIds::new(ids, journal.clone()),
            runners,
            id_control,
            sessions: RegionalSessions::new(regions, sessions, journal.clone()),
            token_key: TokenKey::new(),
            clock,
            moves: Moves::default(),
            gates: WriteGates::default(),
            side: ProjectData::default(),
            folders: RepositoryFolders::default(),
            state: plan.stores.open_state().await?,
            inserted: AtomicU64::new(0),
            journal,
            stores,
            addresses: OnceLock::new(),
            life: watch::Sender::new(()),
        };
        if plan.lag != ReplicationLag::None {
            installation.set_replication_lag(plan.lag).await?;
        }
        Ok(Arc::new(installation))
    }

    /// Tells the cells where each of them listens.
    pub(crate) fn listen_at(&self, addresses: BTreeMap<CellId, SocketAddr>) {
        // A fleet starts once.
        let _ = self.addresses.set(addresses);
    }

    /// Disturbs the central place that hands out ids, where the strategy has one.
    pub fn disturb_ids(&self, disturbance: IdDisturbance) {
        self.id_control.disturb(disturbance);
    }

    /// Puts the clock of the cells forward. Users and routers have their own clocks.
    pub fn advance_clock(&self, by: Duration) {
        self.clock.advance(by);
    }

    /// The latest cell. It is also the original installation, which has the global pages (GL-06).
    pub fn latest(&self) -> &CellId {
        &self.plan.topology.latest
    }

    /// The protocol of all cells.
    pub fn protocol(&self) -> Protocol {
        self.plan.protocol
    }

    /// Which cell starts the login: the one that the plan names, or that the proposal draws.
    pub fn login_by(&self) -> LoginBy {
        let drawn = match self.plan.protocol {
            Protocol::Buffering => LoginBy::AskedCell,
            Protocol::Learning => LoginBy::Owner,
        };
        self.plan.login_by.unwrap_or(drawn)
    }

    /// The databases as the cell that the topology names so uses them.
    pub(super) fn connection(&self, node: &CellId, front: Arc<dyn Front>) -> Connection {
        Connection {
            node: node.clone(),
            primary_region: self.plan.topology.primary_region.clone(),
            servers: self.plan.stores.servers(),
            distance: self.plan.write_distance,
            front,
            shared: self.stores.shared.clone(),
            own: self.stores.own.clone(),
            ids: self.ids.clone(),
            journal: self.journal.clone(),
        }
    }
}
