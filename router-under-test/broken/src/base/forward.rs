//! Sending one request to one cell.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{Request, Response, StatusCode, Uri};
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use tokio::sync::oneshot;

use crate::base::edge;
use crate::base::router::{Body, BoxError, Refusal, Router};
use crate::base::target::Ask;
use crate::kind::Difference;

/// Why a cell gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// No connection: the cell has not read anything.
    Unreachable,
    /// No answer in time.
    Late,
    /// Something else went wrong on the way.
    Broken,
}

impl Failure {
    pub(crate) fn refusal(self, cell: usize) -> Refusal {
        let (status, reason) = match self {
            Self::Unreachable => (StatusCode::BAD_GATEWAY, "no connection to the place that has this"),
            Self::Late => (StatusCode::GATEWAY_TIMEOUT, "no answer in time"),
            Self::Broken => (StatusCode::BAD_GATEWAY, "the answer broke off"),
        };
        Refusal { cell: Some(cell), ..Refusal::new(status, reason) }
    }
}

/// A body that is in memory.
pub(crate) fn full(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).map_err(|never| match never {}).boxed_unsync()
}

/// A body that is still coming.
pub(crate) fn streamed(body: Incoming) -> Body {
    body.map_err(BoxError::from).boxed_unsync()
}

/// The same bytes without a known length, so that they travel chunked.
pub(crate) fn unsized_body(body: Body) -> Body {
    Unsized(body).boxed_unsync()
}

struct Unsized(Body);

impl http_body::Body for Unsized {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        Pin::new(&mut self.0).poll_frame(context)
    }
}

impl Router {
    /// Sends to a cell of the topology and waits for the head of its answer.
    pub(crate) async fn send(&self, cell: usize, ask: &Ask, body: Body) -> Result<Response<Body>, Failure> {
        let host = match self.config.cells.get(cell) {
            Some(cell) => cell.authority.clone(),
            None => self.extra().adopted[cell - self.config.cells.len()].clone(),
        };
        self.send_to(&host, ask, body).await
    }

    /// The mistake of taking any host for a cell: gives it a number.
    pub(crate) fn adopt(&self, host: Authority) -> usize {
        let mut extra = self.extra();
        extra.adopted.push(host);
        self.config.cells.len() + extra.adopted.len() - 1
    }

    /// As `send`, to any host.
    pub(crate) async fn send_to(&self, host: &Authority, ask: &Ask, body: Body) -> Result<Response<Body>, Failure> {
        let body = match self.differs(Difference::ChunkedBodies) && !body.is_end_stream() {
            true => unsized_body(body),
            false => body,
        };
        let (body, sent) = Tracked::new(body);
        let mut request = Request::new(body.boxed_unsync());
        let mut uri = http::uri::Parts::default();
        uri.scheme = Some(Scheme::HTTP);
        uri.authority = Some(host.clone());
        uri.path_and_query = Some(PathAndQuery::try_from(ask.target.as_str()).map_err(|_| Failure::Broken)?);
        *request.uri_mut() = Uri::from_parts(uri).map_err(|_| Failure::Broken)?;
        *request.method_mut() = ask.method.clone();
        *request.headers_mut() = ask.headers.clone();
        if self.differs(Difference::ReordersFields) {
            edge::reverse_fields(request.headers_mut());
        }
        let answer = self.client.request(request);
        tokio::pin!(answer);
        // The limit runs from the request's last byte.
        let answer = tokio::select! {
            answer = &mut answer => answer,
            _ = sent => match tokio::time::timeout(self.config.response_timeout, answer).await {
                Ok(answer) => answer,
                Err(_) => return Err(Failure::Late),
            },
        };
        match answer {
            Ok(response) => Ok(response.map(streamed)),
            Err(error) if error.is_connect() => Err(Failure::Unreachable),
            Err(_) => Err(Failure::Broken),
        }
    }

    /// Sends a copy whose answer nobody wants; only mistakes do that.
    pub(crate) fn send_copy(self: &Arc<Self>, cell: usize, ask: &Ask, bytes: &Bytes, after: Duration) {
        let (router, ask, body) = (self.clone(), ask.clone(), full(bytes.clone()));
        router.pending.fetch_add(1, Ordering::Relaxed);
        tokio::task::spawn_local(async move {
            tokio::time::sleep(after).await;
            if let Ok(response) = router.send(cell, &ask, body).await {
                let _ = response.into_body().collect().await;
            }
            router.pending.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

/// Tells when the last byte of a body was taken: the receiver ends then, or when the body is dropped.
struct Tracked {
    inner: Body,
    taken: Option<oneshot::Sender<()>>,
}

impl Tracked {
    fn new(inner: Body) -> (Self, oneshot::Receiver<()>) {
        let (sender, receiver) = oneshot::channel();
        let taken = if inner.is_end_stream() { None } else { Some(sender) };
        (Self { inner, taken }, receiver)
    }
}

impl http_body::Body for Tracked {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(context));
        if frame.is_none() || self.inner.is_end_stream() {
            self.taken = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
