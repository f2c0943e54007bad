//! A connection to a database on a server.

use std::time::Duration;

use ::redis::aio::MultiplexedConnection;
use ::redis::{
    AsyncConnectionConfig, Client, Cmd, ConnectionAddr, FromRedisValue, IntoConnectionInfo as _,
    Pipeline, RedisConnectionInfo, RedisError,
};
use cell_fleet::{Position, StoreError, Stored};
use tokio::sync::Mutex;

use super::server::Server;

/// How long a request waits for a connection or a response.
const LIMIT: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub(super) struct Link {
    /// The server and the database in messages.
    name: String,
    client: Client,
    connection: Mutex<Option<MultiplexedConnection>>,
}

impl Link {
    /// Connects when the first request comes.
    pub(super) fn new(server: &Server, database: u32) -> Stored<Self> {
        let name = format!("{}, database {database}", server.name());
        let settings = RedisConnectionInfo::default().set_db(database.into());
        let info = ConnectionAddr::Unix(server.socket()).into_connection_info();
        let client = info.and_then(|info| {
            Client::open(info.set_redis_settings(settings.set_skip_set_lib_name()))
        });
        let client = client.map_err(|error| StoreError::new(&name, error.to_string()))?;
        Ok(Self { name, client, connection: Mutex::default() })
    }

    /// The response to a command.
    pub(super) async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> Stored<T> {
        let mut connection = self.connection().await?;
        let response = command.query_async(&mut connection).await;
        self.checked(response).await
    }

    /// The responses to commands that follow one another.
    pub(super) async fn ask_all<T: FromRedisValue>(&self, commands: &Pipeline) -> Stored<T> {
        let mut connection = self.connection().await?;
        let responses = commands.query_async(&mut connection).await;
        self.checked(responses).await
    }

    /// The error of a response that the protocol of the server does not have.
    pub(super) fn strange(&self, why: impl Into<String>) -> StoreError {
        StoreError::new(&self.name, why)
    }

    /// Removes everything from the database.
    pub(super) async fn clear(&self) -> Stored<()> {
        self.ask(::redis::cmd("FLUSHDB").arg("SYNC")).await
    }

    /// How far a server is with the replication, by what its `INFO replication` says.
    pub(super) fn position_in(&self, info: &str) -> Stored<Position> {
        let number = |name: &str| {
            let mut lines = info.lines().filter_map(|line| line.strip_prefix(name));
            lines.next().and_then(|number| number.trim().parse::<u64>().ok())
        };
        // A primary has the second alone. A replica says there what its own replicas would get.
        let offset = number("slave_repl_offset:").or_else(|| number("master_repl_offset:"));
        let offset = offset.ok_or_else(|| self.strange("it does not say its position"))?;
        Ok(Position::from(offset))
    }

    async fn connection(&self) -> Stored<MultiplexedConnection> {
        let mut kept = self.connection.lock().await;
        if let Some(connection) = &*kept {
            return Ok(connection.clone());
        }
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(LIMIT))
            .set_response_timeout(Some(LIMIT));
        let connected = self.client.get_multiplexed_async_connection_with_config(&config).await;
        let connection = connected.map_err(|error| self.failed(&error))?;
        *kept = Some(connection.clone());
        Ok(connection)
    }

    /// After a failure that is not the server's own word, the next request connects again.
    async fn checked<T>(&self, response: Result<T, RedisError>) -> Stored<T> {
        if let Err(error) = &response
            && error.code().is_none()
        {
            *self.connection.lock().await = None;
        }
        response.map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &RedisError) -> StoreError {
        StoreError::new(&self.name, error.to_string())
    }
}

/// What a server says about its replication.
pub(super) fn replication() -> Cmd {
    let mut info = ::redis::cmd("INFO");
    info.arg("replication");
    info
}
