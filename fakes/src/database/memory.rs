//! The shared schemas in memory: a primary, its log, and replicas that replay it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use tokio::sync::Notify;
use tokio::time::Instant;

use super::change::SharedRows;
use super::{
    Change, Conflict, Covering, LogPosition, Organization, ProjectReference, Reply, Route, Seen,
    Server, SharedDatabases, Spread, User,
};
use crate::Region;
use crate::lag::ReplicationLag;

/// The shared schemas of one installation.
#[derive(Debug)]
pub(crate) struct InMemory {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug)]
struct State {
    primary: SharedRows,
    log: Vec<Logged>,
    replicas: BTreeMap<Region, Replica>,
    lag: ReplicationLag,
    /// The only region whose replica lags; every region where none is named.
    lagging: Option<Region>,
}

#[derive(Debug)]
struct Logged {
    change: Change,
    at: Instant,
    spread: Spread,
}

#[derive(Debug)]
struct Replica {
    rows: SharedRows,
    replayed: usize,
}

impl InMemory {
    /// A primary with these rows, and a replica in each region that has them too.
    ///
    /// # Errors
    /// The first of the changes that contradicts those before it.
    pub(crate) fn new(
        regions: impl IntoIterator<Item = Region>,
        rows: Vec<Change>,
        lag: ReplicationLag,
        lagging: Option<Region>,
    ) -> Result<Self, Conflict> {
        let mut primary = SharedRows::default();
        rows.iter().try_for_each(|change| primary.apply(change))?;
        let replicas = regions
            .into_iter()
            .map(|region| (region, Replica { rows: primary.clone(), replayed: 0 }))
            .collect();
        Ok(Self {
            state: Mutex::new(State { primary, log: Vec::new(), replicas, lag, lagging }),
            changed: Notify::new(),
        })
    }

    /// Changes the replicas' lag; writes that are under way follow the new one.
    pub(crate) fn set_lag(&self, lag: ReplicationLag) {
        self.lock().lag = lag;
        self.changed.notify_waiters();
    }

    fn read<T: Send + 'static>(
        &self,
        from: &Server,
        read: impl FnOnce(&SharedRows) -> T,
    ) -> Reply<'static, Seen<T>> {
        let mut state = self.lock();
        let written = state.log.len();
        let seen = match from {
            Server::Primary => {
                Seen { rows: read(&state.primary), position: LogPosition(written as u64) }
            }
            Server::Replica(region) => match state.caught_up(region) {
                Some(replica) => Seen {
                    rows: read(&replica.rows),
                    position: LogPosition(replica.replayed as u64),
                },
                // A region without a replica of its own reads the primary, as a database without
                // one would.
                None => Seen { rows: read(&state.primary), position: LogPosition(written as u64) },
            },
        };
        Box::pin(std::future::ready(seen))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A change is applied wholly or not at all, so the rows are whole even after a panic.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    async fn replayed_up_to(&self, region: Region, position: LogPosition) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // Registered before the look, so that a release in between is not missed.
            changed.as_mut().enable();
            let due = {
                let mut state = self.lock();
                let next = match state.caught_up(&region) {
                    Some(replica) if (replica.replayed as u64) < position.0 => replica.replayed,
                    _ => return,
                };
                match state.lag {
                    ReplicationLag::For(lag) => state.log.get(next).map(|entry| entry.at + lag),
                    ReplicationLag::None | ReplicationLag::UntilReleased => None,
                }
            };
            match due {
                Some(due) => tokio::select! {
                    () = tokio::time::sleep_until(due) => {}
                    () = changed => {}
                },
                None => changed.await,
            }
        }
    }
}

impl State {
    /// A region's replica, after it has replayed what is due.
    fn caught_up(&mut self, region: &Region) -> Option<&Replica> {
        let replica = self.replicas.get_mut(region)?;
        let lag = if self.lagging.as_ref().is_none_or(|lagging| lagging == region) {
            self.lag
        } else {
            ReplicationLag::None
        };
        let now = Instant::now();
        while let Some(entry) = self.log.get(replica.replayed) {
            let due = match lag {
                ReplicationLag::None => true,
                ReplicationLag::For(lag) => entry.at + lag <= now,
                ReplicationLag::UntilReleased => false,
            };
            if !due {
                break;
            }
            if entry.spread == Spread::Replicated {
                // The primary took it, and a replica has all that the primary had before it.
                let _ = replica.rows.apply(&entry.change);
            }
            replica.replayed += 1;
        }
        Some(replica)
    }
}

