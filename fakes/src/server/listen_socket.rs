//! A cell's listening socket, which can be closed and opened again.

use std::io;
use std::net::{Shutdown, SocketAddr};

use socket2::{Domain, Socket, Type};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};

use crate::CellId;

/// The backlog of a listening socket: more connections than any scenario opens at once.
const BACKLOG: i32 = 1024;

/// Binds an address for a cell and listens. An address that was used a moment ago can be bound
/// again; one with a listener cannot.
pub(crate) fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    listen(reserve(address)?, BACKLOG)
}

/// Listens on a bound socket, with this backlog.
fn listen(socket: Socket, backlog: i32) -> io::Result<TcpListener> {
    socket.listen(backlog)?;
    TcpListener::from_std(socket.into())
}

/// Binds an address. One that was used a moment ago can be bound again; one with a listener cannot.
fn reserve(address: SocketAddr) -> io::Result<Socket> {
    let first = bound(address)?;
    if address.port() != 0 {
        return Ok(first);
    }
    // A shutdown gives up a port that the operating system chose, and keeps one that was asked for.
    // The first socket reserves the port in between.
    let chosen = first.local_addr()?.as_socket().unwrap_or(address);
    bound(chosen)
}

fn bound(address: SocketAddr) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    socket.set_nonblocking(true)?;
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    Ok(socket)
}

/// A cell's address: open for connections, or only reserved.
#[derive(Debug)]
pub(super) enum ListenSocket {
    Open(TcpListener),
    /// Bound, so that connections are refused and no other process gets the address.
    Closed(Socket),
    /// Listening, with no room for another connection than the one held here, so that attempts to
    /// connect wait.
    Full {
        socket: Socket,
        _only: std::net::TcpStream,
    },
    /// The operating system refused to open or close it; the address is lost.
    Lost,
}

/// What becomes of a cell that serves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outage {
    /// All connections are reset, and new ones refused.
    Begins,
    /// Connections are accepted again.
    Ends,
    /// Connections are accepted, and then those that are open now are reset: whoever sees the end
    /// of one finds the cell up again.
    Restart,
}

/// An outage of one cell, and where to say that it has taken effect.
#[derive(Debug)]
pub(super) struct Command {
    pub(super) outage: Outage,
    pub(super) done: oneshot::Sender<io::Result<()>>,
}

impl ListenSocket {
    /// The next connection. While the socket is closed, this waits forever.
    pub(super) async fn accept(&self) -> io::Result<TcpStream> {
        match self {
            Self::Open(listener) => listener.accept().await.map(|(stream, _)| stream),
            Self::Closed(_) | Self::Full { .. } | Self::Lost => std::future::pending().await,
        }
    }

    /// Opens or closes it; without effect where it is open or closed already.
    pub(super) fn set_open(&mut self, open: bool) -> io::Result<()> {
        *self = match (std::mem::replace(self, Self::Lost), open) {
            // The socket stays the same, and bound. Binding a new one would fail while another
            // thread starts a process: until that process runs its program, it has a copy of the
            // listening socket. A shutdown affects all copies.
            (Self::Open(listener), false) => Self::closed(listener.into_std()?.into())?,
            (Self::Full { socket, .. }, false) => Self::closed(socket)?,
            (Self::Closed(socket), true) => Self::Open(listen(socket, BACKLOG)?),
            (Self::Full { socket, .. }, true) => {
                socket.shutdown(Shutdown::Both)?;
                Self::Open(listen(socket, BACKLOG)?)
            }
            (Self::Lost, _) => return Err(io::Error::other("its address was lost earlier")),
            (as_it_is, _) => as_it_is,
        };
        Ok(())
    }

    fn closed(socket: Socket) -> io::Result<Self> {
        socket.shutdown(Shutdown::Both)?;
        Ok(Self::Closed(socket))
    }

    /// Leaves attempts to connect without an answer, until it is opened or closed.
    pub(super) fn fill(&mut self) -> io::Result<()> {
        self.set_open(false)?;
        *self = match std::mem::replace(self, Self::Lost) {
            Self::Closed(socket) => {
                // A backlog of 0 has room for one connection, on Linux.
                let listener = listen(socket, 0)?.into_std()?;
                let only = std::net::TcpStream::connect(listener.local_addr()?)?;
                Self::Full { socket: listener.into(), _only: only }
            }
            as_it_is => as_it_is,
        };
        Ok(())
    }
}

/// Why an outage of a cell could not be started or ended.
#[derive(Debug, thiserror::Error)]
pub enum OutageError {
    /// The topology does not list it.
    #[error("there is no {0}")]
    NoSuchCell(CellId),
    /// Its server has ended.
    #[error("the server of {0} has ended")]
    Ended(CellId),
    /// The operating system refused.
    #[error("{cell} could not be taken down or brought back: {error}")]
    System {
        cell: CellId,
        /// The operating system's reason.
        #[source]
        error: io::Error,
    },
}

/// Sends a command to a cell's listening socket and waits until it is done.
pub(super) async fn send_command(
    commands: &mpsc::UnboundedSender<Command>,
    cell: &CellId,
    outage: Outage,
) -> Result<(), OutageError> {
    let (done, is_done) = oneshot::channel();
    let ended = || OutageError::Ended(cell.clone());
    commands.send(Command { outage, done }).map_err(|_| ended())?;
    is_done
        .await
        .map_err(|_| ended())?
        .map_err(|error| OutageError::System { cell: cell.clone(), error })
}
