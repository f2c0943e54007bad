//! One Redis server: a folder, a Unix socket and a process.

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use cell_fleet::{StoreError, Stored};

use super::numbers::DATABASES;
use super::relay::Relay;
use crate::durability::Durability;
use crate::programs::Place;
use crate::start;

/// How long a server may take to say something of itself.
const INFO_LIMIT: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(super) struct Server {
    /// Its name in messages, such as `Redis primary`.
    name: String,
    folder: PathBuf,
    durability: Durability,
    process: Mutex<Option<Child>>,
    /// What it follows, where it is a replica.
    follows: Option<Follows>,
}

/// A replica's primary, and the way from there.
#[derive(Debug)]
struct Follows {
    relay: Relay,
    primary: Arc<Server>,
}

impl Server {
    /// Starts a server that follows none.
    pub(super) fn start(place: &Place, name: String, durability: Durability) -> Stored<Self> {
        Self::started(place, name, durability, None)
    }

    /// Starts a replica, which has what its primary has.
    pub(super) fn replica(place: &Place, name: String, primary: Arc<Self>) -> Stored<Self> {
        let relay = Relay::start(&primary.socket())
            .map_err(|error| StoreError::new(&name, format!("no way to its primary: {error}")))?;
        Self::started(place, name, Durability::None, Some(Follows { relay, primary }))
    }

    fn started(
        place: &Place,
        name: String,
        durability: Durability,
        follows: Option<Follows>,
    ) -> Stored<Self> {
        let folder = place.folder.server_file(&name, &["data"])?;
        let server = Self { name, folder, durability, process: Mutex::new(None), follows };
        server.run(place).inspect_err(|_| {
            // The next attempt begins again, and says what is wrong then.
            let _ = std::fs::remove_dir_all(&server.folder);
        })?;
        Ok(server)
    }

    /// Starts the process and waits until it is ready.
    pub(super) fn run(&self, place: &Place) -> Stored<()> {
        let (log, command) = (self.folder.join("log"), self.command(place));
        let ready = start::start(command, &log, start::limit(), |_| self.is_ready());
        *self.process() = Some(ready.map_err(|why| StoreError::new(&self.name, why))?);
        Ok(())
    }

    fn command(&self, place: &Place) -> Command {
        let data = self.folder.join("data");
        let mut command = place.folder.command(place.program.path());
        // It listens on its Unix socket alone, so that no port can be in use.
        command.args(["--port", "0", "--unixsocketperm", "700", "--unixsocket"]).arg(self.socket());
        command.arg("--dir").arg(&data).arg("--pidfile").arg(data.join("redis.pid"));
        command.args(["--save", "", "--shutdown-timeout", "0", "--databases"]);
        command.arg(DATABASES.to_string());
        // A replica that is held up has not lost its primary.
        command.args(["--repl-diskless-sync-delay", "0", "--repl-timeout", "86400"]);
        match self.durability {
            Durability::None => command.args(["--appendonly", "no"]),
            #[cfg(test)]
            Durability::Full => command.args(["--appendonly", "yes", "--appendfsync", "always"]),
        };
        if let Some(Follows { relay, .. }) = &self.follows {
            let address = relay.address();
            command.arg("--replicaof").arg(address.ip().to_string());
            command.arg(address.port().to_string());
        }
        command
    }

    /// Whether it has its data, and that of its primary.
    fn is_ready(&self) -> Result<bool, String> {
        let said = self.info().unwrap_or_default();
        if said.contains("\nloading:0") {
            let Some(Follows { primary, .. }) = &self.follows else { return Ok(true) };
            if said.contains("master_link_status:up") {
                return Ok(true);
            }
            if primary.has_ended() {
                let primary = primary.name();
                return Err(format!("its primary has ended: the store `{primary}` failed"));
            }
        }
        Ok(false)
    }

    /// What the server says of itself.
    fn info(&self) -> io::Result<String> {
        let mut stream = UnixStream::connect(self.socket())?;
        stream.set_read_timeout(Some(INFO_LIMIT))?;
        stream.write_all(b"INFO\r\nQUIT\r\n")?;
        let mut said = String::new();
        stream.read_to_string(&mut said)?;
        Ok(said)
    }

    /// Its name in messages.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn socket(&self) -> PathBuf {
        self.folder.join("socket")
    }

    /// The way from its primary, where it is a replica.
    pub(super) fn relay(&self) -> Option<&Relay> {
        self.follows.as_ref().map(|follows| &follows.relay)
    }

    /// Whether the process has ended.
    fn has_ended(&self) -> bool {
        start::has_ended(&mut self.process())
    }

    /// Kills the process, which cannot finish what it does.
    pub(super) fn kill(&self) {
        if let Some(mut child) = self.process().take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    fn process(&self) -> MutexGuard<'_, Option<Child>> {
        self.process.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}
