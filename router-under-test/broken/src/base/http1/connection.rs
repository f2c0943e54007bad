//! Connections, and those to cells that wait for their next request.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::uri::Authority;
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;

use crate::base::http1::frame::Reader;

/// A connection is not reused after this time.
const IDLE: Duration = Duration::from_secs(30);

/// Both halves of a connection.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) reader: Reader,
    pub(crate) writer: OwnedWriteHalf,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream) -> Self {
        // Small messages must not wait for the acknowledgement of earlier ones.
        let _ = stream.set_nodelay(true);
        let (reader, writer) = stream.into_split();
        Self { reader: Reader::new(reader), writer }
    }

    /// Whether bytes have arrived; they are kept.
    pub(super) fn has_come(&mut self) -> bool {
        let _ = self.reader.io.try_read_buf(&mut self.reader.buffer);
        !self.reader.buffer.is_empty()
    }

    /// No unsolicited bytes arrived, and the connection is open. Bytes stay where they are.
    pub(super) fn is_quiet(&mut self) -> bool {
        let read = self.reader.io.try_read_buf(&mut self.reader.buffer);
        self.reader.buffer.is_empty()
            && read.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    }
}

/// Idle connections.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    by_host: Mutex<HashMap<Authority, Vec<(Instant, Connection)>>>,
}

impl Kept {
    pub(super) fn take(&self, host: &Authority, pause: Duration) -> Option<Connection> {
        let mut kept = self.by_host.lock().unwrap_or_else(PoisonError::into_inner);
        let list = kept.get_mut(host)?;
        list.retain(|(since, _)| since.elapsed() < IDLE);
        let at = list.iter().position(|(since, _)| since.elapsed() >= pause)?;
        Some(list.swap_remove(at).1)
    }

    pub(super) fn give(&self, host: Authority, connection: Connection) {
        let mut kept = self.by_host.lock().unwrap_or_else(PoisonError::into_inner);
        kept.entry(host).or_default().push((Instant::now(), connection));
    }
}
