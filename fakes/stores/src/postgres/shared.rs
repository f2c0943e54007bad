//! The shared schemas on PostgreSQL: a primary, and a standby for each region. Sessions are not
//! among their rows; Redis has them, with a replica for each region as well.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use cell_fleet::store::{
    CellSettings, Change, Covering, OpenError, Organization, ProjectReference, Read, Route, Seen,
    Server, SharedDatabases, Source, Spread, User, Written, prefixes,
};
use cell_fleet::{CellId, Id, IdTable, Position, Region, ReplicationLag, StoreError, Stored};
use tokio::sync::OwnedMutexGuard;

use super::apply::{apply, kind_of};
use super::cluster::{Cluster, Database};
use super::kind::Kind;
use super::link::{Link, Made, Values};
use super::rows::{Columns, older_number};
use super::standby::Standby;
use crate::redis::SharedSessions;

/// How long the primary waits for a replica that does not lag.
const REPLAY_LIMIT: Duration = Duration::from_secs(20);

/// Held by a fleet whose replicas lag. There is one set of such replicas, so one fleet at a time
/// uses it.
pub(super) type Turn = OwnedMutexGuard<()>;

/// The shared schemas of one installation.
#[derive(Debug)]
pub(super) struct PostgresShared {
    schemas: BTreeMap<Kind, Schema>,
    standbys: BTreeMap<Region, Standby>,
    sessions: SharedSessions,
    state: Mutex<State>,
    // The databases are given back after the connections to them are closed.
    databases: Vec<Database>,
    turn: Option<Turn>,
}

/// A database on its servers.
#[derive(Debug)]
struct Schema {
    primary: Link,
    replicas: BTreeMap<Region, Link>,
}

#[derive(Debug, Default)]
struct State {
    /// The position of the last write of this fleet.
    last: Position,
    /// The regions whose replicas are held or late.
    lagging: BTreeSet<Region>,
    /// Sessions that every cell knows whatever the lag; true where they have ended.
    given: BTreeMap<String, bool>,
}

impl PostgresShared {
    /// Databases with these rows, on a primary and on a replica in each region.
    pub(super) async fn open(
        cluster: &Arc<Cluster>,
        kinds: &[Kind],
        regions: &[Region],
        rows: &[Change],
        sessions: SharedSessions,
        turn: Option<Turn>,
    ) -> Result<Self, OpenError> {
        let mut standbys = BTreeMap::new();
        let mut servers = Vec::new();
        for region in regions {
            let server = cluster.standby(region).await?;
            let standby = Standby::new(&server)?;
            if turn.is_some() {
                // The fleet before may have left it behind.
                standby.set_lag(ReplicationLag::None).await?;
            }
            standbys.insert(region.clone(), standby);
            servers.push((region, server));
        }
        let (mut schemas, mut databases) = (BTreeMap::new(), Vec::new());
        for kind in kinds {
            let database = cluster.database(*kind).await?;
            let replicas = servers.iter().map(|(region, server)| {
                Ok(((*region).clone(), Link::new(server, database.name())?))
            });
            let replicas = replicas.collect::<Stored<_>>()?;
            let primary = Link::new(cluster.primary(), database.name())?;
            schemas.insert(*kind, Schema { primary, replicas });
            databases.push(database);
        }
        let state = Mutex::default();
        let shared = Self { schemas, standbys, sessions, state, databases, turn };
        shared.fill(rows).await?;
        Ok(shared)
    }

    pub(super) fn databases(&self) -> impl Iterator<Item = (Kind, &str)> {
        self.databases.iter().map(|database| (database.kind(), database.name()))
    }

    /// The database of this kind on the primary.
    pub(super) fn primary(&self, kind: Kind) -> Stored<&Link> {
        Ok(self.server(kind, &Server::Primary)?.0)
    }

    /// Writes the rows that the databases begin with, a transaction for each database.
    async fn fill(&self, rows: &[Change]) -> Result<(), OpenError> {
        let mut last = Position::default();
        for (kind, Schema { primary, .. }) in &self.schemas {
            let mut client = primary.get().await?;
            let writing = primary.begin(&mut client).await?;
            for change in rows.iter().filter(|change| kind_of(change) == *kind) {
                apply(&writing, change).await??;
            }
            writing.commit().await?;
            drop(client);
            last = flushed(primary).await?;
        }
        self.state().last = last;
        Ok(self.wait_for_followers(last).await?)
    }

    /// Waits until the replicas that do not lag have a write.
    async fn wait_for_followers(&self, position: Position) -> Stored<()> {
        let lagging = self.state().lagging.clone();
        for (region, standby) in &self.standbys {
            if lagging.contains(region) {
                continue;
            }
            let waited = tokio::time::timeout(REPLAY_LIMIT, standby.wait(position)).await;
            waited.unwrap_or_else(|_| {
                let text = format!("it did not replay {position} within {REPLAY_LIMIT:?}");
                Err(StoreError::new(format!("replica {region}"), text))
            })?;
        }
        Ok(())
    }

