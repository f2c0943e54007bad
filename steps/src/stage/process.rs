//! One router process, started and stopped as the router contract requires.

use std::ffi::{OsStr, OsString};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use cell_fleet::{Protocol, Region};
use rustix::process::Signal;
use tokio::net::TcpStream;
use tokio::process::Child;
use tokio::time::{sleep, timeout};

use super::error::RouterError;
use super::router_log::RouterLog;
use super::{machine, process_groups, processes, resources, session, waits::Waits};
use crate::stage::placeholders;
use crate::trace::RouterFacts;

/// The command that starts a vendor's router: a program and its arguments. `{topology}`,
/// `{listen}`, `{region}` and `{protocol}` in arguments are replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RouterCommand {
    pub program: OsString,
    pub arguments: Vec<OsString>,
}

impl RouterCommand {
    /// A command as a person writes it: a relative path of the program starts at this folder, not
    /// at the one in which the router runs, and `{folder}` stands for it. The empty path is the
    /// current folder.
    pub fn new(
        program: &OsStr,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
        folder: &Path,
    ) -> io::Result<Self> {
        let program = placeholders::in_folder(program, folder)?;
        let is_path = Path::new(&program).components().count() > 1;
        let program =
            if is_path { std::path::absolute(folder.join(program))?.into() } else { program };
        let arguments = arguments.into_iter();
        let arguments =
            arguments.map(|argument| placeholders::in_folder(argument.as_ref(), folder));
        Ok(Self { program, arguments: arguments.collect::<io::Result<_>>()? })
    }
}

/// The exit status of a router that does not implement the protocol.
const NOT_FOLLOWED: i32 = 69;
/// How long one attempt to connect may take: where a queue of connections is full, an attempt waits
/// for minutes. In between, the suite looks whether the process has exited.
const CONNECT_LIMIT: Duration = Duration::from_secs(1);

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

#[derive(Debug)]
pub(crate) struct RouterProcess {
    pub(crate) region: Region,
    pub(crate) listen: SocketAddr,
    child: Child,
    leader: i32,
    log: RouterLog,
    /// Its own folder: no other router works in it, or has its `TMPDIR` there.
    folder: PathBuf,
    pub(super) began: Instant,
    /// Whether it was ready once.
    pub(super) is_ready: bool,
    /// Whether it has been told to stop.
    told: bool,
    /// Whether it has ended, with all that it started.
    swept: bool,
}

#[derive(Debug)]
pub(super) struct Stopped {
    pub(super) facts: RouterFacts,
    pub(super) log: String,
    /// How it exited, if it did so before it was told to stop.
    pub(super) death: Option<ExitStatus>,
}

impl RouterProcess {
    /// Starts the command. The router is not ready yet.
    pub(super) fn start(command: &RouterCommand, orders: &Orders) -> Result<Self, RouterError> {
        let name = format!(
            "{}{}",
            orders.region,
            if orders.generation == 0 { String::new() } else { format!("-{}", orders.generation) }
        );
        // A restarted router finds its topology file at the same path, and an empty folder.
        let topology = orders.folder.join(format!("{}.json", orders.region));
        let own = orders.folder.join(&name);
        let listen = orders.listen.to_string();
        let suite =
            |error: io::Error| RouterError::Suite(resources::explain(&orders.folder, &error));
        std::fs::write(&topology, &orders.topology).map_err(suite)?;
        std::fs::create_dir(&own).map_err(suite)?;
        let (log, output) = RouterLog::open().map_err(suite)?;
        let second = output.try_clone().map_err(suite)?;
        let replaced = |text: &OsString| replace(text, &topology, &listen, orders);
        let program = replaced(&command.program);
        processes::adopt_orphans();
        let (child, leader) = process_groups::start(|| {
            let (child, leader) = session::spawn(&program, |process| {
                process
                    .args(command.arguments.iter().map(replaced))
                    .current_dir(&own)
                    .env("TMPDIR", &own)
                    .env("CELLS_TOPOLOGY", &topology)
                    .env("CELLS_LISTEN", &listen)
                    .env("CELLS_REGION", orders.region.as_str())
                    .env("CELLS_PROTOCOL", orders.protocol.as_str())
                    .stdout(output)
                    .stderr(second);
            })?;
            Ok((leader, (child, leader)))
        })
        .map_err(|error| match resources::is_of_machine(&error) {
            true => suite(error),
            false => RouterError::not_started(&command.program, error),
        })?;
        Ok(Self {
            region: orders.region.clone(),
            listen: orders.listen,
            child,
            leader,
            log,
            folder: own,
            began: Instant::now(),
            is_ready: false,
            told: false,
            swept: false,
        })
    }

