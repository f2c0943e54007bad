//! What a scenario does to the users and organizations of a running fleet. None of it is a request,
//! so the journal has only the ids that are drawn, what moves, and the stores that fail. What else
//! a scenario does to the databases is at the [`Installation`](crate::Installation).

use super::Fleet;
use crate::rails::{ControlError, SESSION_COOKIE};
use crate::{CellId, MovePhase, Position};

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
}
