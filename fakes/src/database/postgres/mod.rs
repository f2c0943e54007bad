//! The databases on PostgreSQL: servers that this process starts in a temporary folder, and ends.
//!
//! The shared schemas are three databases on one primary in the primary region, with a streaming
//! replica for each region; the schemas of the cells are two databases for each cell on a server
//! that nothing follows. The fleets of one process use the same servers. Each fleet has databases
//! of its own, made from templates that the migrations have filled. A fleet whose replicas lag has
//! the replicas of a second primary for itself, because a replica pauses for all databases at once.

mod apply;
mod cluster;
mod folder;
#[cfg(test)]
mod index_size;
mod link;
mod migrations;
mod own;
mod programs;
mod rows;
mod server;
mod shared;
mod standby;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::{Mutex, OnceCell};

use super::error::{OpenError, StoreError};
use super::layout::{DatabaseEntry, ReplicaAddresses, database_yml};
use super::seed::Seed;
use super::store::{OpenStores, StoreFactory};
use super::stores::Stores;
use crate::CellId;
use cluster::{Cluster, Place};
use migrations::Kind;
use own::PostgresOwn;
use server::{Durability, Purpose};
use shared::PostgresShared;

/// PostgreSQL servers of this process. They end, and their folder is removed, when the last of
/// these and of the fleets on them is dropped, when [`stop`](Self::stop) is called, and when the
/// process ends, however it ends.
#[derive(Clone)]
pub struct RealStores(Arc<Servers>);

struct Servers {
    shared: Arc<Cluster>,
    own: Arc<Cluster>,
    /// Started with the first fleet whose replicas lag.
    lagging: OnceCell<Arc<Cluster>>,
    turn: Arc<Mutex<()>>,
    place: Arc<Place>,
}

impl RealStores {
    /// Starts a primary for the shared schemas, and a server for those of the cells. Replicas are
    /// started when a fleet asks for their regions.
    ///
    /// # Errors
    /// Where PostgreSQL 15 or later is not installed, or a server does not start. The error says
    /// what is missing, or what the server wrote into its log.
    pub async fn start() -> Result<Self, StoreError> {
        Self::start_with(Durability::None).await
    }

    async fn start_with(durability: Durability) -> Result<Self, StoreError> {
        let place = Arc::new(cluster::blocking(Place::new).await?);
        let shared = Cluster::start(
            place.clone(),
            "primary".to_owned(),
            "",
            &Kind::SHARED,
            Purpose::Replicated,
            durability,
        );
        let own = Cluster::start(
            place.clone(),
            "cells".to_owned(),
            "",
            &Kind::OWN,
            Purpose::Alone,
            durability,
        );
        let (shared, own) = tokio::try_join!(shared, own)?;
        let (lagging, turn) = (OnceCell::new(), Arc::default());
        Ok(Self(Arc::new(Servers { shared, own, lagging, turn, place })))
    }

    /// The choice of these servers in a plan.
    pub fn stores(&self) -> Stores {
        Stores::of(self.clone())
    }

    /// The folder of the servers.
    pub fn folder(&self) -> &Path {
        self.0.place.folder()
    }

    /// The major version of PostgreSQL.
    pub fn version(&self) -> u32 {
        self.0.place.version()
    }

    /// Ends the servers and removes their folder. A fleet that still uses them fails from then on.
    /// Returns when that is done; it blocks.
    pub fn stop(&self) {
        self.0.place.remove();
    }

    async fn lagging(&self) -> Result<&Arc<Cluster>, StoreError> {
        let start = || {
            Cluster::start(
                self.0.place.clone(),
                "primary that lags".to_owned(),
                " that lags",
                &Kind::SHARED,
                Purpose::Replicated,
                Durability::None,
            )
        };
        self.0.lagging.get_or_try_init(start).await
    }
}

impl RealStores {
    /// Writes the `database.yml` of each cell into the folder. The file of a fleet replaces that of
    /// the one before.
    async fn write_layout(
        &self,
        cells: &[CellId],
        cluster: &Cluster,
        shared: &PostgresShared,
        own: &PostgresOwn,
    ) -> Result<(), StoreError> {
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
                entries.push(entry(kind, self.0.own.primary(), database, Vec::new()));
            }
            for (kind, database) in shared.databases() {
                entries.push(entry(kind, cluster.primary(), database, vec![socket(&standby)]));
            }
            let file = self.folder().join(format!("database.{cell}.yml"));
            folder::write(&file, &database_yml(&entries)).map_err(|error| {
                StoreError::new("PostgreSQL", format!("{}: {error}", file.display()))
            })?;
        }
        Ok(())
    }
}

impl fmt::Debug for RealStores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgreSQL {} in {}", self.version(), self.folder().display())
    }
}

#[async_trait]
impl StoreFactory for RealStores {
    fn name(&self) -> &str {
        "PostgreSQL"
    }

    async fn open(&self, seed: Seed) -> Result<OpenStores, OpenError> {
        let ids = seed.ids.in_memory();
        let (cluster, turn) = if seed.lags {
            let cluster = self.lagging().await?;
            (cluster, Some(self.0.turn.clone().lock_owned().await))
        } else {
            (&self.0.shared, None)
        };
        let shared = PostgresShared::open(cluster, &seed.regions, &seed.shared, turn);
        let own = async {
            Ok(PostgresOwn::open(&self.0.own, &seed.cells, seed.own, seed.ids.mistake).await?)
        };
        let (shared, own) = tokio::try_join!(shared, own)?;
        self.write_layout(&seed.cells, cluster, &shared, &own).await?;
        let shared = Arc::new(shared);
        Ok(OpenStores { replication: shared.clone(), shared, own: Arc::new(own), ids })
    }
}
