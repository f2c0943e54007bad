//! The way to the cells: connections that are kept and used again, one pool for each thread.

mod check;
mod connect;
mod location;
mod pool;
mod response;
mod stream;

use std::error::Error as _;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{Request, Response, StatusCode, Version};
use hyper::body::{Body as _, Incoming};
use hyper::client::conn::http1::SendRequest;
use rustix::io::Errno;

pub(crate) use check::BadResponse;
pub(crate) use response::CellBody;

use crate::body::{BodyError, Outgoing};
use crate::config::{CellIndex, Topology};
use crate::headers;
use crate::metrics::{self, Count};
use crate::respond::Refusal;
use pool::Pool;
use stream::Notice;

/// Sends requests over one connection, one at a time.
#[derive(Debug)]
struct Link {
    sender: SendRequest<Outgoing>,
    notice: Notice,
    /// Since when it has been kept; none for a new one.
    idle_since: Option<Instant>,
}

/// How one thread reaches the cells.
#[derive(Debug)]
pub(crate) struct Upstream {
    topology: Arc<Topology>,
    pool: Rc<Pool>,
}

/// Why a cell gave no usable response.
#[derive(Debug)]
pub(crate) enum SendError {
    /// The cell has not read any byte of the request: another cell may be asked.
    Unsent(Unreachable),
    /// The router itself has no descriptor or memory left for a connection. No other cell can
    /// be reached either, and no cell is to blame.
    Local(std::io::Error),
    /// The request was sent, in part at least, and no response came in time.
    TimedOut,
    /// The connection broke, or the bytes are not HTTP.
    Broken(hyper::Error),
    /// The response cannot be passed on.
    Bad(BadResponse),
}

/// Why a cell cannot be reached.
#[derive(Debug)]
pub(crate) enum Unreachable {
    /// No connection in time.
    TimedOut,
    /// No connection, and why.
    Connect(std::io::Error),
    /// A new connection was closed before it took the request.
    Closed(hyper::Error),
}

impl Upstream {
    /// No connections yet.
    pub(crate) fn new(topology: Arc<Topology>) -> Self {
        let pool = Rc::new(Pool::new(topology.cells().len()));
        Self { topology, pool }
    }

    /// Sends a request once, and waits for the head of the response.
    ///
    /// The request is taken out of `request`, and put back where [`SendError::Unsent`] is given. A
    /// kept connection that turns out to be closed before it took the request is replaced (Z-17);
    /// in no other case is anything sent again.
    pub(crate) async fn send(
        &self,
        cell: CellIndex,
        request: &mut Option<Request<Outgoing>>,
    ) -> Result<Response<CellBody>, SendError> {
        let outcome = self.send_once(cell, request).await;
        if let Err(SendError::Local(error)) = &outcome {
            tracing::error!(%error, "no connection to any cell can be opened");
        } else if let Err(error) = &outcome {
            tracing::warn!(cell = %self.topology.cell(cell).id, %error, "no response of a cell");
        }
        outcome
    }

    async fn send_once(
        &self,
        cell: CellIndex,
        request: &mut Option<Request<Outgoing>>,
    ) -> Result<Response<CellBody>, SendError> {
        while let Some(mut link) = self.pool.take(cell) {
            match self.exchange(&mut link, request).await {
                // The next one, or a new one.
                Err(SendError::Unsent(_)) => {
                    self.pool.was_closed(cell, link.idle_since);
                    metrics::count(Count::UpstreamRetried);
                }
                outcome => {
                    metrics::count(Count::UpstreamReused);
                    if outcome.as_ref().is_err_and(SendError::is_cells_end) {
                        // Perhaps it was closed just as the request was sent; one refusal is
                        // enough.
                        self.pool.cooldown(cell);
                    }
                    return self.response(cell, link, outcome?).await;
                }
            }
        }
        let mut connected = self.connect(cell).await;
        if matches!(connected, Err(SendError::Local(_))) {
            // Connections that are kept are worth less than a request.
            self.pool.clear();
            tokio::task::yield_now().await;
            connected = self.connect(cell).await;
        }
        let mut link = connected?;
        metrics::count(Count::UpstreamNew);
        let exchanged = self.exchange(&mut link, request).await?;
        self.response(cell, link, exchanged).await
    }

    /// A new connection.
    async fn connect(&self, cell: CellIndex) -> Result<Link, SendError> {
        let url = &self.topology.cell(cell).url;
        let connected = connect::connect(url, self.topology.limits.connect_timeout);
        Box::pin(connected).await.map_err(|error| match error {
            Unreachable::Connect(error) if is_local(&error) => SendError::Local(error),
            error => SendError::Unsent(error),
        })
    }

