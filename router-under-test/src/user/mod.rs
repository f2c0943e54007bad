//! The bytes of one user: the heads and bodies that come, and the responses that go.

mod body;
mod connections;
mod pace;
mod presence;
mod reading;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use socket2::SockRef;
use tokio::io::{AsyncReadExt as _, AsyncWrite as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

pub(crate) use body::{BrokenBody, RequestBody};
pub(crate) use connections::{Connections, Counted, Waits};

use crate::config::UserTimeouts;
use crate::headers;
use crate::http1::{CONTINUE, Decoder, Framing, HeadError, Input, Pieces, RequestReader};
use crate::shed::Held;
use crate::tcp::IdleTimeout;
use pace::Pace;
use presence::Presence;
use reading::Reading;

/// How long a connection may be idle. For a head that has begun there is less time.
const IDLE: Duration = Duration::from_secs(75);

/// How long a user may read nothing of the response.
const READ_PAUSE: Duration = Duration::from_secs(300);

/// How long what a user still sends is read after the last response: whoever is sending would see
/// the connection reset, and perhaps not the response.
const LINGER: Duration = Duration::from_secs(2);

/// A user's connection. The body of the request under way reads from it, too.
#[derive(Debug)]
pub(crate) struct User(RefCell<Connection>);

#[derive(Debug)]
struct Connection {
    stream: TcpStream,
    input: Input,
    reader: RequestReader,
    /// The body of the request that came last.
    body: Decoder,
    /// The rest of the `100 Continue` that tells the user to send it.
    interim: &'static [u8],
    waits: Waits,
    idle: IdleTimeout,
    head: IdleTimeout,
    pace: Pace,
    read_pause: IdleTimeout,
    presence: Presence,
    reading: Reading,
}

/// What came of waiting for a request.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all are requests, and live for a moment")]
pub(crate) enum Next {
    /// A request.
    Request(Request<RequestBody>),
    /// Bytes that are no valid request.
    Fault(HeadError),
    /// The end of the connection: there is nobody to respond to.
    End(Option<io::Error>),
}

impl User {
    /// A new connection. It says in `waits` whether it waits for its user.
    pub(crate) fn new(stream: TcpStream, waits: Waits, timeouts: UserTimeouts) -> Rc<Self> {
        Rc::new(Self(RefCell::new(Connection {
            stream,
            input: Input::of_user(),
            reader: RequestReader::default(),
            body: Decoder::new(Framing::Length(0)),
            interim: b"",
            waits,
            idle: IdleTimeout::new(IDLE),
            head: IdleTimeout::new(timeouts.head),
            pace: Pace::new(timeouts.body),
            read_pause: IdleTimeout::new(READ_PAUSE),
            presence: Presence::new(timeouts.half_closed),
            reading: Reading::new(timeouts.body),
        })))
    }

    /// From here on the connection waits for its user.
    pub(crate) fn begin_to_wait(&self) {
        self.0.borrow().waits.begin();
    }

    /// The next request.
    pub(crate) fn poll_next(self: &Rc<Self>, cx: &mut Context<'_>) -> Poll<Next> {
        let arrived = ready!(self.0.borrow_mut().poll_head(cx));
        Poll::Ready(match arrived {
            Ok(Some(request)) => Next::Request(request.map(|()| RequestBody::new(Rc::clone(self)))),
            Ok(None) => Next::End(None),
            Err(NoHead::Fault(fault)) => Next::Fault(fault),
            Err(NoHead::Io(error)) => Next::End(Some(error)),
        })
    }

    /// Whether the body of the last request was read as a whole.
    pub(crate) fn has_sent_all(&self) -> bool {
        self.0.borrow().body.is_over()
    }

    /// A response begins, which holds this: the user is not told any more to send a body.
    pub(crate) fn responds(&self, held: Option<Held>) {
        let connection = &mut *self.0.borrow_mut();
        connection.interim = b"";
        connection.reading.begin(held);
    }

    /// The response was written, and holds nothing any more.
    pub(crate) fn has_response(&self) {
        self.0.borrow_mut().reading.begin(None);
    }

    /// Passes over what has arrived of the last request's body, because nobody asks for it any more.
    pub(crate) fn pass_over_body(&self) {
        let connection = &mut *self.0.borrow_mut();
        while let Ok(Some(_)) = connection.body.decode(connection.input.bytes()) {}
    }

    /// Writes all of it.
    pub(crate) async fn send(&self, pieces: &mut Pieces) -> io::Result<()> {
        poll_fn(|cx| {
            let connection = &mut *self.0.borrow_mut();
            connection.presence.written();
            let before = pieces.total();
            let tried = pieces.poll_write(&mut connection.stream, cx);
            connection.reading.wrote(pieces.total() - before, tried.is_pending());
            if pieces.total() > before {
                connection.read_pause.over();
            }
            connection.read_pause.watch(cx, tried)
        })
        .await
    }

    /// The outcome of what is done for this user; an error where the user has gone in the meantime.
    pub(crate) async fn unless_gone<F: Future>(
        &self,
        mut work: Pin<&mut F>,
    ) -> io::Result<F::Output> {
        poll_fn(|cx| {
            if let Poll::Ready(outcome) = work.as_mut().poll(cx) {
                return Poll::Ready(Ok(outcome));
            }
            let connection = &mut *self.0.borrow_mut();
            let listens = connection.body.is_over();
            let looked = connection.presence.watch(cx, &connection.stream, listens);
            match looked.and_then(|looked| connection.reading.watch(looked, cx.waker())) {
                Ok(()) => Poll::Pending,
                Err(error) => Poll::Ready(Err(error)),
            }
        })
        .await
    }

    /// The connection ends with a reset: its end could pass for that of a response.
    pub(crate) fn break_off(&self) {
        // Only a closed connection lacks this option.
        let _ = SockRef::from(&self.0.borrow().stream).set_linger(Some(Duration::ZERO));
    }

    /// Closes the connection after the last response.
    pub(crate) async fn close(self: Rc<Self>, has_more: bool) {
        // Whoever reads the body of the last request has been dropped, or gets no more of it.
        let Some(Self(connection)) = Rc::into_inner(self) else { return };
        let Connection { mut stream, input, .. } = connection.into_inner();
        let is_over = !has_more && input.is_empty();
        if stream.shutdown().await.is_err() || is_over {
            return;
        }
        let mut unwanted = [0; 4096];
        let reading = async { while matches!(stream.read(&mut unwanted).await, Ok(1..)) {} };
        let _ = tokio::time::timeout(LINGER, reading).await;
    }

    /// The connection, and what was read from it, for another protocol.
    pub(crate) fn into_tunnel(self: Rc<Self>) -> Option<(TcpStream, Bytes)> {
        let mut connection = Rc::into_inner(self)?.0.into_inner();
        let read = connection.input.bytes().split().freeze();
        Some((connection.stream, read))
    }
}

/// Why there is no request.
enum NoHead {
    Fault(HeadError),
    Io(io::Error),
}

impl Connection {
    /// The head of the next request; none at the end of the connection.
    fn poll_head(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Request<()>>, NoHead>> {
        loop {
            if !self.input.is_empty()
                && let Some(length) = self.reader.read(self.input.bytes()).map_err(NoHead::Fault)?
            {
                let head = self.input.take(length);
                let (request, framing) = self.reader.finish(&head).map_err(NoHead::Fault)?;
                self.body = Decoder::new(framing);
                let expects = request.version() == http::Version::HTTP_11
                    && headers::expects_continue(request.headers());
                self.interim = if expects { CONTINUE } else { b"" };
                self.pace.restart();
                self.head.over();
                self.waits.end();
                return Poll::Ready(Ok(Some(request)));
            }
            let read = match self.input.poll_fill(&mut self.stream, cx) {
                Poll::Ready(read) => read.map_err(NoHead::Io)?,
                Poll::Pending => {
                    let timer = if self.input.is_empty() { &mut self.idle } else { &mut self.head };
                    return timer.watch(cx, Poll::Pending).map_err(NoHead::Io);
                }
            };
            self.idle.over();
            if read == 0 {
                return Poll::Ready(Ok(None));
            }
        }
    }

    /// The next bytes of the body; none at its end.
    fn poll_body(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BrokenBody>>> {
        loop {
            match self.body.decode(self.input.bytes()) {
                Ok(Some(data)) => return Poll::Ready(Some(Ok(data))),
                Ok(None) if self.body.is_over() => return Poll::Ready(None),
                Ok(None) => {}
                Err(fault) => return Poll::Ready(Some(Err(BrokenBody::Malformed(fault)))),
            }
            while !self.interim.is_empty() {
                let tried = Pin::new(&mut self.stream).poll_write(cx, self.interim);
                match ready!(self.pace.watch(cx, tried)) {
                    Ok(written) => self.interim = &self.interim[written..],
                    Err(error) => return Poll::Ready(Some(Err(BrokenBody::Io(error)))),
                }
            }
            let tried = self.input.poll_fill(&mut self.stream, cx);
            match ready!(self.pace.watch(cx, tried)) {
                Ok(0) => return Poll::Ready(Some(Err(BrokenBody::Ended))),
                Ok(read) => self.pace.arrived(read),
                Err(error) => return Poll::Ready(Some(Err(BrokenBody::Io(error)))),
            }
        }
    }
}
