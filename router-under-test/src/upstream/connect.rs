//! New connections to cells.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::bulkhead::ConnectionPermit;
use super::error::Unreachable;
use super::link::Link;
use crate::config::CellUrl;
use crate::tcp;

/// So many names are looked up at once. Look-ups block a thread each, for as long as the system likes
/// and also where nobody waits any more; the threads that bodies in files need are not theirs.
const MOST_LOOK_UPS: usize = 16;

static LOOK_UPS: Semaphore = Semaphore::const_new(MOST_LOOK_UPS);

/// Opens a connection; looking up the host's name counts.
pub(super) async fn connect(
    url: &CellUrl,
    permit: ConnectionPermit,
    limit: Duration,
) -> Result<Box<Link>, Unreachable> {
    let stream = match tokio::time::timeout(limit, open(url)).await {
        Ok(stream) => stream.map_err(Unreachable::Connect)?,
        Err(_) => return Err(Unreachable::TimedOut),
    };
    Ok(Box::new(Link::new(stream, permit)))
}

async fn open(url: &CellUrl) -> io::Result<TcpStream> {
    let stream = match url.fixed() {
        Some(address) => TcpStream::connect(address).await?,
        None => TcpStream::connect(&*look_up(url.host_and_port()).await?).await?,
    };
    tcp::prepare(&stream)?;
    Ok(stream)
}

/// The addresses of a host.
async fn look_up((host, port): (&str, u16)) -> io::Result<Vec<SocketAddr>> {
    let host = host.to_owned();
    let permit = LOOK_UPS.acquire().await.map_err(io::Error::other)?;
    let looking = spawn_blocking(move || {
        let addresses = (host.as_str(), port).to_socket_addrs().map(Iterator::collect);
        drop(permit);
        addresses
    });
    looking.await.unwrap_or_else(|error| Err(error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "current_thread")]
    async fn look_ups_wait_for_others() {
        let all = LOOK_UPS.acquire_many(MOST_LOOK_UPS as u32).await.unwrap();
        let mut looking = std::pin::pin!(look_up(("localhost", 80)));
        let early = tokio::time::timeout(Duration::from_millis(50), looking.as_mut()).await;
        assert!(early.is_err());
        drop(all);
        assert!(looking.await.unwrap().iter().all(|address| address.ip().is_loopback()));
    }
}
