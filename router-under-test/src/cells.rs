//! Connections to cells, and requests on them.
//!
//! A connection carries one request at a time, and serves the next one when the response is over.
//! Each thread has its own; what one cell may have under way is counted over all threads.

use std::error::Error as _;
use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{Request, Response};
use hyper::body::{Body, Frame, Incoming};
use hyper::client::conn::http1::{Builder, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use crate::body::{BodyError, Outgoing};
use crate::parts::Parts;
use crate::refusal::Refusal;
use crate::request::asks_for_websocket;
use crate::response;
use crate::shared::Shared;
use crate::stream::{LONGEST_HEAD, Link, Stream};
use crate::topology::CellIndex;

/// Field lines of a response: a page may set a cookie for each of its parts.
const MOST_FIELDS: usize = 1000;
/// Connections of one thread to one cell that wait for a request, until the cell closes them.
const MOST_IDLE: usize = 256;

/// Why there is no response of a cell.
#[derive(Debug)]
pub enum SendError {
    /// There is no connection. The cell has got nothing, so another one may be asked.
    Unsent {
        /// The request, for another cell.
        request: Box<Request<Outgoing>>,
    },
    /// The cell has its share of requests under way (Z-91).
    Full,
    /// The cell did not respond in time.
    TimedOut,
    /// The user did not send all of the body.
    Body,
    /// The connection broke before the response, or its bytes are no HTTP.
    Broken(hyper::Error),
    /// The response is invalid.
    Bad,
}

/// What the user gets if no other cell may be asked.
impl From<SendError> for Refusal {
    fn from(error: SendError) -> Self {
        match error {
            SendError::Unsent { .. } => Self::Unreachable,
            SendError::TimedOut => Self::TooLate,
            SendError::Full => Self::CellFull,
            SendError::Body => Self::BrokenBody,
            SendError::Broken(_) | SendError::Bad => Self::BrokenResponse,
        }
    }
}

/// The connections of one thread to cells.
pub struct Cells<P> {
    parts: P,
    shared: Arc<Shared>,
    /// Those to each cell that wait for a request.
    idle: Vec<Arc<Idle>>,
}

/// Sends requests on one connection. hyper has room for 32 of them on each: a body is on the heap.
type Sender = SendRequest<Box<Outgoing>>;

/// The connections to one cell that wait for a request, the last one used last.
#[derive(Debug, Default)]
struct Idle(Mutex<Vec<Sender>>);

impl Idle {
    fn lock(&self) -> MutexGuard<'_, Vec<Sender>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The connection that was used last.
    fn take(&self) -> Option<Sender> {
        let mut idle = self.lock();
        idle.retain(|sender| !sender.is_closed());
        let place = idle.iter().rposition(Sender::is_ready)?;
        Some(idle.remove(place))
    }

    fn give(&self, sender: Sender) {
        let mut idle = self.lock();
        if idle.len() >= MOST_IDLE {
            idle.remove(0);
        }
        idle.push(sender);
    }
}

impl<P: Parts> Cells<P> {
    pub(crate) fn new(parts: P, shared: Arc<Shared>) -> Self {
        let idle = shared.topology.all().map(|_| Arc::default()).collect();
        Self { parts, shared, idle }
    }

    /// Sends a request once; again only where the cell has got nothing of it (LN-10, Z-17).
    ///
    /// # Errors
    ///
    /// Why there is no response.
    pub async fn send(
        &self,
        cell: CellIndex,
        mut request: Request<Outgoing>,
    ) -> Result<Response<CellBody>, SendError> {
        let Ok(share) = Arc::clone(&self.shared.shares[cell.index()]).try_acquire_owned() else {
            return Err(SendError::Full);
        };
        let websocket = asks_for_websocket(request.headers());
        let (id, idle) = (&self.shared.topology.cell(cell).id, &self.idle[cell.index()]);
        // Lets the tasks of connections see what cells have sent or closed until now.
        tokio::task::yield_now().await;
        let (sender, response) = loop {
            let (mut sender, is_new) = match idle.take() {
                Some(sender) => (sender, false),
                None => match self.connect(cell).await {
                    Ok(sender) => (sender, true),
                    Err(error) => {
                        tracing::debug!(cell = %id, %error, "unreachable");
                        return Err(SendError::Unsent { request: Box::new(request) });
                    }
                },
            };
            match self.exchange(&mut sender, request).await? {
                Ok(response) => break (sender, response),
                Err(request) if is_new => return Err(SendError::Unsent { request }),
                Err(unsent) => request = *unsent,
            }
        };
        if let Err(why) = response::check(&response, websocket) {
            tracing::debug!(cell = %id, why, "invalid response");
            return Err(SendError::Bad);
        }
        let idle = Some((Arc::clone(idle), sender));
        let body =
            |incoming| CellBody { incoming, is_over: false, idle, held: vec![share], user: None };
        Ok(response.map(body))
    }

    /// Sends a request on a connection; gives it back where no byte of it was written.
    async fn exchange(
        &self,
        sender: &mut Sender,
        mut request: Request<Outgoing>,
    ) -> Result<Result<Response<Incoming>, Box<Request<Outgoing>>>, SendError> {
        let sent = request.body_mut().sent();
        let mut response = pin!(sender.try_send_request(request.map(Box::new)));
        let outcome = tokio::select! {
            outcome = response.as_mut() => Ok(outcome),
            // The limit counts from the last byte of the request.
            _ = sent => timeout(self.shared.topology.limits.response_timeout, response).await,
        };
        match outcome {
            Ok(Ok(response)) => Ok(Ok(response)),
            Ok(Err(mut error)) => match error.take_message() {
                Some(unsent) => Ok(Err(Box::new(unsent.map(|body| *body)))),
                None => Err(broken(error.into_error())),
            },
            Err(_) => Err(SendError::TimedOut),
        }
    }

    async fn connect(&self, cell: CellIndex) -> io::Result<Sender> {
        let url = &self.shared.topology.cell(cell).url;
        let connect = TcpStream::connect((url.host(), url.port()));
        let socket = timeout(self.shared.topology.limits.connect_timeout, connect).await??;
        let (sender, connection) = Builder::new()
            .max_header_size(LONGEST_HEAD)
            .max_headers(MOST_FIELDS)
            .handshake(TokioIo::new(self.parts.cell(Stream::new(
                socket,
                self.shared.settings.silence,
                None,
            ))))
            .await
            .map_err(io::Error::other)?;
        tokio::spawn(async move {
            if let Err(error) = connection.with_upgrades().await {
                tracing::debug!(%error, "connection to a cell ended");
            }
        });
        Ok(sender)
    }
}

fn broken(error: hyper::Error) -> SendError {
    let of_user = |error: &(dyn std::error::Error + 'static)| {
        matches!(error.downcast_ref(), Some(BodyError::User(_) | BodyError::Silent))
    };
    if error.source().is_some_and(of_user) { SendError::Body } else { SendError::Broken(error) }
}

/// The body of a cell's response. The request holds its places, and the connection, until it goes.
#[derive(Debug)]
pub struct CellBody {
    incoming: Incoming,
    /// All of it has come. Of one in chunks only its own last frame tells.
    is_over: bool,
    /// Where the connection goes then.
    idle: Option<(Arc<Idle>, Sender)>,
    held: Vec<OwnedSemaphorePermit>,
    /// The connection to the user who gets it.
    user: Option<Arc<Link>>,
}

impl CellBody {
    /// Holds a place among all requests, too.
    pub(crate) fn hold(&mut self, place: OwnedSemaphorePermit) {
        self.held.push(place);
    }

    /// The user gets it on this connection.
    pub(crate) fn goes_to(&mut self, user: Arc<Link>) {
        user.responds(!self.is_end_stream());
        self.user = Some(user);
    }
}

impl Drop for CellBody {
    fn drop(&mut self) {
        if self.is_end_stream() {
            if let Some((idle, sender)) = self.idle.take() {
                idle.give(sender);
            }
            if let Some(user) = &self.user {
                user.responds(false);
            }
        }
    }
}

impl Body for CellBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.incoming).poll_frame(cx));
        // Trailers are discarded; nothing follows them.
        let frame = frame.filter(|frame| !frame.as_ref().is_ok_and(Frame::is_trailers));
        self.is_over = frame.is_none();
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.is_over || self.incoming.is_end_stream()
    }
}
