//! The path of a request through the router, top to bottom.

mod arrival;
mod body_budget;
mod bookkeeping;
mod buffering;
mod candidates;
mod cells;
mod finish;
mod flights;
mod hint;
mod internal;
mod learning;
mod location;
mod max_forwards;
mod pick;
mod preflight;

use std::sync::Arc;

use http::{HeaderValue, Request, Response};

use crate::body::Budget;
use crate::cache::Cache;
use crate::config::{CellIndex, Protocol, Settings, Topology};
use crate::cookie::Cookies;
use crate::headers::Peer;
use crate::respond::{Refusal, UserBody};
use crate::shed::Load;
use crate::upstream::{CellBody, Upstream};
use crate::user::RequestBody;
use arrival::Arrival;
use bookkeeping::Bookkeeping;
use flights::Flights;
use hint::RequestCookie;
use learning::Destination;

/// What one thread needs to serve requests.
#[derive(Debug)]
pub(crate) struct Router {
    topology: Arc<Topology>,
    cache: Arc<Cache>,
    upstream: Upstream,
    /// The pre-flights that are under way.
    flights: Flights<Result<Destination, Refusal>>,
    /// The second-level cache, where it is switched on.
    cookies: Option<Cookies>,
    load: Load,
    /// What users' bodies may take.
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
        let flights = Flights::new();
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
        let mut bookkeeping = Bookkeeping::begin(&request, peer, self.settings().request_ids);
        // Requests beyond the limit are refused before any work is done.
        let outcome = if self.load.is_full() && !self.makes_room(None).await {
            Err(Refusal::Overloaded)
        } else {
            self.serve(request, peer, &mut bookkeeping).await
        };
        bookkeeping.respond(outcome, &self.topology)
    }

    async fn serve(
        &self,
        request: Request<RequestBody>,
        peer: &Peer,
        bookkeeping: &mut Bookkeeping,
    ) -> Result<Response<CellBody>, Refusal> {
        // A request that cannot be forwarded is refused here, before any cell is asked.
        let mut arrival = Arrival::parse(request, &self.own_host)?;

        // From here on the fields are those that a cell may see. This comes before anything that
        // looks at them, so that nothing a user sends can pass for a cell's word.
        peer.fill(&mut arrival.headers);
        bookkeeping.mark(&mut arrival.headers);
        max_forwards::take_one(&arrival.method, &mut arrival.headers)?;
        if !arrival.can_be_written() {
            return Err(Refusal::HeadTooLarge);
        }

        // What the user's cookie says is a hint for a router that knows nothing itself.
        let cookie = RequestCookie::take(self.cookies.as_ref(), &mut arrival);
        let hint = cookie.owner();

        // Which cell, and what to do with its response, is the protocol's.
        let CellResponse { cell, mut response } = match &self.topology.protocol {
            Protocol::Buffering => self.buffer_and_send(arrival, hint, bookkeeping).await,
            Protocol::Learning { learn_path } => {
                self.learn_and_send(arrival, learn_path, hint, bookkeeping).await
            }
        }?;

        cookie.give(&self.cache, cell, &mut response);
        // The response is meant for the user now; its internal fields have been read and go.
        Ok(finish::response(response, &self.topology).await)
    }
}

/// A cell's response for the user.
#[derive(Debug)]
struct CellResponse {
    cell: CellIndex,
    response: Response<CellBody>,
}
