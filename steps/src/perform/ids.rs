//! Lets cells insert rows, and disturbs the place that hands out ids.

use std::time::Duration;

use cell_fleet::{CellId, IdDisturbance, IdTable};
use futures_util::future::join_all;

use super::ActionError;
use crate::action::IdAction;
use crate::stage::Stage;

impl IdAction {
    pub(super) async fn perform(&self, stage: &Stage) -> Result<(), ActionError> {
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
