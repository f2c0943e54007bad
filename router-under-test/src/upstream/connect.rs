//! New connections to cells.

use std::io;
use std::time::Duration;

use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;

use super::bulkhead::ConnectionPlace;
use super::stream::CellStream;
use super::{Link, Unreachable};
use crate::config::CellUrl;
use crate::connection::SILENCE;
use crate::guard::LONGEST_HEAD;

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
        None => TcpStream::connect(url.host_and_port()).await?,
    };
    stream.set_nodelay(true)?;
    // A pause within a response has no limit; a cell that is gone has.
    SockRef::from(&stream).set_tcp_keepalive(&TcpKeepalive::new().with_time(SILENCE))?;
    Ok(stream)
}
