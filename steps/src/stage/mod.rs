//! The stage of a scenario: its fleet, routers and users, from the first When step to the last.

mod arrival;
mod clear;
mod groups;
mod guard;
mod launch;
mod lease;
mod leftovers;
mod log_excerpt;
pub mod placeholders;
mod process;
mod processes;
mod reset;
mod room;
mod router_error;
mod router_log;
mod running;
mod shared_folder;
mod start_fleet;
mod stop;
pub mod stores;
mod topology_file;
mod users;
mod waits;

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use cell_fleet::inside::{CorrectParts, MakesParts};
use cell_fleet::{CellId, Fleet, Region, Stamp};
use tokio::task::JoinHandle;

use crate::action::Action;
use crate::literal::Request;
use crate::people::People;
use crate::plan::ScenarioPlan;
use crate::trace::{Gate, Phase, Recorder, path_of};

pub use clear::Cleared;
pub use guard::serve_or_allow;
pub use launch::*;
pub use lease::{FIRST_CELL_PORT, FIRST_ROUTER_PORT};
pub(crate) use log_excerpt::{around_last_error, lines_around_last_error, readable, readable_text};
pub use process::RouterCommand;
pub(crate) use process::RouterProcess;
pub use router_error::RouterError;
pub use running::RunningRouters;
pub(crate) use shared_folder::shared_path;
pub use start_fleet::FleetPlace;
pub use stop::{Stop, StopReason, end_without_reader, on_stop};
pub use topology_file::topology_file;
pub use waits::Waits;

pub use stores::StoresChoice;

use groups::Folder;
use process::{Orders, Stopped};
use start_fleet::{fleet_for, start_fleet};

/// Where the routers of a scenario come from.
#[derive(Clone, Debug)]
pub enum Routers {
    /// The suite starts them with this command.
    Started(RouterCommand),
    /// They are already running.
    Running(RunningRouters),
}

/// How the stage of a scenario is set up.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Where its routers come from.
    pub routers: Routers,
    /// Where its fleet listens.
    pub place: FleetPlace,
    /// Whether to wait for Enter before the first request.
    pub hold: bool,
    /// What makes the cells, where the suite itself is tested; `None` for correct cells.
    pub cells: Option<&'static dyn MakesParts>,
    /// The limits of all waits.
    pub waits: Waits,
    /// The random seed; printed with a failure.
    pub seed: u64,
    /// What stops the run.
    pub stop: Stop,
    /// The path on which the router asks cells for their health, where its file declares one.
    pub health_check_path: Option<String>,
}

/// A scenario in progress.
#[derive(Debug)]
pub struct Stage {
    plan: ScenarioPlan,
    launch: Launch,
    fleet: Fleet,
    address: Ipv4Addr,
    routers: Vec<RouterProcess>,
    /// Routers that have stopped in the course of the scenario.
    gone: Vec<Stopped>,
    started: usize,
    people: People,
    recorder: Arc<Recorder>,
    /// What happened in the When steps so far.
    actions: Vec<Action>,
    began: Option<Stamp>,
    /// Requests that a step began and no step has waited for yet.
    begun: Vec<Begun>,
    /// Topology files, logs and folders of the routers. Removed when the stage is cleared.
    folder: Folder,
}

/// A request that a step began.
#[derive(Debug)]
struct Begun {
    person: String,
    path: String,
    task: JoinHandle<()>,
}

/// Why the stage could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// The suite failed: addresses, files, the fleet.
    #[error("{0}")]
    Suite(String),
    /// The router did not become ready.
    #[error("{0}")]
    Router(RouterError),
    /// The running routers do not fit the scenario.
    #[error("{0}")]
    Unfit(String),
}

impl From<RouterError> for StageError {
    fn from(error: RouterError) -> Self {
        match error {
            RouterError::Suite(why) => Self::Suite(why),
            error => Self::Router(error),
        }
    }
}

