//! A primary, its standbys, and the databases that scenarios have on them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use cell_fleet::{Region, StoreError, Stored};
use tokio::sync::Mutex as AsyncMutex;

use super::kind::Kind;
use super::link::{connect, explained};
use super::server::{Purpose, Server};
use crate::blocking::blocking;
use crate::durability::Durability;
use crate::on_demand::OnDemand;
use crate::programs::Place;

/// A primary and its standbys, one for each region that a fleet has asked for.
#[derive(Debug)]
pub(super) struct Cluster {
    // The servers end before the folder is removed.
    primary: Arc<Server>,
    standbys: OnDemand<Region, Server>,
    /// Holds the lock of a template while a database is made from it.
    making: AsyncMutex<()>,
    databases: Mutex<BTreeMap<Kind, Databases>>,
    purpose: Purpose,
    place: Arc<Place>,
}

#[derive(Debug, Default)]
struct Databases {
    free: Vec<String>,
    made: u32,
}

impl Cluster {
    /// Starts a primary with templates of its databases.
    pub(super) async fn start(
        place: Arc<Place>,
        purpose: Purpose,
        durability: Durability,
    ) -> Stored<Arc<Self>> {
        let at = place.clone();
        let primary = blocking(move || Server::primary(&at, purpose, durability)).await?;
        let cluster = Self {
            primary: Arc::new(primary),
            standbys: OnDemand::default(),
            making: AsyncMutex::default(),
            databases: Mutex::default(),
            purpose,
            place,
        };
        for kind in purpose.kinds() {
            cluster.make_template(*kind).await?;
        }
        Ok(Arc::new(cluster))
    }

    async fn make_template(&self, kind: Kind) -> Stored<()> {
        let template = template(kind);
        self.create(&template, "template0").await?;
        let client = connect(&self.primary, &template).await?;
        for tables in kind.tables() {
            client.batch_execute(tables).await.map_err(|error| {
                let why = format!("the tables of {template}: {}", self.explained(&error));
                StoreError::new(self.primary.name(), why)
            })?;
        }
        Ok(())
    }

    async fn create(&self, name: &str, from: &str) -> Stored<()> {
        let client = connect(&self.primary, "postgres").await?;
        let statement = format!("CREATE DATABASE {name} TEMPLATE {from}");
        client.batch_execute(&statement).await.map_err(|error| {
            let why = format!("{statement}: {}", self.explained(&error));
            StoreError::new(self.primary.name(), why)
        })
    }

    fn explained(&self, error: &tokio_postgres::Error) -> String {
        explained(error, &self.primary.log())
    }

    /// An empty database for one fleet. It is made from the template, or one that a former fleet
    /// has given back.
    pub(super) async fn database(self: &Arc<Self>, kind: Kind) -> Stored<Database> {
        let (free, number) = {
            let mut all = self.databases();
            let of = all.entry(kind).or_default();
            let free = of.free.pop();
            of.made += u32::from(free.is_none());
            (free, of.made)
        };
        let known = |name| Database { cluster: self.clone(), kind, name };
        if let Some(name) = free {
            let database = known(name);
            database.clear().await?;
            return Ok(database);
        }
        let name = format!("{}_{number}", kind.as_str());
        let _making = self.making.lock().await;
        // A database that could not be made is given to no fleet.
        self.create(&name, &template(kind)).await?;
        Ok(known(name))
    }

    pub(super) fn primary(&self) -> &Arc<Server> {
        &self.primary
    }

    /// The standby of a region, which is made where there is none yet.
    pub(super) async fn standby(&self, region: &Region) -> Stored<Arc<Server>> {
        let (place, primary) = (self.place.clone(), self.primary.clone());
        let name = self.purpose.replica(region);
        let start = move || Server::standby(&place, &name, &primary);
        self.standbys.get(region, start).await
    }

    /// Starts the primary again after it was killed.
    #[cfg(test)]
    pub(super) async fn restart_primary(&self) -> Stored<()> {
        let (place, primary) = (self.place.clone(), self.primary.clone());
        blocking(move || primary.start(&place)).await
    }

    fn databases(&self) -> MutexGuard<'_, BTreeMap<Kind, Databases>> {
        self.databases.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// A database of one fleet. When it is dropped, another fleet may get it.
#[derive(Debug)]
pub(super) struct Database {
    cluster: Arc<Cluster>,
    kind: Kind,
    name: String,
}

impl Database {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// Ends what the former fleet may still do in it, and empties its tables.
    async fn clear(&self) -> Stored<()> {
        let server = &self.cluster.primary;
        let failed = |error| StoreError::new(server.name(), explained(&error, &server.log()));
        let client = connect(server, &self.name).await?;
        let others = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity \
                      WHERE datname = current_database() AND pid <> pg_backend_pid()";
        client.batch_execute(others).await.map_err(failed)?;
        let empty = "SELECT string_agg(statement, ';') FROM ( \
                         SELECT format('DELETE FROM %I', tablename) AS statement FROM pg_tables \
                         WHERE schemaname = 'public' \
                         UNION ALL \
                         SELECT format('ALTER SEQUENCE %I RESTART', sequencename) \
                         FROM pg_sequences WHERE schemaname = 'public' \
                     ) AS statements";
        let row = client.query_one(empty, &[]).await.map_err(failed)?;
        let delete: String = row.try_get(0).map_err(failed)?;
        client.batch_execute(&delete).await.map_err(failed)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let mut all = self.cluster.databases();
        all.entry(self.kind).or_default().free.push(std::mem::take(&mut self.name));
    }
}

fn template(kind: Kind) -> String {
    format!("template_{}", kind.as_str())
}
