//! The HTTP servers of the cells: one listener for each cell, and on every connection a tap that
//! shows the journal the bytes that arrived.

mod active_faults;
mod bind;
mod body;
mod chunked;
mod connection;
mod connection_log;
mod errors;
mod frame;
mod grammar;
mod head;
mod listen_socket;
mod listener;
mod node;
mod outgoing;
mod pre_flight;
mod request_faults;
mod request_in_flight;
mod scanner;
mod scripted;
mod sending;
mod servers;
mod service;
mod socket;
mod tap;
#[cfg(test)]
mod tests;

pub(crate) use active_faults::ActiveFaults;
pub(crate) use bind::bind;
pub use errors::CellError;
pub(crate) use errors::CellErrors;
pub use listen_socket::OutageError;
pub(crate) use node::Node;
pub(crate) use scripted::Scripts;
pub(crate) use servers::Servers;
pub(crate) use socket::FlowCounters;
