//! One PostgreSQL server: a folder of data, a Unix socket and a process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use cell_fleet::{Region, StoreError, Stored};
use rustix::process::{Pid, Signal, kill_process};

use super::kind::Kind;
use crate::durability::Durability;
use crate::log::{last_lines, log_end};
use crate::programs::Place;
use crate::start;

/// The role that everything is done as.
pub(super) const ROLE: &str = "cells";

/// How long a folder is removed again and again.
const REMOVAL_LIMIT: Duration = Duration::from_secs(5);

/// What a primary is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// The schemas that all cells share. It has standbys.
    Shared,
    /// The same, for a fleet whose replicas lag.
    Lagging,
    /// The schemas of the cells. Nothing follows it.
    Cells,
}

impl Purpose {
    /// The databases on it.
    pub(super) fn kinds(self) -> &'static [Kind] {
        match self {
            Self::Shared | Self::Lagging => &Kind::SHARED,
            Self::Cells => &Kind::OWN,
        }
    }

    /// Its name in messages.
    fn primary(self) -> &'static str {
        match self {
            Self::Shared => "primary",
            Self::Lagging => "primary that lags",
            Self::Cells => "cells",
        }
    }

    /// The name of its standby in a region.
    pub(super) fn replica(self, region: &Region) -> String {
        let suffix = if self == Self::Lagging { " that lags" } else { "" };
        format!("replica {region}{suffix}")
    }
}

#[derive(Debug)]
pub(super) struct Server {
    /// Its name in messages, such as `primary us`.
    name: String,
    /// Its socket is in it, and `data`.
    folder: PathBuf,
    arguments: Vec<String>,
    process: Mutex<Option<Child>>,
}

impl Server {
    /// Makes the data of a primary and starts it.
    pub(super) fn primary(place: &Place, purpose: Purpose, durability: Durability) -> Stored<Self> {
        let name = purpose.primary();
        let folder = place.folder.server_file(name, &[])?;
        let mut initdb = place.folder.command(&place.program.beside("initdb"));
        initdb.args(["-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8", "-U", ROLE]);
        initdb.args(["--wal-segsize=4", "-D"]).arg(folder.join("data"));
        Self::made(place, name, initdb, folder, arguments(purpose, durability))
    }

    /// Copies the data of a primary and starts a hot standby that follows it.
    pub(super) fn standby(place: &Place, name: &str, primary: &Self) -> Stored<Self> {
        let folder = place.folder.server_file(name, &[])?;
        let mut backup = place.folder.command(&place.program.beside("pg_basebackup"));
        backup.args(["-R", "-X", "stream", "-c", "fast", "--no-sync", "-U", ROLE, "-h"]);
        backup.arg(&primary.folder).arg("-D").arg(folder.join("data"));
        let made = Self::made(place, name, backup, folder, primary.arguments.clone());
        made.map_err(|error| {
            if !primary.has_ended() {
                return error;
            }
            let why = format!("it has ended{}", log_end(&primary.log()));
            StoreError::new(primary.name(), why)
        })
    }

    /// Makes the data by this command, and starts the server.
    fn made(
        place: &Place,
        name: &str,
        data: Command,
        folder: PathBuf,
        arguments: Vec<String>,
    ) -> Stored<Self> {
        let server = Self { name: name.to_owned(), folder, arguments, process: Mutex::new(None) };
        run(name, data).and_then(|()| server.start(place)).inspect_err(|_| {
            // The next attempt begins again, and says what is wrong then.
            remove(&server.folder);
        })?;
        Ok(server)
    }

    /// Starts the process and waits until it takes connections.
    pub(super) fn start(&self, place: &Place) -> Stored<()> {
        let (log, end) = (self.log(), start::limit());
        loop {
            let command = self.command(place);
            let why = match start::start(command, &log, end, |process| Ok(self.is_ready(process))) {
                Ok(child) => {
                    *self.process() = Some(child);
                    return Ok(());
                }
                Err(why) => why,
            };
            // The children of a killed server hold its memory for a moment.
            let passes = why.contains("shared memory block") || why.contains("lock file");
            if !passes || Instant::now() > end {
                return Err(StoreError::new(&self.name, why));
            }
            thread::sleep(start::PAUSE);
        }
    }

