//! One router process, started and stopped as the router contract requires.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Instant;

use cell_fleet::{Protocol, Region};
use rustix::process::Signal;
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

use super::{groups, waits::Waits};
use crate::log_excerpt::{around_last_error, readable};
use crate::trace::RouterFacts;

/// The command that starts a vendor's router: a program and its arguments. `{topology}`,
/// `{listen}`, `{region}` and `{protocol}` in arguments are replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RouterCommand {
    /// The program.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

impl RouterCommand {
    /// A command as a person types it: a relative path of the program starts at the current folder,
    /// not at the folder in which the router runs.
    ///
    /// # Errors
    ///
    /// Where the current folder does not exist.
    pub fn new(program: &OsStr, arguments: &[OsString]) -> io::Result<Self> {
        let is_path = Path::new(program).components().count() > 1;
        let program = if is_path {
            std::path::absolute(program)?.into_os_string()
        } else {
            program.to_owned()
        };
        Ok(Self { program, arguments: arguments.to_vec() })
    }
}

/// The exit status of a router that does not implement the protocol.
const NOT_FOLLOWED: i32 = 69;
/// How many characters of a log are shown.
const LOG_SHOWN: usize = 4_000;
/// How many bytes at the end of a log are searched for its last error.
const LOG_READ: u64 = 256 * 1024;

/// What a router is given when it starts.
#[derive(Clone, Debug)]
pub(super) struct Orders {
    pub(super) region: Region,
    pub(super) protocol: Protocol,
    pub(super) listen: SocketAddr,
    /// Folder of the scenario, for the topology file, the log and the router's working directory.
    pub(super) folder: PathBuf,
    /// Tells a router from earlier ones of the same region.
    pub(super) generation: usize,
    /// Text of the topology file.
    pub(super) topology: String,
}

/// A running router.
#[derive(Debug)]
pub(crate) struct RouterProcess {
    pub(crate) region: Region,
    pub(crate) listen: SocketAddr,
    child: Child,
    leader: i32,
    log: PathBuf,
    began: Instant,
    /// Whether it has been told to stop.
    told: bool,
}

/// Why a router did not become ready.
#[derive(Debug)]
pub enum RouterError {
    /// The command could not be started.
    NotStarted {
        /// The program.
        program: String,
        /// The error of the system.
        error: io::Error,
    },
    /// The router does not implement this protocol: it exited with status 69.
    ProtocolNotFollowed(Protocol),
    /// The router exited before it accepted a connection.
    Ended {
        /// The router, `router_eu`.
        router: String,
        /// Its exit status.
        status: ExitStatus,
        /// The end of its log.
        log: String,
    },
    /// The cache of a running router could not be cleared.
    NotReset {
        /// Its region.
        region: Region,
        /// What went wrong.
        why: String,
    },
    /// The router did not accept a connection in time.
    NotReady {
        /// The router, `router_eu`.
        router: String,
        /// Where it should listen.
        listen: SocketAddr,
        /// The limit.
        limit: std::time::Duration,
        /// The end of its log.
        log: String,
    },
}

impl fmt::Display for RouterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted { program, error } => {
                write!(f, "`{program}` could not be started: {error}")
            }
            Self::ProtocolNotFollowed(protocol) => {
                write!(
                    f,
                    "the router does not follow the {} protocol (exit status 69)",
                    protocol.as_str()
                )
            }
            Self::Ended { router, status, log } => {
                write!(
                    f,
                    "{router} ended before it accepted a connection: {status}\n{}",
                    log_section(log)
                )
            }
            Self::NotReset { region, why } => {
                write!(f, "the router of region {region} could not be made cold: {why}")
            }
            Self::NotReady { router, listen, limit, log } => {
                write!(
                    f,
                    "{router} did not accept a connection on {listen} within {limit:?}\n{}",
                    log_section(log)
                )
            }
        }
    }
}

fn log_section(log: &str) -> String {
    if log.is_empty() {
        "its log is empty".to_owned()
    } else {
        format!("the end of its log:\n{log}")
    }
}

