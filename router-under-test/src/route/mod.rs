//! The path of a request through the router, top to bottom.

mod arrival;
mod buffering;
mod finish;
mod internal;
mod learning;
mod max_forwards;
mod preflight;

use std::sync::Arc;
use std::time::Instant;

use http::{HeaderValue, Request, Response};
use hyper::body::Incoming;

use crate::body::{Budget, Outgoing};
use crate::cache::View;
use crate::config::{CellIndex, Protocol, Settings, Topology};
use crate::cookie::Cookies;
use crate::forwarded::Told;
use crate::headers;
use crate::metrics::{self, Count, CountOf};
use crate::pick::ColdPick;
use crate::respond::{Refusal, UserBody, refuse};
use crate::shed::{Load, Ticket, Ticketed};
use crate::upstream::{CellBody, Purpose, SendError, Upstream};
use arrival::Arrival;
use preflight::Flights;

/// What one thread needs to serve requests.
#[derive(Debug)]
pub(crate) struct Router {
    topology: Arc<Topology>,
    cache: View,
    upstream: Upstream,
    flights: Flights,
    /// The second-level cache, where it is switched on.
    cookies: Option<Cookies>,
    load: Load,
    /// What may be kept of users' bodies.
    bodies: Budget,
    /// The address that users reach, for those who send no `Host`.
    own_host: HeaderValue,
}

impl Router {
    /// A router without connections.
    pub(crate) fn new(topology: Arc<Topology>, cache: View) -> Self {
        let upstream = Upstream::new(Arc::clone(&topology));
        let load = Load::new(topology.settings.max_requests);
        let bodies = Budget::new(topology.settings.max_buffered_bytes as u64);
        Self::with(topology, cache, upstream, load, bodies)
    }

    /// A router for a later topology. It counts the requests that this one has under way, which
    /// come to their end as they began.
    pub(crate) fn renewed(&self, topology: Arc<Topology>) -> Self {
        let upstream = self.upstream.renewed(Arc::clone(&topology));
        let load = self.load.limited(topology.settings.max_requests);
        Self::with(topology, self.cache.clone(), upstream, load, self.bodies.clone())
    }

    fn with(
        topology: Arc<Topology>,
        cache: View,
        upstream: Upstream,
        load: Load,
        bodies: Budget,
    ) -> Self {
        let own_host = HeaderValue::try_from(topology.listen.to_string())
            .unwrap_or(HeaderValue::from_static("localhost"));
        let cookies = Cookies::new(&topology);
        let flights = Flights::default();
        Self { topology, cache, upstream, flights, cookies, load, bodies, own_host }
    }

    /// The operator's settings.
    pub(crate) fn settings(&self) -> &Settings {
        &self.topology.settings
    }

    /// Serves one request of a user.
    pub(crate) async fn response(
        &self,
        request: Request<Incoming>,
        peer: Option<HeaderValue>,
        is_trusted: bool,
    ) -> Response<UserBody> {
        let mut ticket = Ticket::new();
        // Requests beyond the limit are refused before any work is done.
        let outcome = if self.load.is_full() {
            Err(Refusal::Overloaded)
        } else {
            self.serve(request, peer, is_trusted, &mut ticket).await
        };
        ticket.settle();
        match outcome {
            Ok(response) => {
                metrics::count(Count::Responded);
                response.map(|body| UserBody::Cell(Ticketed::new(body, ticket)))
            }
            Err(refusal) => refused(refusal),
        }
    }

    async fn serve(
        &self,
        request: Request<Incoming>,
        peer: Option<HeaderValue>,
        is_trusted: bool,
        ticket: &mut Ticket,
    ) -> Result<Response<CellBody>, Refusal> {
        // A request that cannot be forwarded is refused here, before any cell is asked.
        let mut arrival = Arrival::parse(request, &self.own_host)?;

        // From here on the fields are those that a cell may see. This comes before anything that
        // looks at them, so that nothing a user sends can pass for a cell's word.
        let told = is_trusted.then(|| Told::of(&arrival.headers));
        headers::of_request(&mut arrival.headers, peer);
        if let Some(told) = told {
            told.add_to(&mut arrival.headers);
        }
        max_forwards::take_one(&arrival.method, &mut arrival.headers)?;
        if !arrival.can_be_written() {
            return Err(Refusal::HeadTooLarge);
        }

        // What the user's cookie says is a hint for a router that knows nothing itself.
        let brought = self
            .cookies
            .as_ref()
            .map(|cookies| (cookies, cookies.take(&mut arrival.headers), arrival.target.clone()));
        let hint = brought
            .as_ref()
            .and_then(|(cookies, route_cookie, target)| cookies.owner(route_cookie, target.path()));

        // Which cell, and what to do with its response, is the protocol's.
        let CellResponse { cell, mut response } = match &self.topology.protocol {
            Protocol::Buffering => self.buffer_and_send(arrival, hint, ticket).await,
            Protocol::Learning { learn_path } => {
                if !ticket.admit(&self.load) {
                    return Err(Refusal::Overloaded);
                }
                self.learn_and_send(arrival, learn_path, hint).await
            }
        }?;

        if let Some((cookies, route_cookie, target)) = brought {
            let known = self.cache.entry(target.path(), Instant::now());
            let status = response.status();
            cookies.give(
                route_cookie,
                target.path(),
                known.as_ref(),
                cell,
                (status, response.headers_mut()),
            );
        }

        // The response is meant for the user now; its internal fields have been read and go.
        Ok(finish::response(response, self.topology.not_found_delay).await)
    }

    /// The cell that is known to own a path.
    fn known_owner(&self, path: &str) -> Option<CellIndex> {
        // A request that began before the last reload finds what was learnt after it.
        self.cache.owner(path, Instant::now()).filter(|cell| self.topology.has(*cell))
    }

    /// The cells to try where none is known, without those that let requests wait (unless all of the
    /// region do).
    fn cold_pick(&self) -> ColdPick<'_> {
        let mut pick = ColdPick::new(&self.topology);
        let left_out = |cell: &CellIndex| self.upstream.is_left_out(*cell);
        let own = self.topology.own_cells();
        if own.iter().any(left_out) && !own.iter().all(left_out) {
            own.iter().filter(|cell| left_out(cell)).for_each(|cell| pick.pass_over(*cell));
        }
        pick
    }

    /// Sends a user's request to a cell.
    async fn send(
        &self,
        cell: CellIndex,
        request: &mut Option<Request<Outgoing>>,
    ) -> Result<Response<CellBody>, SendError> {
        let outcome = self.upstream.send(cell, Purpose::User, request).await;
        if !matches!(outcome, Err(SendError::Unsent(_) | SendError::Full | SendError::Local(_))) {
            metrics::count_of(CountOf::Hop, cell);
        }
        outcome
    }
}

/// A cell's response for the user.
#[derive(Debug)]
struct CellResponse {
    cell: CellIndex,
    response: Response<CellBody>,
}

fn refused(refusal: Refusal) -> Response<UserBody> {
    tracing::info!(%refusal, status = refusal.status().as_u16(), "refused");
    refuse(refusal)
}
