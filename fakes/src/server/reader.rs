//! What arrives on a connection: requests one after the other, and their bodies. The journal has
//! each as it is read.

use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes, BytesMut};
use http::{HeaderName, HeaderValue, Method, Request, Uri, Version};
use http_body::{Body, Frame};
use tokio::sync::oneshot;

use super::Node;
use super::chunks::Step;
use super::head::{self, Framing, Head, Refusal};
use super::socket::Socket;
use crate::journal::{ConnectionId, Digester, Event, HopId, RequestSeen};
use crate::wire;

/// Bytes that the journal keeps of what is not a request.
const FOREIGN_KEPT: usize = 1024;
/// Bytes that are read of a body that the application does not read, so that the connection can be
/// used again. More than any scenario sends.
const DRAINED: u64 = 256 * 1024 * 1024;

/// Reads a connection. Dropping it enters what is not read to its end.
#[derive(Debug)]
pub(super) struct Reader {
    node: Arc<Node>,
    socket: Arc<Socket>,
    connection: ConnectionId,
    from: Option<SocketAddr>,
    /// Counts arrivals, so that a stop can tell when no bytes are left to read.
    activity: Arc<AtomicU64>,
    /// What has arrived and belongs to no request yet.
    arrived: BytesMut,
    /// The request whose body is being read.
    open: Option<Open>,
    /// What the application may take of that body.
    content: BytesMut,
    /// Whether the sender waits for `100 Continue` before it sends the body.
    continues: bool,
    /// Whether nothing more can be read.
    over: bool,
    refusal: Option<Refusal>,
    /// Whether the journal no longer gets what arrives.
    silent: bool,
}

#[derive(Debug)]
struct Open {
    hop: HopId,
    framing: Framing,
    body: Digester,
    begun: bool,
}

impl Reader {
    pub(super) fn new(node: Arc<Node>, socket: Arc<Socket>, activity: Arc<AtomicU64>) -> Self {
        Self {
            connection: node.journal.next_connection(),
            from: socket.peer(),
            node,
            socket,
            activity,
            arrived: BytesMut::new(),
            open: None,
            content: BytesMut::new(),
            continues: false,
            over: false,
            refusal: None,
            silent: false,
        }
    }

    /// Whether nothing of a further request has arrived.
    pub(super) fn is_between_requests(&self) -> bool {
        head::without_breaks(&self.arrived).is_empty()
    }

    /// The next request; none where the stream ends before one.
    pub(super) async fn request(&mut self) -> Result<Option<(HopId, Request<()>)>, Refusal> {
        loop {
            let parsed = head::parse(&self.arrived).and_then(|parsed| {
                let Some((head, length)) = parsed else { return Ok(None) };
                let request = http_request(&head).ok_or(Refusal { status: 400, why: None })?;
                Ok(Some((request, head, length)))
            });
            if let Some((request, head, length)) =
                parsed.inspect_err(|refusal| self.refusal = Some(*refusal))?
            {
                self.arrived.advance(length);
                return Ok(Some((self.begin(head, &request), request)));
            }
            if !poll_fn(|cx| self.poll_read(cx)).await {
                return Ok(None);
            }
        }
    }

    /// Enters a request.
    fn begin(&mut self, head: Head, request: &Request<()>) -> HopId {
        let hop = self.node.journal.next_hop();
        let Head { request_line, method, target, fields, framing, .. } = head;
        let (cell, connection) = (self.node.id.clone(), self.connection);
        self.enter(Event::Request(RequestSeen {
            hop,
            cell,
            connection,
            request_line,
            method,
            target,
            fields,
        }));
        self.continues = request.version() == Version::HTTP_11
            && wire::lists(request.headers(), http::header::EXPECT, "100-continue")
            && framing != Framing::Length(0);
        self.open = Some(Open { hop, framing, body: Digester::default(), begun: false });
        self.decode();
        hop
    }

    /// Whether the sender still waits for `100 Continue`.
    pub(super) fn continues(&self) -> bool {
        self.continues
    }

    /// Whether nothing more can be read.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// Tells the journal nothing more: the connection has another protocol now, or the cell itself
    /// ends it.
    pub(super) fn fall_silent(&mut self) {
        if self.open.is_some() {
            self.cut();
        }
        self.silent = true;
    }

    /// Reads the rest of a body that the application does not want.
    pub(super) async fn drain(&mut self) {
        let mut read = 0;
        while self.open.is_some() && read <= DRAINED {
            read += self.content.len() as u64;
            self.content.clear();
            if !poll_fn(|cx| self.poll_continued(cx)).await {
                break;
            }
        }
        self.over |= self.open.is_some();
        self.content.clear();
    }

    /// What comes next, as it is: the connection has another protocol.
    pub(super) async fn bytes(&mut self) -> Bytes {
        if self.arrived.is_empty() {
            poll_fn(|cx| self.poll_read(cx)).await;
        }
        self.arrived.split().freeze()
    }

