//! The world around the users changes: cells, routers, organizations, databases, time.

use std::time::Duration;

use cell_fleet::{CellId, Region, ReplicationLag};
use serde::{Deserialize, Serialize};

use super::ActionError;
use super::words::spelled;
use crate::stage::Stage;

/// A change in the world around the users.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WorldAction {
    /// Cells go down: they take no connections, and those that were open break.
    TakeDown(CellGroup),
    /// Cells that were taken down come back.
    BringBack(CellGroup),
    /// A cell goes down and comes back at once.
    RestartCell(
        #[serde(with = "spelled")]
        #[cfg_attr(test, schemars(with = "String"))]
        CellId,
    ),
    /// The faults of the fleet end.
    EndFaults,
    /// Cells release the responses that they hold, and all visits that were begun end.
    Release,
    /// Replicas take over everything that the primaries have written.
    ReleaseReplicas,
    /// Something is done to the process of a router.
    Router {
        /// The region of the router.
        #[serde(with = "spelled")]
        #[cfg_attr(test, schemars(with = "String"))]
        region: Region,
        /// What is done.
        action: RouterAction,
    },
    /// An organization moves to another cell.
    MoveOrganization {
        /// Slug of the organization.
        organization: String,
        /// The cell that owns it from now on.
        #[serde(with = "spelled")]
        #[cfg_attr(test, schemars(with = "String"))]
        cell: CellId,
    },
    /// Some time passes.
    PassTime {
        /// How much, in milliseconds.
        ms: u64,
    },
    /// So much time passes that cache entries are older than their time to live.
    PassTimeToLive,
}

/// One cell, or those of a region.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CellGroup {
    /// This cell, as the topology names it.
    Cell(
        #[serde(with = "spelled")]
        #[cfg_attr(test, schemars(with = "String"))]
        CellId,
    ),
    /// All cells of this region.
    Region(
        #[serde(with = "spelled")]
        #[cfg_attr(test, schemars(with = "String"))]
        Region,
    ),
}

/// What is done to the process of a router.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RouterAction {
    /// It is told to stop, and its exit is awaited.
    Stop,
    /// It is told to stop; its exit is awaited later, since requests may be under way.
    TellToStop,
    /// A new process with a cold cache replaces it.
    Restart,
}

impl WorldAction {
    pub(super) async fn run(&self, stage: &mut Stage) -> Result<(), ActionError> {
        match self {
            Self::TakeDown(group) => {
                for cell in group.cells(stage) {
                    stage.fleet().take_down(&cell).await.map_err(ActionError::invalid)?;
                }
            }
            Self::BringBack(group) => {
                for cell in group.cells(stage) {
                    stage.fleet().bring_back(&cell).await.map_err(ActionError::invalid)?;
                }
            }
            Self::RestartCell(cell) => {
                stage.fleet().restart(cell).await.map_err(ActionError::invalid)?;
            }
            Self::EndFaults => stage.fleet().end_faults(),
            Self::Release => stage.release().await,
            Self::ReleaseReplicas => release_replicas(stage).await,
            Self::Router { region, action } => action.run(region, stage).await?,
            Self::MoveOrganization { organization, cell } => {
                let installation = stage.fleet().installation();
                installation
                    .move_organization(organization, cell)
                    .await
                    .map_err(ActionError::invalid)?;
            }
            // A wait for a clock: a scenario states its margins by its numbers.
            Self::PassTime { ms } => tokio::time::sleep(Duration::from_millis(*ms)).await,
            Self::PassTimeToLive => {
                // A wait for a clock as well. It has a margin, since the clocks of two processes on
                // a loaded machine are not one. No verdict depends on its length.
                let life = Duration::from_millis(stage.plan().settings.ttl_ms);
                tokio::time::sleep(life + stage.waits().ttl_margin).await;
            }
        }
        Ok(())
    }
}

async fn release_replicas(stage: &Stage) {
    let installation = stage.fleet().installation();
    installation.set_replication_lag(ReplicationLag::None);
    for region in stage.plan().fleet.topology.regions() {
        installation.wait_until_replayed(&region, installation.position()).await;
    }
}

impl CellGroup {
    fn cells(&self, stage: &Stage) -> Vec<CellId> {
        match self {
            Self::Cell(cell) => vec![cell.clone()],
            Self::Region(region) => {
                let cells = stage.plan().fleet.topology.cells.iter();
                cells.filter(|cell| cell.region() == region).cloned().collect()
            }
        }
    }
}

impl RouterAction {
    async fn run(self, region: &Region, stage: &mut Stage) -> Result<(), ActionError> {
        match self {
            Self::Stop => {
                stage.stop_router(region).await;
                Ok(())
            }
            Self::TellToStop => stage.tell_router_to_stop(region).map_err(ActionError::Invalid),
            Self::Restart => stage
                .restart_router(region)
                .await
                .map_err(|error| ActionError::Interrupted(error.to_string())),
        }
    }
}
