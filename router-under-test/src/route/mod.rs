//! The path of a request through the router, top to bottom.

mod arrival;
mod buffering;
mod finish;
mod internal;
mod learning;
mod location;
mod max_forwards;
mod preflight;

use std::sync::Arc;
use std::time::Instant;

use http::{HeaderValue, Request, Response};

use crate::access::{Access, Lookup};
use crate::body::{Budget, Outgoing};
use crate::cache::Cache;
use crate::config::{CellIndex, Protocol, Settings, Topology};
use crate::cookie::Cookies;
use crate::forwarded::Peer;
use crate::metrics::{self, Count, CountOf};
use crate::pick::ColdPick;
use crate::refusal::Refusal;
use crate::request_id;
use crate::respond::{UserBody, refuse};
use crate::shed::{Load, Ticket, Ticketed};
use crate::upstream::{CellBody, Purpose, SendError, Upstream};
use crate::user::RequestBody;
use arrival::Arrival;
use preflight::Flights;

/// What one thread needs to serve requests.
#[derive(Debug)]
pub(crate) struct Router {
    topology: Arc<Topology>,
    cache: Arc<Cache>,
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
    pub(crate) fn new(topology: Arc<Topology>, cache: Arc<Cache>) -> Self {
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
        Self::with(topology, Arc::clone(&self.cache), upstream, load, self.bodies.clone())
    }

    fn with(
        topology: Arc<Topology>,
        cache: Arc<Cache>,
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
        request: Request<RequestBody>,
        peer: &Peer,
    ) -> Response<UserBody> {
        let mut ticket = Ticket::new();
        let mut access = Access::begin(peer.address.clone());
        if let Some(access) = &mut access {
            access.asks(request.method(), request.uri().path());
        }
        let named = self.settings().request_ids;
        let id = named.then(|| request_id::of(request.headers(), peer.is_trusted));
        if let (Some(access), Some(id)) = (&mut access, &id) {
            access.has_id(id);
        }
        // Requests beyond the limit are refused before any work is done.
        let outcome = if self.load.is_full() {
            Err(Refusal::Overloaded)
        } else {
            self.serve(request, peer, id.as_ref(), &mut ticket).await
        };
        ticket.settle();
        if let Some(access) = &mut access {
            let cell = ticket.asked.map(|cell| &*self.topology.cell(cell).id);
            access.went(cell, ticket.lookup);
        }
        match outcome {
            Ok(response) => {
                metrics::count(Count::Responded);
                if let Some(access) = &mut access {
                    access.responds(response.status());
                }
                response.map(|body| UserBody::Cell(Ticketed::new(body, ticket, access)))
            }
            Err(refusal) => refuse(refusal, &refusal, access.as_deref_mut(), id),
        }
    }

    async fn serve(
        &self,
        request: Request<RequestBody>,
        peer: &Peer,
        id: Option<&HeaderValue>,
        ticket: &mut Ticket,
    ) -> Result<Response<CellBody>, Refusal> {
        // A request that cannot be forwarded is refused here, before any cell is asked.
        let mut arrival = Arrival::parse(request, &self.own_host)?;

        // From here on the fields are those that a cell may see. This comes before anything that
        // looks at them, so that nothing a user sends can pass for a cell's word.
        peer.fill(&mut arrival.headers);
        if let Some(id) = id {
            request_id::put(&mut arrival.headers, id);
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
                self.learn_and_send(arrival, learn_path, hint, ticket).await
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
        Ok(finish::response(response, &self.topology).await)
    }

    /// The cell that is known to own a path.
    fn known_owner(
        &self,
        path: &str,
        hint: Option<CellIndex>,
        ticket: &mut Ticket,
    ) -> Option<CellIndex> {
        // A request that began before the last reload finds what was learnt after it.
        let owner = self.cache.owner(path, Instant::now()).filter(|cell| self.topology.has(*cell));
        ticket.lookup = Some(match (owner, hint) {
            (Some(_), _) => Lookup::Hit,
            (None, Some(_)) => Lookup::Hint,
            (None, None) => Lookup::Miss,
        });
        owner
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
        ticket: &mut Ticket,
    ) -> Result<Response<CellBody>, SendError> {
        ticket.asked = Some(cell);
        let outcome = self.upstream.send(cell, Purpose::User, request).await;
        if !matches!(outcome, Err(SendError::Unsent(_) | SendError::Full | SendError::Local(_))) {
            metrics::count_of(CountOf::Hop, cell.place());
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
