//! Why a cell gave no usable response.

use rustix::io::Errno;

use super::check::BadResponse;
use super::link::LinkError;
use super::request::CellRequest;

/// Why a cell gave no usable response.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SendError {
    /// The cell has not read any byte of the request, which comes back: another cell may be asked.
    #[error("{0}")]
    Unsent(Unreachable, CellRequest),
    /// The cell has its share of what the router can do. It has read nothing, and the request comes
    /// back.
    #[error("it has its share of requests or connections")]
    Full(CellRequest),
    /// The router itself has no descriptor or memory left for a connection. No other cell can
    /// be reached either, and no cell is to blame.
    #[error("the router cannot open a connection: {0}")]
    Local(std::io::Error),
    /// The request was sent, in part at least, and no response came in time.
    #[error("no response in time")]
    TimedOut,
    /// The connection broke, or the bytes are not HTTP.
    #[error("connection broke: {0}")]
    Broken(LinkError),
    /// The response cannot be passed on.
    #[error("bad response: {0}")]
    Bad(BadResponse),
}

/// Why a cell cannot be reached.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreachable {
    /// No connection in time.
    #[error("no connection in time")]
    TimedOut,
    /// No connection, and why.
    #[error("no connection: {0}")]
    Connect(std::io::Error),
    /// A new connection was closed before it took the request.
    #[error("connection closed before it was used: {0}")]
    Closed(LinkError),
}

impl SendError {
    /// Whether the connection ended, and not because of the request's body.
    pub(super) fn is_cells_end(&self) -> bool {
        matches!(self, Self::Broken(error) if !matches!(error, LinkError::Body(_)))
    }
}

/// Whether an error of connecting says something of this process or its system, and nothing of the
/// cell.
pub(super) fn is_local(error: &std::io::Error) -> bool {
    // No address left concerns the one cell: ports are counted for each destination.
    Errno::from_io_error(error).is_some_and(|errno| {
        [Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::NOMEM].contains(&errno)
    })
}
