//! The HTTP servers of the cells: one listener for each cell. On every connection a reader tells
//! the journal what arrives, and a response leaves in the pieces that a fault says.

mod active_faults;
mod chunks;
mod connection;
mod errors;
mod exchange;
mod head;
mod listen_socket;
mod listener;
mod reader;
mod response;
mod scripted;
mod servers;
mod socket;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub(crate) use active_faults::ActiveFaults;
pub use errors::CellError;
pub(crate) use errors::CellErrors;
pub use listen_socket::OutageError;
pub(crate) use listen_socket::{Outage, bind};
pub(crate) use scripted::Scripts;
pub(crate) use servers::Servers;
pub(crate) use socket::FlowCounters;

use crate::{Authority, Casting, CellId, Journal};

/// One cell, as the topology names it: its address, its application, and what its server needs.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) id: CellId,
    pub(crate) advertised: Authority,
    pub(crate) application: axum::Router,
    pub(crate) journal: Arc<Journal>,
    pub(crate) casting: Arc<Casting>,
    pub(crate) scripts: Arc<Scripts>,
    pub(crate) active_faults: Arc<ActiveFaults>,
    pub(crate) flow: Arc<FlowCounters>,
    pub(crate) errors: Arc<CellErrors>,
}
