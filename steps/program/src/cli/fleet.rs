//! `cells-conformance fleet`: the fake cells on fixed ports, to try by hand.

mod announcement;
mod commands;
mod routers;
mod topology;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use cell_fleet::{
    Fleet, FleetPlan, IdStrategy, Listen, Protocol, Repository, RunnerModel, SessionModel,
    SettingsModel, StartError, Topology,
};
use clap::{Args, Subcommand};
use tokio::signal::unix::{SignalKind, signal};

use super::output::{Ended, Failed};
use super::values::one_of;
use announcement::Announcement;
use conformance_suite::catalog::Catalog;
use conformance_suite::engine::{ExitCode, no_such_name};
use conformance_suite::run::planned_for;
use conformance_suite::stage::StoresChoice;
use conformance_suite::standard_streams::write_part;
use routers::{FixedRouter, ServedRouters};

/// Bytes of the journal of the cells: the oldest entries are dropped.
const JOURNAL: usize = 16 << 20;

/// Serve the fleet of fake cells on fixed ports until interrupted; also write topology files
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct FleetCommand {
    #[command(subcommand)]
    other: Option<Other>,
    #[command(flatten)]
    serve: ServeFleet,
}

#[derive(Debug, Subcommand)]
enum Other {
    Topology(topology::WriteTopology),
}

impl FleetCommand {
    pub(super) fn execute(&self) -> Ended {
        match &self.other {
            Some(Other::Topology(command)) => command.execute(),
            None => self.serve.execute(),
        }
    }
}

#[derive(Debug, Args)]
struct ServeFleet {
    /// Protocol of the cells
    #[arg(long, default_value_t = Protocol::Buffering, value_parser = one_of(&Protocol::ALL))]
    protocol: Protocol,
    /// Topology file that names the cells; without it, the four cells of the documents
    #[arg(long, value_name = "FILE")]
    cells: Option<PathBuf>,
    /// The cells of this scenario, as its Given steps say: what they serve, their scripts and their
    /// faults. Which cell plays which, where a scenario says `asking ... first`, is left to you
    #[arg(long, value_name = "NAME", conflicts_with_all = ["protocol", "cells"])]
    scenario: Option<String>,
    /// How cells draw the ids of new rows: uuid, cell-bits, ranges or some-tables. The documents
    /// choose none; without this and without `[ids]` in the topology file it is cell-bits
    #[arg(long, value_name = "STRATEGY")]
    ids: Option<IdStrategy>,
    /// Where runners and jobs are kept: shared or per-cell. The documents choose none; without
    /// this and without `[runners]` in the topology file it is per-cell
    #[arg(long, value_name = "MODEL")]
    runners: Option<RunnerModel>,
    /// How admin settings can differ between cells: shared, template or table. The documents
    /// choose none; without this and without `[settings]` in the topology file it is template
    #[arg(long, value_name = "MODEL")]
    settings: Option<SettingsModel>,
    /// Where cells keep the sessions of users: shared, regional or jwt. The documents choose none;
    /// without this and without `[sessions]` in the topology file it is shared
    #[arg(long, value_name = "MODEL")]
    sessions: Option<SessionModel>,
    /// Where the cells keep their rows; without it, what CELLS_STORES says
    #[arg(long, value_enum, value_name = "STORES")]
    stores: Option<StoresChoice>,
    /// Address to listen on
    #[arg(long = "bind", alias = "ip", value_name = "ADDR", default_value_t = Ipv4Addr::LOCALHOST)]
    ip: Ipv4Addr,
    /// Host under which routers reach the cells, if it is another one than the cells listen on
    #[arg(long, value_name = "HOST", value_parser = super::values::host)]
    advertise: Option<String>,
    /// Port of the first cell; the others get the ports after it. 0 lets the system choose all of them
    #[arg(long, default_value_t = conformance_suite::stage::FIRST_CELL_PORT)]
    first_port: u16,
    /// Bare git repository that a cell serves, with read and write access for everyone:
    /// /my-company/my-project.git=cell_eu0=FOLDER (repeatable)
    #[arg(long = "git", value_name = "PATH=CELL=FOLDER", value_parser = repository)]
    repositories: Vec<Repository>,
    /// Obey commands on standard input, a line each: `move ORGANIZATION CELL [PHASE]` moves an
    /// organization up to a phase, `take-back ORGANIZATION` takes its move back
    #[arg(long)]
    commands: bool,
    /// Serve a reference router for each region as well, with an empty cache
    #[arg(long)]
    with_router: bool,
}

fn repository(text: &str) -> Result<Repository, String> {
    let mut parts = text.splitn(3, '=');
    let (Some(path), Some(cell), Some(folder)) = (parts.next(), parts.next(), parts.next()) else {
        return Err("expected PATH=CELL=FOLDER".to_owned());
    };
    let cell = cell.parse().map_err(|error| format!("{error}"))?;
    let folder = PathBuf::from(folder);
    if !folder.is_dir() {
        return Err(format!("no folder `{}`", folder.display()));
    }
    Ok(Repository { path: path.to_owned(), cell, folder })
}

fn plan_of_scenario(name: &str) -> Result<FleetPlan, String> {
    let catalog = Catalog::embedded();
    let mut found = catalog.cases.iter().filter(|case| case.matches(name));
    match (found.next(), found.next()) {
        (Some(case), None) => Ok(planned_for(case)?.fleet),
        (None, _) => Err(no_such_name(name, &catalog.cases)),
        (Some(one), Some(other)) => Err(format!(
            "{name} fits several scenarios, first {} and {}: name one of them, with its protocol",
            one.name, other.name
        )),
    }
}

