//! Changes the world around the users: cells, routers, organizations, databases, time.

use std::time::Duration;

use cell_fleet::{
    CellId, ControlError, IdDisturbance, IdTable, Protocol, Region, ReplicationLag, StoreError,
};
use futures_util::future::join_all;

use super::ActionError;
use crate::action::{CellGroup, IdAction, MoveAction, RouterAction, WorldAction, rooted};
use crate::stage::{RouterError, Stage};

impl WorldAction {
    pub(super) async fn perform(&self, stage: &mut Stage) -> Result<(), ActionError> {
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
                stage.people.forget_connections();
            }
            Self::RestartCell(cell) => {
                stage.fleet().restart(cell).await.map_err(ActionError::invalid)?;
                stage.people.forget_connections();
            }
            Self::EndFaults => stage.fleet().end_faults(),
            Self::Release => stage.release().await,
            Self::ReleaseHeld { path } => stage.release_held_of(path).await,
            Self::HoldReplicas { region } => {
                let held = stage.fleet().installation().hold_replica(region).await;
                held.map_err(ActionError::invalid)?;
            }
            Self::ReleaseReplicas => {
                release_replicas(stage).await.map_err(ActionError::invalid)?;
            }
            Self::Router { region, action } => action.perform(region, stage).await?,
            Self::MoveOrganization { organization, cell } => {
                let installation = stage.fleet().installation();
                installation
                    .move_organization(organization, cell)
                    .await
                    .map_err(ActionError::invalid)?;
            }
            Self::Move(action) => action.perform(stage).await?,
            Self::Ids(action) => action.perform(stage).await?,
            Self::Jobs(action) => action.perform(stage).await?,
            Self::CreateNamespace { path, cell } => {
                let installation = stage.fleet().installation();
                let created = installation.create_route(&rooted(path), cell).await;
                created.map_err(ActionError::invalid)?;
            }
            Self::CreateProject { path } => {
                let created = stage.fleet().installation().create_project(path).await;
                created.map(drop).map_err(ActionError::invalid)?;
            }
            Self::RenameNamespace { path, to } => {
                let installation = stage.fleet().installation();
                let renamed = installation.rename_namespace(&rooted(path), &rooted(to)).await;
                renamed.map_err(ActionError::invalid)?;
            }
            Self::AdvanceClock { seconds } => {
                let installation = stage.fleet().installation();
                installation.advance_clock(Duration::from_secs(*seconds));
            }
            // A wait for a clock: a scenario states its margins by its numbers.
            Self::PassTime { ms } => tokio::time::sleep(Duration::from_millis(*ms)).await,
            Self::PassTimeOfLearned if stage.plan().fleet.protocol == Protocol::Buffering => {}
            Self::PassTimeToLive | Self::PassTimeOfLearned => {
                // A wait for a clock as well. It has a margin, since the clocks of two processes on
                // a loaded machine are not one. No verdict depends on its length.
                let life = Duration::from_millis(stage.plan().settings.ttl_ms);
                tokio::time::sleep(life + stage.waits().ttl_margin).await;
            }
        }
        Ok(())
    }
}

async fn release_replicas(stage: &Stage) -> Result<(), StoreError> {
    let installation = stage.fleet().installation();
    installation.set_replication_lag(ReplicationLag::None).await?;
    let position = installation.position().await?;
    for region in stage.plan().fleet.topology.regions() {
        installation.wait_until_replayed(&region, position).await?;
    }
    Ok(())
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
    async fn perform(self, region: &Region, stage: &mut Stage) -> Result<(), ActionError> {
        match self {
            Self::Stop => {
                stage.stop_router(region).await;
                Ok(())
            }
            Self::TellToStop => stage.tell_router_to_stop(region).map_err(ActionError::Invalid),
            Self::Restart => stage.restart_router(region).await.map_err(|error| match error {
                RouterError::Suite(why) => ActionError::Suite(why),
                error => ActionError::Interrupted(error.to_string()),
            }),
        }
    }
}

impl MoveAction {
    async fn perform(&self, stage: &Stage) -> Result<(), ActionError> {
        let installation = stage.fleet().installation();
        let done = match self {
            Self::Run { organization, cell, through, tried } => {
                let through = through.parse().map_err(ActionError::invalid)?;
                match installation.run_move(organization, cell, through).await {
                    Err(ControlError::ReplicaLags(_)) if *tried => Ok(()),
                    done => done,
                }
            }
            Self::Die { organization, cell, phase } => {
                let phase = phase.parse().map_err(ActionError::invalid)?;
                installation.kill_mover_in(organization, cell, phase).await
            }
            Self::TakeBack { organization } => installation.take_move_back(organization).await,
        };
        done.map_err(ActionError::invalid)
    }
}

impl IdAction {
    async fn perform(&self, stage: &Stage) -> Result<(), ActionError> {
        let installation = stage.fleet().installation();
        let disturbance = match self {
            Self::Insert { cell, rows, table } => {
                return insert(stage, std::slice::from_ref(cell), *rows, table).await;
            }
            Self::InsertEverywhere { rows, table } => {
                let cells = &stage.plan().fleet.topology.cells;
                return insert(stage, cells, *rows, table).await;
            }
            Self::Stop => IdDisturbance::Stop,
            Self::Start => IdDisturbance::Start,
            Self::Slow { ms } => IdDisturbance::Slow(Duration::from_millis(*ms)),
            Self::Crash => IdDisturbance::Crash,
        };
        installation.disturb_ids(disturbance);
        Ok(())
    }
}

/// Inserts rows on these cells at the same time.
async fn insert(
    stage: &Stage,
    cells: &[CellId],
    rows: u64,
    table: &str,
) -> Result<(), ActionError> {
    let table: IdTable = table.parse().map_err(ActionError::invalid)?;
    let installation = stage.fleet().installation();
    let inserts = cells.iter().map(|cell| installation.insert_rows(cell, table, rows));
    let inserted: Result<Vec<_>, _> = join_all(inserts).await.into_iter().collect();
    inserted.map_err(ActionError::invalid)?;
    Ok(())
}
