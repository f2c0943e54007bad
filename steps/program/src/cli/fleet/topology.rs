//! `cells-conformance fleet topology`: topology files for routers that you start yourself.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use cell_fleet::{Authority, CellId, Protocol, Region, RunningCell, Topology};
use clap::Args;

use crate::cli::output::Ended;
use crate::cli::values::{host, one_of};
use conformance_suite::action::quoted;
use conformance_suite::engine::ExitCode;
use conformance_suite::plan::RouterSettings;
use conformance_suite::stage::{FIRST_CELL_PORT, topology_file};

/// Write topology files for routers that are started by hand
#[derive(Debug, Args)]
pub(in crate::cli) struct WriteTopology {
    /// Folder for the files `eu.json` and `us.json`, created if missing
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Protocol of the routers
    #[arg(long, value_parser = one_of(&Protocol::ALL))]
    protocol: Protocol,
    /// Address of the router of a region: eu=127.0.0.1:21001 (repeatable)
    #[arg(long = "listen", value_name = "REGION=ADDRESS", required = true)]
    listen: Vec<String>,
    /// Address on which the cells will listen
    #[arg(long = "bind", alias = "ip", value_name = "ADDR", default_value_t = Ipv4Addr::LOCALHOST)]
    ip: Ipv4Addr,
    /// Host under which routers will reach the cells, if it is another one than the cells listen on
    #[arg(long, value_name = "HOST", value_parser = host)]
    advertise: Option<String>,
    /// Port of the first cell; the others get the ports after it
    #[arg(long, default_value_t = FIRST_CELL_PORT)]
    first_port: u16,
}

impl WriteTopology {
    pub(super) fn execute(&self) -> Ended {
        self.write()?;
        Ok(ExitCode::Success)
    }

    fn write(&self) -> Result<(), String> {
        if self.ip.is_unspecified() && self.advertise.is_none() {
            return Err("with `--bind 0.0.0.0`, routers need to be told where the cells are: add \
                        `--advertise HOST`"
                .to_owned());
        }
        let topology = Topology::documents();
        let cells = self.cells(&topology)?;
        let routers = self.routers(&topology, &cells)?;
        std::fs::create_dir_all(&self.out)
            .map_err(|error| format!("{}: {error}", self.out.display()))?;
        for (region, listen) in &routers {
            let text = topology_file(
                &RouterSettings::default(),
                self.protocol,
                region,
                *listen,
                &cells,
                &topology.latest,
                None,
            );
            let path = self.out.join(format!("{region}.json"));
            std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
            eprintln!("{}", path.display());
        }
        eprint!("{}", self.next_steps(&routers));
        Ok(())
    }

    /// What to do with the files: a line for each router, and the run.
    fn next_steps(&self, routers: &BTreeMap<Region, SocketAddr>) -> String {
        let file = |region: &Region| self.out.join(format!("{region}.json")).display().to_string();
        let mut text = "next, start the router of each region with its file:\n".to_owned();
        let mut addresses = Vec::new();
        for (region, listen) in routers {
            text.push_str(&format!(
                "  CELLS_TOPOLOGY={} CELLS_LISTEN={listen} CELLS_REGION={region} \
                 CELLS_PROTOCOL={} ./my-router\n",
                quoted(&file(region)),
                self.protocol
            ));
            // Where a router listens on every address, this machine reaches it on its own.
            let mut at = *listen;
            if at.ip().is_unspecified() {
                at.set_ip(Ipv4Addr::LOCALHOST.into());
            }
            addresses.push(format!("{region} = \"http://{at}\""));
        }
        text.push_str(&format!(
            "write into the router file:\n  addresses = {{ {} }}\n",
            addresses.join(", ")
        ));
        if self.advertise.is_some() {
            text.push_str(&format!("  bind = \"{}\"\n", self.ip));
        }
        let first = routers.keys().next().map(file).unwrap_or_default();
        text.push_str(&format!(
            "then, while they run (the cells start with the run):\n  cells-conformance run --attach {}\n\
             `reset` in the router file, a command that empties the router's cache and has it read \
             the\ntopology file of a scenario, lets all be asked that do not start and stop it\n",
            quoted(&first)
        ));
        text
    }

