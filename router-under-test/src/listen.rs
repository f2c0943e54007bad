//! One listening socket per thread on one address, shared with no other process.

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener};

use socket2::{Domain, Protocol, Socket, Type};

/// Connections that wait to be accepted, for each socket.
const BACKLOG: i32 = 1024;

/// Why the address cannot be listened on.
#[derive(Debug)]
pub(crate) struct ListenError {
    address: SocketAddr,
    error: io::Error,
}

/// Binds `count` sockets to `address`; all listen when this returns.
///
/// The first is bound and listens without `SO_REUSEPORT`, so this fails where any other socket,
/// shared or not, listens there: two routers never share an address. Only then does it allow
/// sharing, to the others of this process, where there are any; a router that starts meanwhile fails at its own first
/// socket.
pub(crate) fn listen(address: SocketAddr, count: usize) -> Result<Vec<TcpListener>, ListenError> {
    let listen = || {
        let first = socket(address)?;
        first.bind(&address.into())?;
        first.listen(BACKLOG)?;
        if count > 1 {
            first.set_reuse_port(true)?;
        }
        // With port 0 the system has chosen one, and the others need the same.
        let bound = first.local_addr()?;
        let mut listeners = vec![TcpListener::from(first)];
        for _ in 1..count {
            let next = socket(address)?;
            next.set_reuse_port(true)?;
            next.bind(&bound)?;
            next.listen(BACKLOG)?;
            listeners.push(TcpListener::from(next));
        }
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

impl fmt::Display for ListenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot listen on {}: {}", self.address, self.error)
    }
}

impl std::error::Error for ListenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpStream;

    fn any_port() -> SocketAddr {
        "127.0.0.1:0".parse().unwrap()
    }

    #[test]
    fn all_sockets_share_the_port_and_get_connections() {
        let listeners = listen(any_port(), 2).unwrap();
        let address = listeners[0].local_addr().unwrap();
        assert_eq!(listeners[1].local_addr().unwrap(), address);
        let _clients: Vec<_> = (0..64).map(|_| TcpStream::connect(address).unwrap()).collect();
        for listener in &listeners {
            assert!(listener.accept().is_ok(), "one socket gets no connection");
        }
    }

    #[test]
    fn an_address_is_never_shared_with_another() {
        for others in [1, 2, 4] {
            let listeners = listen(any_port(), others).unwrap();
            let address = listeners[0].local_addr().unwrap();
            let error = listen(address, 2).unwrap_err();
            assert_eq!(error.error.kind(), io::ErrorKind::AddrInUse);
            drop(listeners);
            listen(address, 2).unwrap();
        }
    }

    #[test]
    fn one_socket_is_never_shared() {
        let listeners = listen(any_port(), 1).unwrap();
        let address = listeners[0].local_addr().unwrap();
        let other = socket(address).unwrap();
        other.set_reuse_port(true).unwrap();
        let outcome = other.bind(&address.into()).and_then(|()| other.listen(1));
        assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::AddrInUse);
    }

    #[test]
    fn many_at_once_have_one_winner() {
        let address = listen(any_port(), 1).unwrap()[0].local_addr().unwrap();
        let tries: Vec<_> =
            (0..8).map(|_| std::thread::spawn(move || listen(address, 2))).collect();
        let outcomes: Vec<_> = tries.into_iter().map(|one| one.join().unwrap()).collect();
        assert!(outcomes.iter().filter(|outcome| outcome.is_ok()).count() <= 1);
    }
}
