//! The learning protocol: a cell is asked who owns the path, and the request is sent once.

use std::time::Instant;

use http::header::{ACCEPT, HOST, HeaderValue};
use http::uri::PathAndQuery;
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt as _, Limited};
use tokio::time::timeout;

use crate::body::{Outgoing, Upload};
use crate::cache::Rule;
use crate::cells::SendError;
use crate::internal::is_internal;
use crate::pick::ColdPick;
use crate::preflight;
use crate::refusal::Refusal;
use crate::request::Arrival;
use crate::router::{CellResponse, Router};
use crate::topology::CellIndex;
use crate::wire;

/// Cells that are asked for one path before the request is refused (Z-14).
const MOST_ASKED: usize = 3;

/// Longest learn response, in bytes.
const LONGEST_RESPONSE: usize = 64 * 1024;

/// Where a request belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// With the cell that owns it.
    Owner(CellIndex),
    /// No cell names an owner: with the latest deployment, which may know more (UN-05).
    Latest,
    /// With any cell of the region.
    Anywhere,
}

/// Why asking one cell told nothing.
enum AskError {
    /// It was not reached; one of another region may stand in.
    Unreachable(SendError),
    /// It responded, and the response is invalid. Another cell may do better.
    Failed(Refusal),
    /// The response is valid, and the request cannot be served.
    Final(Refusal),
}

impl Router {
    /// Sends a request once, to the cell that is known or learnt to own it (LN-10).
    ///
    /// `hint` is a cell that owned the path not long ago, which saves the pre-flight.
    pub(crate) async fn learn_and_send(
        &self,
        arrival: &Arrival,
        upload: Upload,
        learn_path: &str,
        hint: Option<CellIndex>,
    ) -> Result<CellResponse, Refusal> {
        let place = self.admit()?;
        // A pre-flight tells where private groups live: users do not get it through the router
        // (Z-10).
        if is_internal(arrival.path(), learn_path) {
            return Err(Refusal::Internal);
        }
        // The body streams: the cell sees its first bytes before the user has sent the last
        // (LN-12).
        let mut request = arrival.to_cell(Outgoing::streamed(upload));
        let destination = match self.cache().entry(arrival.path()) {
            Some(entry) => Destination::Owner(entry.cell),
            // Any cell can serve `/`, and none owns it (CA-12, A-23).
            None if arrival.path() == "/" => Destination::Anywhere,
            None => {
                if let Some(cell) = hint {
                    match self.cells.send(cell, request).await {
                        Ok(response) => return CellResponse { cell, response }.once(place),
                        // The cell got nothing of it: it is as if there had been no hint.
                        Err(SendError::Unsent { request: unsent, .. }) => request = *unsent,
                        Err(error) => return Err(error.into()),
                    }
                }
                self.learn(learn_path, &arrival.method, arrival.path()).await?
            }
        };
        self.send_once(request, destination).await?.once(place)
    }

    /// Sends the request to the first cell that takes it; only an owner has no substitute.
    async fn send_once(
        &self,
        mut request: Request<Outgoing>,
        destination: Destination,
    ) -> Result<CellResponse, Refusal> {
        let mut cold = ColdPick::new(self.topology());
        let (mut next, substitutes) = match destination {
            Destination::Owner(cell) => (Some(cell), false),
            Destination::Latest => (self.topology().latest_cell.or_else(|| cold.next()), true),
            Destination::Anywhere => (cold.next(), true),
        };
        while let Some(cell) = next {
            match self.cells.send(cell, request).await {
                Ok(response) => return Ok(CellResponse { cell, response }),
                Err(SendError::Unsent { request: unsent, .. } | SendError::Full(unsent))
                    if substitutes =>
                {
                    request = *unsent;
                }
                Err(error) => return Err(error.into()),
            }
            next = cold.next();
        }
        Err(Refusal::NoneReachable)
    }

    /// Learns where a path belongs, and remembers it; but asks for no longer than two cells may
    /// take to respond (Z-14).
    async fn learn(
        &self,
        learn_path: &str,
        method: &Method,
        path: &str,
    ) -> Result<Destination, Refusal> {
        let limits = &self.topology().limits;
        let limit =
            limits.response_timeout.saturating_mul(2).saturating_add(limits.connect_timeout);
        // Apart on the heap: it is rare, and the many requests that need none stay small.
        let asking = Box::pin(self.ask_cells(learn_path, method, path));
        timeout(limit, asking).await.unwrap_or_else(|_| {
            tracing::warn!("no cell told in time where a request belongs");
            Err(Refusal::TooLate)
        })
    }