    fn command(&self, place: &Place) -> Command {
        let mut command = place.folder.command(place.program.path());
        command.arg("-D").arg(self.folder.join("data"));
        command.arg("-c").arg(format!("unix_socket_directories={}", self.folder.display()));
        for argument in &self.arguments {
            command.arg("-c").arg(argument);
        }
        command
    }

    /// Whether this process takes connections. It writes its state into the eighth line of a file.
    /// A killed server leaves its file, by which the next finds out whether the children still
    /// live: it is not removed here.
    fn is_ready(&self, process: u32) -> bool {
        let file = self.folder.join("data/postmaster.pid");
        let state = fs::read_to_string(file).unwrap_or_default();
        let own = state.lines().next().and_then(|pid| pid.trim().parse().ok());
        own == Some(process) && state.lines().nth(7).is_some_and(|line| line.trim() == "ready")
    }

    /// Its name in messages.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Where it writes what happens to it.
    pub(super) fn log(&self) -> PathBuf {
        self.folder.join("log")
    }

    /// Whether the process has ended.
    fn has_ended(&self) -> bool {
        start::has_ended(&mut self.process())
    }

    /// The folder of its socket.
    pub(super) fn socket(&self) -> &Path {
        &self.folder
    }

    /// Kills the process and its children at once, so that none of them can finish what it is
    /// doing.
    #[cfg(test)]
    pub(super) fn kill(&self) {
        if let Some(mut child) = self.process().take() {
            let children = format!("/proc/{0}/task/{0}/children", child.id());
            let children = fs::read_to_string(children).unwrap();
            for child in children.split_whitespace().filter_map(|pid| pid.parse().ok()) {
                let _ = Pid::from_raw(child).map(|pid| kill_process(pid, Signal::KILL));
            }
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
        let Some(mut child) = self.process().take() else { return };
        // At once, but with its children.
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let told = pid.map(|pid| kill_process(pid, Signal::QUIT));
        if !matches!(told, Some(Ok(()))) {
            let _ = child.kill();
        }
        let _ = child.wait();
    }
}

/// The settings of a server. It listens on its Unix socket alone, so that no port can be in use.
fn arguments(purpose: Purpose, durability: Durability) -> Vec<String> {
    let mut settings = vec![
        "listen_addresses=",
        "shared_buffers=16MB",
        "max_connections=300",
        "hot_standby=on",
        "max_wal_size=128MB",
        "min_wal_size=16MB",
        "autovacuum=off",
        "jit=off",
        // In the folder, and removed with it, also where the server was killed.
        "dynamic_shared_memory_type=mmap",
        "log_min_messages=warning",
    ];
    settings.extend(match purpose {
        Purpose::Shared | Purpose::Lagging => {
            ["wal_level=replica", "max_wal_senders=20", "wal_keep_size=64MB"]
        }
        Purpose::Cells => ["wal_level=minimal", "max_wal_senders=0", "wal_keep_size=0"],
    });
    match durability {
        Durability::None => settings.extend(["fsync=off", "full_page_writes=off"]),
        #[cfg(test)]
        Durability::Full => settings.extend(["fsync=on", "full_page_writes=on"]),
    }
    settings.into_iter().map(str::to_owned).collect()
}

/// Removes a folder, into which children of a killed process may still write for a moment.
fn remove(folder: &Path) {
    let end = Instant::now() + REMOVAL_LIMIT;
    while fs::remove_dir_all(folder).is_err() && folder.exists() && Instant::now() < end {
        thread::sleep(start::PAUSE);
    }
}

/// Runs a program to its end.
fn run(name: &str, mut command: Command) -> Stored<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdout(Stdio::null()).stderr(Stdio::piped()).output();
    let problem = match output {
        Ok(output) if output.status.success() => return Ok(()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            format!("{program} failed with {}: {}", output.status, last_lines(&said))
        }
        Err(error) => format!("{program} cannot be run: {error}"),
    };
    Err(StoreError::new(name, problem))
}
