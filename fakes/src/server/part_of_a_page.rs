//! The request of a mutant that asks another cell for a part of each page (RT-17).

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const REQUEST: &[u8] =
    b"GET /-/counts HTTP/1.1\r\nHost: cell.internal\r\nConnection: close\r\n\r\n";

/// Sends the request and reads the response to its end. The page does not need the part, so errors
/// are ignored.
pub(super) async fn ask(neighbour: SocketAddr) {
    if let Ok(mut connection) = TcpStream::connect(neighbour).await
        && connection.write_all(REQUEST).await.is_ok()
    {
        let _ = connection.read_to_end(&mut Vec::new()).await;
    }
}
