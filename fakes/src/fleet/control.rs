//! What a scenario does to the cells, users and organizations of a running fleet. None of it is a request,
//! so the journal has only the ids that are drawn, what moves, and the stores that fail. What else
//! a scenario does to the databases is at the [`Installation`](crate::Installation).

use std::sync::atomic::Ordering;

use super::{Fleet, OutageError};
use crate::rails::{ControlError, SESSION_COOKIE};
use crate::server::Outage;
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

    /// Moves an organization at once, as
    /// [`Installation::move_organization`](crate::Installation::move_organization) does.
    ///
    /// # Errors
    /// Those of that method.
    pub async fn move_organization(
        &self,
        slug: &str,
        to: &CellId,
    ) -> Result<Position, ControlError> {
        self.installation.move_organization(&*self.mover, slug, to).await
    }

    /// Runs phases of a move, as [`Installation::run_move`](crate::Installation::run_move) does.
    ///
    /// # Errors
    /// Those of that method.
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

    /// Takes a move back, as
    /// [`Installation::take_move_back`](crate::Installation::take_move_back) does.
    ///
    /// # Errors
    /// Those of that method.
    pub async fn take_move_back(&self, slug: &str) -> Result<(), ControlError> {
        self.installation.take_move_back(&*self.mover, slug).await
    }
}

/// Bytes of bodies that the cells of a fleet have passed so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flow {
    /// Bytes of responses' bodies that were handed to the operating system, without framing.
    pub sent: u64,
    /// Bytes of requests' bodies that were read, without framing.
    pub read: u64,
}

impl Fleet {
    /// Takes a cell down, named as the topology does: its connections are reset, and new ones are
    /// refused when this returns. Its address stays reserved.
    ///
    /// # Errors
    /// Where there is no such cell, or the operating system refuses.
    pub async fn take_down(&self, cell: &CellId) -> Result<(), OutageError> {
        self.servers.set(cell, Outage::Begins).await
    }

    /// Lets a cell that is down accept connections again, also one that refused them from the start
    /// because of a fault.
    ///
    /// # Errors
    /// Where there is no such cell, or the operating system refuses.
    pub async fn bring_back(&self, cell: &CellId) -> Result<(), OutageError> {
        self.servers.set(cell, Outage::Ends).await
    }

    /// Restarts a cell: its connections are reset, and new ones are accepted from before that on,
    /// so that a request that is sent again at once reaches it.
    ///
    /// # Errors
    /// Where there is no such cell, or the operating system refuses.
    pub async fn restart(&self, cell: &CellId) -> Result<(), OutageError> {
        self.servers.set(cell, Outage::Restart).await
    }

    /// Ends the plan's faults and latencies for all requests and connections from now on. Cells
    /// that read nothing begin to read. Cells that refuse connections stay down until they are
    /// [brought back](Self::bring_back).
    pub fn end_faults(&self) {
        self.active_faults.end();
    }

    /// The bytes passed so far, summed over all cells.
    pub fn flow(&self) -> Flow {
        Flow {
            sent: self.flow.sent.load(Ordering::Relaxed),
            read: self.flow.read.load(Ordering::Relaxed),
        }
    }
}
