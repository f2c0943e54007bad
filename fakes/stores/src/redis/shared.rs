//! The store of sessions that all regions share: written in its primary, read from a replica in
//! each region.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use cell_fleet::store::{Change, Conflict, Read, Seen, Server as From, Written};
use cell_fleet::{Position, Region, ReplicationLag, StoreError, Stored};

use super::link::{Link, replication};
use super::numbers::{Number, Numbers};
use super::rows;
use super::server::Server;
use crate::blocking::blocking;
use crate::durability::Durability;
use crate::on_demand::OnDemand;
use crate::programs::Place;

/// How long the primary waits for a replica that does not lag.
const REPLAY_LIMIT: Duration = Duration::from_secs(20);
/// Between two looks at how far a replica is.
const PAUSE: Duration = Duration::from_millis(1);

/// A primary and its replicas, one for each region that a fleet has asked for.
#[derive(Debug)]
pub(super) struct Replicated {
    primary: Arc<Server>,
    replicas: OnDemand<Region, Server>,
    numbers: Arc<Numbers>,
    /// What its servers are called, in addition to their regions; empty for the usual one.
    suffix: &'static str,
    place: Arc<Place>,
}

impl Replicated {
    pub(super) async fn start(
        place: Arc<Place>,
        suffix: &'static str,
        durability: Durability,
    ) -> Stored<Self> {
        let name = format!("Redis primary{suffix}");
        let at = place.clone();
        let primary = blocking(move || Server::start(&at, name, durability)).await?;
        let (replicas, numbers) = (OnDemand::default(), Arc::default());
        Ok(Self { primary: Arc::new(primary), replicas, numbers, suffix, place })
    }

    #[cfg(test)]
    pub(super) fn primary(&self) -> &Server {
        &self.primary
    }

    /// The replica of a region, which is made where there is none yet.
    pub(super) async fn replica(&self, region: &Region) -> Stored<Arc<Server>> {
        let (place, primary) = (self.place.clone(), self.primary.clone());
        let name = format!("Redis replica {region}{}", self.suffix);
        self.replicas.get(region, move || Server::replica(&place, name, primary)).await
    }

    /// Starts the primary again after it was killed.
    #[cfg(test)]
    pub(super) async fn restart_primary(&self) -> Stored<()> {
        let (place, primary) = (self.place.clone(), self.primary.clone());
        blocking(move || primary.run(&place)).await
    }
}

/// The sessions of one installation.
#[derive(Debug)]
pub(crate) struct SharedSessions {
    primary: Link,
    replicas: BTreeMap<Region, Replica>,
    /// The position of the last write of this fleet.
    last: Mutex<Position>,
    _number: Number,
}

#[derive(Debug)]
struct Replica {
    link: Link,
    server: Arc<Server>,
}

impl SharedSessions {
    /// An empty database, with replicas in these regions that do not lag.
    pub(super) async fn open(servers: &Replicated, regions: &[Region]) -> Stored<Self> {
        let number = servers.numbers.take()?;
        let mut replicas = BTreeMap::new();
        for region in regions {
            let server = servers.replica(region).await?;
            let link = Link::new(&server, number.get())?;
            replicas.insert(region.clone(), Replica { link, server });
        }
        let primary = Link::new(&servers.primary, number.get())?;
        let sessions = Self { primary, replicas, last: Mutex::default(), _number: number };
        sessions.primary.clear().await?;
        let said: String = sessions.primary.ask(&replication()).await?;
        let position = sessions.primary.position_in(&said)?;
        *sessions.last() = position;
        sessions.wait_for_followers(position, &BTreeSet::new()).await?;
        Ok(sessions)
    }

    /// Makes a write of sessions, and waits until the replicas that do not lag have it.
    pub(crate) async fn write(&self, change: &Change, lagging: &BTreeSet<Region>) -> Written {
        let (command, adds) = match change {
            Change::AddSession { session, user } => (rows::add(session, user), Some(session)),
            Change::EndSession { session } => (rows::end(session), None),
            Change::EndOtherSessions { user, keep } => {
                (rows::end_others(user, keep.as_deref()), None)
            }
            other => {
                let (schema, table) = other.table();
                return Err(self.primary.strange(format!("it does not have {schema}.{table}")));
            }
        };
        let mut commands = ::redis::pipe();
        commands.add_command(command).add_command(replication());
        let (done, said): (Option<u64>, String) = self.primary.ask_all(&commands).await?;
        if let Some(session) = adds.filter(|_| done == Some(0)) {
            return Ok(Err(Conflict::Taken(session.clone())));
        }
        let position = self.primary.position_in(&said)?;
        {
            let mut last = self.last();
            *last = (*last).max(position);
        }
        self.wait_for_followers(position, lagging).await?;
        Ok(Ok(position))
    }

    /// The name of a session's user, and how far the server was before the read.
    pub(crate) async fn user_of(&self, from: &From, session: &str) -> Read<Option<String>> {
        // A region without a replica reads the primary.
        let link = match from {
            From::Primary => &self.primary,
            From::Replica(region) => {
                self.replicas.get(region).map_or(&self.primary, |replica| &replica.link)
            }
        };
        let mut commands = ::redis::pipe();
        // In this order: what is read may be newer than the position, and never older.
        commands.add_command(replication()).add_command(rows::user_of(session));
        let (said, rows): (String, Option<String>) = link.ask_all(&commands).await?;
        Ok(Seen { rows, position: link.position_in(&said)? })
    }

    async fn wait_for_followers(
        &self,
        position: Position,
        lagging: &BTreeSet<Region>,
    ) -> Stored<()> {
        for (_, replica) in self.replicas.iter().filter(|(region, _)| !lagging.contains(region)) {
            let waited = tokio::time::timeout(REPLAY_LIMIT, replica.wait(position)).await;
            waited.unwrap_or_else(|_| {
                let text = format!("it did not replay {position} within {REPLAY_LIMIT:?}");
                Err(StoreError::new(replica.server.name(), text))
            })?;
        }
        Ok(())
    }

    /// Says how far a region's replica is behind.
    pub(crate) fn set_lag(&self, region: &Region, lag: ReplicationLag) {
        if let Some(relay) = self.replicas.get(region).and_then(|replica| replica.server.relay()) {
            relay.set_lag(lag);
        }
    }

    /// Waits until a region's replica has all sessions that this fleet has written so far. The
    /// caller bounds the wait.
    pub(crate) async fn wait_until_replayed(&self, region: &Region) -> Stored<()> {
        let last = *self.last();
        match self.replicas.get(region) {
            Some(replica) => replica.wait(last).await,
            None => Ok(()),
        }
    }

    fn last(&self) -> MutexGuard<'_, Position> {
        self.last.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Replica {
    async fn wait(&self, position: Position) -> Stored<()> {
        loop {
            let said: String = self.link.ask(&replication()).await?;
            if self.link.position_in(&said)? >= position {
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}
