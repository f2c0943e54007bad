//! `cells-conformance topology`: topology files for routers that you start yourself.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use cell_fleet::{Authority, CellId, Protocol, Region, RunningCell, Topology};
use clap::Args;

use super::fleet::ProtocolName;
use super::fleet_place::NO_HOST;
use super::usage_error;
use crate::plan::RouterSettings;
use crate::stage::{FIRST_CELL_PORT, topology_file};

/// Write the topology files of the documents' fleet, one for the router of each region.
#[derive(Debug, Args)]
pub(super) struct WriteTopology {
    /// Folder for the files `eu.json` and `us.json`, created if missing
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Protocol of the routers
    #[arg(long, value_enum)]
    protocol: ProtocolName,
    /// Address of the router of a region: eu=127.0.0.1:21001 (repeatable)
    #[arg(long = "listen", value_name = "REGION=ADDRESS", required = true)]
    listen: Vec<String>,
    /// Address on which the cells will listen
    #[arg(long = "bind", alias = "ip", value_name = "ADDR", default_value_t = Ipv4Addr::LOCALHOST)]
    ip: Ipv4Addr,
    /// Host under which routers will reach the cells, if it is another one than the cells listen on
    #[arg(long, value_name = "HOST", value_parser = super::fleet_place::host)]
    advertise: Option<String>,
    /// Port of the first cell; the others get the ports after it
    #[arg(long, default_value_t = FIRST_CELL_PORT)]
    first_port: u16,
}

impl WriteTopology {
    pub(super) fn execute(&self) -> ExitCode {
        match self.write() {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => usage_error(&why),
        }
    }

    fn write(&self) -> Result<(), String> {
        if self.ip.is_unspecified() && self.advertise.is_none() {
            return Err(NO_HOST.to_owned());
        }
        let topology = Topology::documents();
        let address = |index: usize| {
            SocketAddr::from((
                self.ip,
                self.first_port.saturating_add(u16::try_from(index).unwrap_or(u16::MAX)),
            ))
        };
        let running = |(index, id): (usize, &CellId)| RunningCell {
            id: id.clone(),
            written_id: id.id(),
            address: address(index),
            advertised: Authority {
                host: self.advertise.clone().unwrap_or_else(|| self.ip.to_string()),
                port: address(index).port(),
            },
        };
        let cells: Vec<_> = topology.cells.iter().enumerate().map(running).collect();
        std::fs::create_dir_all(&self.out)
            .map_err(|error| format!("{}: {error}", self.out.display()))?;
        for word in &self.listen {
            let parsed = word.split_once('=').and_then(|(region, listen)| {
                Some((region.parse::<Region>().ok()?, listen.parse().ok()?))
            });
            let (region, listen) = parsed.ok_or_else(|| {
                format!("`{word}` is not an address to listen on: expected REGION=ADDRESS:PORT")
            })?;
            if topology.cells_of(&region).next().is_none() {
                return Err(format!("the documents' fleet has no cell in the region {region}"));
            }
            let text = topology_file(
                &RouterSettings::default(),
                Protocol::from(self.protocol),
                &region,
                listen,
                &cells,
                &topology.latest,
            );
            let path = self.out.join(format!("{region}.json"));
            std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
            eprintln!("{}", path.display());
        }
        Ok(())
    }
}