impl Stage {
    /// Starts the fleet and the routers, signs people in, and makes the visits of Given steps.
    ///
    /// # Errors
    ///
    /// Says whether the suite or the router is at fault.
    pub async fn start(
        mut plan: ScenarioPlan,
        launch: Launch,
        recorder: Arc<Recorder>,
    ) -> Result<Self, StageError> {
        let suite =
            |what: &str, error: &dyn fmt::Display| StageError::Suite(format!("{what}: {error}"));
        let stores = StoresChoice::of_environment().map_err(StageError::Suite)?.open().await;
        plan.fleet.stores = stores.map_err(|error| StageError::Suite(error.to_string()))?;
        let parts = launch
            .cells
            .map_or_else(|| Arc::new(CorrectParts) as _, |cells| cells.parts(plan.fleet.protocol));
        let (fleet, address) = match &launch.routers {
            Routers::Started(_) => start_fleet(&plan, &launch.place, parts).await?,
            Routers::Running(running) => fleet_for(running, &plan, &launch.place, parts).await?,
        };
        let folder = Folder::new().map_err(|error| suite("a folder for the scenario", &error))?;
        let people = People::new(fleet.journal().clone(), recorder.clone(), launch.waits.response);
        let mut stage = Self {
            plan,
            launch,
            fleet,
            address,
            routers: Vec::new(),
            gone: Vec::new(),
            started: 0,
            people,
            recorder,
            actions: Vec::new(),
            began: None,
            begun: Vec::new(),
            folder,
        };
        match stage.launch.routers.clone() {
            Routers::Started(command) => {
                for region in stage.plan.routers.clone() {
                    stage.start_router(&command, &region)?;
                }
                stage.routers_ready().await?;
            }
            Routers::Running(running) => stage.reset_routers(&running).await?,
        }
        if stage.launch.hold {
            stage.hold().await;
        }
        for (person, user) in stage.plan.sessions() {
            let cookie =
                stage.fleet.sign_in(&user).await.map_err(|error| suite("signing in", &error))?;
            stage.people.give_cookie(&person, &cookie.name, &cookie.value);
        }
        for visit in stage.plan.visits.clone() {
            let gate = stage.gate(visit.region.as_ref()).map_err(StageError::Suite)?;
            let at = stage.address_of(&gate).map_err(StageError::Suite)?;
            stage
                .people
                .send(&visit.person, gate, at, Phase::Setup, Request::get(visit.target))
                .await;
        }
        stage.began = Some(stage.fleet.journal().stamp());
        Ok(stage)
    }

    /// Records the action of the next When step, and returns the step's number, counted from 0.
    pub(crate) fn begin_step(&mut self, action: Action) -> usize {
        self.actions.push(action);
        self.actions.len() - 1
    }

    fn start_router(
        &mut self,
        command: &RouterCommand,
        region: &Region,
    ) -> Result<(), RouterError> {
        let listen = self.router_address(region);
        let orders = Orders {
            region: region.clone(),
            protocol: self.plan.fleet.protocol,
            listen,
            folder: self.folder.path().to_owned(),
            generation: self.started,
            topology: self.topology_for(region),
        };
        self.routers.push(RouterProcess::start(command, &orders)?);
        self.started += 1;
        Ok(())
    }

    /// The topology file for the router of a region.
    fn topology_for(&self, region: &Region) -> String {
        let plan = &self.plan.fleet;
        let listen = self.router_address(region);
        topology_file(
            &self.plan.settings,
            plan.protocol,
            region,
            listen,
            self.fleet.cells(),
            &plan.topology.latest,
        )
    }

    /// Clears the caches of running routers and gives them the topology of this scenario.
    async fn reset_routers(&mut self, running: &RunningRouters) -> Result<(), StageError> {
        for region in self.plan.routers.clone() {
            if !running.routers.contains_key(&region) {
                return Err(StageError::Unfit(format!(
                    "no running router for region {region}; add `--router {region}=URL`"
                )));
            }
            let Some(command) = &running.reset else { continue };
            let path = self.folder.path().join(format!("{region}.json"));
            let text = self.topology_for(&region);
            std::fs::write(&path, text)
                .map_err(|error| StageError::Suite(format!("{}: {error}", path.display())))?;
            reset::reset(command, &path, &region, &self.launch.waits).await?;
        }
        // What a reset command starts needs a moment.
        let limit = running.reset.as_ref().map(|_| self.launch.waits.ready).unwrap_or_default();
        for region in &self.plan.routers {
            running.reach(region, limit).await?;
        }
        Ok(())
    }