impl ServeFleet {
    fn execute(&self) -> Ended {
        let plan = self.plan()?;
        let routers = self.routers(&plan.topology)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("no runtime: {error}"))?;
        let choice = self.stores.map_or_else(StoresChoice::of_environment, Ok)?;
        runtime.block_on(async {
            let stores = choice.open().await.map_err(|error| error.to_string())?;
            self.serve(FleetPlan { stores, ..plan }, &routers).await
        })
    }

    fn plan(&self) -> Result<FleetPlan, String> {
        let mut plan = match &self.scenario {
            Some(name) => plan_of_scenario(name)?,
            None => FleetPlan::documents(self.protocol),
        };
        if let Some(file) = &self.cells {
            let topology = Topology::read(file).map_err(|error| error.to_string())?;
            plan.session_plan = topology.sessions.clone().unwrap_or_default();
            plan.id_plan = topology.ids.clone().unwrap_or_default();
            plan.runner_plan = topology.runners.clone().unwrap_or_default();
            plan.settings_model = topology.settings.unwrap_or_default();
            plan.topology = topology;
        }
        plan.id_plan.strategy = self.ids.unwrap_or(plan.id_plan.strategy);
        plan.runner_plan.model = self.runners.unwrap_or(plan.runner_plan.model);
        plan.settings_model = self.settings.unwrap_or(plan.settings_model);
        plan.session_plan.model = self.sessions.unwrap_or(plan.session_plan.model);
        if let Some(host) = &self.advertise {
            let cells = plan.topology.cells.iter().cloned();
            plan.advertised = cells.map(|cell| (cell, host.clone())).collect();
        }
        plan.repositories.extend(self.repositories.iter().cloned());
        plan.journal_bytes = Some(JOURNAL);
        Ok(plan)
    }

    /// The routers to serve, and where; none without `--with-router`.
    fn routers(&self, topology: &Topology) -> Result<Vec<FixedRouter>, String> {
        if !self.with_router {
            return Ok(Vec::new());
        }
        let regions = topology.cells.iter().map(|cell| cell.region().clone()).collect();
        // Where there are fewer ports than cells, the fleet says so.
        let further = u16::try_from(topology.cells.len().saturating_sub(1)).unwrap_or(u16::MAX);
        let cells = self.first_port..=self.first_port.saturating_add(further);
        routers::place(regions, self.ip, &cells)
    }

    async fn serve(&self, plan: FleetPlan, routers: &[FixedRouter]) -> Ended {
        let described = plan.clone();
        let no_signal = |error| format!("cannot wait for a signal: {error}");
        // Before the fleet announces itself: a script may stop it as soon as it has.
        let mut terminated = signal(SignalKind::terminate()).map_err(no_signal)?;
        let listen = match self.first_port {
            0 => Listen::Fixed(vec![SocketAddr::from((self.ip, 0)); plan.topology.cells.len()]),
            first_port => Listen::At { ip: self.ip, first_port },
        };
        let fleet = Fleet::start(plan, listen).await.map_err(|error| match error {
            StartError::AddressInUse { .. }
            | StartError::Bind { .. }
            | StartError::TooFewPorts { .. } => {
                format!("{error}; `--bind` and `--first-port` choose another address")
            }
            _ => error.to_string(),
        })?;
        let served = ServedRouters::start(routers, &described, fleet.cells()).await?;
        let announcement = Announcement { plan: &described, cells: fleet.cells(), routers };
        write_part(|out| write!(out, "{announcement}")).map_err(Failed::NotWritten)?;
        let interrupted = tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted,
            _ = terminated.recv() => Ok(()),
            () = commands::obey(&fleet), if self.commands => Ok(()),
        };
        interrupted.map_err(no_signal)?;
        // The signal has reached the routers too: they are threads of this process.
        served.stop().await;
        match fleet.stop().await {
            Ok(()) => Ok(ExitCode::Success),
            Err(fault) => {
                eprintln!("error: {fault}");
                Ok(ExitCode::SuiteFault)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use cell_fleet::CellId;

    use super::*;

    #[test]
    fn a_repository_has_a_path_a_cell_and_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let bare = folder.path().join("a=b.git");
        std::fs::create_dir(&bare).unwrap();
        let expected =
            Repository { path: "/my-company/a.git".to_owned(), cell: CellId::eu(0), folder: bare };
        let text = format!("/my-company/a.git=cell_eu0={}", expected.folder.display());
        assert_eq!(repository(&text), Ok(expected));
        for bad in
            ["", "/a.git", "/a.git=cell_eu0", "/a.git=eu=/", "/a.git=cell_eu0=/no/such/folder"]
        {
            assert!(repository(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_fleet_is_that_of_a_scenario_with_its_scripts_and_faults() {
        let name = "a_response_with_a_nul_in_a_field_arrives_or_is_refused[buffering]";
        assert_eq!(plan_of_scenario(name).unwrap().faults.len(), 1);
        assert!(plan_of_scenario("no-such").unwrap_err().contains("no scenario"));
        assert!(plan_of_scenario("journeys").unwrap_err().contains("fits several"));
    }
}
