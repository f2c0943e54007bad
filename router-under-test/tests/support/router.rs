//! The router as a process.

use std::io::Read as _;
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::cell::{Cell, wait_for};
use super::client::User;
pub(crate) use super::free_address::free_address;

const PROGRAM: &str = env!("CARGO_BIN_EXE_reference-router");
const READY_LIMIT: Duration = Duration::from_secs(10);

/// A running router; killed if a test ends without stopping it.
pub(crate) struct Router {
    process: Child,
    pub(crate) address: SocketAddr,
    directory: tempfile::TempDir,
}

/// A topology for the EU with EU0 and EU1 there, and US0, the latest, elsewhere.
pub(crate) fn topology(protocol: &str, us0: SocketAddr, eu0: SocketAddr, eu1: SocketAddr) -> Value {
    let cell = |id: &str, name: &str, region: &str, address: SocketAddr| {
        json!({
            "id": id,
            "name": name,
            "slug": id.replace('_', ""),
            "region": region,
            "url": format!("http://{address}"),
        })
    };
    json!({
        "version": 1,
        "protocol": protocol,
        "region": "eu",
        "listen": free_address(),
        "learn_path": "/api/v4/internal/cells/learn",
        "latest_cell": "cell_us0",
        "cache": { "ttl_ms": 60000, "max_entries": 1000 },
        "limits": {
            "max_hops": 4, "max_buffered_body_bytes": 1_000_000,
            "connect_timeout_ms": 2000, "response_timeout_ms": 10000,
        },
        "capabilities": { "not_found_delay_ms": 0, "cookie_cache": false },
        "cells": [
            cell("cell_us0", "Cell US0", "us", us0),
            cell("cell_eu0", "Cell EU0", "eu", eu0),
            cell("cell_eu1", "Cell EU1", "eu", eu1),
        ],
    })
}

/// A fleet in which every pick in the region is EU1: EU0 is there, and cold requests find EU1 only.
pub(crate) struct Fleet {
    pub(crate) us0: Cell,
    pub(crate) eu0: Cell,
    pub(crate) eu1: Cell,
}

impl Fleet {
    pub(crate) fn topology(&self, protocol: &str) -> Value {
        topology(protocol, self.us0.address, self.eu0.address, self.eu1.address)
    }

    /// A topology whose region has EU1 alone, so that there is only one cold pick.
    pub(crate) fn with_one_pick(&self, protocol: &str) -> Value {
        let mut topology = self.topology(protocol);
        topology["cells"][1]["region"] = json!("us");
        topology
    }

    /// Start lines that each cell received: US0, EU0, EU1.
    pub(crate) fn lines(&self) -> [Vec<String>; 3] {
        [self.us0.lines(), self.eu0.lines(), self.eu1.lines()]
    }
}

