//! Serves the cells: one listener each, and on every connection a tap that shows the journal what
//! really arrived.

mod body;
mod chunked;
mod faults;
mod head;
mod ledger;
mod listener;
mod neighbour;
mod scanner;
mod scripted;
mod servers;
mod service;
mod tap;
#[cfg(test)]
mod tests;

pub use faults::CellFault;
pub(crate) use faults::Faults;
pub(crate) use listener::bind;
pub(crate) use scripted::Scripts;
pub(crate) use servers::Servers;
pub(crate) use service::Seat;
