//! The learning protocol: a cell is asked who owns the path, and the request is sent once.

use std::time::Instant;

use http::header::{ACCEPT, HOST, HeaderValue};
use http::uri::PathAndQuery;
use http::{HeaderMap, Method, StatusCode};

use super::arrival::Arrival;
use super::body_budget::reserve_stream;
use super::bookkeeping::Bookkeeping;
use super::internal::is_internal;
use super::preflight;
use super::{CellResponse, Router};
use crate::body::Outgoing;
use crate::cache::Rule;
use crate::config::CellIndex;
use crate::metrics::{self, Count};
use crate::respond::Refusal;
use crate::upstream::{CellRequest, Purpose, SendError, Unreachable, request_to_cell};
use crate::wire;

/// Cells that are asked for one path before the request is refused (Z-14).
const MOST_ASKED: usize = 3;

/// Longest learn response, in bytes.
const LONGEST_RESPONSE: usize = 64 * 1024;

/// Where a request belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
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
    pub(super) async fn learn_and_send(
        &self,
        arrival: Arrival,
        learn_path: &str,
        hint: Option<CellIndex>,
        bookkeeping: &mut Bookkeeping,
    ) -> Result<CellResponse, Refusal> {
        self.admit(bookkeeping).await?;
        let Arrival { method, target, headers, body } = arrival;
        // The reservation lasts until there is a response.
        let mut reservation = self.bodies.reservation();
        reserve_stream(&mut reservation, 0, &body)?;
        // A pre-flight tells where private groups live: users do not get it through the router
        // (Z-10).
        if is_internal(target.path(), learn_path) {
            return Err(Refusal::Internal);
        }
        // The body streams: the cell sees its first bytes before the user has sent the last
        // (LN-12).
        let mut request =
            request_to_cell(method.clone(), target.clone(), headers, Outgoing::streamed(body));
        let destination = match self.known_owner(target.path(), hint, bookkeeping) {
            Some(owner) => Destination::Owner(owner),
            // Any cell can serve `/`, and none owns it (CA-12, A-23).
            None if target.path() == "/" => Destination::Anywhere,
            None => {
                if let Some(cell) = hint {
                    metrics::count(Count::HintUsed);
                    match self.send(cell, request, bookkeeping).await {
                        Ok(response) => return CellResponse { cell, response }.unless_redirected(),
                        // The cell got nothing of it: it is as if there had been no hint.
                        Err(SendError::Unsent(_, unsent)) => request = unsent,
                        Err(error) => return Err(error.into()),
                    }
                }
                // Apart on the heap: it is rare, and the many requests that need none stay small.
                Box::pin(self.learn(learn_path, &method, target.path())).await?
            }
        };
        self.send_once(request, destination, bookkeeping).await
    }

    /// Sends the request to the first cell that takes it; only an owner has no substitute.
    async fn send_once(
        &self,
        mut request: CellRequest,
        destination: Destination,
        bookkeeping: &mut Bookkeeping,
    ) -> Result<CellResponse, Refusal> {
        let mut cold = self.cold_pick();
        let (mut next, substitutes) = match destination {
            Destination::Owner(cell) => (Some(cell), false),
            Destination::Latest => (self.topology.latest_cell.or_else(|| cold.next()), true),
            Destination::Anywhere => (cold.next(), true),
        };
        while let Some(cell) = next {
            match self.send(cell, request, bookkeeping).await {
                Ok(response) => return CellResponse { cell, response }.unless_redirected(),
                Err(SendError::Unsent(_, unsent) | SendError::Full(unsent)) if substitutes => {
                    request = unsent;
                }
                Err(error) => return Err(error.into()),
            }
            next = cold.next();
        }
        Err(Refusal::NoneReachable)
    }

    /// Learns where a path belongs, and remembers it.
    pub(super) async fn learn(
        &self,
        learn_path: &str,
        method: &Method,
        path: &str,
    ) -> Result<Destination, Refusal> {
        let waiter = self.flights.join((method.clone(), path.to_owned()));
        waiter.outcome(|| self.ask_in_time(learn_path, method, path)).await
    }

    /// Asks cells, but not for longer than two of them may take to respond (Z-14).
    async fn ask_in_time(
        &self,
        learn_path: &str,
        method: &Method,
        path: &str,
    ) -> Result<Destination, Refusal> {
        let limits = &self.topology.limits;
        let limit =
            limits.response_timeout.saturating_mul(2).saturating_add(limits.connect_timeout);
        let begun = Instant::now();
        let outcome = tokio::time::timeout(limit, self.ask_cells(learn_path, method, path)).await;
        metrics::preflight_took(begun.elapsed());
        outcome.unwrap_or_else(|_| {
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
        let mut cold = self.cold_pick();
        let mut refusal = Refusal::NoneReachable;
        let mut asked = 0;
        // Another region is asked only where no cell of the own one can be reached (LN-17).
        let mut own_responses = false;
        while asked < MOST_ASKED {
            let next = if own_responses { cold.next_in_region() } else { cold.next() };
            let Some(cell) = next else { break };
            let outcome = self.ask(cell, target.clone(), path).await;
            metrics::count(match &outcome {
                Ok(Destination::Owner(_)) => Count::PreflightOwner,
                Ok(_) => Count::PreflightUnknown,
                Err(AskError::Unreachable(_)) => Count::PreflightUnreachable,
                Err(_) => Count::PreflightFailed,
            });
            match outcome {
                Ok(destination) => return Ok(destination),
                Err(AskError::Final(refusal)) => return Err(refusal),
                Err(AskError::Failed(why)) => {
                    refusal = why;
                    asked += 1;
                    own_responses = true;
                }
                Err(AskError::Unreachable(SendError::Unsent(Unreachable::TimedOut, _))) => {
                    refusal = Refusal::TooLate;
                    asked += 1;
                }
                // It is there, and is busy: another region is none of its substitutes.
                Err(AskError::Unreachable(SendError::Full(_))) => {
                    refusal = Refusal::CellFull;
                    own_responses = true;
                }
                // A refused connection costs no time.
                Err(AskError::Unreachable(_)) => {}
            }
        }
        Err(refusal)
    }

    /// Asks one cell. No header field of the user goes along, and no body (LN-11, Z-11).
    async fn ask(
        &self,
        cell: CellIndex,
        target: PathAndQuery,
        path: &str,
    ) -> Result<Destination, AskError> {
        let entry = self.topology.cell(cell);
        let mut headers = HeaderMap::new();
        headers.insert(HOST, entry.url.host_header());
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let request = request_to_cell(Method::GET, target, headers, Outgoing::empty());
        let response = match self.upstream.send(cell, Purpose::PreFlight, request).await {
            Ok(response) => response,
            Err(error @ (SendError::Unsent(..) | SendError::Full(_))) => {
                return Err(AskError::Unreachable(error));
            }
            Err(error @ SendError::Local(_)) => return Err(AskError::Final(error.into())),
            Err(error) => return Err(AskError::Failed(error.into())),
        };
        match response.status() {
            StatusCode::OK => {}
            // This cell can name no owner, and that is not remembered (Z-34).
            StatusCode::NOT_FOUND => {
                response.into_body().discard();
                return Ok(Destination::Latest);
            }
            status => {
                tracing::warn!(cell = %entry.id, %status, "pre-flight failed");
                response.into_body().discard();
                return Err(AskError::Failed(Refusal::NotLearnt));
            }
        }
        let body = response.into_body().read(LONGEST_RESPONSE);
        let body = match tokio::time::timeout(self.topology.limits.response_timeout, body).await {
            Ok(Ok(Some(body))) => body,
            Ok(Ok(None)) => {
                tracing::warn!(cell = %entry.id, "learn response is too long");
                return Err(AskError::Failed(Refusal::NotLearnt));
            }
            Ok(Err(error)) => {
                tracing::warn!(cell = %entry.id, %error, "learn response broke off");
                return Err(AskError::Failed(Refusal::NotLearnt));
            }
            Err(_) => return Err(AskError::Failed(Refusal::TooLate)),
        };
        self.understand(cell, &body, path)
    }

    /// Reads a learn response, and remembers it where it covers the path.
    fn understand(
        &self,
        asked: CellIndex,
        body: &[u8],
        path: &str,
    ) -> Result<Destination, AskError> {
        let asked = &self.topology.cell(asked).id;
        let response = preflight::parse(body).map_err(|error| {
            tracing::warn!(cell = %asked, %error, "malformed learn response");
            AskError::Failed(Refusal::NotLearnt)
        })?;
        let owner = self.topology.cell_with_id(&response.cell).ok_or_else(|| {
            let named = &response.cell;
            tracing::warn!(cell = %asked, %named, "learn response names an unknown cell");
            AskError::Final(Refusal::UnknownCell)
        })?;
        let rule = if response.exact {
            Rule::exact(response.path.as_bytes(), path)
        } else {
            Rule::prefix(response.path.as_bytes(), path)
        };
        match rule {
            // The lifetime starts here, and a hit does not extend it (LN-13, Z-33).
            Some(rule) => {
                self.cache.remember(rule, owner, Instant::now().checked_add(self.topology.ttl))
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
    fn unless_redirected(self) -> Result<Self, Refusal> {
        if self.response.status() == StatusCode::FOUND
            && self.response.headers().contains_key(wire::REDIRECT_HEADER)
        {
            tracing::warn!("internal redirect although the owner was asked");
            self.response.into_body().discard();
            return Err(Refusal::UnexpectedRedirect);
        }
        Ok(self)
    }
}