    /// A region without a replica reads the primary.
    fn server(&self, kind: Kind, from: &Server) -> Stored<(&Link, Option<&Standby>)> {
        let schema = self.schemas.get(&kind);
        let schema = schema.ok_or_else(|| StoreError::new(kind.as_str(), "it was not opened"))?;
        let replica = match from {
            Server::Primary => None,
            Server::Replica(region) => schema.replicas.get(region).zip(self.standbys.get(region)),
        };
        Ok(replica.map_or((&schema.primary, None), |(link, standby)| (link, Some(standby))))
    }

    /// The first row of a schema that a statement returns.
    async fn first<T>(
        &self,
        kind: Kind,
        from: &Server,
        sql: &str,
        values: Values<'_>,
        made: Made<T>,
    ) -> Read<Option<T>> {
        let seen = self.all(kind, from, sql, values, made).await?;
        Ok(Seen { rows: seen.rows.into_iter().next(), position: seen.position })
    }

    /// The rows of a schema that a statement returns, and the position that the server had seen.
    async fn all<T>(
        &self,
        kind: Kind,
        from: &Server,
        sql: &str,
        values: Values<'_>,
        made: Made<T>,
    ) -> Read<Vec<T>> {
        let (link, replica) = self.server(kind, from)?;
        // In this order: what is read may be newer than the position, and never older.
        let position = match replica {
            Some(standby) => standby.replayed().await?,
            None => self.state().last,
        };
        Ok(Seen { rows: link.all(sql, values, made).await?, position })
    }

    /// The standby of a region whose replicas this fleet may hold.
    fn held(&self, region: &Region) -> Stored<Option<&Standby>> {
        let standby = self.standbys.get(region);
        if standby.is_some() && self.turn.is_none() {
            let text = "other fleets use it: only the plan of a fleet can make its replicas lag";
            return Err(StoreError::new(format!("replica {region}"), text));
        }
        Ok(standby)
    }

    async fn write_session(&self, change: &Change, spread: Spread) -> Written {
        if spread == Spread::AtOnce {
            self.remember_given(change);
        }
        let lagging = self.state().lagging.clone();
        self.sessions.write(change, &lagging).await
    }

