//! Moves an organization in phases.

use cell_fleet::ControlError;

use super::ActionError;
use crate::action::MoveAction;
use crate::stage::Stage;

impl MoveAction {
    pub(super) async fn perform(&self, stage: &Stage) -> Result<(), ActionError> {
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
