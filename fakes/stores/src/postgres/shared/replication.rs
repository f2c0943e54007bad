//! The replication of the shared schemas, region by region.

use async_trait::async_trait;
use cell_fleet::store::Replication;
use cell_fleet::{Position, Region, ReplicationLag, StoreError};

use super::PostgresShared;
use crate::postgres::standby::Standby;

impl PostgresShared {
    /// The standby of a region whose replicas this fleet may hold.
    fn held(&self, region: &Region) -> Result<Option<&Standby>, StoreError> {
        let standby = self.standbys.get(region);
        if standby.is_some() && self.turn.is_none() {
            let text = "other fleets use it: only the plan of a fleet can make its replicas lag";
            return Err(StoreError::new(format!("replica {region}"), text));
        }
        Ok(standby)
    }
}

#[async_trait]
impl Replication for PostgresShared {
    async fn set_lag(&self, region: &Region, lag: ReplicationLag) -> Result<(), StoreError> {
        if lag == ReplicationLag::None && !self.state().lagging.contains(region) {
            return Ok(());
        }
        let Some(standby) = self.held(region)? else { return Ok(()) };
        standby.set_lag(lag).await?;
        self.sessions.set_lag(region, lag);
        if lag == ReplicationLag::None {
            self.state().lagging.remove(region);
        } else {
            self.state().lagging.insert(region.clone());
        }
        Ok(())
    }

    async fn position(&self, region: &Region) -> Result<Position, StoreError> {
        match self.standbys.get(region) {
            Some(standby) => standby.replayed().await,
            None => Ok(self.state().last),
        }
    }

    async fn wait_until_replayed(
        &self,
        region: &Region,
        position: Position,
    ) -> Result<(), StoreError> {
        match self.standbys.get(region) {
            Some(standby) => standby.wait(position).await?,
            None => return Ok(()),
        }
        self.sessions.wait_until_replayed(region).await
    }
}
