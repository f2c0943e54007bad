//! Routers that are already running: the suite neither starts nor stops them.
//!
//! A person has given them a topology file, and the fleet listens where that file says. A reset
//! command can clear their caches and give them the topology file of a scenario.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::path::Path;
use std::time::{Duration, Instant};

use cell_fleet::{Authority, CellId, Protocol, Region, Topology, WRITTEN_BY_PEOPLE, read_input};
use serde::Deserialize;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::error::RouterError;
use super::process::RouterCommand;

/// How long one attempt to reach a router may take; one that is far away needs more than a moment.
const REACH_LIMIT: Duration = Duration::from_secs(5);
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(5);

/// Running routers, and the fleet that they know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunningRouters {
    pub routers: BTreeMap<Region, SocketAddr>,
    /// Where the routers reach the cells.
    pub cells: BTreeMap<CellId, Authority>,
    /// The protocol for which the routers are set up.
    pub protocol: Protocol,
    /// Clears the cache of a router and gives it the topology file that `CELLS_TOPOLOGY` names.
    pub reset: Option<RouterCommand>,
}

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
    /// Reads the addresses of cells from the topology file of the routers. The routers have a URL
    /// for each region, like `http://127.0.0.1:41001`.
    pub fn read(
        topology: &Path,
        routers: &BTreeMap<String, String>,
        reset: Option<RouterCommand>,
    ) -> Result<Self, String> {
        let fault = |why: String| format!("the topology file {}: {why}", topology.display());
        let text =
            read_input(topology, WRITTEN_BY_PEOPLE).map_err(|error| fault(error.to_string()))?;
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
            let known = authority(&cell.url).ok_or_else(|| {
                fault(format!("the url of {id} is `{}`; expected http://HOST:PORT", cell.url))
            })?;
            cells.insert(id, known);
        }
        let regions: BTreeSet<&Region> = cells.keys().map(CellId::region).collect();
        let mut found = BTreeMap::new();
        for (name, url) in routers {
            let parsed = name.parse::<Region>().ok().zip(authority(url));
            let (region, known) = parsed.ok_or_else(|| {
                format!(
                    "`{name} = \"{url}\"` is not the address of a router; expected REGION = \
                     \"http://HOST:PORT\""
                )
            })?;
            if !regions.contains(&region) {
                let regions: Vec<_> = regions.iter().map(ToString::to_string).collect();
                return Err(fault(format!(
                    "there is no cell in the region {region}; its regions are {}",
                    regions.join(", ")
                )));
            }
            let address = resolved(&known)
                .map_err(|why| format!("the router at `{url}` has no address: {why}"))?;
            found.insert(region, address);
        }
        Ok(Self { routers: found, cells, protocol, reset })
    }

    /// Where routers reach the cells of a topology: a cell that the routers know at its address
    /// there, others at the ports after the last one.
    pub(super) fn authorities(&self, topology: &Topology) -> Result<Vec<Authority>, String> {
        let mut next = self
            .cells
            .values()
            .max_by_key(|known| known.port)
            .cloned()
            .ok_or("the topology file has no cells")?;
        let place = |cell: &CellId| {
            self.cells.get(cell).cloned().map_or_else(
                || {
                    next.port = next.port.checked_add(1).ok_or(
                        "the topology file leaves no ports for further cells: use lower ports",
                    )?;
                    Ok(next.clone())
                },
                Ok,
            )
        };
        topology.cells.iter().map(place).collect()
    }

    /// Where the cells of a topology listen: on `bind`, or where routers reach them.
    pub(super) fn addresses(
        &self,
        topology: &Topology,
        bind: Option<Ipv4Addr>,
    ) -> Result<Vec<SocketAddr>, String> {
        let listens = |known: Authority| {
            let ip = match bind {
                Some(ip) => ip.into(),
                None => known.host.parse::<IpAddr>().map_err(|_| {
                    format!(
                        "the topology file has the cells at `{}`, which is not an address to \
                         listen on: `bind` of the router file names one of this machine",
                        known.host
                    )
                })?,
            };
            Ok(SocketAddr::new(ip, known.port))
        };
        self.authorities(topology)?.into_iter().map(listens).collect()
    }

    /// Whether the router of a region can be reached; tries for as long as `limit`, and once.
    pub(super) async fn reach(&self, region: &Region, limit: Duration) -> Result<(), RouterError> {
        let Some(address) = self.routers.get(region).copied() else { return Ok(()) };
        let began = Instant::now();
        loop {
            let attempt = timeout(REACH_LIMIT, TcpStream::connect(address)).await;
            let why = match attempt {
                Ok(Ok(_)) => return Ok(()),
                Ok(Err(error)) => error.to_string(),
                Err(_) => format!("no connection within {REACH_LIMIT:?}"),
            };
            if began.elapsed() >= limit {
                return Err(RouterError::Unreachable { region: region.clone(), address, why });
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Whether the router of a region can still be reached, after a request got no response. One
    /// that is exiting may accept a connection in its last moment, and closes it at once; so a
    /// connection has to last as long as `still`.
    pub(super) async fn lasts(&self, region: &Region, still: Duration) -> Result<(), RouterError> {
        let Some(address) = self.routers.get(region) else { return Ok(()) };
        let began = Instant::now();
        loop {
            self.reach(region, Duration::ZERO).await?;
            let left = still.saturating_sub(began.elapsed());
            let closes = async {
                let stream = TcpStream::connect(address).await?;
                stream.peek(&mut [0]).await
            };
            // The limit is the good end. A router that closes idle connections at once gets here
            // as well, as long as it accepts them.
            if timeout(left, closes).await.is_err() || left.is_zero() {
                return Ok(());
            }
        }
    }

    /// The routers that cannot be reached, in words; asked before a run. With a reset command,
    /// which may start them, it is not known.
    pub(crate) fn unreachable(&self) -> Option<String> {
        if self.reset.is_some() {
            return None;
        }
        let missing = self.routers.iter().filter_map(|(region, address)| {
            let error = std::net::TcpStream::connect_timeout(address, REACH_LIMIT).err()?;
            let (region, address, why) = (region.clone(), *address, error.to_string());
            Some(RouterError::Unreachable { region, address, why }.to_string())
        });
        let missing: Vec<_> = missing.collect();
        (!missing.is_empty()).then(|| missing.join("; "))
    }

    /// Whether the routers know exactly these cells.
    pub(super) fn knows(&self, topology: &Topology) -> bool {
        self.cells.len() == topology.cells.len()
            && topology.cells.iter().all(|cell| self.cells.contains_key(cell))
    }
}

/// The host and port of a URL of the form `http://HOST:PORT`.
fn authority(url: &str) -> Option<Authority> {
    url.strip_prefix("http://")?.trim_end_matches('/').parse().ok()
}

/// The address of a host: its IPv4 address, where it has several.
fn resolved(known: &Authority) -> Result<SocketAddr, String> {
    let found = (known.host.as_str(), known.port).to_socket_addrs();
    let found: Vec<_> = found.map_err(|error| error.to_string())?.collect();
    let first = found.iter().find(|address| address.is_ipv4()).or(found.first());
    first.copied().ok_or_else(|| "its name stands for nothing".to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::lease;
    use super::*;

    const FILE: &str = r#"{ "protocol": "learning", "cells": [
        { "id": "cell_us0", "url": "http://127.0.0.1:22000" },
        { "id": "cell_eu0", "url": "http://127.0.0.1:22002" } ] }"#;

    fn read(text: &str, eu: &str) -> Result<RunningRouters, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.json");
        std::fs::write(&path, text).unwrap();
        RunningRouters::read(&path, &[("eu".to_owned(), eu.to_owned())].into(), None)
    }

    #[test]
    fn routers_and_cells_are_read() {
        let running = read(FILE, "http://127.0.0.1:41001").unwrap();
        assert_eq!(running.routers[&Region::eu()].port(), 41001);
        assert_eq!(running.protocol, Protocol::Learning);
        let addresses = running.addresses(&Topology::documents(), None).unwrap();
        assert_eq!(
            addresses.iter().map(SocketAddr::port).collect::<Vec<_>>(),
            [22000, 22003, 22002, 22004]
        );
        assert!(!running.knows(&Topology::documents()));
    }

    #[test]
    fn cells_with_a_name_need_an_address_to_listen_on() {
        let running =
            read(&FILE.replace("127.0.0.1", "suite.example"), "http://localhost:41001").unwrap();
        assert!(running.routers[&Region::eu()].ip().is_loopback());
        let why = running.addresses(&Topology::documents(), None).unwrap_err();
        assert!(why.contains("`suite.example`") && why.contains("`bind`"), "{why}");
        let any = running.addresses(&Topology::documents(), Some(Ipv4Addr::UNSPECIFIED)).unwrap();
        assert_eq!(any[0], "0.0.0.0:22000".parse().unwrap());
        let known = running.authorities(&Topology::documents()).unwrap();
        assert_eq!(known[0].to_string(), "suite.example:22000");
    }

    #[tokio::test]
    async fn a_router_that_is_not_there_is_unreachable() {
        let address = SocketAddr::from((lease::next_address().unwrap(), lease::FIRST_ROUTER_PORT));
        let listener = std::net::TcpListener::bind(address).unwrap();
        let running = read(FILE, &format!("http://{address}")).unwrap();
        assert_eq!(running.unreachable(), None);
        running.reach(&Region::eu(), Duration::ZERO).await.unwrap();
        drop(listener);
        let why = running.unreachable().unwrap();
        assert!(why.contains(&format!("cannot be reached at {address}")), "{why}");
        assert!(matches!(
            running.reach(&Region::eu(), Duration::ZERO).await,
            Err(RouterError::Unreachable { .. })
        ));
        let command = RouterCommand { program: "true".into(), arguments: Vec::new() };
        assert_eq!(RunningRouters { reset: Some(command), ..running }.unreachable(), None);
    }

    #[test]
    fn invalid_words_and_members_are_named() {
        assert!(read(FILE, "127.0.0.1:41001").unwrap_err().contains("`eu = \"127.0.0.1:41001\"`"));
        let why = read(&FILE.replace("cell_eu", "cell_ap"), "http://127.0.0.1:1").unwrap_err();
        assert!(why.contains("no cell in the region eu; its regions are ap, us"), "{why}");
        assert!(
            read(&FILE.replace("learning", "guessing"), "http://127.0.0.1:1")
                .unwrap_err()
                .contains("guessing")
        );
        assert!(
            read(&FILE.replace("cell_us0", "us"), "http://127.0.0.1:1")
                .unwrap_err()
                .contains("`us`")
        );
        assert!(read("{", "http://127.0.0.1:1").is_err());
    }
}