impl RouterProcess {
    /// Starts the command. The router is not ready yet.
    pub(super) fn start(command: &RouterCommand, orders: &Orders) -> Result<Self, RouterError> {
        let fault = |error| RouterError::NotStarted {
            program: command.program.to_string_lossy().into_owned(),
            error,
        };
        let name = format!(
            "{}{}",
            orders.region,
            if orders.generation == 0 { String::new() } else { format!("-{}", orders.generation) }
        );
        // A restarted router finds its topology file at the same path, and an empty folder.
        let topology = orders.folder.join(format!("{}.json", orders.region));
        let own = orders.folder.join(&name);
        let log = orders.folder.join(format!("{name}.log"));
        let listen = orders.listen.to_string();
        let prepare = || -> io::Result<Command> {
            std::fs::write(&topology, &orders.topology)?;
            std::fs::create_dir(&own)?;
            let output = File::create(&log)?;
            let replaced = |text: &OsString| replace(text, &topology, &listen, orders);
            let mut process = Command::new(replaced(&command.program));
            process
                .args(command.arguments.iter().map(replaced))
                .current_dir(&own)
                .env("TMPDIR", &own)
                .env("CELLS_TOPOLOGY", &topology)
                .env("CELLS_LISTEN", &listen)
                .env("CELLS_REGION", orders.region.as_str())
                .env("CELLS_PROTOCOL", orders.protocol.as_str())
                .stdin(Stdio::null())
                .stdout(output.try_clone()?)
                .stderr(output)
                .process_group(0);
            Ok(process)
        };
        let mut process = prepare().map_err(fault)?;
        let (child, leader) = groups::start(|| {
            let child = process.spawn()?;
            let leader = child
                .id()
                .and_then(|id| i32::try_from(id).ok())
                .ok_or_else(|| io::Error::other("no process id"))?;
            Ok((leader, (child, leader)))
        })
        .map_err(fault)?;
        Ok(Self {
            region: orders.region.clone(),
            listen: orders.listen,
            child,
            leader,
            log,
            began: Instant::now(),
            told: false,
        })
    }

    /// Waits until the router accepts a connection.
    pub(super) async fn ready(
        &mut self,
        waits: &Waits,
        protocol: Protocol,
    ) -> Result<(), RouterError> {
        let mut pause = waits.ready_poll;
        loop {
            if TcpStream::connect(self.listen).await.is_ok() {
                return Ok(());
            }
            if let Ok(Some(status)) = self.child.try_wait() {
                return Err(if status.code() == Some(NOT_FOLLOWED) {
                    RouterError::ProtocolNotFollowed(protocol)
                } else {
                    RouterError::Ended { router: self.name(), status, log: self.log_end() }
                });
            }
            if self.began.elapsed() > waits.ready {
                return Err(RouterError::NotReady {
                    router: self.name(),
                    listen: self.listen,
                    limit: waits.ready,
                    log: self.log_end(),
                });
            }
            sleep(pause).await;
            pause = (pause * 2).min(waits.ready_poll * 16);
        }
    }

    /// Tells the router to stop, once: many programs exit at once on a second SIGTERM.
    pub(super) fn tell_to_stop(&mut self) {
        if !std::mem::replace(&mut self.told, true) {
            groups::send(self.leader, Signal::TERM);
        }
    }

    /// Tells the router to stop and waits for its exit; kills it after the limit.
    pub(super) async fn stop(mut self, waits: &Waits) -> RouterFacts {
        self.tell_to_stop();
        let stopped = timeout(waits.stop, self.child.wait()).await.is_ok();
        groups::end(self.leader);
        if !stopped {
            // It has been killed, so this wait is short. Its result does not matter.
            let _ = timeout(waits.stop, self.child.wait()).await;
        }
        let address_freed = TcpStream::connect(self.listen).await.is_err();
        RouterFacts { name: self.name(), ready: true, stopped, address_freed }
    }

    pub(super) fn name(&self) -> String {
        format!("router_{}", self.region)
    }

    /// The process id of the router.
    pub(super) fn pid(&self) -> i32 {
        self.leader
    }