    /// Prints the addresses of routers and cells, and waits for Enter.
    async fn hold(&self) {
        let mut lines = vec![format!(
            "on hold before the first request; files: {}",
            self.folder.path().display()
        )];
        for region in &self.plan.routers {
            let pid = self
                .routers
                .iter()
                .find(|router| router.region == *region)
                .map(|router| format!(", process {}", router.pid()));
            lines.push(format!(
                "  router_{region}  http://{}{}",
                self.router_address(region),
                pid.unwrap_or_default()
            ));
        }
        lines.extend(
            self.fleet.cells().iter().map(|cell| format!("  {}   {}", cell.id, cell.url())),
        );
        lines.push("press Enter to continue".to_owned());
        eprintln!("{}", lines.join("\n"));
        // The fleet keeps serving in the meantime.
        let _ =
            tokio::task::spawn_blocking(|| std::io::stdin().read_line(&mut String::new())).await;
    }

    /// Where the router of a region listens, also after a restart.
    fn router_address(&self, region: &Region) -> SocketAddr {
        if let Routers::Running(running) = &self.launch.routers
            && let Some(address) = running.routers.get(region)
        {
            return *address;
        }
        let place = self
            .plan
            .routers
            .iter()
            .position(|known| known == region)
            .unwrap_or(self.plan.routers.len());
        SocketAddr::from((
            self.address,
            lease::FIRST_ROUTER_PORT.saturating_add(u16::try_from(place).unwrap_or(u16::MAX)),
        ))
    }

    /// The address of the router of a region.
    pub fn router_at(&self, region: &Region) -> SocketAddr {
        self.router_address(region)
    }

    /// The process group of the router of a region: the process id of its leader.
    pub fn router_process(&self, region: &Region) -> Option<i32> {
        self.routers.iter().find(|router| router.region == *region).map(RouterProcess::pid)
    }

    async fn routers_ready(&mut self) -> Result<(), RouterError> {
        for router in &mut self.routers {
            let ready = router.ready(&self.launch.waits, self.plan.fleet.protocol).await;
            ready.map_err(|error| match error {
                RouterError::Ended { .. } | RouterError::NotReady { .. } => {
                    room::trouble(self.folder.path()).map_or(error, RouterError::Suite)
                }
                error => error,
            })?;
        }
        Ok(())
    }

    /// Whether a router has died: nobody told it to stop. Then the scenario cannot go on.
    pub(crate) async fn has_lost_a_router(&mut self) -> bool {
        for router in &mut self.routers {
            if router.death(&self.launch.waits).await.is_some() {
                return true;
            }
        }
        false
    }

    /// Stops the router of a region. Later requests to it get no connection.
    pub(crate) async fn stop_router(&mut self, region: &Region) {
        if let Some(place) = self.routers.iter().position(|router| router.region == *region) {
            let stopped = self.routers.remove(place).stop(&self.launch.waits).await;
            self.gone.push(stopped);
        }
    }

    /// Tells the router of a region to stop, without waiting for its exit: requests may be in
    /// flight. [`clear`](Self::clear) waits for the exit.
    pub(crate) fn tell_router_to_stop(&mut self, region: &Region) -> Result<(), String> {
        let router = self.routers.iter_mut().find(|router| router.region == *region);
        router
            .map(RouterProcess::tell_to_stop)
            .ok_or_else(|| format!("the suite has not started a router for region {region}"))
    }

    /// Replaces the router of a region by a new process with a cold cache.
    pub(crate) async fn restart_router(&mut self, region: &Region) -> Result<(), RouterError> {
        if let Routers::Started(command) = self.launch.routers.clone() {
            self.stop_router(region).await;
            self.start_router(&command, region)?;
            self.routers_ready().await?;
        }
        Ok(())
    }

    /// The router of a region, or the default one.
    pub(crate) fn gate(&self, region: Option<&Region>) -> Result<Gate, String> {
        let region = region.or_else(|| self.plan.default_router());
        region.cloned().map(Gate::Router).ok_or_else(|| {
            "the scenario has no router; add `Given a cold EU router`, or visit a cell directly"
                .to_owned()
        })
    }

