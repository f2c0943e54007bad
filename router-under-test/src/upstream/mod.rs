//! The way to the cells: connections that are kept and used again, one pool for each thread.

mod bulkhead;
mod check;
mod connect;
mod error;
mod health;
mod location;
mod pool;
mod response;
mod stream;
mod trust;

use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::uri::PathAndQuery;
use http::{Request, Response, StatusCode, Version};
use hyper::body::{Body as _, Incoming};
use hyper::client::conn::http1::SendRequest;

pub(crate) use bulkhead::Purpose;
pub(crate) use check::BadResponse;
pub(crate) use error::{SendError, Unreachable};
pub(crate) use response::CellBody;

use crate::body::Outgoing;
use crate::config::{CellIndex, Topology};
use crate::headers;
use crate::metrics::{self, Count};
use bulkhead::{Bulkhead, Place};
use error::is_local;
use health::Health;
use pool::Pool;
use stream::Notice;

/// Sends requests over one connection, one at a time.
#[derive(Debug)]
struct Link {
    sender: SendRequest<Outgoing>,
    notice: Notice,
    /// Since when it has been kept; none for a new one.
    idle_since: Option<Instant>,
    /// What it was used for last.
    target: Option<PathAndQuery>,
}

impl Link {
    /// The path that it was used for last.
    fn path(&self) -> &str {
        self.target.as_ref().map_or("", PathAndQuery::path)
    }
}

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
        let stays = |place: usize| {
            let index = CellIndex::nth(place);
            let cell = topology.cell(index);
            before.filter(|before| {
                before.topology.has(index) && before.topology.cell(index).url == cell.url
            })
        };
        let places = || 0..topology.known();
        let pool = Pool::new(places().map(|place| {
            stays(place).map_or_else(Rc::default, |before| Rc::clone(before.pool.kept(place)))
        }));
        let held = places().map(|place| {
            stays(place).map_or_else(Rc::default, |before| Rc::clone(before.bulkhead.held(place)))
        });
        let bulkhead = Bulkhead::new(held, &topology.settings);
        let health = places()
            .map(|place| {
                stays(place).map_or_else(Rc::default, |before| Rc::clone(&before.health[place]))
            })
            .collect();
        Self { pool, bulkhead, health, topology }
    }

    /// Sends a request once, and waits for the head of the response.
    ///
    /// The request is taken out of `request`, and put back where [`SendError::Unsent`] is given. A
    /// kept connection that turns out to be closed before it took the request is replaced (Z-17);
    /// in no other case is anything sent again.
    pub(crate) async fn send(
        &self,
        cell: CellIndex,
        purpose: Purpose,
        request: &mut Option<Request<Outgoing>>,
    ) -> Result<Response<CellBody>, SendError> {
        let outcome = match self.bulkhead.admit(cell, purpose) {
            Some(place) => self.send_once(cell, place, request).await,
            None => Err(SendError::Full),
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
        self.health[cell.place()].is_left_out()
    }

    fn note(&self, cell: CellIndex, outcome: &Result<Response<CellBody>, SendError>) {
        let health = &self.health[cell.place()];
        match outcome {
            Err(SendError::TimedOut | SendError::Unsent(Unreachable::TimedOut)) => {
                if health.timed_out() {
                    let cell = &self.topology.cell(cell).id;
                    tracing::warn!(%cell, "left out of cold picks: it lets requests wait");
                }
            }
            // They say nothing of the cell.
            Err(SendError::Full | SendError::Local(_)) => {}
            _ => health.responded(),
        }
    }

    async fn send_once(
        &self,
        cell: CellIndex,
        place: Place,
        request: &mut Option<Request<Outgoing>>,
    ) -> Result<Response<CellBody>, SendError> {
        while let Some(mut link) =
            self.pool.take(cell, request.as_ref().map_or("", |request| request.uri().path()))
        {
            match self.exchange(&mut link, request).await {
                // The next one, or a new one.
                Err(SendError::Unsent(_)) => {
                    self.pool.was_closed(cell, &link);
                    metrics::count(Count::UpstreamRetried);
                }
                outcome => {
                    metrics::count(Count::UpstreamReused);
                    if outcome.as_ref().is_err_and(SendError::is_cells_end) {
                        // Perhaps it was closed just as the request was sent.
                        self.pool.ended(cell, &link);
                    }
                    return self.response(place, link, outcome?).await;
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
        let exchanged = self.exchange(&mut link, request).await;
        if exchanged.as_ref().is_err_and(SendError::is_cells_end) {
            self.pool.broke(cell, &link);
        }
        self.response(place, link, exchanged?).await
    }

    /// A new connection.
    async fn connect(&self, cell: CellIndex) -> Result<Link, SendError> {
        let url = &self.topology.cell(cell).url;
        let place = self.bulkhead.connect(cell).ok_or(SendError::Full)?;
        let connected = connect::connect(url, place, self.topology.limits.connect_timeout);
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
        let target = request.uri().path_and_query().cloned();
        let before = std::mem::replace(&mut link.target, target);
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
                        error if slot.is_some() => {
                            link.target = before;
                            SendError::Unsent(Unreachable::Closed(error))
                        }
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
        place: Place,
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
            && !ends_with_connection(&response)
            && !announces_what_does_not_come(&response);
        let mut response = response
            .map(|body| CellBody::new(body, link, stays.then(|| Rc::clone(&self.pool)), place));
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

/// Whether a length is said of a body that this response does not have, as with `HEAD`. A cell that
/// sends it all the same, perhaps late, would give the next user this response.
fn announces_what_does_not_come(response: &Response<Incoming>) -> bool {
    let headers = response.headers();
    response.body().is_end_stream()
        && (headers.contains_key(TRANSFER_ENCODING)
            || headers.get(CONTENT_LENGTH).is_some_and(|length| length.as_bytes() != b"0"))
}

/// A response, and whether it may be a change to WebSocket.
struct Exchanged {
    response: Response<Incoming>,
    websocket: bool,
}
