//! What a scenario does to the databases of a running fleet. None of it is a request, so none of it
//! is in the journal.

use super::Fleet;
use crate::rails::{ControlError, SESSION_COOKIE};
use crate::{CellId, LogPosition, Region, ReplicationLag};

/// A cookie that signs a user in on every cell (SE-01).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionCookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl Fleet {
    /// Creates a session for a user, as if they had signed in. Every cell knows it at once.
    ///
    /// # Errors
    /// Where no user has this name.
    pub async fn sign_in(&self, user: &str) -> Result<SessionCookie, ControlError> {
        let value = self.installation.create_session(user).await?;
        Ok(SessionCookie { name: SESSION_COOKIE.to_owned(), value })
    }

    /// Moves an organization and everything that belongs to it to another cell, named by its role.
    /// Returns the log position from which on a replica knows of the move.
    ///
    /// # Errors
    /// Where there is no such organization or cell.
    pub async fn move_organization(
        &self,
        slug: &str,
        to: &CellId,
    ) -> Result<LogPosition, ControlError> {
        self.installation.move_organization(slug, to).await
    }

    /// The last position of the log of the shared databases' primary (DB-06).
    pub fn log_position(&self) -> LogPosition {
        self.installation.position()
    }

    /// Waits until a region's replica has replayed the log up to a position. The caller sets a
    /// timeout: replicas that are held replay nothing.
    pub async fn wait_until_replayed(&self, region: &Region, position: LogPosition) {
        self.installation.wait_until_replayed(region, position).await;
    }

    /// Lets replicas that were held or late catch up at once and stay up to date.
    pub fn release_replicas(&self) {
        self.installation.set_replication_lag(ReplicationLag::None);
    }

    /// Changes how far the replicas are behind.
    pub fn set_replication_lag(&self, lag: ReplicationLag) {
        self.installation.set_replication_lag(lag);
    }
}
