//! The databases on PostgreSQL.
//!
//! The shared schemas are three databases on one primary in the primary region, with a streaming
//! replica for each region; the schemas of the cells are two databases for each cell on a server
//! that nothing follows. The fleets of one process use the same servers. Each fleet has databases
//! of its own, made from templates that have its tables. A fleet whose replicas lag has
//! the replicas of a second primary for itself, because a replica pauses for all databases at once.

mod apply;
mod cluster;
mod counters;
#[cfg(test)]
mod counters_tests;
#[cfg(test)]
mod index_size;
#[cfg(test)]
mod insert_latency;
mod kind;
mod link;
mod own;
mod own_rows;
mod rows;
mod runners;
#[cfg(test)]
mod runners_tests;
mod server;
mod shared;
mod standby;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use cell_fleet::store::{OpenError, OpenStores, Seed};
use cell_fleet::{
    CellId, DatabaseEntry, ReplicaAddresses, RunnerModel, StoreError, Stored, database_yml,
};
use tokio::sync::OnceCell;

use crate::durability::Durability;
use crate::folder::{self, Folder};
use crate::programs::{Place, Program};
use crate::redis::SharedSessions;
use cluster::Cluster;
use kind::Kind;
use own::PostgresOwn;
use server::Purpose;
use shared::{PostgresShared, Turn};

/// The shared databases of a fleet with this model of runners. Where each cell has its own runners,
/// they are those of the documents' `database.yml`.
fn shared_kinds(runners: RunnerModel) -> &'static [Kind] {
    match runners {
        RunnerModel::Shared => &Kind::SHARED,
        _ => &Kind::SHARED[..3],
    }
}

/// The databases of one installation. Counters, runners and jobs are in the shared ones, or in those
/// of cells.
#[derive(Debug)]
struct Both {
    shared: Arc<PostgresShared>,
    own: Arc<PostgresOwn>,
}

/// PostgreSQL servers. They end when this is dropped.
#[derive(Debug)]
pub(super) struct PostgresServers {
    shared: Arc<Cluster>,
    own: Arc<Cluster>,
    /// Started with the first fleet whose replicas lag.
    lagging: OnceCell<Arc<Cluster>>,
    place: Arc<Place>,
}

impl PostgresServers {
    /// Starts a primary for the shared schemas, and a server for those of the cells.
    pub(super) async fn start(
        folder: Arc<Folder>,
        program: Program,
        durability: Durability,
    ) -> Stored<Self> {
        let place = Arc::new(Place { folder, program });
        let shared = Cluster::start(place.clone(), Purpose::Shared, durability);
        let own = Cluster::start(place.clone(), Purpose::Cells, durability);
        let (shared, own) = tokio::try_join!(shared, own)?;
        Ok(Self { shared, own, lagging: OnceCell::new(), place })
    }

    pub(super) fn program(&self) -> &Program {
        &self.place.program
    }

    async fn lagging(&self) -> Stored<&Arc<Cluster>> {
        let start = || Cluster::start(self.place.clone(), Purpose::Lagging, Durability::None);
        self.lagging.get_or_try_init(start).await
    }

    /// Opens databases that hold the seed and nothing else. Whose turn it is has the replicas that
    /// lag for itself.
    pub(super) async fn open(
        &self,
        seed: Seed,
        sessions: SharedSessions,
        turn: Option<Turn>,
    ) -> Result<OpenStores, OpenError> {
        let cluster = if turn.is_some() { self.lagging().await? } else { &self.shared };
        let kinds = shared_kinds(seed.runners);
        let shared =
            PostgresShared::open(cluster, kinds, &seed.regions, &seed.shared, sessions, turn);
        let own = async { Ok(PostgresOwn::open(&self.own, &seed.cells, seed.own).await?) };
        let (shared, own) = tokio::try_join!(shared, own)?;
        self.write_layout(&seed.cells, cluster, &shared, &own).await?;
        let (shared, own) = (Arc::new(shared), Arc::new(own));
        let both = Arc::new(Both { shared: shared.clone(), own: own.clone() });
        Ok(OpenStores { shared, own, counters: both.clone(), runners: both })
    }

    /// Writes the `database.yml` of each cell into the folder. The file of a fleet replaces that of
    /// the one before.
    async fn write_layout(
        &self,
        cells: &[CellId],
        cluster: &Cluster,
        shared: &PostgresShared,
        own: &PostgresOwn,
    ) -> Stored<()> {
        for cell in cells {
            let socket = |server: &server::Server| server.socket().display().to_string();
            let entry = |kind: Kind, server, database: &str, replicas| DatabaseEntry {
                name: kind.as_str(),
                host: socket(server),
                database: Some(database.to_owned()),
                replicas: ReplicaAddresses::Hosts(replicas),
            };
            let standby = cluster.standby(cell.region()).await?;
            let mut entries = Vec::new();
            for (kind, database) in own.databases_of(cell) {
                entries.push(entry(kind, self.own.primary(), database, Vec::new()));
            }
            for (kind, database) in shared.databases() {
                entries.push(entry(kind, cluster.primary(), database, vec![socket(&standby)]));
            }
            let file = self.place.folder.path().join(format!("database.{cell}.yml"));
            folder::write(&file, &database_yml(&entries)).map_err(|error| {
                StoreError::new("PostgreSQL", format!("{}: {error}", file.display()))
            })?;
        }
        Ok(())
    }
}
