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
use super::learning::Place;
use crate::body::Outgoing;
use crate::cache::Rule;
use crate::config::CellIndex;
use crate::learn;
use crate::pick::ColdPick;
use crate::respond::Refusal;
use crate::upstream::{SendError, Unreachable};

/// Cells that are asked for one path before the request is refused (Z-14).
const MOST_ASKED: usize = 3;

/// A learn answer is no longer than this.
const LONGEST_ANSWER: usize = 64 * 1024;

/// The pre-flights that are under way on this thread.
#[derive(Debug, Default)]
pub(super) struct Flights(RefCell<HashMap<(Method, String), Rc<Flight>>>);

/// One pre-flight. Where the user who began it goes away, another who waits takes it over.
type Flight = OnceCell<Result<Place, Refusal>>;

/// Why one cell's answer is of no use.
enum Useless {
    /// It was not reached; one of another region may stand in.
    Unreachable(SendError),
    /// It was asked, and does not know its business. Another one may.
    Failed(Refusal),
    /// The answer is clear, and the request cannot be served.
    Final(Refusal),
}

impl Router {
    /// Learns where a path belongs, and remembers it.
    pub(super) async fn learn(&self, learn_path: &str, method: &Method, path: &str) -> Result<Place, Refusal> {
        let key = (method.clone(), path.to_owned());
        let flight = Rc::clone(self.flights.0.borrow_mut().entry(key.clone()).or_default());
        let outcome = *flight.get_or_init(|| self.ask_cells(learn_path, method, path)).await;
        // Nobody joins a flight that is over: what it found is in the cache, and a failure is not
        // remembered (Z-15). A new flight with the same key is another one's.
        let mut flights = self.flights.0.borrow_mut();
        if flights.get(&key).is_some_and(|current| Rc::ptr_eq(current, &flight)) {
            flights.remove(&key);
        }
        outcome
    }

    /// Asks one cell after the other until one gives an answer.
    async fn ask_cells(&self, learn_path: &str, method: &Method, path: &str) -> Result<Place, Refusal> {
        let target = learn::target(learn_path, method, path).map_err(|_| Refusal::BadTarget)?;
        let mut cold = ColdPick::new(&self.topology);
        let mut refusal = Refusal::NoneReachable;
        let mut asked = 0;
        // Another region is asked only where no cell of the own one can be reached (RG-01).
        let mut own_answers = false;
        while asked < MOST_ASKED {
            let next = if own_answers { cold.next_in_region() } else { cold.next() };
            let Some(cell) = next else { break };
            match self.ask(cell, target.clone(), path).await {
                Ok(place) => return Ok(place),
                Err(Useless::Final(refusal)) => return Err(refusal),
                Err(Useless::Failed(why)) => {
                    refusal = why;
                    asked += 1;
                    own_answers = true;
                }
                Err(Useless::Unreachable(SendError::Unsent(Unreachable::TimedOut))) => {
                    refusal = Refusal::TooLate;
                    asked += 1;
                }
                // A refused connection costs no time.
                Err(Useless::Unreachable(_)) => {}
            }
        }
        Err(refusal)
    }

    /// Asks one cell. No header field of the user goes along, and no body (LN-11, Z-11).
    async fn ask(&self, cell: CellIndex, target: PathAndQuery, path: &str) -> Result<Place, Useless> {
        let entry = self.topology.cell(cell);
        let mut headers = HeaderMap::new();
        headers.insert(HOST, entry.url.host_header());
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let mut request = Some(request_to_cell(Method::GET, target, headers, Outgoing::empty()));
        let answer = match self.upstream.send(cell, &mut request).await {
            Ok(answer) => answer,
            Err(error @ SendError::Unsent(_)) => return Err(Useless::Unreachable(error)),
            Err(error) => return Err(Useless::Failed(error.refusal())),
        };
        match answer.status() {
            StatusCode::OK => {}
            // This cell can name no owner, and that is not remembered (Z-34).
            StatusCode::NOT_FOUND => {
                answer.into_body().discard();
                return Ok(Place::Latest);
            }
            status => {
                tracing::warn!(cell = %entry.id, %status, "pre-flight failed");
                answer.into_body().discard();
                return Err(Useless::Failed(Refusal::NotLearnt));
            }
        }
        let body = Limited::new(answer.into_body(), LONGEST_ANSWER).collect();
        let body = match tokio::time::timeout(self.topology.limits.response_timeout, body).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(error)) => {
                tracing::warn!(cell = %entry.id, %error, "learn answer broke off");
                return Err(Useless::Failed(Refusal::NotLearnt));
            }
            Err(_) => return Err(Useless::Failed(Refusal::TooLate)),
        };
        self.understand(cell, &body, path)
    }

    /// Reads a learn answer, and remembers it where it covers the path.
    fn understand(&self, asked: CellIndex, body: &[u8], path: &str) -> Result<Place, Useless> {
        let asked = &self.topology.cell(asked).id;
        let answer = learn::parse(body).map_err(|error| {
            tracing::warn!(cell = %asked, %error, "malformed learn answer");
            Useless::Failed(Refusal::NotLearnt)
        })?;
        let owner = self.topology.cell_with_id(&answer.cell).ok_or_else(|| {
            tracing::warn!(cell = %asked, named = %answer.cell, "learn answer names an unknown cell");
            Useless::Final(Refusal::UnknownCell)
        })?;
        let rule = if answer.exact { Rule::exact(answer.path.as_bytes(), path) } else { Rule::prefix(answer.path.as_bytes(), path) };
        match rule {
            // The time runs from here, and nothing prolongs it (LN-13, Z-33).
            Some(rule) => self.cache.remember(rule, owner, Instant::now().checked_add(self.topology.ttl)),
            None => tracing::warn!(cell = %asked, named = %answer.path, "learn answer is not for this path"),
        }
        Ok(Place::Owner(owner))
    }
}
