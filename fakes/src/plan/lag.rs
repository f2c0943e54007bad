//! Replication lag of the shared databases.

use std::time::Duration;

/// How far the replicas of the shared databases are behind the primary (DB-06).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReplicationLag {
    /// Every replica has a write at once.
    #[default]
    None,
    /// A replica has a write this long after it was made.
    For(Duration),
    /// Replicas replay nothing until they are released.
    UntilReleased,
}