    fn remember_given(&self, change: &Change) {
        let (session, ended) = match change {
            Change::AddSession { session, .. } => (session, false),
            Change::EndSession { session } => (session, true),
            _ => return,
        };
        self.state().given.insert(session.clone(), ended);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Each change is one insertion or one number, so the state is whole even after a panic.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The position up to which the primary's log is on its disk: a standby gets no more.
async fn flushed(link: &Link) -> Stored<Position> {
    let sql = "SELECT pg_current_wal_flush_lsn() AS lsn";
    link.one(sql, &[], |columns| columns.position()).await
}

#[async_trait]
impl SharedDatabases for PostgresShared {
    async fn write(&self, change: Change, spread: Spread) -> Written {
        if change.is_of_session() {
            return self.write_session(&change, spread).await;
        }
        let link = self.primary(kind_of(&change))?;
        let mut client = link.get().await?;
        let writing = link.begin(&mut client).await?;
        if let Err(conflict) = apply(&writing, &change).await? {
            return Ok(Err(conflict));
        }
        writing.commit().await?;
        // What waits for a connection holds none.
        drop(client);
        let position = flushed(link).await?;
        {
            let mut state = self.state();
            state.last = state.last.max(position);
        }
        self.wait_for_followers(position).await?;
        Ok(Ok(position))
    }

    async fn session(&self, from: &Server, session: &str) -> Read<Option<User>> {
        let given = self.state().given.get(session).copied();
        // Every cell knows a given one, though the replica may not have it yet.
        let everywhere = given.is_some() && !self.state().lagging.is_empty();
        let server = if everywhere { &Server::Primary } else { from };
        let Seen { rows: name, position } = self.sessions.user_of(server, session).await?;
        let rows = match name {
            // The user's row itself is read where the cell reads.
            Some(name) => self.user(from, &name).await?.rows,
            None => None,
        };
        Ok(Seen { rows, position })
    }

    async fn token(&self, from: &Server, token: &str) -> Read<Option<User>> {
        let sql = "SELECT users.* FROM personal_access_tokens JOIN users USING (username) \
                   WHERE token = $1";
        self.first(Kind::Users, from, sql, &[&token], |columns| columns.user()).await
    }

    async fn user(&self, from: &Server, name: &str) -> Read<Option<User>> {
        let sql = "SELECT * FROM users WHERE username = $1";
        self.first(Kind::Users, from, sql, &[&name], |columns| columns.user()).await
    }

    async fn organization(&self, from: &Server, slug: &str) -> Read<Option<Organization>> {
        let sql = "SELECT * FROM organizations WHERE slug = $1";
        self.first(Kind::Routes, from, sql, &[&slug], |columns| columns.organization()).await
    }

    async fn organizations(&self, from: &Server) -> Read<Vec<Organization>> {
        let sql = "SELECT * FROM organizations ORDER BY slug COLLATE \"C\"";
        self.all(Kind::Routes, from, sql, &[], |columns| columns.organization()).await
    }

    async fn routes(&self, from: &Server, path: &str) -> Read<Vec<Covering>> {
        let prefixes: Vec<_> = prefixes(path).collect();
        let sql = "SELECT routes.*, NOT EXISTS ( \
                       SELECT FROM routes AS child WHERE child.path >= routes.path || '/' \
                       AND child.path < routes.path || '0' AND child.cell_id <> routes.cell_id \
                   ) AS uniform \
                   FROM routes WHERE path = ANY ($1) AND (NOT exact OR path = $2) \
                   ORDER BY length(path)";
        self.all(Kind::Routes, from, sql, &[&prefixes, &path], |columns| {
            Ok(Covering { route: columns.route()?, uniform: columns.get("uniform")? })
        })
        .await
    }

    async fn all_routes(&self, from: &Server) -> Read<Vec<Route>> {
        let sql = "SELECT * FROM routes ORDER BY path";
        self.all(Kind::Routes, from, sql, &[], |columns| columns.route()).await
    }

    async fn project_route(
        &self,
        from: &Server,
        project: &ProjectReference,
    ) -> Read<Option<Route>> {
        match project {
            ProjectReference::Id(id) => self.route_of(from, Source::Project(*id), *id).await,
            ProjectReference::Path(path) => {
                let sql = "SELECT * FROM routes WHERE path = $1 AND source_type = 'project'";
                self.first(Kind::Routes, from, sql, &[&format!("/{path}")], |columns| {
                    columns.route()
                })
                .await
            }
        }
    }

    async fn namespace_route(&self, from: &Server, id: Id) -> Read<Option<Route>> {
        self.route_of(from, Source::Namespace(id), id).await
    }

    async fn row_cell(&self, from: &Server, table: IdTable, id: Id) -> Read<Option<CellId>> {
        let sql = "SELECT cell_id FROM row_cells WHERE table_name = $1 AND row_id = $2";
        let key: Values<'_> = &[&table.as_str(), &id.to_string()];
        self.first(Kind::Routes, from, sql, key, |columns| columns.cell()).await
    }

    async fn settings(&self, from: &Server) -> Read<BTreeMap<String, String>> {
        let sql = "SELECT key, value FROM application_settings";
        let setting = |columns: &Columns<'_>| Ok((columns.get("key")?, columns.get("value")?));
        let seen = self.all(Kind::Admin, from, sql, &[], setting).await?;
        Ok(Seen { rows: seen.rows.into_iter().collect(), position: seen.position })
    }

    async fn cell_settings(&self, from: &Server) -> Read<CellSettings> {
        let sql = "SELECT cell_id, key, value FROM per_cell_application_settings";
        let row = |columns: &Columns<'_>| {
            Ok((columns.cell()?, columns.get("key")?, columns.get("value")?))
        };
        let seen = self.all(Kind::Admin, from, sql, &[], row).await?;
        let mut rows = CellSettings::new();
        for (cell, key, value) in seen.rows {
            rows.entry(cell).or_default().insert(key, value);
        }
        Ok(Seen { rows, position: seen.position })
    }

    async fn position(&self) -> Stored<Position> {
        // The log has writes of other fleets after the last one of this.
        Ok(self.state().last)
    }

    async fn set_lag(&self, region: &Region, lag: ReplicationLag) -> Stored<()> {
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

    async fn replica_position(&self, region: &Region) -> Stored<Position> {
        match self.standbys.get(region) {
            Some(standby) => standby.replayed().await,
            None => Ok(self.state().last),
        }
    }

    async fn wait_until_replayed(&self, region: &Region, position: Position) -> Stored<()> {
        match self.standbys.get(region) {
            Some(standby) => standby.wait(position).await?,
            None => return Ok(()),
        }
        self.sessions.wait_until_replayed(region).await
    }
}

impl PostgresShared {
    async fn route_of(&self, from: &Server, source: Source, id: Id) -> Read<Option<Route>> {
        let (kind, key) = super::rows::source_columns(source);
        let sql = "SELECT * FROM routes WHERE source_type = $1 AND (source_id = $2 OR number = $3) \
                   ORDER BY source_id = $2 DESC LIMIT 1";
        self.first(Kind::Routes, from, sql, &[&kind, &key, &older_number(id)], |columns| {
            columns.route()
        })
        .await
    }
}
