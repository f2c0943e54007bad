//! New connections to cells.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::time::Duration;

use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::bulkhead::ConnectionPlace;
use super::stream::CellStream;
use super::{Link, Unreachable};
use crate::config::CellUrl;
use crate::connection::SILENCE;
use crate::guard::LONGEST_HEAD;

/// So many names are looked up at once. Look-ups block a thread each, for as long as the system likes
/// and also where nobody waits any more; the threads that bodies in files need are not theirs.
const MOST_LOOK_UPS: usize = 16;

static LOOK_UPS: Semaphore = Semaphore::const_new(MOST_LOOK_UPS);

/// Opens a connection; looking up the host's name counts.
pub(super) async fn connect(
    url: &CellUrl,
    place: ConnectionPlace,
    limit: Duration,
) -> Result<Link, Unreachable> {
    let stream = match tokio::time::timeout(limit, open(url)).await {
        Ok(stream) => stream.map_err(Unreachable::Connect)?,
        Err(_) => return Err(Unreachable::TimedOut),
    };
    let (stream, notice) = CellStream::new(stream, place);
    let mut builder = http1::Builder::new();
    // As long as those of users (Z-48). Nothing lenient is switched on: no folded lines, no blanks
    // before colons, no HTTP/0.9.
    builder.max_header_size(LONGEST_HEAD);
    let (sender, connection) =
        builder.handshake(TokioIo::new(stream)).await.map_err(Unreachable::Closed)?;
    let connection = connection.with_upgrades();
    tokio::task::spawn_local(async move {
        if let Err(error) = connection.await {
            // The waiter for a response on it is told as well.
            tracing::debug!(%error, "connection to a cell ended");
        }
    });
    Ok(Link { sender, notice, idle_since: None, target: None })
}

async fn open(url: &CellUrl) -> io::Result<TcpStream> {
    let stream = match url.fixed() {
        Some(address) => TcpStream::connect(address).await?,
        None => TcpStream::connect(&*look_up(url.host_and_port()).await?).await?,
    };
    stream.set_nodelay(true)?;
    // A pause within a response has no limit; a cell that is gone has.
    SockRef::from(&stream).set_tcp_keepalive(&TcpKeepalive::new().with_time(SILENCE))?;
    Ok(stream)
}

/// The addresses of a host.
async fn look_up((host, port): (&str, u16)) -> io::Result<Vec<SocketAddr>> {
    let host = host.to_owned();
    let place = LOOK_UPS.acquire().await.map_err(io::Error::other)?;
    let looking = spawn_blocking(move || {
        let addresses = (host.as_str(), port).to_socket_addrs().map(Iterator::collect);
        drop(place);
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
