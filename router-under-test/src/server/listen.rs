//! One listening socket, from which all threads accept. No other process can share the address: a
//! socket of each thread, with `SO_REUSEPORT`, would let any process of the same user take
//! connections.

use std::io;
use std::net::{SocketAddr, TcpListener};

use socket2::{Domain, Protocol, Socket, Type};

/// Connections that wait to be accepted.
const BACKLOG: i32 = 4096;

/// Why the address cannot be listened on.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {error}")]
pub(crate) struct ListenError {
    address: SocketAddr,
    #[source]
    error: io::Error,
}

/// Binds a socket that listens when this returns, with a handle of it for each of `count` threads.
pub(crate) fn listen(address: SocketAddr, count: usize) -> Result<Vec<TcpListener>, ListenError> {
    let listen = || {
        let socket = socket(address)?;
        socket.bind(&address.into())?;
        socket.listen(BACKLOG)?;
        let listener = TcpListener::from(socket);
        let others: io::Result<Vec<_>> = (1..count).map(|_| listener.try_clone()).collect();
        let mut listeners = others?;
        listeners.push(listener);
        Ok(listeners)
    };
    listen().map_err(|error| ListenError { address, error })
}

fn socket(address: SocketAddr) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_nonblocking(true)?;
    // Connections of an earlier router that linger do not keep this one from starting.
    socket.set_reuse_address(true)?;
    Ok(socket)
}

#[cfg(test)]
#[path = "../../tests/support/free_address.rs"]
mod free_address;

#[cfg(test)]
mod tests {
    use super::free_address::free_address;
    use super::*;
    use std::net::TcpStream;

    fn any_port() -> SocketAddr {
        "127.0.0.1:0".parse().unwrap()
    }

    #[test]
    fn each_handle_gets_connections() {
        let listeners = listen(any_port(), 2).unwrap();
        let address = listeners[0].local_addr().unwrap();
        let _clients: Vec<_> = (0..2).map(|_| TcpStream::connect(address).unwrap()).collect();
        for listener in &listeners {
            assert!(listener.accept().is_ok());
        }
    }

    #[test]
    fn an_address_is_never_shared_with_another() {
        for others in [1, 2, 4] {
            let address = free_address();
            let listeners = listen(address, others).unwrap();
            let error = listen(address, 2).unwrap_err();
            assert_eq!(error.error.kind(), io::ErrorKind::AddrInUse);
            drop(listeners);
            listen(address, 2).unwrap();
        }
    }

    #[test]
    fn no_other_process_can_take_connections() {
        for handles in [1, 2] {
            let listeners = listen(any_port(), handles).unwrap();
            let address = listeners[0].local_addr().unwrap();
            let other = socket(address).unwrap();
            other.set_reuse_port(true).unwrap();
            let outcome = other.bind(&address.into()).and_then(|()| other.listen(1));
            assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::AddrInUse);
        }
    }

    #[test]
    fn many_at_once_have_one_winner() {
        let address = free_address();
        let tries: Vec<_> =
            (0..8).map(|_| std::thread::spawn(move || listen(address, 2))).collect();
        let outcomes: Vec<_> = tries.into_iter().map(|one| one.join().unwrap()).collect();
        assert!(outcomes.iter().filter(|outcome| outcome.is_ok()).count() <= 1);
    }
}
