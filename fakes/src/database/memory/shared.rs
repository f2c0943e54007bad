//! The shared schemas in memory: a primary, its log, and replicas that replay it.

use std::collections::BTreeMap;
use std::sync::MutexGuard;

use async_trait::async_trait;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::Outage;
use super::shared_rows::SharedRows;
use crate::database::servers::Server;
use crate::database::store::{Read, Seen, SharedDatabases, Spread, Written};
use crate::lock::Lock;
use crate::plan::ReplicationLag;
use crate::rows::{
    CellSettings, Change, Conflict, Covering, Id, IdTable, Organization, Position,
    ProjectReference, Route, Source, Stored, User,
};
use crate::{CellId, Region};

/// The shared schemas of one installation.
#[derive(Debug)]
pub(super) struct MemoryShared {
    state: Lock<State>,
    changed: Notify,
    outage: Outage,
}

#[derive(Debug)]
struct State {
    primary: SharedRows,
    log: Vec<Logged>,
    replicas: BTreeMap<Region, Replica>,
}

#[derive(Debug)]
struct Logged {
    change: Change,
    at: Instant,
    spread: Spread,
}

#[derive(Debug)]
struct Replica {
    /// The primary's rows after the replayed entries of its log, in the order of the log.
    rows: SharedRows,
    /// The replayed rows, with the writes on top that were visible at once and are still to be
    /// replayed; `None` if there are no such writes. It is made again after each replay, so that an
    /// older entry never replaces a later one.
    ahead: Option<SharedRows>,
    /// How many entries of the log it has replayed.
    replayed: usize,
    lag: ReplicationLag,
}

impl MemoryShared {
    /// A primary with these rows, and a replica in each region that has them too.
    ///
    /// # Errors
    /// The first of the changes that contradicts those before it.
    pub(super) fn new(
        regions: impl IntoIterator<Item = Region>,
        rows: &[Change],
        outage: Outage,
    ) -> Result<Self, Conflict> {
        let mut primary = SharedRows::default();
        rows.iter().try_for_each(|change| primary.apply(change))?;
        let replica = || Replica {
            rows: primary.clone(),
            ahead: None,
            replayed: 0,
            lag: ReplicationLag::None,
        };
        let replicas = regions.into_iter().map(|region| (region, replica())).collect();
        Ok(Self {
            state: Lock::new(State { primary, log: Vec::new(), replicas }),
            changed: Notify::new(),
            outage,
        })
    }

    fn read<T>(&self, from: &Server, read: impl FnOnce(&SharedRows) -> T) -> Read<T> {
        let mut state = self.lock()?;
        let (mut position, mut rows) = (state.position(), None);
        if let Server::Replica(region) = from
            && let Some(replica) = state.caught_up(region)
        {
            position = replica.position();
            rows = Some(replica.visible());
        }
        match rows {
            Some(rows) => Ok(Seen { rows: read(rows), position }),
            // A region without a replica reads the primary.
            None => Ok(Seen { rows: read(&state.primary), position }),
        }
    }

    fn lock(&self) -> Stored<MutexGuard<'_, State>> {
        self.outage.check()?;
        // A change is applied wholly or not at all, so the rows are whole even after a panic.
        Ok(self.state.lock())
    }
}

impl State {
    /// The last position of the primary's log.
    fn position(&self) -> Position {
        Position::from(self.log.len() as u64)
    }

    /// A region's replica, after it has replayed what is due.
    fn caught_up(&mut self, region: &Region) -> Option<&Replica> {
        let replica = self.replicas.get_mut(region)?;
        let (now, before) = (Instant::now(), replica.replayed);
        while let Some(entry) = self.log.get(replica.replayed) {
            if replica.due(entry).is_none_or(|due| due > now) {
                break;
            }
            // This cannot fail: the primary took the change, and the replica has all rows that the
            // primary had before it.
            let _ = replica.rows.apply(&entry.change);
            replica.replayed += 1;
        }
        if replica.replayed > before && replica.ahead.take().is_some() {
            let pending = self.log[replica.replayed..].iter();
            for entry in pending.filter(|entry| entry.spread == Spread::AtOnce) {
                replica.take_at_once(&entry.change);
            }
        }
        Some(replica)
    }

    /// When a region's replica replays its next entry; never for one that is held.
    fn next_replay(&self, region: &Region) -> Option<Instant> {
        let replica = self.replicas.get(region)?;
        self.log.get(replica.replayed).and_then(|entry| replica.due(entry))
    }
}

impl Replica {
    /// The rows that a read sees.
    fn visible(&self) -> &SharedRows {
        self.ahead.as_ref().unwrap_or(&self.rows)
    }

