//! The replication to one standby, as PostgreSQL's own functions show and change it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cell_fleet::{Position, StoreError};
use tokio_postgres::types::PgLsn;

use super::link::Link;
use super::server::Server;

/// Between two looks at what a standby has replayed.
const PAUSE: Duration = Duration::from_millis(1);

#[derive(Debug)]
pub(super) struct Standby {
    link: Link,
    /// Whether it delays writes.
    late: AtomicBool,
    _server: Arc<Server>,
}

impl Standby {
    pub(super) fn new(server: &Arc<Server>) -> Result<Self, StoreError> {
        let link = Link::new(server, "postgres")?;
        Ok(Self { link, late: AtomicBool::new(false), _server: server.clone() })
    }

    /// The position up to which it has replayed the log.
    pub(super) async fn replayed(&self) -> Result<Position, StoreError> {
        let sql = "SELECT coalesce(pg_last_wal_replay_lsn(), '0/0')";
        let client = self.link.get().await?;
        let statement = client.prepare_cached(sql).await;
        let failed = |error| self.link.failed(&error);
        let row = client.query_one(&statement.map_err(failed)?, &[]).await.map_err(failed)?;
        let lsn: PgLsn = row.try_get(0).map_err(failed)?;
        Ok(Position::from(u64::from(lsn)))
    }

    /// Waits until it has replayed the log up to a position.
    pub(super) async fn wait(&self, position: Position) -> Result<(), StoreError> {
        while self.replayed().await? < position {
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }

    /// Delays the replay of each transaction.
    pub(super) async fn set_delay(&self, delay: Duration) -> Result<(), StoreError> {
        let millis = delay.as_millis();
        let client = self.link.get().await?;
        let failed = |error| self.link.failed(&error);
        let set = format!("ALTER SYSTEM SET recovery_min_apply_delay = '{millis}ms'");
        client.execute(&set, &[]).await.map_err(failed)?;
        client.query_one("SELECT pg_reload_conf()", &[]).await.map_err(failed)?;
        let shown = "SELECT setting::bigint FROM pg_settings \
                     WHERE name = 'recovery_min_apply_delay'";
        loop {
            let row = client.query_one(shown, &[]).await.map_err(failed)?;
            let now: i64 = row.try_get(0).map_err(failed)?;
            if u128::try_from(now).is_ok_and(|now| now == millis) {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
        self.late.store(!delay.is_zero(), Ordering::Relaxed);
        Ok(())
    }

    /// Whether it delays writes.
    pub(super) fn is_late(&self) -> bool {
        self.late.load(Ordering::Relaxed)
    }

    /// Stops the replay. Returns once it stands.
    pub(super) async fn pause(&self) -> Result<(), StoreError> {
        let client = self.link.get().await?;
        let failed = |error| self.link.failed(&error);
        client.query_one("SELECT pg_wal_replay_pause()", &[]).await.map_err(failed)?;
        loop {
            let state = "SELECT pg_get_wal_replay_pause_state() = 'paused'";
            let row = client.query_one(state, &[]).await.map_err(failed)?;
            if row.try_get(0).map_err(failed)? {
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Lets the replay go on.
    pub(super) async fn resume(&self) -> Result<(), StoreError> {
        let client = self.link.get().await?;
        let resumed = client.query_one("SELECT pg_wal_replay_resume()", &[]).await;
        resumed.map(drop).map_err(|error| self.link.failed(&error))
    }
}
