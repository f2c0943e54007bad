//! The beginning of a scenario: the fleet, the routers, people who are signed in, and the visits of
//! Given steps.

use std::fmt;
use std::sync::Arc;

use cell_fleet::inside::CorrectParts;

use super::error::StageError;
use super::process_groups::Folder;
use super::running::RunningRouters;
use super::start_fleet::{fleet_for, start_fleet};
use super::{Launch, Routers, Stage, StoresChoice, reset};
use crate::action::Route;
use crate::literal::Request;
use crate::people::People;
use crate::plan::ScenarioPlan;
use crate::trace::Recorder;

impl Stage {
    /// Starts the fleet and the routers, signs people in, and makes the visits of Given steps.
    pub async fn start(
        plan: ScenarioPlan,
        launch: Launch,
        recorder: Arc<Recorder>,
    ) -> Result<Self, StageError> {
        let mut stage = Self::set_up(plan, launch, recorder).await?;
        stage.routers_ready().await?;
        stage.open().await?;
        Ok(stage)
    }

    /// Starts the fleet and the processes of the routers, which are not ready yet.
    pub(crate) async fn set_up(
        mut plan: ScenarioPlan,
        launch: Launch,
        recorder: Arc<Recorder>,
    ) -> Result<Self, StageError> {
        let stores = StoresChoice::of_environment().map_err(StageError::Suite)?.open().await;
        plan.fleet.stores = stores.map_err(|error| StageError::Suite(error.to_string()))?;
        let parts = launch
            .cells
            .map_or_else(|| Arc::new(CorrectParts) as _, |cells| cells.parts(plan.fleet.protocol));
        let (fleet, address) = match &launch.routers {
            Routers::Started(_) => start_fleet(&plan, &launch.place, parts).await?,
            // No running router knows the fleet of a scenario about cells alone.
            Routers::Running(_) if plan.routers.is_empty() => {
                start_fleet(&plan, &launch.place, parts).await?
            }
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
            }
            Routers::Running(running) => stage.reset_routers(&running).await?,
        }
        Ok(stage)
    }

    /// Signs people in, and makes the visits of Given steps: routers are ready.
    pub(crate) async fn open(&mut self) -> Result<(), StageError> {
        for (person, user) in self.plan.sessions() {
            let cookie =
                self.fleet.sign_in(&user).await.map_err(|error| suite("signing in", &error))?;
            self.people.jar(&person).give(&cookie.name, &cookie.value);
        }
        for visit in self.plan.visits.clone() {
            let route = visit.region.map_or(Route::Default, Route::Router);
            let way = self.way(&route).map_err(StageError::Suite)?;
            self.people.send(&visit.person, way, Request::get(visit.target)).await;
        }
        self.began = Some(self.fleet.journal().stamp());
        Ok(())
    }

    /// Clears the caches of running routers and gives them the topology of this scenario.
    async fn reset_routers(&mut self, running: &RunningRouters) -> Result<(), StageError> {
        for region in self.plan.routers.clone() {
            if !running.routers.contains_key(&region) {
                return Err(StageError::NotAsked(format!(
                    "running router: there is none for region {region}; `addresses` of the \
                     router file names one"
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
}

fn suite(what: &str, error: &dyn fmt::Display) -> StageError {
    StageError::Suite(format!("{what}: {error}"))
}
