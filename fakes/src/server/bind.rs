//! Sockets: an address that is bound, and one that is listened on.

use std::io;
use std::net::SocketAddr;

use socket2::{Domain, Socket, Type};
use tokio::net::TcpListener;

/// Connections that the system may keep waiting for a cell: more than any scenario opens at once.
const BACKLOG: i32 = 1024;

/// Binds an address for a cell and listens. An address that was used a moment ago can be bound
/// again; one that somebody listens on cannot.
pub(crate) fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    listen(reserve(address)?)
}

/// Listens on a bound socket.
pub(super) fn listen(socket: Socket) -> io::Result<TcpListener> {
    socket.listen(BACKLOG)?;
    TcpListener::from_std(socket.into())
}

/// Binds an address. One that was used a moment ago can be bound again; one that somebody listens
/// on cannot.
pub(super) fn reserve(address: SocketAddr) -> io::Result<Socket> {
    let first = bound(address)?;
    if address.port() != 0 {
        return Ok(first);
    }
    // A port that the system chose would be given up when the socket is shut down; one that was
    // asked for is kept. The first socket holds it in between.
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
