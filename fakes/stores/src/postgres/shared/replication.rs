//! The replication of the shared schemas, region by region.

use std::time::Duration;

use async_trait::async_trait;
use cell_fleet::store::Replication;
use cell_fleet::{Position, Region, StoreError};

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
    async fn set_delay(&self, region: &Region, delay: Duration) -> Result<(), StoreError> {
        if delay.is_zero() && !self.state().lagging.contains(region) {
            return Ok(());
        }
        let Some(standby) = self.held(region)? else { return Ok(()) };
        standby.set_delay(delay).await?;
        self.sessions.set_delay(region, delay);
        if delay.is_zero() {
            self.state().lagging.remove(region);
        } else {
            self.state().lagging.insert(region.clone());
        }
        Ok(())
    }

    async fn pause(&self, region: &Region) -> Result<(), StoreError> {
        let Some(standby) = self.held(region)? else { return Ok(()) };
        standby.pause().await?;
        self.sessions.pause(region);
        self.state().lagging.insert(region.clone());
        Ok(())
    }

    async fn resume(&self, region: &Region) -> Result<(), StoreError> {
        if self.turn.is_none() {
            return Ok(());
        }
        let Some(standby) = self.held(region)? else { return Ok(()) };
        standby.resume().await?;
        self.sessions.resume(region);
        if !standby.is_late() {
            self.state().lagging.remove(region);
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
