//! The stores on servers that this process starts in a temporary folder, and ends: rows are on
//! PostgreSQL, sessions and the state of cells on Redis. The fleets of one process use the same
//! servers, and each fleet has its own databases.

mod blocking;
mod durability;
mod folder;
mod log;
mod on_demand;
mod postgres;
mod programs;
mod redis;
mod start;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use cell_fleet::store::{CellState, OpenError, OpenStores, Seed, SessionStore, StoreFactory};
use cell_fleet::{Stored, Stores};
use tokio::sync::Mutex;

use blocking::blocking;
use durability::Durability;
use folder::Folder;
use postgres::PostgresServers;
use programs::Program;
use redis::RedisServers;

/// PostgreSQL and Redis servers of this process. They end, and their folder is removed, when the
/// last of these and of the fleets on them is dropped, when [`stop`](Self::stop) is called, and
/// when the process ends, however it ends.
#[derive(Clone)]
pub struct RealStores(Arc<Servers>);

struct Servers {
    // The servers end before the folder is removed.
    postgres: PostgresServers,
    redis: RedisServers,
    turn: Arc<Mutex<()>>,
    folder: Arc<Folder>,
}

impl RealStores {
    /// Starts a primary for the shared schemas, a server for those of the cells, and a primary for
    /// sessions. Replicas, and the Redis of a cell or a region, are started when a fleet asks for
    /// them.
    ///
    /// # Errors
    /// Where PostgreSQL 15 or later, or Redis 7 or later, is not installed, or a server does not
    /// start. The error says what is missing, or what the server wrote into its log.
    pub async fn start() -> Stored<Self> {
        Self::start_with(Durability::None).await
    }

    async fn start_with(durability: Durability) -> Stored<Self> {
        let (folder, postgres, redis) = blocking(|| {
            let (postgres, redis) = (Program::postgresql()?, Program::redis()?);
            Ok((Arc::new(Folder::new()?), postgres, redis))
        })
        .await?;
        let rows = PostgresServers::start(folder.clone(), postgres, durability);
        let redis = RedisServers::start(folder.clone(), redis, durability);
        let (postgres, redis) = tokio::try_join!(rows, redis)?;
        Ok(Self(Arc::new(Servers { postgres, redis, turn: Arc::default(), folder })))
    }

    /// The choice of these servers in a plan.
    pub fn stores(&self) -> Stores {
        Stores::from_factory(self.clone())
    }

    /// The folder of the servers.
    pub fn folder(&self) -> &Path {
        self.0.folder.path()
    }

    /// Ends the servers and removes their folder. A fleet that still uses them fails from then on.
    /// Returns when that is done; it blocks.
    pub fn stop(&self) {
        self.0.folder.remove();
    }
}

impl fmt::Debug for RealStores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (postgres, redis) = (self.0.postgres.program(), self.0.redis.program());
        write!(f, "{postgres} and {redis} in {}", self.folder().display())
    }
}

#[async_trait]
impl StoreFactory for RealStores {
    fn name(&self) -> &str {
        "PostgreSQL and Redis"
    }

    async fn open(&self, seed: Seed) -> Result<OpenStores, OpenError> {
        let turn = if seed.lags { Some(self.0.turn.clone().lock_owned().await) } else { None };
        let sessions = self.0.redis.shared_sessions(&seed.regions, turn.is_some()).await?;
        self.0.postgres.open(seed, sessions, turn).await
    }

    async fn open_sessions(&self) -> Result<Arc<dyn SessionStore>, OpenError> {
        Ok(Arc::new(self.0.redis.regional_sessions()?))
    }

    async fn open_state(&self) -> Result<Arc<dyn CellState>, OpenError> {
        Ok(Arc::new(self.0.redis.cell_state()?))
    }
}
