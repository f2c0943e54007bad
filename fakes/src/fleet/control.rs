//! What a scenario does to the databases of a running fleet. None of it is a request, so the
//! journal has only the ids that are drawn and the stores that fail.

use super::Fleet;
use crate::plan::ReplicationLag;
use crate::rails::{ControlError, SESSION_COOKIE};
use crate::{CellId, MovePhase, Position, Region, StoreError};

/// A cookie that signs a user in on every cell (SE-01).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionCookie {
    pub name: String,
    pub value: String,
}

impl Fleet {
    /// Creates a session for a user, as if they had signed in. Every cell knows it at once.
    ///
    /// # Errors
    /// Where no user has this name, or a store fails.
    pub async fn sign_in(&self, user: &str) -> Result<SessionCookie, ControlError> {
        let value = self.installation.create_session(user).await?;
        Ok(SessionCookie { name: SESSION_COOKIE.to_owned(), value })
    }

    /// Moves an organization and everything that belongs to it to another cell, named by its role.
    /// Returns the log position from which on a replica knows of the move.
    ///
    /// # Errors
    /// Where there is no such organization or cell, or a store fails.
    pub async fn move_organization(
        &self,
        slug: &str,
        to: &CellId,
    ) -> Result<Position, ControlError> {
        self.installation.move_organization(&*self.mover, slug, to).await
    }

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
        self.installation.run_move(&*self.mover, slug, to, through).await
    }

    /// Runs a move until the mover dies in the middle of a phase.
    ///
    /// # Errors
    /// The errors of [`run_move`](Self::run_move).
    pub async fn kill_mover_in(
        &self,
        slug: &str,
        to: &CellId,
        phase: MovePhase,
    ) -> Result<(), ControlError> {
        self.installation.kill_mover_in(&*self.mover, slug, to, phase).await
    }

    /// Takes a move back, or moves the organization back where its new cell may have taken writes.
    ///
    /// # Errors
    /// Where no move of the organization is under way, or as of [`run_move`](Self::run_move).
    pub async fn take_move_back(&self, slug: &str) -> Result<(), ControlError> {
        self.installation.take_move_back(&*self.mover, slug).await
    }

    /// The last position of the log of the shared databases' primary (DB-06).
    ///
    /// # Errors
    /// Where a store fails.
    pub async fn log_position(&self) -> Result<Position, StoreError> {
        self.installation.position().await
    }

    /// The position up to which a region's replica has replayed the log.
    ///
    /// # Errors
    /// Where a store fails.
    pub async fn replica_position(&self, region: &Region) -> Result<Position, StoreError> {
        self.installation.replica_position(region).await
    }

    /// Waits until a region's replica has replayed the log up to a position. The caller sets a
    /// timeout: replicas that are held replay nothing.
    ///
    /// # Errors
    /// Where a store fails.
    pub async fn wait_until_replayed(
        &self,
        region: &Region,
        position: Position,
    ) -> Result<(), StoreError> {
        self.installation.wait_until_replayed(region, position).await
    }

    /// Lets replicas that were held or late catch up at once and stay up to date.
    ///
    /// # Errors
    /// Where a store fails.
    pub async fn release_replicas(&self) -> Result<(), StoreError> {
        self.installation.set_replication_lag(ReplicationLag::None).await
    }

    /// Changes the lag of the replicas.
    ///
    /// # Errors
    /// Where a store fails.
    pub async fn set_replication_lag(&self, lag: ReplicationLag) -> Result<(), StoreError> {
        self.installation.set_replication_lag(lag).await
    }
}
