//! Asks cells who owns a path, once for all who ask at the same time.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Instant;

use http::header::{ACCEPT, HOST, HeaderValue};
use http::uri::PathAndQuery;
use http::{HeaderMap, Method, StatusCode};
use http_body_util::{BodyExt as _, Limited};
use tokio::sync::OnceCell;

use super::Router;
use super::arrival::request_to_cell;
use super::learning::Destination;
use crate::body::Outgoing;
use crate::cache::Rule;
use crate::config::CellIndex;
use crate::learn;
use crate::metrics::{self, Count};
use crate::refusal::Refusal;
use crate::upstream::{Purpose, SendError, Unreachable};

/// Cells that are asked for one path before the request is refused (Z-14).
const MOST_ASKED: usize = 3;

/// Longest learn response, in bytes.
const LONGEST_RESPONSE: usize = 64 * 1024;

/// The pre-flights that are under way on this thread.
///
/// Users on other threads ask for themselves: the same path is asked about once for each thread at
/// most, and threads do not wait for each other.
#[derive(Debug, Default)]
pub(super) struct Flights(RefCell<HashMap<Key, Rc<Flight>>>);

type Key = (Method, String);

/// One pre-flight. Where the user who began it goes away, another who waits takes it over; where it
/// fails, it has failed for all who waited.
type Flight = OnceCell<Result<Destination, Refusal>>;

/// A waiter of a flight: the user who makes the request, or one who waits for it.
struct Waiter<'a> {
    flights: &'a Flights,
    key: Key,
    flight: Rc<Flight>,
}

impl Flights {
    /// Joins the flight for this key, or begins it.
    fn join(&self, key: Key) -> Waiter<'_> {
        let flight = Rc::clone(self.0.borrow_mut().entry(key.clone()).or_default());
        Waiter { flights: self, key, flight }
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        // Nobody joins a flight that is over: what it found is in the cache, and a failure is not
        // remembered (Z-15). One without waiters is removed too: the table holds one reference and
        // this waiter the other. A new flight with the same key is another one's.
        let mut flights = self.flights.0.borrow_mut();
        let is_over = self.flight.initialized() || Rc::strong_count(&self.flight) <= 2;
        if is_over
            && flights.get(&self.key).is_some_and(|current| Rc::ptr_eq(current, &self.flight))
        {
            flights.remove(&self.key);
        }
    }
}

/// Why one cell's response is unusable.
enum Useless {
    /// It was not reached; one of another region may stand in.
    Unreachable(SendError),
    /// It responded, and the response is invalid. Another cell may do better.
    Failed(Refusal),
    /// The response is valid, and the request cannot be served.
    Final(Refusal),
}

