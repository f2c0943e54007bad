//! Sessions and the state of cells on Redis, or on Valkey.
//!
//! One primary in the primary region has the sessions that all regions share, with a replica for
//! each region. A region has its own server for its sessions and its list of revoked JWTs, and
//! so has a cell for its state. A server is started when a fleet first needs it, and the fleets of
//! one process use the same ones: each fleet has a database with its own number. A fleet whose
//! replicas lag has the replicas of a second primary for itself.

mod alone;
mod link;
mod numbers;
mod regional;
mod relay;
mod rows;
mod server;
mod shared;
mod state;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use cell_fleet::{CellId, Region, ReplicationLag, Stored};
use tokio::sync::OnceCell;

use crate::durability::Durability;
use crate::folder::Folder;
use crate::programs::{Place, Program};
use alone::Alone;
pub(super) use regional::RegionalStores;
use shared::Replicated;
pub(super) use shared::SharedSessions;
pub(super) use state::RedisState;

/// Redis servers. They end when this is dropped.
#[derive(Debug)]
pub(super) struct RedisServers {
    shared: Replicated,
    /// Started with the first fleet whose replicas lag.
    lagging: OnceCell<Replicated>,
    regions: Arc<Alone<Region>>,
    cells: Arc<Alone<CellId>>,
    place: Arc<Place>,
}

impl RedisServers {
    /// Starts a primary for the sessions that all regions share.
    pub(super) async fn start(
        folder: Arc<Folder>,
        program: Program,
        durability: Durability,
    ) -> Stored<Self> {
        let place = Arc::new(Place { folder, program });
        let shared = Replicated::start(place.clone(), "", durability).await?;
        let (regions, cells) = (Alone::new(place.clone()), Alone::new(place.clone()));
        let (regions, cells, lagging) = (Arc::new(regions), Arc::new(cells), OnceCell::new());
        Ok(Self { shared, lagging, regions, cells, place })
    }

    pub(super) fn program(&self) -> &Program {
        &self.place.program
    }

    /// An empty store of sessions that all regions share. A fleet whose replicas may lag shares
    /// them with no other fleet.
    pub(super) async fn shared_sessions(
        &self,
        regions: &[Region],
        lags: bool,
    ) -> Stored<SharedSessions> {
        if !lags {
            return SharedSessions::open(&self.shared, regions).await;
        }
        let start = || Replicated::start(self.place.clone(), " that lags", Durability::None);
        let servers = self.lagging.get_or_try_init(start).await?;
        // The fleet before may have left it behind.
        for region in regions {
            if let Some(relay) = servers.replica(region).await?.relay() {
                relay.set_lag(ReplicationLag::None);
            }
        }
        SharedSessions::open(servers, regions).await
    }

    /// Empty stores of sessions, one for each region.
    pub(super) fn regional_sessions(&self) -> Stored<RegionalStores> {
        Ok(RegionalStores(self.regions.open()?))
    }

    /// The state of cells, with nothing in it.
    pub(super) fn cell_state(&self) -> Stored<RedisState> {
        Ok(RedisState(self.cells.open()?))
    }
}
