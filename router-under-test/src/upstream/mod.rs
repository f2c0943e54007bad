//! The way to the cells: connections that are kept and used again, one pool for each thread.

mod answer;
mod connect;
mod pool;

use std::error::Error as _;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use http::{Request, Response};
use hyper::body::Incoming;
use hyper::client::conn::http1::SendRequest;

pub(crate) use answer::CellBody;

use crate::body::{BodyError, Outgoing};
use crate::config::{CellIndex, Topology};
use crate::respond::Refusal;
use pool::Pool;

/// Sends requests over one connection, one at a time.
type Sender = SendRequest<Outgoing>;

/// How one thread reaches the cells.
#[derive(Debug)]
pub(crate) struct Upstream {
    topology: Arc<Topology>,
    pool: Rc<Pool>,
}

/// Why there is no answer of a cell.
#[derive(Debug)]
pub(crate) enum SendError {
    /// The cell has not read any byte of the request: another cell may be asked.
    Unsent(Unreachable),
    /// The request was sent, in part at least, and no answer came in time.
    TimedOut,
    /// The connection broke, or what came is no HTTP.
    Broken(hyper::Error),
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

    /// Sends a request once, and waits for the head of the answer.
    ///
    /// The request is taken out of `request`, and put back where [`SendError::Unsent`] is given. A kept
    /// connection that turns out to be closed before it took the request is replaced (Z-17); in no other
    /// case is anything sent again.
    pub(crate) async fn send(&self, cell: CellIndex, request: &mut Option<Request<Outgoing>>) -> Result<Response<CellBody>, SendError> {
        let outcome = self.send_once(cell, request).await;
        if let Err(error) = &outcome {
            tracing::warn!(cell = %self.topology.cell(cell).id, %error, "no answer of a cell");
        }
        outcome
    }

    async fn send_once(&self, cell: CellIndex, request: &mut Option<Request<Outgoing>>) -> Result<Response<CellBody>, SendError> {
        while let Some(mut sender) = self.pool.take(cell) {
            match self.exchange(&mut sender, request).await {
                Ok(answer) => return Ok(self.answer(cell, sender, answer)),
                // The next one, or a new one.
                Err(SendError::Unsent(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let url = &self.topology.cell(cell).url;
        let mut sender = Box::pin(connect::connect(url, self.topology.limits.connect_timeout)).await.map_err(SendError::Unsent)?;
        let answer = self.exchange(&mut sender, request).await?;
        Ok(self.answer(cell, sender, answer))
    }

    /// One try on one connection.
    async fn exchange(&self, sender: &mut Sender, slot: &mut Option<Request<Outgoing>>) -> Result<Response<Incoming>, SendError> {
        let Some(request) = slot.take() else {
            // Whoever gets this far has a request to send.
            debug_assert!(false, "nothing to send");
            return Err(SendError::TimedOut);
        };
        let progress = request.body().progress();
        let limit = self.topology.limits.response_timeout;
        let too_late = async {
            progress.finished().await;
            tokio::time::sleep(limit).await;
        };
        tokio::select! {
            biased;
            outcome = sender.try_send_request(request) => outcome.map_err(|mut error| {
                *slot = error.take_message();
                match error.into_error() {
                    error if slot.is_some() => SendError::Unsent(Unreachable::Closed(error)),
                    error => SendError::Broken(error),
                }
            }),
            () = too_late => Err(SendError::TimedOut),
        }
    }

    fn answer(&self, cell: CellIndex, sender: Sender, answer: Response<Incoming>) -> Response<CellBody> {
        answer.map(|body| CellBody::new(body, sender, Rc::clone(&self.pool), cell))
    }
}

impl SendError {
    /// What this means for the user where no other cell may be asked.
    pub(crate) fn refusal(&self) -> Refusal {
        match self {
            Self::Unsent(Unreachable::TimedOut) | Self::TimedOut => Refusal::TooLate,
            Self::Unsent(_) => Refusal::Unreachable,
            Self::Broken(_) if self.body_error().is_some() => Refusal::BrokenBody,
            Self::Broken(_) => Refusal::BrokenAnswer,
        }
    }
}

impl SendError {
    /// What was wrong with the request's body, where that broke the connection.
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
            Self::TimedOut => f.write_str("no answer in time"),
            Self::Broken(error) => write!(f, "connection broke: {error}"),
        }
    }
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
