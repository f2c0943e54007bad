//! The socket of a connection, which the tap, the service and the listener share.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_util::task::AtomicWaker;
use socket2::SockRef;
use tokio::io::ReadBuf;
use tokio::net::TcpStream;
use tokio::sync::Notify;

use super::outgoing::{Leave, Outgoing};
use super::sending::Sending;
use crate::fault::{Delivery, Ending};

/// The size of the operating system's buffers of a connection, for each direction, in bytes. With
/// small buffers, back-pressure reaches a cell soon; the default grows to several megabytes.
const SYSTEM_BUFFER: usize = 128 * 1024;

/// Bytes of bodies that the cells of a fleet have written and read.
#[derive(Debug, Default)]
pub(crate) struct FlowCounters {
    pub(crate) sent: AtomicU64,
    pub(crate) read: AtomicU64,
}

/// One accepted connection.
#[derive(Debug)]
pub(super) struct Socket {
    stream: TcpStream,
    flow: Arc<FlowCounters>,
    transfer: Mutex<Transfer>,
    /// Whether the cell has cut the connection.
    cut: AtomicBool,
    /// Whether the connection ends with a reset.
    resets: AtomicBool,
    /// How many requests have been read.
    requests: AtomicU64,
    reader: AtomicWaker,
    writer: AtomicWaker,
    /// Notified when no task reads or writes anymore.
    pub(super) let_go: Notify,
}

