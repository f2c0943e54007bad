//! Whether a cell can be connected to.

use std::fmt;
use std::io;
use std::net::Shutdown;

use socket2::Socket;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};

use super::bind::listen;
use crate::CellId;

/// A cell's address: listened on, or only reserved.
#[derive(Debug)]
pub(super) enum ListenSocket {
    Open(TcpListener),
    /// Bound, so that connections are refused and nobody else gets the address.
    Closed(Socket),
    /// The system did not let it be opened or shut; it is lost.
    Lost,
}

/// What a cell's listen_socket is told.
#[derive(Debug)]
pub(super) enum Command {
    /// Refuse connections from now on, after all that there are have been reset.
    Close(oneshot::Sender<io::Result<()>>),
    /// Accept connections.
    Open(oneshot::Sender<io::Result<()>>),
}

impl ListenSocket {
    /// The next connection; never, while the listen_socket is shut.
    pub(super) async fn accept(&self) -> io::Result<TcpStream> {
        match self {
            Self::Open(listener) => listener.accept().await.map(|(stream, _)| stream),
            Self::Closed(_) | Self::Lost => std::future::pending().await,
        }
    }

    /// Opens or shuts it; as it is already, it stays.
    pub(super) fn turn(&mut self, open: bool) -> io::Result<()> {
        *self = match (std::mem::replace(self, Self::Lost), open) {
            // The socket stays the same and bound all the time. One that is closed and bound anew
            // is refused its address where another thread starts a process just then: until that
            // process runs its program, it holds a copy of the listening socket. To shut a socket
            // down reaches all copies.
            (Self::Open(listener), false) => {
                let socket = Socket::from(listener.into_std()?);
                socket.shutdown(Shutdown::Both)?;
                Self::Closed(socket)
            }
            (Self::Closed(socket), true) => Self::Open(listen(socket)?),
            (Self::Lost, _) => return Err(io::Error::other("its address was lost earlier")),
            (as_it_is, _) => as_it_is,
        };
        Ok(())
    }
}

/// Why a cell could not be taken down or brought back.
#[derive(Debug)]
pub enum OutageError {
    /// The topology does not list it.
    NoSuchCell(CellId),
    /// Its server has ended.
    Ended(CellId),
    /// The system refused.
    System {
        /// The cell.
        cell: CellId,
        /// The system's reason.
        error: io::Error,
    },
}

impl fmt::Display for OutageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchCell(cell) => write!(f, "there is no {cell}"),
            Self::Ended(cell) => write!(f, "the server of {cell} has ended"),
            Self::System { cell, error } => {
                write!(f, "{cell} could not be taken down or brought back: {error}")
            }
        }
    }
}

impl std::error::Error for OutageError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::System { error, .. } => Some(error),
            Self::NoSuchCell(_) | Self::Ended(_) => None,
        }
    }
}

/// Tells a listen_socket something and waits until it is done.
pub(super) async fn send_command(
    commands: &mpsc::UnboundedSender<Command>,
    cell: &CellId,
    order: fn(oneshot::Sender<io::Result<()>>) -> Command,
) -> Result<(), OutageError> {
    let (done, is_done) = oneshot::channel();
    let ended = || OutageError::Ended(cell.clone());
    commands.send(order(done)).map_err(|_| ended())?;
    is_done
        .await
        .map_err(|_| ended())?
        .map_err(|error| OutageError::System { cell: cell.clone(), error })
}