    /// Waits until the router accepts a connection.
    pub(super) async fn ready(
        &mut self,
        waits: &Waits,
        protocol: Protocol,
    ) -> Result<(), RouterError> {
        let mut pause = waits.ready_poll;
        let mut limit = waits.ready;
        loop {
            let left = limit.saturating_sub(self.began.elapsed()).min(CONNECT_LIMIT);
            if accepts(self.listen, left).await {
                return Ok(());
            }
            if let Ok(Some(status)) = self.child.try_wait() {
                self.log.finish().await;
                return Err(if status.code() == Some(NOT_FOLLOWED) {
                    RouterError::ProtocolNotFollowed(protocol)
                } else {
                    RouterError::Ended { router: self.name(), status, log: self.log_end() }
                });
            }
            if self.began.elapsed() >= limit {
                // The time of which it had nothing does not count.
                let kept_back = self.kept_back();
                limit = (waits.ready + kept_back).min(waits.longest_start());
                if self.began.elapsed() >= limit {
                    // Where the suite can open no file, it cannot connect.
                    if let Some(why) = resources::trouble(&self.folder) {
                        return Err(RouterError::Suite(why));
                    }
                    return Err(RouterError::NotReady {
                        router: self.name(),
                        listen: self.listen,
                        limit: waits.ready,
                        kept_back,
                        log: self.log_end(),
                    });
                }
            }
            sleep(pause).await;
            pause = (pause * 2).min(waits.ready_poll * 16);
        }
    }

    /// How long the machine has kept the router from its start: the longest that one of its threads
    /// waited for a processor, as where many routers start side by side, or all stalls together.
    fn kept_back(&self) -> Duration {
        processes::queued_longest(self.leader).max(machine::sum_since(self.began))
    }

    /// How the router exited, if it did so although nobody told it to, and if nothing listens on
    /// its address. A process that has left the work to another one of its group is not dead.
    pub(super) async fn death(&mut self, waits: &Waits) -> Option<ExitStatus> {
        if self.told {
            return None;
        }
        let mut status = self.child.try_wait().ok().flatten();
        // Its connections close a moment before it can be waited for.
        if status.is_none() && processes::is_exiting(self.leader) {
            status = timeout(waits.still, self.child.wait()).await.ok()?.ok();
        }
        let status = status?;
        (!accepts(self.listen, CONNECT_LIMIT).await).then_some(status)
    }

    /// Tells the router to stop, once: many programs exit at once on a second SIGTERM.
    pub(super) fn tell_to_stop(&mut self) {
        if !std::mem::replace(&mut self.told, true) {
            processes::send(self.leader, Signal::TERM);
        }
    }

    /// Tells the router to stop and waits for its exit; kills it after the limit, with everything
    /// that it started.
    pub(super) async fn stop(mut self, waits: &Waits) -> Stopped {
        let death = self.death(waits).await;
        self.tell_to_stop();
        let stopped = timeout(waits.stop, self.child.wait()).await.is_ok();
        process_groups::end(self.leader);
        if !stopped {
            // The process has been killed, so this wait is short. Its exit status does not matter.
            let _ = timeout(waits.stop, self.child.wait()).await;
        }
        processes::end_adopted(self.leader, &self.folder);
        self.swept = true;
        self.log.finish().await;
        let address_freed = is_free(self.listen).await;
        let facts = RouterFacts { name: self.name(), ready: true, stopped, address_freed };
        Stopped { facts, log: self.log_end(), death }
    }

    pub(super) fn name(&self) -> String {
        format!("router_{}", self.region)
    }

    pub(super) fn pid(&self) -> i32 {
        self.leader
    }

    /// The beginning and the end of the router's output so far.
    pub(crate) fn log_end(&self) -> String {
        self.log.text()
    }
}

impl Drop for RouterProcess {
    /// Where a scenario is given up, by a signal or because a router does not start, what has left
    /// the group of its router ends as well.
    fn drop(&mut self) {
        if self.swept {
            return;
        }
        process_groups::end(self.leader);
        // What it has started outside of its group becomes this process's when it exits.
        processes::wait_until(|| !matches!(self.child.try_wait(), Ok(None)));
        processes::end_adopted(self.leader, &self.folder);
    }
}

/// Whether somebody accepts a connection on an address within a limit.
pub(super) async fn accepts(address: SocketAddr, limit: Duration) -> bool {
    matches!(timeout(limit, TcpStream::connect(address)).await, Ok(Ok(_)))
}

/// Whether nothing listens on an address. Where connecting takes long, a queue of connections is
/// full, so something listens.
async fn is_free(address: SocketAddr) -> bool {
    matches!(timeout(CONNECT_LIMIT, TcpStream::connect(address)).await, Ok(Err(_)))
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
        let facts = process.stop(&waits).await.facts;
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

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_router_that_stops_takes_nothing_of_another_one_along() {
        let folder = tempfile::tempdir().unwrap();
        let stopped = RouterProcess::start(&shell("exec sleep 60"), &orders(folder.path()));
        let us = Orders { region: Region::us(), ..orders(folder.path()) };
        // Its leader leaves the work to another process of its group.
        let mut other = RouterProcess::start(&shell("sleep 60 & echo $!"), &us).unwrap();
        other.child.wait().await.unwrap();
        let worker = async {
            loop {
                if let Ok(worker) = other.log_end().parse() {
                    break worker;
                }
                tokio::task::yield_now().await;
            }
        };
        let worker = tokio::time::timeout(Duration::from_secs(5), worker).await;
        let worker = rustix::process::Pid::from_raw(worker.expect("no worker")).unwrap();
        stopped.unwrap().stop(&Waits::default()).await;
        rustix::process::test_kill_process(worker).expect("it was ended");
    }
}