    /// Reads more of a body; the sender of which may have to be told to go on.
    fn poll_continued(&mut self, cx: &mut Context<'_>) -> Poll<bool> {
        if self.continues {
            if ready!(self.socket.poll_continue(cx)).is_err() {
                self.cut();
                return Poll::Ready(false);
            }
            self.continues = false;
        }
        self.poll_read(cx)
    }

    /// Reads once; false where nothing more comes.
    fn poll_read(&mut self, cx: &mut Context<'_>) -> Poll<bool> {
        if self.over {
            return Poll::Ready(false);
        }
        let Ok(1..) = ready!(self.socket.poll_read(cx, &mut self.arrived)) else {
            self.cut();
            return Poll::Ready(false);
        };
        self.activity.fetch_add(1, Ordering::Relaxed);
        self.decode();
        Poll::Ready(true)
    }

    /// Takes what has arrived of a body out of its framing.
    fn decode(&mut self) {
        while let Some(open) = &mut self.open {
            let step = match &mut open.framing {
                Framing::Length(0) => Ok(Step::End(0)),
                Framing::Length(_) if self.arrived.is_empty() => Ok(Step::Waits),
                Framing::Length(left) => {
                    let here = (*left).min(self.arrived.len() as u64);
                    *left -= here;
                    Ok(Step::Content(here as usize))
                }
                Framing::Chunked(chunks) => chunks.step(&self.arrived),
            };
            match step {
                Ok(Step::Waits) => return,
                Ok(Step::Framing(here)) => self.arrived.advance(here),
                Ok(Step::Content(here)) => {
                    let piece = self.arrived.split_to(here);
                    open.body.update(&piece);
                    self.node.flow.read.fetch_add(here as u64, Ordering::Relaxed);
                    self.content.unsplit(piece);
                    if !std::mem::replace(&mut open.begun, true) {
                        let hop = open.hop;
                        self.enter(Event::RequestBodyBegun { hop });
                    }
                }
                Ok(Step::End(here)) => {
                    self.arrived.advance(here);
                    if let Some(Open { hop, body, .. }) = self.open.take() {
                        self.enter(Event::RequestRead { hop, body: body.finish() });
                    }
                }
                Err(why) => {
                    self.refusal = Some(Refusal { status: 400, why });
                    self.cut();
                }
            }
        }
    }

    /// Nothing more can be read: a request that is incomplete was cut off.
    fn cut(&mut self) {
        self.over = true;
        if let Some(Open { hop, body, .. }) = self.open.take() {
            self.enter(Event::RequestCut { hop, body: body.finish() });
        }
    }

    fn enter(&self, event: Event) {
        self.node.journal.append(event);
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.cut();
        let foreign = head::without_breaks(&self.arrived);
        if self.silent || foreign.is_empty() {
            return;
        }
        self.enter(Event::NotHttp {
            cell: self.node.id.clone(),
            connection: self.connection,
            from: self.from,
            bytes: foreign[..foreign.len().min(FOREIGN_KEPT)].into(),
            refused_with: self.refusal.map(|refusal| refusal.status),
            malformed: self.refusal.and_then(|refusal| refusal.why),
        });
    }
}

/// The request as the application gets it; none where a target is no URI.
fn http_request(head: &Head) -> Option<Request<()>> {
    let mut request = Request::new(());
    *request.method_mut() = Method::from_bytes(&head.method).ok()?;
    *request.uri_mut() = Uri::try_from(head.target.as_bytes()).ok()?;
    *request.version_mut() = if head.http_10 { Version::HTTP_10 } else { Version::HTTP_11 };
    for field in &head.fields {
        let name = HeaderName::from_bytes(&field.name).ok()?;
        request.headers_mut().append(name, HeaderValue::from_bytes(&field.value).ok()?);
    }
    Some(request)
}

/// The body of a request as the application reads it. Dropping it gives the reader back.
#[derive(Debug)]
pub(super) struct RequestBody {
    reader: Option<Reader>,
    back: Option<oneshot::Sender<Reader>>,
}

/// A body was cut off, or broke its framing.
#[derive(Debug, thiserror::Error)]
#[error("the body was cut off")]
pub(super) struct Cut;

impl RequestBody {
    pub(super) fn new(reader: Reader) -> (Self, oneshot::Receiver<Reader>) {
        let (back, returned) = oneshot::channel();
        (Self { reader: Some(reader), back: Some(back) }, returned)
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = Cut;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Cut>>> {
        let Some(reader) = &mut self.reader else { return Poll::Ready(None) };
        loop {
            if !reader.content.is_empty() {
                return Poll::Ready(Some(Ok(Frame::data(reader.content.split().freeze()))));
            }
            if reader.over {
                return Poll::Ready(Some(Err(Cut)));
            }
            if reader.open.is_none() {
                return Poll::Ready(None);
            }
            ready!(reader.poll_continued(cx));
        }
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        if let (Some(reader), Some(back)) = (self.reader.take(), self.back.take()) {
            // Where the connection has ended, the reader ends too.
            let _ = back.send(reader);
        }
    }
}
