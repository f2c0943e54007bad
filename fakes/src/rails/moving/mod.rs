//! Moves an organization with all its data, phase by phase.

pub(crate) mod gate;
pub(crate) mod mover;
mod phases;
mod state;

use super::control::error::ControlError;
use super::installation::Installation;
use crate::CellId;
use crate::moves::{Copied, MovePhase, UnderWay};

impl Installation {
    /// Runs the phases of an organization's move up to this one, after those that are done already.
    /// The move begins where there is none.
    ///
    /// # Errors
    /// Where there is no such organization or cell, another move of it is under way, a replica does
    /// not know of the switch yet (before the old cell drops its rows), or a store fails.
    pub async fn run_move(
        &self,
        slug: &str,
        to: &CellId,
        through: MovePhase,
    ) -> Result<(), ControlError> {
        let mut under_way = self.begun(slug, to).await?;
        for phase in MovePhase::ALL {
            if phase <= through && under_way.done.is_none_or(|done| done < phase) {
                self.mover.phase(self, slug, &mut under_way, phase, false).await?;
            }
        }
        Ok(())
    }

    /// Runs a move until the mover dies in the middle of a phase. Some of the phase is done, and it
    /// is not written down as done.
    ///
    /// # Errors
    /// The errors of [`run_move`](Self::run_move).
    pub async fn kill_mover_in(
        &self,
        slug: &str,
        to: &CellId,
        phase: MovePhase,
    ) -> Result<(), ControlError> {
        let before = MovePhase::ALL.into_iter().take_while(|one| *one < phase).last();
        if let Some(before) = before {
            self.run_move(slug, to, before).await?;
        }
        let mut under_way = self.begun(slug, to).await?;
        self.mover.phase(self, slug, &mut under_way, phase, true).await
    }

    /// Takes a move back. Where the new cell may have taken writes already, the move is finished,
    /// and the organization moves back with what was written there.
    ///
    /// # Errors
    /// Where no move of the organization is under way, or as of [`run_move`](Self::run_move).
    pub async fn take_move_back(&self, slug: &str) -> Result<(), ControlError> {
        let unknown = || ControlError::NoMove(slug.to_owned());
        let mut under_way = self.moves.of(slug).ok_or_else(unknown)?;
        let UnderWay { from, to, done, copied, .. } = under_way.clone();
        // A mover that died in the thaw may have opened the new cell.
        if done >= Some(MovePhase::Switch) && !self.gates.is_closed(&to, slug) {
            self.run_move(slug, &to, MovePhase::CleanUp).await?;
            return self.run_move(slug, &from, MovePhase::CleanUp).await;
        }
        // A mover that died in the switch may have begun it.
        if done >= Some(MovePhase::CopyRest) {
            let read = self.stores.own.organization_rows(&from, slug).await;
            let rows = self.noted("reading rows of gitlab_main", read)?;
            self.place(slug, &rows, &from, false).await?;
            self.drop_jobs(&to, &copied).await?;
            let removed = self.stores.own.remove_rows(&to, slug).await;
            self.noted("removing rows of gitlab_main", removed)?;
            self.drop_side(&to, &copied);
            self.move_folders(&rows, &to, &from);
            self.remove_state(&to, &copied.state).await?;
        }
        self.mover.phase(self, slug, &mut under_way, MovePhase::TakenBack, false).await
    }

    async fn begun(&self, slug: &str, to: &CellId) -> Result<UnderWay, ControlError> {
        self.known(to)?;
        if let Some(under_way) = self.moves.of(slug) {
            let other = || ControlError::OtherMove(slug.to_owned(), under_way.to.clone());
            return if under_way.to == *to { Ok(under_way) } else { Err(other()) };
        }
        let from = self.cell_of(slug).await?;
        if from == *to {
            return Err(ControlError::OtherMove(slug.to_owned(), from));
        }
        let copied = Copied::default();
        let fresh = Default::default();
        Ok(UnderWay { from, to: to.clone(), done: None, copied, fresh })
    }
}
