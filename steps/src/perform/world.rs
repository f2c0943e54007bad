//! Changes the world around the users: cells, routers, organizations, databases, time.

use std::time::Duration;

use cell_fleet::{CellId, ControlError, IdTable, Installation, Protocol, Region, ReplicationLag};
use futures_util::future::join_all;

use super::ActionError;
use crate::action::{CellGroup, RouterAction, WorldAction, rooted};
use crate::stage::{RouterError, Stage};

impl WorldAction {
    pub(super) async fn perform(&self, stage: &mut Stage) -> Result<(), ActionError> {
        let installation = stage.fleet.installation().clone();
        match self {
            Self::TakeDown(group) => {
                for cell in group.cells(stage) {
                    stage.fleet.take_down(&cell).await?;
                }
            }
            Self::BringBack(group) => {
                for cell in group.cells(stage) {
                    stage.fleet.bring_back(&cell).await?;
                }
                stage.people.forget_connections();
            }
            Self::RestartCell(cell) => {
                stage.fleet.restart(cell).await?;
                stage.people.forget_connections();
            }
            Self::EndFaults => stage.fleet.end_faults(),
            Self::Release => stage.release().await,
            Self::ReleaseHeld { path } => stage.release_held_of(path).await,
            Self::HoldReplicas { region } => installation.hold_replica(region).await?,
            Self::ReleaseReplicas => {
                installation.set_replication_lag(ReplicationLag::None).await?;
                let position = installation.position().await?;
                for region in stage.plan.fleet.topology.regions() {
                    installation.wait_until_replayed(&region, position).await?;
                }
            }
            Self::Router { region, action } => action.perform(region, stage).await?,
            Self::MoveOrganization { organization, cell } => {
                stage.fleet.move_organization(organization, cell).await?;
            }
            Self::RunMove { organization, cell, through, tried } => {
                let through = through.parse().map_err(ActionError::invalid)?;
                match stage.fleet.run_move(organization, cell, through).await {
                    Err(ControlError::ReplicaLags(_)) if *tried => {}
                    done => done?,
                }
            }
            Self::KillMover { organization, cell, phase } => {
                let phase = phase.parse().map_err(ActionError::invalid)?;
                stage.fleet.kill_mover_in(organization, cell, phase).await?;
            }
            Self::TakeMoveBack { organization } => {
                stage.fleet.take_move_back(organization).await?;
            }
            Self::Insert { cell, rows, table } => {
                insert(&installation, std::slice::from_ref(cell), *rows, table).await?;
            }
            Self::InsertEverywhere { rows, table } => {
                insert(&installation, &stage.plan.fleet.topology.cells, *rows, table).await?;
            }
            Self::DisturbIds(disturbance) => installation.disturb_ids(*disturbance),
            Self::QueueJobs { project, jobs } => installation.queue_jobs(project, *jobs).await?,
            Self::CreateNamespace { path, cell } => {
                installation.create_route(&rooted(path), cell).await?;
            }
            Self::CreateProject { path } => _ = installation.create_project(path).await?,
            Self::RenameNamespace { path, to } => {
                installation.rename_namespace(&rooted(path), &rooted(to)).await?;
            }
            Self::AdvanceClock { seconds } => {
                installation.advance_clock(Duration::from_secs(*seconds));
            }
            // A wait for a clock: a scenario states its margins by its numbers.
            Self::PassTime { ms } => tokio::time::sleep(Duration::from_millis(*ms)).await,
            Self::PassTimeOfLearned if stage.plan.fleet.protocol == Protocol::Buffering => {}
            Self::PassTimeToLive | Self::PassTimeOfLearned => {
                // A wait for a clock as well. It has a margin, since the clocks of two processes on
                // a loaded machine are not one. No verdict depends on its length.
                let life = Duration::from_millis(stage.plan.settings.ttl_ms);
                tokio::time::sleep(life + stage.launch.waits.ttl_margin).await;
            }
        }
        Ok(())
    }
}

impl CellGroup {
    fn cells(&self, stage: &Stage) -> Vec<CellId> {
        match self {
            Self::Cell(cell) => vec![cell.clone()],
            Self::Region(region) => {
                let cells = stage.plan.fleet.topology.cells.iter();
                cells.filter(|cell| cell.region() == region).cloned().collect()
            }
        }
    }
}

impl RouterAction {
    async fn perform(self, region: &Region, stage: &mut Stage) -> Result<(), ActionError> {
        match self {
            Self::Stop => {
                stage.stop_router(region).await;
                Ok(())
            }
            Self::TellToStop => Ok(stage.tell_router_to_stop(region)?),
            Self::Restart => stage.restart_router(region).await.map_err(|error| match error {
                RouterError::Suite(why) => ActionError::Suite(why),
                error => ActionError::Interrupted(error.to_string()),
            }),
        }
    }
}

/// Inserts rows on these cells at the same time.
async fn insert(
    installation: &Installation,
    cells: &[CellId],
    rows: u64,
    table: &str,
) -> Result<(), ActionError> {
    let table: IdTable = table.parse().map_err(ActionError::invalid)?;
    let inserts = cells.iter().map(|cell| installation.insert_rows(cell, table, rows));
    join_all(inserts).await.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(())
}
