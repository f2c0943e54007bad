//! The way to the cells: connections that are kept and used again, one pool for each thread.

mod bulkhead;
mod check;
mod connect;
mod cooldown;
mod error;
mod health;
mod link;
mod pool;
mod request;
mod response;
mod upload;

use std::future::poll_fn;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;

use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, Method, Request, Response, StatusCode, Version};

pub(crate) use bulkhead::Purpose;
pub(crate) use error::{SendError, Unreachable};
pub(crate) use link::{Link, LinkError};
pub(crate) use request::{CellRequest, request_to_cell};
pub(crate) use response::CellBody;

use crate::config::{CellIndex, Topology};
use crate::headers;
use crate::http1::{Decoder, Framing};
use crate::metrics::{self, Count};
use bulkhead::{Bulkhead, Permit};
use error::is_local;
use health::Health;
use link::PathHash;
use pool::Pool;
use upload::Upload;

/// How one thread reaches the cells.
#[derive(Debug)]
pub(crate) struct Upstream {
    topology: Arc<Topology>,
    pool: Rc<Pool>,
    bulkhead: Bulkhead,
    health: Box<[Rc<Health>]>,
}

impl Upstream {
    /// No connections yet.
    pub(crate) fn new(topology: Arc<Topology>) -> Self {
        Self::with(topology, None)
    }

    /// The way to the cells of a later topology. A cell that is where it was has the connections,
    /// and what it holds under way; the way of the requests that began before shares both.
    pub(crate) fn renewed(&self, topology: Arc<Topology>) -> Self {
        Self::with(topology, Some(self))
    }

    fn with(topology: Arc<Topology>, before: Option<&Self>) -> Self {
        let stays = |index: usize| {
            let cell = CellIndex::nth(index);
            let url = &topology.cell(cell).url;
            before.filter(|before| {
                before.topology.has(cell) && before.topology.cell(cell).url == *url
            })
        };
        let indices = || 0..topology.known();
        let pool = Pool::new(indices().map(|index| {
            stays(index).map_or_else(Rc::default, |before| Rc::clone(before.pool.kept(index)))
        }));
        let held = indices().map(|index| {
            stays(index).map_or_else(Rc::default, |before| Rc::clone(before.bulkhead.held(index)))
        });
        let bulkhead = Bulkhead::new(held, &topology.settings);
        let health = indices()
            .map(|index| {
                stays(index).map_or_else(Rc::default, |before| Rc::clone(&before.health[index]))
            })
            .collect();
        Self { pool, bulkhead, health, topology }
    }

    /// Sends a request once, and waits for the head of the response.
    ///
    /// A kept connection that turns out to be closed before it took the request is replaced (LN-10,
    /// Z-17); in no other case is anything sent again.
    pub(crate) async fn send(
        &self,
        cell: CellIndex,
        purpose: Purpose,
        request: CellRequest,
    ) -> Result<Response<CellBody>, SendError> {
        let outcome = match self.bulkhead.admit(cell, purpose) {
            Some(permit) => self.send_on_some_link(cell, permit, request).await,
            None => Err(SendError::Full(request)),
        };
        self.note(cell, &outcome);
        if let Err(SendError::Local(error)) = &outcome {
            tracing::error!(%error, "no connection to any cell can be opened");
        } else if let Err(error) = &outcome {
            tracing::warn!(cell = %self.topology.cell(cell).id, %error, "no response of a cell");
        }
        outcome
    }

    /// Whether the cell lets requests wait, and is not worth a pick.
    pub(crate) fn is_left_out(&self, cell: CellIndex) -> bool {
        self.health[cell.index()].is_left_out()
    }

    fn note(&self, cell: CellIndex, outcome: &Result<Response<CellBody>, SendError>) {
        let health = &self.health[cell.index()];
        match outcome {
            Err(SendError::TimedOut | SendError::Unsent(Unreachable::TimedOut, _)) => {
                if health.timed_out() {
                    let cell = &self.topology.cell(cell).id;
                    tracing::warn!(%cell, "left out of cold picks: it lets requests wait");
                }
            }
            // They say nothing of the cell.
            Err(SendError::Full(_) | SendError::Local(_)) => {}
            _ => health.responded(),
        }
    }

    /// Sends it on a kept connection, or on a new one.
    async fn send_on_some_link(
        &self,
        cell: CellIndex,
        permit: Permit,
        mut request: CellRequest,
    ) -> Result<Response<CellBody>, SendError> {
        let path = PathHash::of(request.uri().path());
        while let Some(mut link) = self.pool.take(cell, path) {
            match self.exchange(&mut link, path, request).await {
                // The next one, or a new one.
                Err(SendError::Unsent(_, unsent)) => {
                    request = unsent;
                    self.pool.was_closed(cell, &link);
                    metrics::count(Count::UpstreamRetried);
                }
                outcome => {
                    metrics::count(Count::UpstreamReused);
                    if outcome.as_ref().is_err_and(SendError::is_cells_end) {
                        // Perhaps it was closed just as the request was sent.
                        self.pool.ended(cell, &link);
                    }
                    return self.response(permit, link, outcome?).await;
                }
            }
        }
        let mut connected = self.connect(cell).await;
        if matches!(&connected, Err(Unreachable::Connect(error)) if is_local(error)) {
            // Connections that are kept are worth less than a request.
            self.pool.clear();
            tokio::task::yield_now().await;
            connected = self.connect(cell).await;
        }
        let mut link = match connected {
            Ok(Some(link)) => link,
            Ok(None) => return Err(SendError::Full(request)),
            Err(Unreachable::Connect(error)) if is_local(&error) => {
                return Err(SendError::Local(error));
            }
            Err(why) => return Err(SendError::Unsent(why, request)),
        };
        metrics::count(Count::UpstreamNew);
        let exchanged = self.exchange(&mut link, path, request).await;
        if exchanged.as_ref().is_err_and(SendError::is_cells_end) {
            self.pool.broke(cell, &link);
        }
        self.response(permit, link, exchanged?).await
    }