impl SharedDatabases for InMemory {
    fn write(&self, change: Change, spread: Spread) -> Reply<'_, Result<LogPosition, Conflict>> {
        let mut state = self.lock();
        let written = state.primary.apply(&change).map(|()| {
            if spread == Spread::AtOnce {
                for replica in state.replicas.values_mut() {
                    // A replica that lacks the row's predecessors gets it all the same, unless it
                    // cannot hold it.
                    let _ = replica.rows.apply(&change);
                }
            }
            state.log.push(Logged { change, at: Instant::now(), spread });
            LogPosition(state.log.len() as u64)
        });
        drop(state);
        self.changed.notify_waiters();
        Box::pin(std::future::ready(written))
    }

    fn session(&self, from: &Server, session: &str) -> Reply<'_, Seen<Option<User>>> {
        self.read(from, |rows| {
            rows.sessions.get(session).and_then(|name| rows.users.get(name)).cloned()
        })
    }

    fn token(&self, from: &Server, token: &str) -> Reply<'_, Seen<Option<User>>> {
        self.read(from, |rows| {
            rows.tokens.get(token).and_then(|name| rows.users.get(name)).cloned()
        })
    }

    fn user(&self, from: &Server, name: &str) -> Reply<'_, Seen<Option<User>>> {
        self.read(from, |rows| rows.users.get(name).cloned())
    }

    fn organization(&self, from: &Server, slug: &str) -> Reply<'_, Seen<Option<Organization>>> {
        self.read(from, |rows| rows.organizations.get(slug).cloned())
    }

    fn routes(&self, from: &Server, path: &str) -> Reply<'_, Seen<Vec<Covering>>> {
        self.read(from, |rows| rows.routes.covering(path))
    }

    fn all_routes(&self, from: &Server) -> Reply<'_, Seen<Vec<Route>>> {
        self.read(from, |rows| rows.routes.rows())
    }

    fn project_route(
        &self,
        from: &Server,
        project: &ProjectReference,
    ) -> Reply<'_, Seen<Option<Route>>> {
        self.read(from, |rows| match project {
            ProjectReference::Id(id) => rows.routes.project(*id),
            ProjectReference::Path(path) => rows.routes.project_at(&format!("/{path}")),
        })
    }

    fn settings(&self, from: &Server) -> Reply<'_, Seen<BTreeMap<String, String>>> {
        self.read(from, |rows| rows.settings.clone())
    }

    fn replayed(&self, region: &Region, position: LogPosition) -> Reply<'_, ()> {
        Box::pin(self.replayed_up_to(region.clone(), position))
    }

    fn position(&self) -> LogPosition {
        LogPosition(self.lock().log.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn database(lag: ReplicationLag) -> InMemory {
        InMemory::new([Region::us(), Region::eu()], Vec::new(), lag, None).unwrap()
    }

    fn setting(value: &str) -> Change {
        Change::SetSetting { key: "a".to_owned(), value: value.to_owned() }
    }

    async fn seen(database: &InMemory, from: Server) -> Option<String> {
        database.settings(&from).await.rows.get("a").cloned()
    }

    #[tokio::test]
    async fn without_lag_a_write_can_be_read_everywhere_at_once() {
        let database = database(ReplicationLag::None);
        assert_eq!(database.write(setting("1"), Spread::Replicated).await, Ok(LogPosition(1)));
        for from in [Server::Primary, Server::Replica(Region::us()), Server::Replica(Region::eu())]
        {
            assert_eq!(seen(&database, from).await.as_deref(), Some("1"));
        }
    }

    #[tokio::test]
    async fn held_replicas_stand_still_until_they_are_released() {
        let database = database(ReplicationLag::UntilReleased);
        let position = database.write(setting("1"), Spread::Replicated).await.unwrap();
        assert_eq!(seen(&database, Server::Primary).await.as_deref(), Some("1"));
        assert_eq!(seen(&database, Server::Replica(Region::eu())).await, None);
        let wait = database.replayed(&Region::eu(), position);
        tokio::join!(wait, async { database.set_lag(ReplicationLag::None) });
        assert_eq!(seen(&database, Server::Replica(Region::eu())).await.as_deref(), Some("1"));
    }

    #[tokio::test]
    async fn one_region_can_lag_alone() {
        let lag = ReplicationLag::UntilReleased;
        let database =
            InMemory::new([Region::us(), Region::eu()], Vec::new(), lag, Some(Region::eu()))
                .unwrap();
        database.write(setting("1"), Spread::Replicated).await.unwrap();
        assert_eq!(seen(&database, Server::Replica(Region::us())).await.as_deref(), Some("1"));
        assert_eq!(seen(&database, Server::Replica(Region::eu())).await, None);
    }

    #[tokio::test]
    async fn a_lagging_replica_has_the_write_once_its_time_has_come() {
        let database = database(ReplicationLag::For(Duration::from_secs(3600)));
        let position = database.write(setting("1"), Spread::Replicated).await.unwrap();
        assert_eq!(seen(&database, Server::Replica(Region::us())).await, None);
        database.set_lag(ReplicationLag::For(Duration::from_millis(5)));
        database.replayed(&Region::us(), position).await;
        assert_eq!(seen(&database, Server::Replica(Region::us())).await.as_deref(), Some("1"));
    }

    #[tokio::test]
    async fn what_is_given_is_everywhere_at_once_and_is_not_replayed_twice() {
        let database = database(ReplicationLag::UntilReleased);
        database.write(setting("1"), Spread::AtOnce).await.unwrap();
        assert_eq!(seen(&database, Server::Replica(Region::eu())).await.as_deref(), Some("1"));
        database.write(setting("2"), Spread::AtOnce).await.unwrap();
        database.set_lag(ReplicationLag::None);
        assert_eq!(seen(&database, Server::Replica(Region::eu())).await.as_deref(), Some("2"));
    }

    #[tokio::test]
    async fn a_refused_write_has_no_position() {
        let database = database(ReplicationLag::None);
        let add = || Change::AddToken { token: "t".to_owned(), user: "anna".to_owned() };
        database.write(add(), Spread::Replicated).await.unwrap();
        assert_eq!(
            database.write(add(), Spread::Replicated).await,
            Err(Conflict::Taken("t".to_owned()))
        );
        assert_eq!(database.position(), LogPosition(1));
    }
}