    /// The file with the router's output.
    pub(super) fn log_path(&self) -> PathBuf {
        self.log.clone()
    }

    /// The end of the router's output.
    pub(crate) fn log_end(&self) -> String {
        log_end(&self.log)
    }
}

impl Drop for RouterProcess {
    fn drop(&mut self) {
        groups::end(self.leader);
    }
}

/// What is shown of a log: its end, or what stands around its last error.
pub(super) fn log_end(path: &Path) -> String {
    let bytes = end_of_file(path, LOG_READ).unwrap_or_default();
    around_last_error(&readable(&bytes), LOG_SHOWN)
}

/// At most this many bytes at the end of a file.
fn end_of_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
    let mut bytes = Vec::new();
    // The router may still be writing.
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn replace(text: &OsString, topology: &Path, listen: &str, orders: &Orders) -> OsString {
    // An argument that is not UTF-8 has no placeholder.
    let Some(plain) = text.to_str() else { return text.clone() };
    plain
        .replace("{topology}", &topology.to_string_lossy())
        .replace("{listen}", listen)
        .replace("{region}", orders.region.as_str())
        .replace("{protocol}", orders.protocol.as_str())
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders(folder: &Path) -> Orders {
        Orders {
            region: Region::eu(),
            protocol: Protocol::Learning,
            listen: SocketAddr::from(([127, 0, 0, 1], 9)),
            folder: folder.to_owned(),
            generation: 0,
            topology: "{}".to_owned(),
        }
    }

    fn shell(script: &str) -> RouterCommand {
        RouterCommand { program: "sh".into(), arguments: vec!["-c".into(), script.into()] }
    }

    async fn fault(script: &str, waits: &Waits) -> RouterError {
        let folder = tempfile::tempdir().unwrap();
        let mut process = RouterProcess::start(&shell(script), &orders(folder.path())).unwrap();
        process.ready(waits, Protocol::Learning).await.unwrap_err()
    }

    #[tokio::test]
    async fn a_router_that_ends_is_reported_with_its_status_and_log() {
        let text = fault("echo broken {region} $CELLS_PROTOCOL >&2; exit 3", &Waits::default())
            .await
            .to_string();
        assert!(text.contains("exit status: 3") && text.contains("broken eu learning"), "{text}");
    }

    #[tokio::test]
    async fn status_69_means_that_the_protocol_is_not_followed() {
        assert!(matches!(
            fault("exit 69", &Waits::default()).await,
            RouterError::ProtocolNotFollowed(Protocol::Learning)
        ));
    }

    #[tokio::test]
    async fn a_router_that_never_listens_is_reported_as_that() {
        let waits = Waits { ready: std::time::Duration::from_millis(30), ..Waits::default() };
        assert!(matches!(fault("exec sleep 60", &waits).await, RouterError::NotReady { .. }));
    }

    #[tokio::test]
    async fn a_router_that_ignores_sigterm_is_killed_with_all_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let process = RouterProcess::start(
            &shell("trap '' TERM; sleep 60 & echo deaf; wait; wait"),
            &orders(folder.path()),
        )
        .unwrap();
        let deaf = async {
            while process.log_end() != "deaf" {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(5), deaf)
            .await
            .expect("the shell never began");
        let waits = Waits { stop: std::time::Duration::from_millis(50), ..Waits::default() };
        let leader = process.leader;
        let facts = process.stop(&waits).await;
        assert!(!facts.stopped && facts.address_freed);
        let group = rustix::process::Pid::from_raw(leader).unwrap();
        // Killed children are gone once the system has reaped them.
        let gone = async {
            while rustix::process::test_kill_process_group(group).is_ok() {
                tokio::task::yield_now().await
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(5), gone)
            .await
            .expect("a child outlived its router");
    }

    #[tokio::test]
    async fn a_command_that_does_not_exist_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let command = RouterCommand { program: "no-such-router".into(), arguments: Vec::new() };
        let fault = RouterProcess::start(&command, &orders(folder.path())).unwrap_err();
        assert!(fault.to_string().contains("`no-such-router` could not be started"));
    }
}
