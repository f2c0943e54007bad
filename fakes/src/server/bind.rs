//! Binding and listening.

use std::io;
use std::net::SocketAddr;

use socket2::{Domain, Socket, Type};
use tokio::net::TcpListener;

/// The backlog of a listening socket: more connections than any scenario opens at once.
pub(super) const BACKLOG: i32 = 1024;

/// Binds an address for a cell and listens. An address that was used a moment ago can be bound
/// again; one with a listener cannot.
pub(crate) fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    listen(reserve(address)?, BACKLOG)
}

/// Listens on a bound socket, with this backlog.
pub(super) fn listen(socket: Socket, backlog: i32) -> io::Result<TcpListener> {
    socket.listen(backlog)?;
    TcpListener::from_std(socket.into())
}

/// Binds an address. One that was used a moment ago can be bound again; one with a listener cannot.
pub(super) fn reserve(address: SocketAddr) -> io::Result<Socket> {
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