impl Router {
    /// Learns where a path belongs, and remembers it.
    pub(super) async fn learn(
        &self,
        learn_path: &str,
        method: &Method,
        path: &str,
    ) -> Result<Destination, Refusal> {
        let waiter = self.flights.join((method.clone(), path.to_owned()));
        *waiter.flight.get_or_init(|| self.ask_in_time(learn_path, method, path)).await
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
        let target = learn::target(learn_path, method, path).map_err(|_| Refusal::BadTarget)?;
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
                Err(Useless::Unreachable(_)) => Count::PreflightUnreachable,
                Err(_) => Count::PreflightFailed,
            });
            match outcome {
                Ok(place) => return Ok(place),
                Err(Useless::Final(refusal)) => return Err(refusal),
                Err(Useless::Failed(why)) => {
                    refusal = why;
                    asked += 1;
                    own_responses = true;
                }
                Err(Useless::Unreachable(SendError::Unsent(Unreachable::TimedOut))) => {
                    refusal = Refusal::TooLate;
                    asked += 1;
                }
                // It is there, and is busy: another region is none of its substitutes.
                Err(Useless::Unreachable(SendError::Full)) => {
                    refusal = Refusal::CellFull;
                    own_responses = true;
                }
                // A refused connection costs no time.
                Err(Useless::Unreachable(_)) => {}
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
    ) -> Result<Destination, Useless> {
        let entry = self.topology.cell(cell);
        let mut headers = HeaderMap::new();
        headers.insert(HOST, entry.url.host_header());
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let mut request = Some(request_to_cell(Method::GET, target, headers, Outgoing::empty()));
        let response = match self.upstream.send(cell, Purpose::PreFlight, &mut request).await {
            Ok(response) => response,
            Err(error @ (SendError::Unsent(_) | SendError::Full)) => {
                return Err(Useless::Unreachable(error));
            }
            Err(error @ SendError::Local(_)) => return Err(Useless::Final(error.refusal())),
            Err(error) => return Err(Useless::Failed(error.refusal())),
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
                return Err(Useless::Failed(Refusal::NotLearnt));
            }
        }
        let body = Limited::new(response.into_body(), LONGEST_RESPONSE).collect();
        let body = match tokio::time::timeout(self.topology.limits.response_timeout, body).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(error)) => {
                tracing::warn!(cell = %entry.id, %error, "learn response broke off");
                return Err(Useless::Failed(Refusal::NotLearnt));
            }
            Err(_) => return Err(Useless::Failed(Refusal::TooLate)),
        };
        self.understand(cell, &body, path)
    }

    /// Reads a learn response, and remembers it where it covers the path.
    fn understand(
        &self,
        asked: CellIndex,
        body: &[u8],
        path: &str,
    ) -> Result<Destination, Useless> {
        let asked = &self.topology.cell(asked).id;
        let response = learn::parse(body).map_err(|error| {
            tracing::warn!(cell = %asked, %error, "malformed learn response");
            Useless::Failed(Refusal::NotLearnt)
        })?;
        let owner = self.topology.cell_with_id(&response.cell).ok_or_else(|| {
            tracing::warn!(cell = %asked, named = %response.cell, "learn response names an \
                 unknown cell");
            Useless::Final(Refusal::UnknownCell)
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
                tracing::warn!(cell = %asked, named = %response.path, "learn response is not for \
                     this path")
            }
        }
        Ok(Destination::Owner(owner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        (Method::GET, "/a".to_owned())
    }

    const FAILED: Result<Destination, Refusal> = Err(Refusal::NotLearnt);

    #[tokio::test(flavor = "current_thread")]
    async fn a_failure_is_shared_by_its_waiters_alone() {
        let flights = Flights::default();
        let (first, second) = (flights.join(key()), flights.join(key()));
        assert_eq!(*first.flight.get_or_init(|| async { FAILED }).await, FAILED);
        assert_eq!(*second.flight.get_or_init(|| async { panic!("it is over") }).await, FAILED);
        drop(first);
        // The flight is over although somebody still looks at what it brought.
        assert_eq!(
            *flights.join(key()).flight.get_or_init(|| async { Ok(Destination::Anywhere) }).await,
            Ok(Destination::Anywhere)
        );
        drop(second);
        assert!(flights.0.borrow().is_empty());
    }

    #[tokio::test(flavor = "current_thread")]
    async fn an_abandoned_waiter_does_not_affect_the_others() {
        let flights = Flights::default();
        let (first, second) = (flights.join(key()), flights.join(key()));
        {
            let mut asking = Box::pin(first.flight.get_or_init(std::future::pending));
            let mut waiting =
                Box::pin(second.flight.get_or_init(|| async { Ok(Destination::Anywhere) }));
            tokio::select! {
                biased;
                _ = asking.as_mut() => panic!("it never ends"),
                _ = waiting.as_mut() => panic!("another one asks"),
                () = tokio::task::yield_now() => {}
            }
            drop(asking);
            assert_eq!(*waiting.await, Ok(Destination::Anywhere));
        }
        drop(first);
        drop(second);
        assert!(flights.0.borrow().is_empty());
    }

    #[test]
    fn a_flight_without_waiters_is_dropped() {
        let flights = Flights::default();
        let (first, second) = (flights.join(key()), flights.join(key()));
        drop(first);
        assert_eq!(flights.0.borrow().len(), 1);
        drop(second);
        assert!(flights.0.borrow().is_empty());
    }
}