fn command(path: PathBuf) -> Command {
    let mut command = Command::new(PROGRAM);
    let own = [
        "CELLS_LOG",
        "CELLS_COOKIE_KEY",
        "CELLS_MAX_REQUESTS",
        "CELLS_MAX_CONNECTIONS",
        "CELLS_METRICS",
        "CELLS_MAX_REQUESTS_PER_CELL",
        "CELLS_MAX_PREFLIGHTS_PER_CELL",
        "CELLS_MAX_CONNECTIONS_PER_CELL",
        "CELLS_HALF_CLOSED_MS",
        "CELLS_MAX_CONNECTIONS_PER_ADDRESS",
        "CELLS_HEAD_TIMEOUT_MS",
        "CELLS_BODY_GRACE_MS",
        "CELLS_BODY_RATE",
        "CELLS_MAX_BUFFERED_BYTES",
        "CELLS_TUNNEL_IDLE_MS",
        "CELLS_TRUSTED_PROXIES",
        "CELLS_PROXY_PROTOCOL",
        "CELLS_ACCESS_LOG",
        "CELLS_REQUEST_ID",
    ];
    for name in ["CELLS_LISTEN", "CELLS_REGION", "CELLS_PROTOCOL"].into_iter().chain(own) {
        command.env_remove(name);
    }
    command
        .env("CELLS_TOPOLOGY", path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Starts the router with a file of this content, and waits for its exit.
pub(crate) fn run_to_end(content: &str, variables: &[(&str, &str)]) -> Output {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("t.json");
    std::fs::write(&path, content).expect("it can be written");
    command(path).envs(variables.iter().copied()).output().expect("the router starts")
}

impl Router {
    /// Starts a router and waits until it accepts.
    pub(crate) fn start(topology: &Value) -> Self {
        Self::start_with(topology, &[])
    }

    /// Starts a router with further variables and waits until it accepts.
    pub(crate) fn start_with(topology: &Value, variables: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("t.json");
        std::fs::write(&path, topology.to_string()).expect("it can be written");
        let listen = topology["listen"].as_str().expect("an address");
        let mut process = command(path)
            .env("CELLS_LISTEN", listen)
            .envs(variables.iter().copied())
            .spawn()
            .expect("the router starts");
        let address = listen.parse().expect("an address");
        let limit = Instant::now() + READY_LIMIT;
        while TcpStream::connect(address).is_err() {
            let ended = process.try_wait().expect("it is our child");
            assert!(ended.is_none() && Instant::now() < limit, "not ready: {ended:?}");
            std::thread::sleep(Duration::from_millis(1));
        }
        Self { process, address, directory }
    }

    /// A new connection.
    pub(crate) fn user(&self) -> User {
        User::connect(self.address)
    }

    /// The peak memory of the process, in KiB; the system's buffers do not count.
    pub(crate) fn memory_kib(&self) -> u64 {
        self.status_kib("VmHWM:")
    }

    /// The memory that the process has now, in KiB.
    pub(crate) fn resident_kib(&self) -> u64 {
        self.status_kib("VmRSS:")
    }

    fn status_kib(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))
            .expect("Linux tells");
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let size = line.expect("a process has memory").trim().trim_end_matches(" kB");
        size.trim().parse().expect("a number")
    }

    /// Whether the router has read all that users have sent.
    pub(crate) fn has_read_all(&self) -> bool {
        let std::net::IpAddr::V4(ip) = self.address.ip() else { panic!("it listens on IPv4") };
        let port = self.address.port();
        let address = format!("{:08X}:{port:04X}", u32::from_be_bytes(ip.octets()).swap_bytes());
        let sockets = std::fs::read_to_string("/proc/net/tcp").expect("Linux tells");
        sockets.lines().all(|line| {
            let columns: Vec<&str> = line.split_whitespace().collect();
            let [_, own, other, state, queues, ..] = *columns else { return true };
            let is_its = state == "01" && (own == address || other == address);
            !is_its || queues == "00000000:00000000"
        })
    }

    /// Puts another topology file in place, and tells the router.
    pub(crate) fn reload(&self, topology: &Value) {
        let path = self.directory.path();
        std::fs::write(path.join("next.json"), topology.to_string()).expect("it can be written");
        std::fs::rename(path.join("next.json"), path.join("t.json")).expect("both are there");
        self.signal("-HUP");
    }

    /// Puts what is no file in place of the topology file, and tells the router.
    pub(crate) fn reload_pipe(&self) {
        let path = self.directory.path();
        let made = Command::new("mkfifo").arg(path.join("next.json")).status().expect("it runs");
        assert!(made.success());
        std::fs::rename(path.join("next.json"), path.join("t.json")).expect("both are there");
        self.signal("-HUP");
    }

    /// Sends SIGTERM and does not wait.
    pub(crate) fn terminate(&self) {
        self.signal("-TERM");
    }

    fn signal(&self, signal: &str) {
        let process = self.process.id().to_string();
        let sent = Command::new("kill").args([signal, &process]).status().expect("kill runs");
        assert!(sent.success());
    }

    /// Waits for the exit.
    pub(crate) fn ended(mut self) -> ExitStatus {
        let mut status = None;
        wait_for(|| {
            status = self.process.try_wait().expect("it is our child");
            status.is_some()
        });
        status.expect("it has ended")
    }

    /// Stops the router and returns its log.
    pub(crate) fn log(mut self) -> String {
        self.terminate();
        let mut log = String::new();
        let mut stderr = self.process.stderr.take().expect("it is piped");
        stderr.read_to_string(&mut log).expect("the log is text");
        log
    }
}

impl Drop for Router {
    fn drop(&mut self) {
        // A failed test is easier to understand with the router's log.
        if std::thread::panicking()
            && let Ok(Some(status)) = self.process.try_wait()
        {
            eprintln!("the router had ended: {status}");
        }
        // Both fail if it has exited already.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let mut log = String::new();
        if std::thread::panicking()
            && let Some(mut stderr) = self.process.stderr.take()
            && stderr.read_to_string(&mut log).is_ok()
        {
            eprintln!("the router's log:\n{log}");
        }
    }
}