    fn address_of(&self, gate: &Gate) -> Result<SocketAddr, String> {
        match gate {
            Gate::Router(region) => {
                // A router that has stopped keeps its address: nothing listens there.
                Ok(self.router_address(region))
            }
            Gate::Cell(cell) => self
                .fleet
                .cell(cell)
                .map(|cell| cell.address)
                .ok_or_else(|| format!("the fleet has no {cell}")),
        }
    }

    /// Sends a request of a person, in the When step with this number.
    pub(crate) async fn send(
        &mut self,
        person: &str,
        gate: Gate,
        step: usize,
        request: Request,
    ) -> Result<(), String> {
        let at = self.address_of(&gate)?;
        self.people.send(person, gate, at, Phase::Step(step), request).await;
        Ok(())
    }

    /// Sends a request in two halves, the second when a cell has begun to read the body.
    pub(crate) async fn send_in_halves(
        &mut self,
        person: &str,
        gate: Gate,
        step: usize,
        request: Request,
    ) -> Result<(), String> {
        let at = self.address_of(&gate)?;
        let (journal, idle_timeout) = (self.fleet.journal().clone(), self.launch.waits.journal);
        let seen = journal.entries().len();
        let begun = async move {
            let begins = |entries: &[cell_fleet::Entry]| {
                let new = entries.get(seen..).unwrap_or_default();
                new.iter()
                    .any(|entry| matches!(entry.event, cell_fleet::Event::RequestBodyBegun { .. }))
                    .then_some(())
            };
            // A router that waits for the whole body gets it in the end; the trace has the order.
            let _ = tokio::time::timeout(idle_timeout, journal.wait_for(begins)).await;
        };
        self.people
            .sending(person, gate, at, Phase::Step(step), request, Some(Box::pin(begun)))
            .await;
        Ok(())
    }

    /// Begins a request whose end a later step waits for.
    pub(crate) fn begin(
        &mut self,
        person: &str,
        gate: Gate,
        step: usize,
        request: Request,
    ) -> Result<(), String> {
        let at = self.address_of(&gate)?;
        let path = String::from_utf8_lossy(path_of(request.target.as_bytes())).into_owned();
        let sending = self.people.sending(person, gate, at, Phase::Step(step), request, None);
        let task = tokio::spawn(sending);
        self.begun.push(Begun { person: person.to_owned(), path, task });
        Ok(())
    }

    /// Releases what cells hold, and waits until all requests that were begun have ended.
    pub(crate) async fn release(&mut self) {
        self.fleet.release_held();
        self.ended(|_| true).await;
    }

    /// Releases what cells hold for one path, and waits until the requests for it that were begun
    /// have ended.
    pub(crate) async fn release_held_of(&mut self, path: &str) {
        self.fleet.release_held_of(path);
        self.ended(|begun| begun.path == path).await;
    }

    /// Waits until some of the requests that were begun have ended.
    async fn ended(&mut self, which: impl Fn(&Begun) -> bool) {
        let (ending, open) = std::mem::take(&mut self.begun).into_iter().partition(which);
        self.begun = open;
        let ending: Vec<Begun> = ending;
        for begun in ending {
            // Each has a timeout of its own. A panic in it is one of the scenario.
            let _ = begun.task.await;
        }
    }

    /// Lets a person leave: what they began ends without a response, and its connection closes.
    pub(crate) async fn leave(&mut self, person: &str) {
        for begun in self.begun.iter().filter(|begun| begun.person == person) {
            begun.task.abort();
        }
        self.ended(|begun| begun.person == person).await;
    }

    /// Casts the cell that is asked next in this role.
    pub(crate) fn cast(&self, role: &CellId) -> Result<(), String> {
        let company = self.plan.company(role.region());
        if !company.contains(role) {
            return Err(format!(
                "{role} cannot be cast: it is not in the fleet, or it is the latest cell"
            ));
        }
        let rotation = usize::try_from(self.launch.seed % 1_000).unwrap_or(0);
        self.fleet.casting().arm(role.clone(), company, rotation);
        Ok(())
    }

    /// The fleet.
    pub fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// The users.
    pub fn people(&self) -> &People {
        &self.people
    }

    /// The plan of the scenario.
    pub fn plan(&self) -> &ScenarioPlan {
        &self.plan
    }

    /// The limits of all waits.
    pub fn waits(&self) -> &Waits {
        &self.launch.waits
    }
}
