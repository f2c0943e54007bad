//! New connections to cells.

use std::io;
use std::time::Duration;

use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use super::{Sender, Unreachable};
use crate::config::CellUrl;

/// Opens a connection; looking up the host's name counts.
pub(super) async fn connect(url: &CellUrl, limit: Duration) -> Result<Sender, Unreachable> {
    let stream = match tokio::time::timeout(limit, open(url)).await {
        Ok(stream) => stream.map_err(Unreachable::Connect)?,
        Err(_) => return Err(Unreachable::TimedOut),
    };
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(Unreachable::Closed)?;
    tokio::task::spawn_local(async move {
        if let Err(error) = connection.await {
            // Whoever waits for an answer on it is told as well.
            tracing::debug!(%error, "connection to a cell ended");
        }
    });
    Ok(sender)
}

async fn open(url: &CellUrl) -> io::Result<TcpStream> {
    let stream = match url.fixed() {
        Some(address) => TcpStream::connect(address).await?,
        None => TcpStream::connect(url.host_and_port()).await?,
    };
    stream.set_nodelay(true)?;
    Ok(stream)
}
