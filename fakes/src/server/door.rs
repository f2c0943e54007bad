//! Whether a cell can be connected to.

use std::fmt;
use std::io;
use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{mpsc, oneshot};

use super::listener::listen;
use crate::CellId;

/// A cell's address: listened on, or only reserved.
#[derive(Debug)]
pub(super) enum Door {
    Open(TcpListener),
    /// Bound, so that connections are refused and nobody else gets the address.
    Shut(TcpSocket),
    /// The system did not let it be opened or shut; it is lost.
    Lost,
}

/// What a cell's door is told.
#[derive(Debug)]
pub(super) enum Order {
    /// Refuse connections from now on, after all that there are have been reset.
    Shut(oneshot::Sender<io::Result<()>>),
    /// Accept connections.
    Open(oneshot::Sender<io::Result<()>>),
}

impl Door {
    /// The next connection; never, while the door is shut.
    pub(super) async fn accept(&self) -> io::Result<TcpStream> {
        match self {
            Self::Open(listener) => listener.accept().await.map(|(stream, _)| stream),
            Self::Shut(_) | Self::Lost => std::future::pending().await,
        }
    }

    /// Opens or shuts it; as it is already, it stays.
    pub(super) fn turn(&mut self, open: bool) -> io::Result<()> {
        *self = match (std::mem::replace(self, Self::Lost), open) {
            (Self::Open(listener), false) => {
                let address = listener.local_addr()?;
                drop(listener);
                Self::Shut(reserve(address)?)
            }
            (Self::Shut(socket), true) => Self::Open(listen(socket)?),
            (Self::Lost, _) => return Err(io::Error::other("its address was lost earlier")),
            (as_it_is, _) => as_it_is,
        };
        Ok(())
    }
}

/// Binds an address. One that was used a moment ago can be bound again; one that somebody listens on
/// cannot.
pub(super) fn reserve(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// Why a cell could not be taken down or brought back.
#[derive(Debug)]
pub enum DoorError {
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

impl fmt::Display for DoorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchCell(cell) => write!(f, "there is no {cell}"),
            Self::Ended(cell) => write!(f, "the server of {cell} has ended"),
            Self::System { cell, error } => write!(f, "{cell} could not be taken down or brought back: {error}"),
        }
    }
}

impl std::error::Error for DoorError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::System { error, .. } => Some(error),
            Self::NoSuchCell(_) | Self::Ended(_) => None,
        }
    }
}

/// Tells a door something and waits until it is done.
pub(super) async fn tell(
    orders: &mpsc::UnboundedSender<Order>,
    cell: &CellId,
    order: fn(oneshot::Sender<io::Result<()>>) -> Order,
) -> Result<(), DoorError> {
    let (done, is_done) = oneshot::channel();
    let ended = || DoorError::Ended(cell.clone());
    orders.send(order(done)).map_err(|_| ended())?;
    is_done.await.map_err(|_| ended())?.map_err(|error| DoorError::System { cell: cell.clone(), error })
}