    /// Makes a write visible before the writes that precede it in the log, unless it conflicts with
    /// the rows without them.
    fn take_at_once(&mut self, change: &Change) {
        let _ = self.ahead.get_or_insert_with(|| self.rows.clone()).apply(change);
    }

    fn position(&self) -> Position {
        Position::from(self.replayed as u64)
    }

    /// When it replays an entry of the log; never while it is held.
    fn due(&self, entry: &Logged) -> Option<Instant> {
        match self.lag {
            ReplicationLag::None => Some(entry.at),
            ReplicationLag::For(delay) => Some(entry.at + delay),
            ReplicationLag::UntilReleased => None,
        }
    }
}

#[async_trait]
impl SharedDatabases for MemoryShared {
    async fn write(&self, change: Change, spread: Spread) -> Written {
        let mut state = self.lock()?;
        if let Err(conflict) = state.primary.apply(&change) {
            return Ok(Err(conflict));
        }
        if spread == Spread::AtOnce {
            state.replicas.values_mut().for_each(|replica| replica.take_at_once(&change));
        }
        state.log.push(Logged { change, at: Instant::now(), spread });
        let position = state.position();
        drop(state);
        self.changed.notify_waiters();
        Ok(Ok(position))
    }

    async fn session(&self, from: &Server, session: &str) -> Read<Option<User>> {
        self.read(from, |rows| {
            rows.sessions.get(session).and_then(|name| rows.users.get(name)).cloned()
        })
    }

    async fn token(&self, from: &Server, token: &str) -> Read<Option<User>> {
        self.read(from, |rows| {
            rows.tokens.get(token).and_then(|name| rows.users.get(name)).cloned()
        })
    }

    async fn user(&self, from: &Server, name: &str) -> Read<Option<User>> {
        self.read(from, |rows| rows.users.get(name).cloned())
    }

    async fn organization(&self, from: &Server, slug: &str) -> Read<Option<Organization>> {
        self.read(from, |rows| rows.organizations.get(slug).cloned())
    }

    async fn organizations(&self, from: &Server) -> Read<Vec<Organization>> {
        self.read(from, |rows| rows.organizations.values().cloned().collect())
    }

    async fn routes(&self, from: &Server, path: &str) -> Read<Vec<Covering>> {
        self.read(from, |rows| rows.routes.covering(path))
    }

    async fn all_routes(&self, from: &Server) -> Read<Vec<Route>> {
        self.read(from, |rows| rows.routes.rows())
    }

    async fn project_route(
        &self,
        from: &Server,
        project: &ProjectReference,
    ) -> Read<Option<Route>> {
        self.read(from, |rows| match project {
            ProjectReference::Id(id) => rows.routes.of(Source::Project(*id)),
            ProjectReference::Path(path) => rows.routes.project_at(&format!("/{path}")),
        })
    }

    async fn namespace_route(&self, from: &Server, id: Id) -> Read<Option<Route>> {
        self.read(from, |rows| rows.routes.of(Source::Namespace(id)))
    }

    async fn row_cell(&self, from: &Server, table: IdTable, id: Id) -> Read<Option<CellId>> {
        self.read(from, |rows| rows.row_cells.get(&(table, id)).cloned())
    }

    async fn settings(&self, from: &Server) -> Read<BTreeMap<String, String>> {
        self.read(from, |rows| rows.settings.clone())
    }

    async fn cell_settings(&self, from: &Server) -> Read<CellSettings> {
        self.read(from, |rows| rows.cell_settings.clone())
    }

    async fn position(&self) -> Stored<Position> {
        Ok(self.lock()?.position())
    }

    async fn set_lag(&self, region: &Region, lag: ReplicationLag) -> Stored<()> {
        let mut state = self.lock()?;
        // What is due has been replayed; only later writes wait.
        state.caught_up(region);
        if let Some(replica) = state.replicas.get_mut(region) {
            replica.lag = lag;
        }
        drop(state);
        self.changed.notify_waiters();
        Ok(())
    }

    async fn replica_position(&self, region: &Region) -> Stored<Position> {
        let mut state = self.lock()?;
        let last = state.position();
        Ok(state.caught_up(region).map_or(last, Replica::position))
    }

    async fn wait_until_replayed(&self, region: &Region, position: Position) -> Stored<()> {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // Registered before the replica is looked at, so that a resumption in between is not
            // missed.
            changed.as_mut().enable();
            let next_replay = {
                let mut state = self.lock()?;
                match state.caught_up(region) {
                    Some(replica) if replica.position() < position => state.next_replay(region),
                    _ => return Ok(()),
                }
            };
            match next_replay {
                Some(due) => tokio::select! {
                    () = tokio::time::sleep_until(due) => {}
                    () = changed => {}
                },
                None => changed.await,
            }
        }
    }
}

#[cfg(test)]
mod tests;
