//! Routers that are already running: the suite neither starts nor stops them.
//!
//! A person has given them a topology file, and the fleet listens where that file says. A reset
//! command can clear their caches and give them the topology file of a scenario.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use cell_fleet::{CellId, Protocol, Region, Topology};
use serde::Deserialize;
use tokio::process::Command;

use super::process::{RouterCommand, RouterError};
use super::waits::Waits;

/// Running routers, and the fleet that they know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunningRouters {
    /// Where the router of each region listens.
    pub routers: BTreeMap<Region, SocketAddr>,
    /// Where the cells listen.
    pub cells: BTreeMap<CellId, SocketAddr>,
    /// The protocol for which the routers are set up.
    pub protocol: Protocol,
    /// Clears the cache of a router and gives it the topology file that `CELLS_TOPOLOGY` names.
    pub reset: Option<RouterCommand>,
}

/// Why the description of running routers cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunningRoutersError(pub String);

impl fmt::Display for RunningRoutersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RunningRoutersError {}

#[derive(Deserialize)]
struct File {
    protocol: String,
    cells: Vec<FileCell>,
}

#[derive(Deserialize)]
struct FileCell {
    id: String,
    url: String,
}

impl RunningRouters {
    /// Reads the addresses of cells from the topology file of the routers, and the addresses of the
    /// routers from words like `eu=http://127.0.0.1:41001`.
    ///
    /// # Errors
    ///
    /// Says which word or member is wrong.
    pub fn read(
        topology: &Path,
        routers: &[String],
        reset: Option<RouterCommand>,
    ) -> Result<Self, RunningRoutersError> {
        let fault = |why: String| {
            RunningRoutersError(format!("the topology file {}: {why}", topology.display()))
        };
        let text = std::fs::read_to_string(topology).map_err(|error| fault(error.to_string()))?;
        let file: File = serde_json::from_str(&text).map_err(|error| fault(error.to_string()))?;
        let protocol = match file.protocol.as_str() {
            "buffering" => Protocol::Buffering,
            "learning" => Protocol::Learning,
            other => {
                return Err(fault(format!(
                    "`protocol` is `{other}`; expected `buffering` or `learning`"
                )));
            }
        };
        let mut cells = BTreeMap::new();
        for cell in file.cells {
            let id: CellId = cell.id.parse().map_err(|error| fault(format!("{error}")))?;
            let address = address(&cell.url).ok_or_else(|| {
                fault(format!("the url of {id} is `{}`; expected http://ADDRESS:PORT", cell.url))
            })?;
            cells.insert(id, address);
        }
        let mut found = BTreeMap::new();
        for word in routers {
            let parsed = word
                .split_once('=')
                .and_then(|(region, url)| Some((region.parse::<Region>().ok()?, address(url)?)));
            let (region, address) = parsed.ok_or_else(|| {
                RunningRoutersError(format!(
                    "`{word}` is not a router; expected REGION=http://ADDRESS:PORT"
                ))
            })?;
            found.insert(region, address);
        }
        Ok(Self { routers: found, cells, protocol, reset })
    }

    /// Where the cells of a topology listen: a cell that the routers know at its address there,
    /// others at the ports after the last one.
    pub(super) fn addresses(&self, topology: &Topology) -> Result<Vec<SocketAddr>, String> {
        let mut next = self
            .cells
            .values()
            .max_by_key(|address| address.port())
            .copied()
            .ok_or("the topology file has no cells")?;
        let place = |cell: &CellId| {
            self.cells.get(cell).copied().unwrap_or_else(|| {
                next.set_port(next.port().saturating_add(1));
                next
            })
        };
        Ok(topology.cells.iter().map(place).collect())
    }

    /// Whether the routers know exactly these cells.
    pub(super) fn knows(&self, topology: &Topology) -> bool {
        self.cells.len() == topology.cells.len()
            && topology.cells.iter().all(|cell| self.cells.contains_key(cell))
    }
}

/// The address of a URL of the form `http://ADDRESS:PORT`.
fn address(url: &str) -> Option<SocketAddr> {
    url.strip_prefix("http://")?.trim_end_matches('/').parse().ok()
}

/// Runs the reset command for one router, and waits for its exit.
pub(super) async fn reset(
    command: &RouterCommand,
    topology: &Path,
    region: &Region,
    waits: &Waits,
) -> Result<(), RouterError> {
    let log: PathBuf = topology.with_extension("reset.log");
    let failed = |why: String| RouterError::NotReset { region: region.clone(), why };
    let output = std::fs::File::create(&log)
        .and_then(|file| Ok((file.try_clone()?, file)))
        .map_err(|error| failed(error.to_string()))?;
    let mut process = Command::new(&command.program);
    process
        .args(&command.arguments)
        .env("CELLS_TOPOLOGY", topology)
        .env("CELLS_REGION", region.as_str());
    process.stdin(Stdio::null()).stdout(output.0).stderr(output.1).kill_on_drop(true);
    let mut child = process
        .spawn()
        .map_err(|error| failed(format!("`{}`: {error}", command.program.to_string_lossy())))?;
    let ended = tokio::time::timeout(waits.ready, child.wait()).await;
    let log = super::process::log_end(&log);
    match ended {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(failed(format!("the reset command failed with {status}\n{log}"))),
        Ok(Err(error)) => Err(failed(error.to_string())),
        Err(_) => {
            Err(failed(format!("the reset command did not exit within {:?}\n{log}", waits.ready)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{ "protocol": "learning", "cells": [
        { "id": "cell_us0", "url": "http://127.0.0.1:22000" },
        { "id": "cell_eu0", "url": "http://127.0.0.1:22002" } ] }"#;

    fn read(text: &str, router: &str) -> Result<RunningRouters, RunningRoutersError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.json");
        std::fs::write(&path, text).unwrap();
        RunningRouters::read(&path, &[router.to_owned()], None)
    }

    #[test]
    fn routers_and_cells_are_read() {
        let running = read(FILE, "eu=http://127.0.0.1:41001").unwrap();
        assert_eq!(running.routers[&Region::eu()].port(), 41001);
        assert_eq!(running.protocol, Protocol::Learning);
        let addresses = running.addresses(&Topology::documents()).unwrap();
        assert_eq!(
            addresses.iter().map(SocketAddr::port).collect::<Vec<_>>(),
            [22000, 22003, 22002, 22004]
        );
        assert!(!running.knows(&Topology::documents()));
    }

    #[test]
    fn invalid_words_and_members_are_named() {
        assert!(read(FILE, "eu:41001").unwrap_err().0.contains("eu:41001"));
        assert!(
            read(&FILE.replace("learning", "guessing"), "eu=http://127.0.0.1:1")
                .unwrap_err()
                .0
                .contains("guessing")
        );
        assert!(
            read(&FILE.replace("cell_us0", "us"), "eu=http://127.0.0.1:1")
                .unwrap_err()
                .0
                .contains("`us`")
        );
        assert!(read("{", "eu=http://127.0.0.1:1").is_err());
    }
}