    fn cells(&self, topology: &Topology) -> Result<Vec<RunningCell>, String> {
        let (count, first) = (topology.cells.len(), self.first_port);
        let running = |(index, id): (usize, &CellId)| {
            let port = u16::try_from(index).ok().and_then(|index| first.checked_add(index));
            let port = port.filter(|_| first > 0).ok_or_else(|| {
                format!(
                    "`--first-port {first}` leaves no ports for {count} cells; use one from 1 to {}",
                    usize::from(u16::MAX) + 1 - count
                )
            })?;
            let address = SocketAddr::from((self.ip, port));
            let host = self.advertise.clone().unwrap_or_else(|| self.ip.to_string());
            let advertised = Authority { host, port };
            Ok(RunningCell { id: id.clone(), written_id: id.id(), address, advertised })
        };
        topology.cells.iter().enumerate().map(running).collect()
    }

    /// The routers' regions and addresses. No two have one region or one address, and none has the
    /// address of a cell.
    fn routers(
        &self,
        topology: &Topology,
        cells: &[RunningCell],
    ) -> Result<BTreeMap<Region, SocketAddr>, String> {
        let mut routers = BTreeMap::new();
        for word in &self.listen {
            let (region, listen) = parse(word)?;
            if topology.cells_of(&region).next().is_none() {
                let regions: BTreeSet<_> =
                    topology.cells.iter().map(|cell| cell.region().to_string()).collect();
                let regions = Vec::from_iter(regions).join(", ");
                return Err(format!(
                    "`{word}`: the documents' fleet has no cell in the region {region}; its \
                     regions are {regions}"
                ));
            }
            if let Some(cell) = cells.iter().find(|cell| overlap(cell.address, listen)) {
                return Err(format!(
                    "`{word}`: {} has this address; choose another port, or another `--first-port` \
                     for the cells",
                    cell.id
                ));
            }
            if let Some((other, _)) = routers
                .iter()
                .find(|(other, address)| **other != region && overlap(**address, listen))
            {
                return Err(format!("`{word}`: the router of region {other} has this address"));
            }
            if let Some(earlier) = routers.insert(region.clone(), listen) {
                return Err(format!(
                    "`{word}`: the router of region {region} has {earlier} already; name each \
                     region once"
                ));
            }
        }
        Ok(routers)
    }
}

/// Reads `eu=127.0.0.1:21001`.
fn parse(word: &str) -> Result<(Region, SocketAddr), String> {
    let parsed = word.split_once('=').and_then(|(region, listen)| {
        let listen: SocketAddr = listen.parse().ok()?;
        Some((region.parse().ok()?, listen)).filter(|_| listen.port() > 0)
    });
    parsed.ok_or_else(|| {
        format!("`{word}` is not an address to listen on: expected REGION=ADDRESS:PORT")
    })
}

/// Whether two sockets cannot listen on these addresses together.
fn overlap(one: SocketAddr, other: SocketAddr) -> bool {
    let same_ip =
        one.ip() == other.ip() || one.ip().is_unspecified() || other.ip().is_unspecified();
    one.port() == other.port() && same_ip
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(first_port: u16, listen: &[&str]) -> WriteTopology {
        WriteTopology {
            out: PathBuf::new(),
            protocol: Protocol::Buffering,
            listen: listen.iter().map(|word| (*word).to_owned()).collect(),
            ip: Ipv4Addr::LOCALHOST,
            advertise: None,
            first_port,
        }
    }

    #[test]
    fn routers_have_regions_and_addresses_of_their_own() {
        let topology = Topology::documents();
        let routers = |listen: &[&str]| {
            let command = command(FIRST_CELL_PORT, listen);
            command.routers(&topology, &command.cells(&topology).unwrap())
        };
        let both = ["eu=127.0.0.1:21001", "us=127.0.0.1:21002"];
        assert_eq!(routers(&both).unwrap().len(), 2);
        for (listen, why) in [
            ([both[0], "eu=127.0.0.1:21003"], "name each region once"),
            ([both[0], both[0]], "name each region once"),
            ([both[0], "us=127.0.0.1:21001"], "the router of region eu has this address"),
            ([both[0], "us=0.0.0.0:21001"], "the router of region eu has this address"),
            ([both[0], "us=127.0.0.1:22002"], "cell_eu0 has this address"),
            ([both[0], "ap=127.0.0.1:21002"], "its regions are eu, us"),
            ([both[0], "us=127.0.0.1"], "expected REGION=ADDRESS:PORT"),
            ([both[0], "us=127.0.0.1:0"], "expected REGION=ADDRESS:PORT"),
        ] {
            let found = routers(&listen).unwrap_err();
            assert!(found.contains(why), "{listen:?}: {found}");
        }
    }
}
