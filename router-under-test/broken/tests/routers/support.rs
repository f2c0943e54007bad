//! A fleet, a router process in front of it, and a user who speaks plain HTTP/1.1.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::cells::{self, CELLS, Shared};
use crate::free_address::free_address;

/// The limit of a wait that normally takes a moment.
pub(crate) const LIMIT: Duration = Duration::from_secs(10);

/// Cells on free ports.
pub(crate) struct Fleet {
    pub(crate) shared: Arc<Shared>,
}

impl Fleet {
    pub(crate) fn start(protocol: &'static str) -> Self {
        Self { shared: cells::start(protocol) }
    }

    /// The requests since the last call; the cells of the region are not distinguished.
    pub(crate) fn read(&self) -> Vec<String> {
        let lines = std::mem::take(&mut *self.shared.journal.lock().unwrap());
        let whole = lines.into_iter().filter(|line| !line.starts_with("head "));
        whole
            .map(|line| line.replace("cell_eu0", "cell_eu").replace("cell_eu1", "cell_eu"))
            .collect()
    }

    fn topology(&self, listen: SocketAddr) -> String {
        let cells = CELLS.iter().zip(&self.shared.addresses);
        let cells: Vec<String> = cells
            .map(|((id, name, region), address)| {
                format!(
                    r#"{{"id":"{id}","name":"{name}","slug":"-","region":"{region}",
                    "url":"http://{address}"}}"#
                )
            })
            .collect();
        format!(
            r#"{{"version":1,"protocol":"{}","region":"eu","listen":"{listen}",
            "learn_path":"/api/v4/internal/cells/learn","latest_cell":"cell_us0",
            "cache":{{"ttl_ms":60000,"max_entries":1000}},
            "limits":{{"max_hops":4,"max_buffered_body_bytes":1048576,
            "connect_timeout_ms":1000,"response_timeout_ms":5000}},
            "capabilities":{{}},"cells":[{}]}}"#,
            self.shared.protocol,
            cells.join(",")
        )
    }
}

/// One router process.
pub(crate) struct Router {
    child: Child,
    pub(crate) listen: SocketAddr,
    /// What it wrote to standard error.
    log: std::path::PathBuf,
}

impl Router {
    /// Starts the router of this name in front of the fleet, in a directory of its own.
    pub(crate) fn start(name: &str, fleet: &Fleet) -> (Self, TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path();
        let listen = free_address();
        let topology = directory.join("eu.json");
        let log = directory.join(format!("{name}.log"));
        std::fs::write(&topology, fleet.topology(listen)).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_broken-router"))
            .arg(name)
            .current_dir(directory)
            .env("CELLS_TOPOLOGY", &topology)
            .env("CELLS_LISTEN", listen.to_string())
            .env("CELLS_REGION", "eu")
            .env("CELLS_PROTOCOL", fleet.shared.protocol)
            .stderr(std::fs::File::create(&log).unwrap())
            .spawn()
            .unwrap();
        (Self { child, listen, log }, folder)
    }

    /// Waits until connections are accepted; false if the process ends or `limit` passes before.
    pub(crate) fn ready(&mut self, limit: Duration) -> bool {
        let start = Instant::now();
        let mut status = None;
        while start.elapsed() < limit && status.is_none() {
            if TcpStream::connect(self.listen).is_ok() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(1));
            status = self.child.try_wait().unwrap();
        }
        let (listen, waited) = (self.listen, start.elapsed());
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        eprintln!("not ready at {listen} after {waited:?}; ended: {status:?}; it wrote: {log}");
        false
    }

    /// The exit status of a process that ends by itself.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    /// Sends SIGTERM; whether the process ended within `limit`.
    pub(crate) fn stops_on_sigterm(&mut self, limit: Duration) -> bool {
        Command::new("kill").arg("-TERM").arg(self.child.id().to_string()).status().unwrap();
        let start = Instant::now();
        while start.elapsed() < limit {
            if self.child.try_wait().unwrap().is_some() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        false
    }

    /// Sends one request on a connection of its own; the whole response as text, empty if there is
    /// none.
    pub(crate) fn ask(&self, head: &str, body: &str) -> String {
        self.ask_with(head, "", body)
    }

    /// As `ask`, with more field lines, each ended by CRLF.
    pub(crate) fn ask_with(&self, head: &str, fields: &str, body: &str) -> String {
        let length = if body.is_empty() {
            String::new()
        } else {
            format!("Content-Length: {}\r\n", body.len())
        };
        self.raw(&format!(
            "{head} HTTP/1.1\r\nHost: gitlab.example\r\nConnection: close\r\n\
             {fields}{length}\r\n{body}"
        ))
    }

    /// Sends these bytes and reads until the end.
    pub(crate) fn raw(&self, request: &str) -> String {
        let Ok(mut stream) = TcpStream::connect(self.listen) else { return String::new() };
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        // An error means that there is no response.
        let _ = stream.write_all(request.as_bytes());
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response);
        String::from_utf8_lossy(&response).into_owned()
    }
}

impl Drop for Router {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
