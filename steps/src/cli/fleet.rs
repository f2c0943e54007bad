//! `cells-conformance fleet`: the fake cells for a person to look at.

use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::ExitCode;

use cell_fleet::{CellId, Fleet, FleetPlan, Listen, Protocol, Topology, wire};
use clap::{Args, ValueEnum};

use super::usage_error;

/// Serves the fleet.
#[derive(Debug, Args)]
pub(super) struct ServeFleet {
    /// The protocol that the cells follow
    #[arg(long, value_enum, default_value = "buffering")]
    protocol: ProtocolName,
    /// A file that names the cells; the four of the documents where none is given
    #[arg(long, value_name = "FILE")]
    cells: Option<PathBuf>,
    /// The address on which they listen
    #[arg(long, default_value = "127.0.0.1")]
    ip: Ipv4Addr,
    /// The port of the first cell; the others follow
    #[arg(long, default_value_t = crate::stage::FIRST_CELL_PORT)]
    first_port: u16,
}

/// A protocol on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ProtocolName {
    /// The buffering proposal
    Buffering,
    /// The routes-learning proposal
    Learning,
}

impl From<ProtocolName> for Protocol {
    fn from(name: ProtocolName) -> Self {
        match name {
            ProtocolName::Buffering => Self::Buffering,
            ProtocolName::Learning => Self::Learning,
        }
    }
}

impl ServeFleet {
    pub(super) fn execute(&self) -> ExitCode {
        let mut plan = FleetPlan::documents(self.protocol.into());
        if let Some(file) = &self.cells {
            match Topology::read(file) {
                Ok(topology) => plan.topology = topology,
                Err(error) => return usage_error(&error.to_string()),
            }
        }
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return usage_error(&format!("no runtime: {error}")),
        };
        runtime.block_on(self.serve(plan))
    }

    async fn serve(&self, plan: FleetPlan) -> ExitCode {
        let protocol = plan.protocol;
        let fleet = match Fleet::start(plan, Listen::At { ip: self.ip, first_port: self.first_port }) {
            Ok(fleet) => fleet,
            Err(error) => return usage_error(&format!("{error}; `--ip` and `--first-port` choose another address")),
        };
        if let Err(error) = introduce(&fleet, protocol) {
            return usage_error(&format!("standard output: {error}"));
        }
        if let Err(error) = tokio::signal::ctrl_c().await {
            return usage_error(&format!("no signal can be waited for: {error}"));
        }
        match fleet.stop().await {
            Ok(()) => ExitCode::SUCCESS,
            Err(fault) => {
                eprintln!("error: {fault}");
                ExitCode::from(4)
            }
        }
    }
}

fn introduce(fleet: &Fleet, protocol: Protocol) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "cells that follow the {} protocol:", protocol.as_str())?;
    for cell in fleet.cells() {
        writeln!(out, "  {:<9} {}", cell.id.name(), cell.url())?;
    }
    writeln!(out, "\npeople (password `<name>-password`): anna, gabe, nina, olga\n\ntry:")?;
    let any = fleet.cells().iter().find(|cell| cell.id == CellId::eu(1)).or_else(|| fleet.cells().first());
    if let Some(cell) = any {
        let url = cell.url();
        writeln!(out, "  curl -i {url}/gitlab-org/gitlab")?;
        writeln!(out, "  curl -i {url}/my-company/handbook")?;
        if protocol == Protocol::Learning {
            writeln!(out, "  curl -i '{url}{}?{}'", wire::LEARN_PATH, wire::learn_query("GET", "/my-company/my-project"))?;
        }
        writeln!(out, "  or open {url}/users/sign_in in a browser")?;
    }
    writeln!(out, "\nCtrl-C stops them")?;
    out.flush()
}
