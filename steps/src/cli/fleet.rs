//! `cells-conformance fleet`: the fake cells for a person to look at.

use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use cell_fleet::{
    CellId, Fleet, FleetPlan, Listen, Protocol, Region, Repository, StartError, Topology, wire,
};
use clap::{Args, ValueEnum};
use tokio::signal::unix::{SignalKind, signal};

use super::usage_error;

/// Serves the fleet.
#[derive(Debug, Args)]
pub(super) struct ServeFleet {
    /// The protocol that the cells follow
    #[arg(long, value_enum, default_value_t = ProtocolName::Buffering)]
    protocol: ProtocolName,
    /// A file that names the cells; the four of the documents where none is given
    #[arg(long, value_name = "FILE")]
    cells: Option<PathBuf>,
    /// The address on which they listen
    #[arg(long, default_value_t = Ipv4Addr::LOCALHOST)]
    ip: Ipv4Addr,
    /// The port of the first cell; the others follow
    #[arg(long, default_value_t = crate::stage::FIRST_CELL_PORT)]
    first_port: u16,
    /// A bare git repository that a cell serves, to be read and written by anybody:
    /// /my-company/my-project.git=cell_eu0=FOLDER (repeatable)
    #[arg(long = "git", value_name = "PATH=CELL=FOLDER")]
    repositories: Vec<Served>,
    /// By how much all responses of a region's cells are late: us=80 (repeatable)
    #[arg(long, value_name = "REGION=MS")]
    latency: Vec<Late>,
}

/// A repository on the command line.
#[derive(Clone, Debug)]
struct Served(Repository);

impl FromStr for Served {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.splitn(3, '=');
        let (Some(path), Some(cell), Some(folder)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err("expected PATH=CELL=FOLDER".to_owned());
        };
        let cell = cell.parse().map_err(|error| format!("{error}"))?;
        let folder = PathBuf::from(folder);
        if !folder.is_dir() {
            return Err(format!("there is no folder `{}`", folder.display()));
        }
        Ok(Self(Repository { path: path.to_owned(), cell, folder }))
    }
}

/// A region's latency on the command line.
#[derive(Clone, Debug)]
struct Late(Region, Duration);

impl FromStr for Late {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (region, late) = text.split_once('=').ok_or("expected REGION=MS")?;
        let region = region.parse().map_err(|error| format!("{error}"))?;
        let late = late
            .parse()
            .map_err(|error| format!("`{late}` is no number of milliseconds: {error}"))?;
        Ok(Self(region, Duration::from_millis(late)))
    }
}

/// A protocol on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ProtocolName {
    /// The buffering proposal
    Buffering,
    /// The routes-learning proposal
    Learning,
}

impl ProtocolName {
    /// The protocols that a command is about: the named one, or both.
    pub(super) fn or_both(named: Option<Self>) -> Vec<Protocol> {
        named
            .map_or_else(|| vec![Protocol::Buffering, Protocol::Learning], |name| vec![name.into()])
    }
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
        plan.repositories = self.repositories.iter().map(|served| served.0.clone()).collect();
        plan.latency = self.latency.iter().map(|late| (late.0.clone(), late.1)).collect();
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return usage_error(&format!("no runtime: {error}")),
        };
        runtime.block_on(self.serve(plan))
    }

    async fn serve(&self, plan: FleetPlan) -> ExitCode {
        let protocol = plan.protocol;
        let repositories = plan.repositories.clone();
        // From here on a script may stop the fleet, which it takes to run once it has been
        // introduced.
        let mut terminated = match signal(SignalKind::terminate()) {
            Ok(terminated) => terminated,
            Err(error) => return usage_error(&format!("no signal can be waited for: {error}")),
        };
        let fleet =
            match Fleet::start(plan, Listen::At { ip: self.ip, first_port: self.first_port }).await
            {
                Ok(fleet) => fleet,
                Err(
                    error @ (StartError::AddressInUse { .. }
                    | StartError::Bind { .. }
                    | StartError::TooFewPorts { .. }),
                ) => {
                    return usage_error(&format!(
                        "{error}; `--ip` and `--first-port` choose another address"
                    ));
                }
                Err(error) => return usage_error(&error.to_string()),
            };
        if let Err(error) = introduce(&fleet, protocol, &repositories) {
            return usage_error(&format!("standard output: {error}"));
        }
        let interrupted = tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted,
            _ = terminated.recv() => Ok(()),
        };
        if let Err(error) = interrupted {
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

fn introduce(fleet: &Fleet, protocol: Protocol, repositories: &[Repository]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "cells that follow the {} protocol:", protocol.as_str())?;
    for cell in fleet.cells() {
        writeln!(out, "  {:<9} {}", cell.id.name(), cell.url())?;
    }
    writeln!(out, "\npeople (password `<name>-password`): anna, gabe, nina, olga\n\ntry:")?;
    let any = fleet
        .cells()
        .iter()
        .find(|cell| cell.id == CellId::eu(1))
        .or_else(|| fleet.cells().first());
    if let Some(cell) = any {
        let url = cell.url();
        writeln!(out, "  curl -i {url}/gitlab-org/gitlab")?;
        writeln!(out, "  curl -i {url}/my-company/handbook")?;
        if protocol == Protocol::Learning {
            writeln!(
                out,
                "  curl -i '{url}{}?{}'",
                wire::LEARN_PATH,
                wire::learn_query("GET", "/my-company/my-project")
            )?;
        }
        writeln!(out, "  or open {url}/users/sign_in in a browser")?;
    }
    for repository in repositories {
        if let Some(cell) = fleet.cell(&repository.cell) {
            writeln!(out, "  git clone {}{}", cell.url(), repository.path)?;
        }
    }
    writeln!(out, "\nCtrl-C stops them")?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_has_path_cell_and_folder() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a=b.git");
        std::fs::create_dir(&place).unwrap();
        let Served(repository) =
            format!("/my-company/a.git=cell_eu0={}", place.display()).parse().unwrap();
        assert_eq!(
            repository,
            Repository { path: "/my-company/a.git".to_owned(), cell: CellId::eu(0), folder: place }
        );
        for bad in
            ["", "/a.git", "/a.git=cell_eu0", "/a.git=eu=/", "/a.git=cell_eu0=/no/such/folder"]
        {
            assert!(bad.parse::<Served>().is_err(), "{bad}");
        }
    }

    #[test]
    fn latency_is_in_milliseconds() {
        let Late(region, late) = "us=80".parse().unwrap();
        assert_eq!((region, late), (Region::us(), Duration::from_millis(80)));
        for bad in ["us", "us=", "us=fast", "us=-1", "=80"] {
            assert!(bad.parse::<Late>().is_err(), "{bad}");
        }
    }
}