    /// One try on one connection.
    async fn exchange(
        &self,
        link: &mut Link,
        slot: &mut Option<Request<Outgoing>>,
    ) -> Result<Exchanged, SendError> {
        let Some(request) = slot.take() else {
            // A request is always present here.
            debug_assert!(false, "nothing to send");
            return Err(SendError::TimedOut);
        };
        let websocket = headers::asks_for_websocket(request.headers());
        let progress = request.body().progress();
        let limit = self.topology.limits.response_timeout;
        let too_late = async {
            progress.finished().await;
            tokio::time::sleep(limit).await;
        };
        link.notice.about_to_send();
        tokio::select! {
            biased;
            outcome = link.sender.try_send_request(request) => match outcome {
                Ok(response) => Ok(Exchanged { response, websocket }),
                Err(mut error) => {
                    *slot = error.take_message();
                    Err(match error.into_error() {
                        error if slot.is_some() => SendError::Unsent(Unreachable::Closed(error)),
                        error => SendError::Broken(error),
                    })
                }
            },
            () = too_late => Err(SendError::TimedOut),
        }
    }

    /// Makes sure that the response is one that can be passed on.
    async fn response(
        &self,
        cell: CellIndex,
        link: Link,
        exchanged: Exchanged,
    ) -> Result<Response<CellBody>, SendError> {
        let Exchanged { mut response, websocket } = exchanged;
        check::check(&mut response, websocket).map_err(SendError::Bad)?;
        location::hide_cells(response.headers_mut(), &self.topology);
        // Another protocol takes the connection over, and it ends with that.
        let link = (response.status() != StatusCode::SWITCHING_PROTOCOLS).then_some(link);
        // A connection that is about to close is not kept, so that its close is not taken for an
        // unannounced one.
        let stays = response.version() == Version::HTTP_11
            && !headers::announces_end(response.headers())
            && !ends_with_connection(&response);
        let mut response = response
            .map(|body| CellBody::new(body, link, stays.then(|| Rc::clone(&self.pool)), cell));
        // A body that is known to be cut short before the user has seen anything makes a refusal
        // (Z-41).
        response.body_mut().look().await.map_err(SendError::Broken)?;
        Ok(response)
    }
}

/// Whether only the end of the connection tells where the response ends.
fn ends_with_connection(response: &Response<Incoming>) -> bool {
    let headers = response.headers();
    !response.body().is_end_stream()
        && !headers.contains_key(CONTENT_LENGTH)
        && !headers.contains_key(TRANSFER_ENCODING)
}

/// A response, and whether it may be a change to WebSocket.
struct Exchanged {
    response: Response<Incoming>,
    websocket: bool,
}

impl SendError {
    /// The refusal that the user gets if no other cell may be asked.
    pub(crate) fn refusal(&self) -> Refusal {
        match self {
            Self::Unsent(Unreachable::TimedOut) | Self::TimedOut => Refusal::TooLate,
            Self::Unsent(_) => Refusal::Unreachable,
            Self::Local(_) => Refusal::Overloaded,
            Self::Broken(_) if self.body_error().is_some() => Refusal::BrokenBody,
            Self::Broken(_) | Self::Bad(_) => Refusal::BrokenResponse,
        }
    }
}

impl SendError {
    /// Whether the connection ended, and not because of the request's body.
    fn is_cells_end(&self) -> bool {
        matches!(self, Self::Broken(_)) && self.body_error().is_none()
    }

    /// The error of the request's body, if that broke the connection.
    fn body_error(&self) -> Option<&BodyError> {
        match self {
            Self::Broken(error) => error.source()?.downcast_ref(),
            _ => None,
        }
    }
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsent(reason) => reason.fmt(f),
            Self::Local(error) => write!(f, "the router cannot open a connection: {error}"),
            Self::TimedOut => f.write_str("no response in time"),
            Self::Broken(error) => write!(f, "connection broke: {error}"),
            Self::Bad(reason) => write!(f, "bad response: {reason}"),
        }
    }
}

/// Whether an error of connecting says something of this process or its system, and nothing of the
/// cell.
fn is_local(error: &std::io::Error) -> bool {
    // No address left concerns the one cell: ports are counted for each destination.
    Errno::from_io_error(error).is_some_and(|errno| {
        [Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::NOMEM].contains(&errno)
    })
}

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimedOut => f.write_str("no connection in time"),
            Self::Connect(error) => write!(f, "no connection: {error}"),
            Self::Closed(error) => write!(f, "connection closed before it was used: {error}"),
        }
    }
}
