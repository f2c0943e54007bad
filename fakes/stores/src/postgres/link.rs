//! Connections to a database on a server, from a pool, and what is said on them. Each failure names
//! the database.

use std::path::{Path, PathBuf};
use std::time::Duration;

use cell_fleet::{StoreError, Stored};
use deadpool_postgres::{
    Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime, Transaction,
};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, NoTls, Row};

use super::rows::Columns;
use super::server::{ROLE, Server};
use crate::log::log_end;

/// How long a request waits for a connection.
const CONNECT_LIMIT: Duration = Duration::from_secs(20);
/// Connections of one fleet to one database.
const POOL_SIZE: usize = 8;

/// The values of a statement.
pub(super) type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

/// What becomes of a row.
pub(super) type Made<T> = fn(&Columns<'_>) -> Stored<T>;

#[derive(Clone, Debug)]
pub(super) struct Link {
    /// The server and the database in messages.
    name: String,
    /// Where the server writes what happens to it.
    log: PathBuf,
    pool: Pool,
}

impl Link {
    /// Connects when the first request comes.
    pub(super) fn new(server: &Server, database: &str) -> Stored<Self> {
        let name = format!("{}, database {database}", server.name());
        let manager = Manager::from_config(
            config(server, database),
            NoTls,
            ManagerConfig { recycling_method: RecyclingMethod::Fast },
        );
        let pool = Pool::builder(manager)
            .max_size(POOL_SIZE)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(CONNECT_LIMIT))
            .create_timeout(Some(CONNECT_LIMIT))
            .build()
            .map_err(|error| StoreError::new(&name, error.to_string()))?;
        Ok(Self { name, log: server.log(), pool })
    }

    /// A connection.
    pub(super) async fn get(&self) -> Stored<Object> {
        self.pool.get().await.map_err(|error| {
            let why = match &error {
                PoolError::Backend(error) => explained(error, &self.log),
                other => other.to_string(),
            };
            StoreError::new(&self.name, why)
        })
    }

    /// The rows that a statement returns.
    pub(super) async fn all<T>(
        &self,
        sql: &str,
        values: Values<'_>,
        made: Made<T>,
    ) -> Stored<Vec<T>> {
        self.made(self.get().await?.query(sql, values).await, made)
    }

    /// The first row that a statement returns.
    pub(super) async fn first<T>(
        &self,
        sql: &str,
        values: Values<'_>,
        made: Made<T>,
    ) -> Stored<Option<T>> {
        Ok(self.all(sql, values, made).await?.into_iter().next())
    }

    /// The row of a statement that always returns one.
    pub(super) async fn one<T>(&self, sql: &str, values: Values<'_>, made: Made<T>) -> Stored<T> {
        let row = self.first(sql, values, made).await?;
        row.ok_or_else(|| self.strange("a row is missing"))
    }

    /// Runs a statement. Returns how many rows it changed.
    pub(super) async fn execute(&self, sql: &str, values: Values<'_>) -> Stored<u64> {
        let done = self.get().await?.execute(sql, values).await;
        done.map_err(|error| self.failed(&error))
    }

    /// Begins a transaction on one of its connections.
    pub(super) async fn begin<'c>(&'c self, client: &'c mut Object) -> Stored<Writing<'c>> {
        let transaction = client.transaction().await.map_err(|error| self.failed(&error))?;
        Ok(Writing { link: self, transaction })
    }

    fn made<T>(
        &self,
        rows: Result<Vec<Row>, tokio_postgres::Error>,
        made: Made<T>,
    ) -> Stored<Vec<T>> {
        let rows = rows.map_err(|error| self.failed(&error))?;
        rows.iter().map(|row| made(&Columns { row, link: self })).collect()
    }

    /// What a request for which the server failed gets.
    pub(super) fn failed(&self, error: &tokio_postgres::Error) -> StoreError {
        StoreError::new(&self.name, explained(error, &self.log))
    }

    /// The error of a row that no table could hold.
    pub(super) fn strange(&self, why: impl Into<String>) -> StoreError {
        StoreError::new(&self.name, why)
    }
}

/// A transaction. Without a commit it changes nothing.
pub(super) struct Writing<'c> {
    link: &'c Link,
    transaction: Transaction<'c>,
}

impl Writing<'_> {
    /// The row of a statement that always returns one.
    pub(super) async fn one<T>(&self, sql: &str, values: Values<'_>, made: Made<T>) -> Stored<T> {
        let first = self.all(sql, values, made).await?.into_iter().next();
        first.ok_or_else(|| self.link.strange("a row is missing"))
    }

    /// The rows that a statement returns.
    pub(super) async fn all<T>(
        &self,
        sql: &str,
        values: Values<'_>,
        made: Made<T>,
    ) -> Stored<Vec<T>> {
        self.link.made(self.transaction.query(sql, values).await, made)
    }

    /// Runs a statement. Returns how many rows it changed.
    pub(super) async fn execute(&self, sql: &str, values: Values<'_>) -> Stored<u64> {
        let done = self.transaction.execute(sql, values).await;
        done.map_err(|error| self.link.failed(&error))
    }

    pub(super) async fn commit(self) -> Stored<()> {
        self.transaction.commit().await.map_err(|error| self.link.failed(&error))
    }
}

/// A connection outside the pools, for what is done once.
pub(super) async fn connect(server: &Server, database: &str) -> Stored<Client> {
    let failed = |error| StoreError::new(server.name(), explained(&error, &server.log()));
    let (client, connection) = config(server, database).connect(NoTls).await.map_err(failed)?;
    // Its error is that of the request that meets it.
    tokio::spawn(async move { drop(connection.await) });
    Ok(client)
}

fn config(server: &Server, database: &str) -> Config {
    let mut config = Config::new();
    config
        .host_path(server.socket())
        .user(ROLE)
        .dbname(database)
        .connect_timeout(CONNECT_LIMIT)
        .application_name("cells");
    config
}

/// The error, and the end of the server's log where the server cannot say itself why: it has ended,
/// or has crashed and starts again.
pub(super) fn explained(error: &tokio_postgres::Error, log: &Path) -> String {
    let crashed = [SqlState::CANNOT_CONNECT_NOW, SqlState::CRASH_SHUTDOWN];
    let says_why = error.code().is_some_and(|code| !crashed.contains(code));
    let end = if says_why { String::new() } else { log_end(log) };
    format!("{}{end}", described(error))
}

/// The error with what the server said: the text of the crate alone is `db error`.
pub(super) fn described(error: &tokio_postgres::Error) -> String {
    if let Some(said) = error.as_db_error() {
        let hint = said.hint().map(|hint| format!(". {hint}")).unwrap_or_default();
        let (severity, message, code) = (said.severity(), said.message(), said.code().code());
        return format!("{severity}: {message} (SQLSTATE {code}){hint}");
    }
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