    /// A new connection; none where the cell has its share.
    async fn connect(&self, cell: CellIndex) -> Result<Option<Box<Link>>, Unreachable> {
        let url = &self.topology.cell(cell).url;
        let Some(permit) = self.bulkhead.connect(cell) else { return Ok(None) };
        let connected = connect::connect(url, permit, self.topology.limits.connect_timeout);
        Box::pin(connected).await.map(Some)
    }

    /// One try on one connection.
    async fn exchange(
        &self,
        link: &mut Link,
        path: PathHash,
        request: CellRequest,
    ) -> Result<Exchanged, SendError> {
        let (head, body) = request.into_parts();
        let asked = Asked {
            websocket: headers::asks_for_websocket(&head.headers),
            head_alone: head.method == Method::HEAD,
        };
        let before = std::mem::replace(&mut link.path, path);
        let limit = self.topology.limits.response_timeout;
        let mut upload = Some(Upload::new(&head, body));
        let mut not_taken = None;
        link.responds.end();
        let outcome = poll_fn(|cx| {
            if let Some(writing) = &mut upload {
                match writing.poll(link, cx) {
                    Poll::Ready(Ok(())) => upload = None,
                    Poll::Ready(Err(error @ LinkError::Body(_))) => {
                        return Poll::Ready(Err(SendError::Broken(error)));
                    }
                    Poll::Ready(Err(error)) => {
                        // A cell may respond, and end, before it has read all.
                        not_taken = upload.take().zip(Some(error));
                    }
                    Poll::Pending => {}
                }
            }
            if let Poll::Ready(outcome) = link.poll_head(cx) {
                return Poll::Ready(outcome.map_err(SendError::Broken));
            }
            if upload.is_some() {
                return Poll::Pending;
            }
            link.responds.poll(cx, limit).map(|_: std::io::Result<()>| Err(SendError::TimedOut))
        });
        match outcome.await {
            Ok(response) => {
                let broken = not_taken.is_some();
                Ok(Exchanged { response, asked, upload: upload.map(Box::new), broken })
            }
            Err(SendError::Broken(error)) => {
                if let Some((upload, why)) = not_taken
                    && let Some(body) = upload.unsent()
                {
                    let request = Box::new(Request::from_parts(head, body));
                    link.path = before;
                    return Err(SendError::Unsent(Unreachable::Closed(why), request));
                }
                Err(SendError::Broken(error))
            }
            Err(error) => Err(error),
        }
    }

    /// Makes sure that the response is one that can be passed on.
    async fn response(
        &self,
        permit: Permit,
        link: Box<Link>,
        exchanged: Exchanged,
    ) -> Result<Response<CellBody>, SendError> {
        let Exchanged { mut response, asked, upload, broken } = exchanged;
        check::check(&mut response, asked.websocket).map_err(SendError::Bad)?;
        let framing = framing(&response, asked.head_alone);
        // A connection that is about to close is not kept, so that its close is not taken for an
        // unannounced one.
        let stays = response.version() == Version::HTTP_11
            && !broken
            && framing != Framing::UntilEnd
            && response.status() != StatusCode::SWITCHING_PROTOCOLS
            && !headers::announces_end(response.headers())
            && !(framing == Framing::Length(0) && announces_a_body(response.headers()));
        let pool = stays.then(|| Rc::clone(&self.pool));
        let mut body = CellBody::new(link, Decoder::new(framing), upload, pool, permit);
        // A body that is known to be cut short before the user has seen anything makes a refusal
        // (Z-41).
        body.look().await.map_err(SendError::Broken)?;
        Ok(response.map(|()| body))
    }
}

/// Where the body of a response ends (RFC 9112 6.3).
fn framing(response: &Response<()>, head_alone: bool) -> Framing {
    let (status, headers) = (response.status(), response.headers());
    let has_none = status.is_informational()
        || matches!(status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED);
    if head_alone || has_none {
        return Framing::Length(0);
    }
    if headers.contains_key(TRANSFER_ENCODING) {
        return Framing::Chunked;
    }
    headers.get(CONTENT_LENGTH).map_or(Framing::UntilEnd, |length| {
        // It was found to be a number.
        Framing::Length(check::parse(length.as_bytes()).unwrap_or_default())
    })
}

/// Whether a body is announced, which does not come with `HEAD`. A cell that sends it all the same,
/// perhaps late, would give the next user this response.
fn announces_a_body(headers: &HeaderMap) -> bool {
    headers.contains_key(TRANSFER_ENCODING)
        || headers.get(CONTENT_LENGTH).is_some_and(|length| length.as_bytes() != b"0")
}

/// What was asked for, as far as the response is read by it.
struct Asked {
    /// It may be a change to WebSocket.
    websocket: bool,
    /// It has no body.
    head_alone: bool,
}

/// The head of a response, and what is left to write of the request.
struct Exchanged {
    response: Response<()>,
    asked: Asked,
    upload: Option<Box<Upload>>,
    /// The rest of the request could not be written.
    broken: bool,
}
