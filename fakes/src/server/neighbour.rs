//! What only a broken cell does: it asks another one for a part of a page (RT-17).

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const REQUEST: &[u8] =
    b"GET /-/counts HTTP/1.1\r\nHost: cell.internal\r\nConnection: close\r\n\r\n";

/// Asks, and reads the response to its end. A page can do without the part, so nothing is said
/// about a neighbour who does not respond.
pub(super) async fn ask(neighbour: SocketAddr) {
    if let Ok(mut connection) = TcpStream::connect(neighbour).await
        && connection.write_all(REQUEST).await.is_ok()
    {
        let _ = connection.read_to_end(&mut Vec::new()).await;
    }
}