#[derive(Debug, Default)]
struct Transfer {
    outgoing: Outgoing,
    /// The response whose end is to be entered in the journal.
    sending: Option<Sending>,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, flow: Arc<FlowCounters>) -> Self {
        // Responses are written at once; Nagle's algorithm would only slow the suite down.
        let _ = stream.set_nodelay(true);
        let options = SockRef::from(&stream);
        let _ = options.set_send_buffer_size(SYSTEM_BUFFER);
        let _ = options.set_recv_buffer_size(SYSTEM_BUFFER);
        let (reader, writer) = (AtomicWaker::new(), AtomicWaker::new());
        Self {
            stream,
            flow,
            transfer: Mutex::default(),
            cut: AtomicBool::new(false),
            resets: AtomicBool::new(false),
            requests: AtomicU64::new(0),
            reader,
            writer,
            let_go: Notify::new(),
        }
    }

    /// The address of the other end, unless the connection is gone.
    pub(super) fn peer(&self) -> Option<SocketAddr> {
        self.stream.peer_addr().ok()
    }

    /// Makes the connection end in this way once all tasks have dropped it.
    pub(super) fn will_end(&self, ending: Ending) {
        if ending == Ending::Reset {
            // Drops what is not delivered yet, and resets the connection. (tokio's own method is
            // deprecated because other durations than this one block.)
            let _ = SockRef::from(&self.stream).set_linger(Some(Duration::ZERO));
            self.resets.store(true, Ordering::Release);
        }
    }

    /// Ends the connection for all tasks that still read or write.
    pub(super) fn cut(&self, ending: Ending) {
        self.will_end(ending);
        self.cut.store(true, Ordering::Release);
        self.reader.wake();
        self.writer.wake();
    }

    /// Notes that a request has been read.
    pub(super) fn request_begins(&self) {
        self.requests.fetch_add(1, Ordering::AcqRel);
        let transfer = &mut *self.lock();
        transfer.outgoing.between();
        Self::end_sending(transfer);
    }

    /// Begins a response with this delivery. `sending` enters its end in the journal.
    pub(super) fn response_begins(
        &self,
        delivery: Option<Delivery>,
        body_length: u64,
        sending: Option<Sending>,
    ) {
        let transfer = &mut *self.lock();
        transfer.outgoing.begin(delivery, body_length);
        transfer.sending = sending;
    }

    /// Whether a part of the last response has left.
    pub(super) fn has_responded(&self) -> bool {
        self.lock().outgoing.has_begun()
    }

    /// Notes that the server has taken a piece of the response's body.
    pub(super) fn took(&self, piece: &[u8]) {
        if let Some(sending) = &mut self.lock().sending {
            sending.took(piece);
        }
    }

    /// Notes that the server has taken the last piece of the response's body.
    pub(super) fn complete(&self) {
        if let Some(sending) = &mut self.lock().sending {
            sending.complete();
        }
    }

    /// Notes that everything that the server has taken has left.
    pub(super) fn flushed(&self) {
        let transfer = &mut *self.lock();
        if transfer.sending.as_ref().is_some_and(Sending::is_complete) {
            Self::end_sending(transfer);
        }
    }

    /// Notes that no task reads or writes anymore.
    pub(super) fn closed(&self) {
        let transfer = &mut *self.lock();
        if let Some(sending) = transfer.sending.take() {
            sending.broke_off(transfer.outgoing.body_bytes());
        }
        self.let_go.notify_one();
    }

    fn end_sending(transfer: &mut Transfer) {
        if let Some(sending) = transfer.sending.take() {
            sending.ended();
        }
    }

    pub(super) fn poll_read(
        &self,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.reader.register(cx.waker());
        self.unless_cut()?;
        loop {
            ready!(self.stream.poll_read_ready(cx))?;
            match self.stream.try_read(buffer.initialize_unfilled()) {
                Ok(count) => {
                    buffer.advance(count);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }

    /// Waits until a byte can be read, without reading it; false at the end of the stream.
    pub(super) fn poll_arrival(&self, cx: &mut Context<'_>) -> Poll<io::Result<bool>> {
        let mut byte = [0];
        let mut buffer = ReadBuf::new(&mut byte);
        Poll::Ready(ready!(self.stream.poll_peek(cx, &mut buffer)).map(|count| count > 0))
    }

    pub(super) fn poll_write(
        &self,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.writer.register(cx.waker());
        self.unless_cut()?;
        let Some(first) = slices.iter().find(|slice| !slice.is_empty()) else {
            return Poll::Ready(Ok(0));
        };
        let restrained = self.lock().outgoing.is_restrained();
        let allowed = if restrained {
            let leave = self.lock().outgoing.allow(first, cx);
            match ready!(leave) {
                Leave::Now(count) => count,
                Leave::Never(ending) => {
                    self.cut(ending);
                    return Poll::Ready(Err(broken()));
                }
            }
        } else {
            first.len()
        };
        loop {
            ready!(self.stream.poll_write_ready(cx))?;
            let written = if restrained {
                self.stream.try_write(&first[..allowed])
            } else {
                self.stream.try_write_vectored(slices)
            };
            match written {
                Ok(count) => {
                    self.count(slices, first, restrained, count);
                    return Poll::Ready(Ok(count));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }

    fn count(&self, slices: &[io::IoSlice<'_>], first: &[u8], restrained: bool, written: usize) {
        let outgoing = &mut self.lock().outgoing;
        let mut of_bodies = 0;
        if restrained {
            of_bodies += outgoing.sent(&first[..written]);
        } else {
            let mut rest = written;
            for slice in slices {
                let here = rest.min(slice.len());
                of_bodies += outgoing.sent(&slice[..here]);
                rest -= here;
            }
        }
        self.flow.sent.fetch_add(of_bodies, Ordering::Relaxed);
    }

    /// Sends bytes without the server, which must not be writing.
    pub(super) async fn send(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            self.stream.writable().await?;
            match self.stream.try_write(bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Sends bytes this long after the response to the last request has begun to leave. The
    /// response leaves at once: it has no body, or a short one. Nothing is sent where a further
    /// request, or the end of the connection, comes first.
    pub(super) async fn send_after_response(
        &self,
        bytes: &[u8],
        after: Duration,
    ) -> io::Result<()> {
        let request = self.requests.load(Ordering::Acquire);
        while !self.has_responded() {
            self.unless_cut()?;
            tokio::time::sleep(after).await;
        }
        tokio::time::sleep(after).await;
        if self.requests.load(Ordering::Acquire) == request {
            self.send(bytes).await
        } else {
            Ok(())
        }
    }

    /// Shuts down writing.
    pub(super) fn shutdown_write(&self) -> io::Result<()> {
        self.unless_cut()?;
        SockRef::from(&self.stream).shutdown(std::net::Shutdown::Write)
    }

    fn unless_cut(&self) -> io::Result<()> {
        if self.cut.load(Ordering::Acquire) { Err(broken()) } else { Ok(()) }
    }

    fn lock(&self) -> MutexGuard<'_, Transfer> {
        // No code panics between two writes, so a poisoned lock still guards a consistent state.
        self.transfer.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // Closing a socket resets the connection only once every copy of the socket is closed.
        // While another thread starts a process, that process has a copy until it runs its program,
        // and the peer would take the connection for an open one. This call affects all copies.
        if self.resets.load(Ordering::Acquire) {
            let _ = rustix::net::connect_unspec(&self.stream);
        }
    }
}

fn broken() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionReset, "the cell has cut the connection")
}
