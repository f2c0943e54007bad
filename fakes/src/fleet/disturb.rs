//! What a scenario does to the cells of a running fleet, and the bytes that they have passed.

use std::sync::atomic::Ordering;

use super::{Fleet, OutageError};
use crate::CellId;

/// Bytes of bodies that the cells of a fleet have passed so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flow {
    /// Bytes of responses' bodies that were handed to the operating system, with the framing of
    /// chunks.
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
        self.servers.take_down(cell).await
    }

    /// Lets a cell that is down accept connections again, also one that refused them from the start
    /// because of a fault.
    ///
    /// # Errors
    /// Where there is no such cell, or the operating system refuses.
    pub async fn bring_back(&self, cell: &CellId) -> Result<(), OutageError> {
        self.servers.bring_back(cell).await
    }

    /// Restarts a cell: its connections are reset, and new ones are accepted from before that on,
    /// so that a request that is sent again at once reaches it.
    ///
    /// # Errors
    /// Where there is no such cell, or the operating system refuses.
    pub async fn restart(&self, cell: &CellId) -> Result<(), OutageError> {
        self.servers.restart(cell).await
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
