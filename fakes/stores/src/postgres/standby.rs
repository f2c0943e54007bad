//! The replication to one standby, as PostgreSQL's own functions show and change it.

use std::sync::Arc;
use std::time::Duration;

use cell_fleet::{Position, ReplicationLag, Stored};

use super::link::Link;
use super::rows::Columns;
use super::server::Server;

/// Between two looks at what a standby has replayed.
const PAUSE: Duration = Duration::from_millis(1);

#[derive(Debug)]
pub(super) struct Standby {
    link: Link,
    _server: Arc<Server>,
}

impl Standby {
    pub(super) fn new(server: &Arc<Server>) -> Stored<Self> {
        let link = Link::new(server, "postgres")?;
        Ok(Self { link, _server: server.clone() })
    }

    /// The position up to which it has replayed the log.
    pub(super) async fn replayed(&self) -> Stored<Position> {
        let sql = "SELECT coalesce(pg_last_wal_replay_lsn(), '0/0') AS lsn";
        let client = self.link.get().await?;
        let failed = |error| self.link.failed(&error);
        // It is asked for again and again, so the server prepares it once.
        let statement = client.prepare_cached(sql).await.map_err(failed)?;
        let row = client.query_one(&statement, &[]).await.map_err(failed)?;
        Columns { row: &row, link: &self.link }.position()
    }

    /// Waits until it has replayed the log up to a position.
    pub(super) async fn wait(&self, position: Position) -> Stored<()> {
        while self.replayed().await? < position {
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }

    /// Says how far it is behind. It is so once this returns.
    pub(super) async fn set_lag(&self, lag: ReplicationLag) -> Stored<()> {
        let delay = match lag {
            ReplicationLag::UntilReleased => return self.pause().await,
            ReplicationLag::For(delay) => delay.as_millis(),
            ReplicationLag::None => 0,
        };
        let set = format!("ALTER SYSTEM SET recovery_min_apply_delay = '{delay}ms'");
        self.link.execute(&set, &[]).await?;
        self.link.execute("SELECT pg_reload_conf()", &[]).await?;
        let shown = "SELECT setting::bigint AS delay FROM pg_settings \
                     WHERE name = 'recovery_min_apply_delay'";
        let now = async || self.link.one(shown, &[], |columns| columns.unsigned("delay")).await;
        while u128::from(now().await?) != delay {
            tokio::time::sleep(PAUSE).await;
        }
        self.link.execute("SELECT pg_wal_replay_resume()", &[]).await.map(drop)
    }

    /// Stops the replay. Returns once it stands.
    async fn pause(&self) -> Stored<()> {
        self.link.execute("SELECT pg_wal_replay_pause()", &[]).await?;
        let state = "SELECT pg_get_wal_replay_pause_state() = 'paused' AS stands";
        while !self.link.one(state, &[], |columns| columns.get("stands")).await? {
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }
}