    /// Asks one cell after the other until one gives a response.
    async fn ask_cells(
        &self,
        learn_path: &str,
        method: &Method,
        path: &str,
    ) -> Result<Destination, Refusal> {
        // Escaped, the path takes up to three times as many bytes.
        let target =
            preflight::target(learn_path, method, path).map_err(|_| Refusal::TargetTooLong)?;
        let mut cold = ColdPick::new(self.topology());
        let mut refusal = Refusal::NoneReachable;
        let mut asked = 0;
        // Another region is asked only where no cell of the own one can be reached (LN-17).
        let mut own_responds = false;
        while asked < MOST_ASKED {
            let next = if own_responds { cold.next_in_region() } else { cold.next() };
            let Some(cell) = next else { break };
            match self.ask(cell, target.clone(), path).await {
                Ok(destination) => return Ok(destination),
                Err(AskError::Final(refusal)) => return Err(refusal),
                Err(AskError::Failed(why)) => {
                    refusal = why;
                    asked += 1;
                    own_responds = true;
                }
                // It is there, and is busy: another region is none of its substitutes.
                Err(AskError::Unreachable(SendError::Full(_))) => {
                    refusal = Refusal::CellFull;
                    own_responds = true;
                }
                // A refused connection costs no time; one that takes too long does.
                Err(AskError::Unreachable(error)) => {
                    if matches!(error, SendError::Unsent { timed_out: true, .. }) {
                        refusal = Refusal::TooLate;
                        asked += 1;
                    }
                }
            }
        }
        Err(refusal)
    }

    /// Asks one cell. No field of the user goes along, and no body (LN-11, Z-11).
    async fn ask(
        &self,
        cell: CellIndex,
        target: PathAndQuery,
        path: &str,
    ) -> Result<Destination, AskError> {
        let entry = self.topology().cell(cell);
        let mut request = Request::new(Outgoing::empty());
        *request.uri_mut() = target.into();
        request.headers_mut().insert(HOST, entry.url.host_header());
        request.headers_mut().insert(ACCEPT, HeaderValue::from_static("application/json"));
        let response = match self.cells.send(cell, request).await {
            Ok(response) => response,
            Err(error @ (SendError::Unsent { .. } | SendError::Full(_))) => {
                return Err(AskError::Unreachable(error));
            }
            Err(error @ SendError::Local(_)) => return Err(AskError::Final(error.into())),
            Err(error) => return Err(AskError::Failed(error.into())),
        };
        match response.status() {
            StatusCode::OK => {}
            // This cell can name no owner, and that is not remembered (Z-34).
            StatusCode::NOT_FOUND => return Ok(Destination::Latest),
            status => {
                tracing::warn!(cell = %entry.id, %status, "pre-flight failed");
                return Err(AskError::Failed(Refusal::NotLearnt));
            }
        }
        let body = Limited::new(response.into_body(), LONGEST_RESPONSE).collect();
        match timeout(self.topology().limits.response_timeout, body).await {
            Ok(Ok(body)) => self.understand(cell, &body.to_bytes(), path),
            Ok(Err(error)) => {
                tracing::warn!(cell = %entry.id, %error, "learn response is cut off or too long");
                Err(AskError::Failed(Refusal::NotLearnt))
            }
            Err(_) => Err(AskError::Failed(Refusal::TooLate)),
        }
    }

    /// Reads a learn response, and remembers it where it covers the path.
    fn understand(
        &self,
        asked: CellIndex,
        body: &[u8],
        path: &str,
    ) -> Result<Destination, AskError> {
        let asked = &self.topology().cell(asked).id;
        let response = preflight::parse(body).map_err(|error| {
            tracing::warn!(cell = %asked, %error, "malformed learn response");
            AskError::Failed(Refusal::NotLearnt)
        })?;
        let owner = self.topology().cell_with_id(&response.cell).ok_or_else(|| {
            let named = &response.cell;
            tracing::warn!(cell = %asked, %named, "learn response names an unknown cell");
            AskError::Final(Refusal::UnknownCell)
        })?;
        let rule = if response.exact {
            Rule::exact(&response.path, path)
        } else {
            Rule::prefix(response.path.as_bytes(), path)
        };
        match rule {
            // The lifetime starts here, and a hit does not extend it (LN-13, Z-33).
            Some(rule) => {
                self.cache().remember(rule, owner, Instant::now().checked_add(self.topology().ttl));
            }
            None => {
                let named = &response.path;
                tracing::warn!(cell = %asked, %named, "learn response is not for this path");
            }
        }
        Ok(Destination::Owner(owner))
    }
}

impl CellResponse {
    /// Cells that follow this protocol do not redirect internally. To follow would be to send the
    /// request twice, and what the response says is not for the user.
    fn once(mut self, place: tokio::sync::OwnedSemaphorePermit) -> Result<Self, Refusal> {
        if self.response.status() == StatusCode::FOUND
            && self.response.headers().contains_key(wire::REDIRECT)
        {
            tracing::warn!("internal redirect although the owner was asked");
            return Err(Refusal::UnexpectedRedirect);
        }
        self.response.body_mut().hold(place);
        Ok(self)
    }
}
