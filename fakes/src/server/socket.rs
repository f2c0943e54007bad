//! The socket of a connection.

use std::io;
use std::net::{Shutdown, SocketAddr};
use std::sync::atomic::AtomicU64;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::BytesMut;
use socket2::SockRef;
use tokio::net::TcpStream;

use crate::fault::Ending;

/// The size of the operating system's buffers of a connection, for each direction, in bytes. With
/// small buffers, back-pressure reaches a cell soon; the default grows to several megabytes.
const SYSTEM_BUFFER: usize = 128 * 1024;
/// Bytes that are read at a time.
const READ: usize = 16 * 1024;

/// Bytes of bodies that the cells of a fleet have written and read.
#[derive(Debug, Default)]
pub(crate) struct FlowCounters {
    pub(crate) sent: AtomicU64,
    pub(crate) read: AtomicU64,
}

/// One accepted connection.
#[derive(Debug)]
pub(super) struct Socket(TcpStream);

impl Socket {
    pub(super) fn new(stream: TcpStream) -> Self {
        // Responses are written at once; Nagle's algorithm would only slow the suite down.
        let _ = stream.set_nodelay(true);
        let options = SockRef::from(&stream);
        let _ = options.set_send_buffer_size(SYSTEM_BUFFER);
        let _ = options.set_recv_buffer_size(SYSTEM_BUFFER);
        Self(stream)
    }

    /// The address of the other end, unless the connection is gone.
    pub(super) fn peer(&self) -> Option<SocketAddr> {
        self.0.peer_addr().ok()
    }

    /// Ends the connection, also for tasks that still read or write.
    pub(super) fn cut(&self, ending: Ending) {
        let socket = SockRef::from(&self.0);
        // A peer that has ended it already needs neither.
        match ending {
            Ending::Close => _ = socket.shutdown(Shutdown::Both),
            // Drops what is not delivered yet. Closing a socket resets the connection only once
            // every copy of the socket is closed: while another thread starts a process, that
            // process has a copy until it runs its program. The second call affects all copies.
            Ending::Reset => {
                let _ = socket.set_linger(Some(Duration::ZERO));
                let _ = rustix::net::connect_unspec(&self.0);
            }
        }
    }

    pub(super) fn poll_read(
        &self,
        cx: &mut Context<'_>,
        buffer: &mut BytesMut,
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.poll_read_ready(cx))?;
            buffer.reserve(READ);
            match self.0.try_read_buf(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return Poll::Ready(read),
            }
        }
    }

    /// Waits until a byte can be read, without reading it; false at the end of the stream.
    pub(super) async fn arrival(&self) -> bool {
        matches!(self.0.peek(&mut [0]).await, Ok(1..))
    }

    /// Sends `100 Continue`.
    pub(super) fn poll_continue(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            ready!(self.0.poll_write_ready(cx))?;
            match self.0.try_write(b"HTTP/1.1 100 Continue\r\n\r\n") {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written.map(drop)),
            }
        }
    }

    /// Sends bytes, and says of each part how long it is once it has left.
    pub(super) async fn send(
        &self,
        mut bytes: &[u8],
        mut left: impl FnMut(usize),
    ) -> io::Result<()> {
        while !bytes.is_empty() {
            self.0.writable().await?;
            match self.0.try_write(bytes) {
                Ok(count) => {
                    left(count);
                    bytes = &bytes[count..];
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
