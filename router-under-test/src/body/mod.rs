//! The bodies of requests on their way to a cell: kept, or streamed from the user.

mod budget;
mod buffer;
mod outgoing;
mod replay;
mod spool;

pub(crate) use budget::{Budget, Reservation};
pub(crate) use buffer::{CollectError, Collected, Kept, collect};
pub(crate) use outgoing::{BodyError, Outgoing};
pub(crate) use replay::Replay;
