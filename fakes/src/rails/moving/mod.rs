//! Moves an organization with all its data: phase by phase, or at once.

pub(crate) mod gate;
mod phases;
mod rows;
mod state;

use std::collections::BTreeMap;
use std::fmt;

use async_trait::async_trait;

use super::control::ControlError;
use super::installation::Installation;
use crate::CellId;
use crate::database::{OrganizationRows, Position, Stored};
use crate::ids::{Id, IdTable};
use crate::journal::Event;
use crate::moves::{MovePhase, UnderWay};

/// Moves organizations. Each method does what a correct mover does, unless it is overridden.
#[async_trait]
pub trait Mover: fmt::Debug + Send + Sync {
    /// Does one phase; half of it where the mover dies.
    async fn phase(
        &self,
        installation: &Installation,
        slug: &str,
        under_way: &mut UnderWay,
        phase: MovePhase,
        dies: bool,
    ) -> Result<(), ControlError> {
        installation.phase(self, slug, under_way, phase, dies).await
    }

    /// Gives fresh ids to moving rows whose ids are unique on their cell alone: the same ones as an
    /// earlier copy, if there was one. Returns how many.
    async fn renumber(
        &self,
        installation: &Installation,
        rows: &mut OrganizationRows,
        from: &CellId,
        to: &CellId,
        fresh: &mut BTreeMap<(IdTable, Id), Id>,
    ) -> Stored<usize> {
        let _ = from;
        installation.renumber(rows, to, fresh).await
    }
}

/// The mover of correct cells.
#[derive(Debug)]
pub struct CorrectMover;

impl Mover for CorrectMover {}

impl Installation {
    /// Runs the phases of an organization's move up to this one, after those that are done already.
    /// The move begins where there is none.
    ///
    /// # Errors
    /// Where there is no such organization or cell, another move of it is under way, a replica does
    /// not know of the switch yet (before the old cell drops its rows), or a store fails.
    pub async fn run_move(
        &self,
        mover: &dyn Mover,
        slug: &str,
        to: &CellId,
        through: MovePhase,
    ) -> Result<(), ControlError> {
        let mut under_way = self.begun(slug, to).await?;
        for phase in MovePhase::ALL {
            if phase <= through && under_way.done.is_none_or(|done| done < phase) {
                mover.phase(self, slug, &mut under_way, phase, false).await?;
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
        mover: &dyn Mover,
        slug: &str,
        to: &CellId,
        phase: MovePhase,
    ) -> Result<(), ControlError> {
        let before = MovePhase::ALL.into_iter().take_while(|one| *one < phase).last();
        if let Some(before) = before {
            self.run_move(mover, slug, to, before).await?;
        }
        let mut under_way = self.begun(slug, to).await?;
        mover.phase(self, slug, &mut under_way, phase, true).await
    }

    /// Takes a move back. Where the new cell may have taken writes already, the move is finished,
    /// and the organization moves back with what was written there.
    ///
    /// # Errors
    /// Where no move of the organization is under way, or as of [`run_move`](Self::run_move).
    pub async fn take_move_back(&self, mover: &dyn Mover, slug: &str) -> Result<(), ControlError> {
        let unknown = || ControlError::NoMove(slug.to_owned());
        let mut under_way = self.moves.of(slug).ok_or_else(unknown)?;
        let UnderWay { from, to, done, copied, .. } = under_way.clone();
        // A mover that died in the thaw may have opened the new cell.
        if done >= Some(MovePhase::Switch) && !self.gates.is_closed(&to, slug) {
            self.run_move(mover, slug, &to, MovePhase::CleanUp).await?;
            return self.run_move(mover, slug, &from, MovePhase::CleanUp).await;
        }
        // A mover that died in the switch may have begun it.
        if done >= Some(MovePhase::CopyRest) {
            let rows = self.organization_rows(&from, slug).await?;
            self.place(slug, &rows, &from, false).await?;
            self.drop_rows(&to, slug, &copied).await?;
            self.move_folders(&rows, &to, &from);
            self.drop_side(&to, &copied).await?;
        }
        mover.phase(self, slug, &mut under_way, MovePhase::TakenBack, false).await
    }

    /// Moves an organization at once, with all that belongs to it, to another cell, named by its
    /// role: what the phases do, without a wait for writes or replicas. Ids are kept (ID-05).
    /// Returns the position up to which a region's replica must have replayed the log for its cells
    /// to know.
    ///
    /// # Errors
    /// Where there is no such organization or cell, another move of it is under way, or a store
    /// fails.
    pub async fn move_organization(
        &self,
        mover: &dyn Mover,
        slug: &str,
        to: &CellId,
    ) -> Result<Position, ControlError> {
        self.known(to)?;
        let from = self.cell_of(slug).await?;
        if let Some(under_way) = self.moves.of(slug) {
            return Err(ControlError::OtherMove(slug.to_owned(), under_way.to));
        }
        if from != *to {
            let mut under_way = UnderWay::new(from.clone(), to.clone());
            let moved = self.copy(mover, slug, &mut under_way).await?;
            self.journal.append(Event::RowsMoved(moved));
            let mut copied = under_way.copied;
            self.give_back_jobs(&from, &copied.projects()).await?;
            copied.jobs = self.jobs_of(&from, &copied.projects()).await?;
            self.put(&from, to, &copied).await?;
            self.drop_rows(&from, slug, &copied).await?;
            self.drop_side(&from, &copied).await?;
            self.gates.open(to, slug);
            self.place(slug, &copied.rows, to, false).await?;
        }
        Ok(self.position().await?)
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
        Ok(UnderWay::new(from, to.clone()))
    }
}
