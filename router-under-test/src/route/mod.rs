//! The path of a request through the router, top to bottom.

mod arrival;
mod buffering;
mod finish;
mod internal;
mod learning;
mod preflight;

use std::sync::Arc;

use http::{HeaderValue, Request, Response};
use hyper::body::Incoming;

use crate::cache::View;
use crate::config::{Protocol, Topology};
use crate::headers;
use crate::respond::{Refusal, UserBody, refuse};
use crate::upstream::Upstream;
use arrival::Arrival;
use preflight::Flights;

/// What one thread needs to answer requests.
#[derive(Debug)]
pub(crate) struct Router {
    topology: Arc<Topology>,
    cache: View,
    upstream: Upstream,
    flights: Flights,
    /// The address that users reach, for those who send no `Host`.
    own_host: HeaderValue,
}

impl Router {
    /// A router without connections.
    pub(crate) fn new(topology: Arc<Topology>, cache: View) -> Self {
        let upstream = Upstream::new(Arc::clone(&topology));
        let own_host = HeaderValue::try_from(topology.listen.to_string()).unwrap_or(HeaderValue::from_static("localhost"));
        Self { topology, cache, upstream, flights: Flights::default(), own_host }
    }

    /// Answers one request of a user.
    pub(crate) async fn answer(&self, request: Request<Incoming>, peer: Option<HeaderValue>) -> Response<UserBody> {
        let outcome = async {
            // What is no request that a router could forward ends here, before anybody is asked.
            let mut arrival = Arrival::parse(request, &self.own_host)?;

            // From here on the fields are those that a cell may see. This comes before anything that looks
            // at them, so that nothing a user sends can pass for a cell's word.
            headers::of_request(&mut arrival.headers, peer);

            // Which cell, and what to do with its answer, is the protocol's.
            let answer = match &self.topology.protocol {
                Protocol::Buffering => self.buffer_and_send(arrival).await,
                Protocol::Learning { learn_path } => self.learn_and_send(arrival, learn_path).await,
            }?;

            // The answer is meant for the user now; its internal fields have been read and go.
            Ok(finish::answer(answer, self.topology.not_found_delay).await)
        };
        outcome.await.unwrap_or_else(|refusal: Refusal| {
            tracing::info!(%refusal, status = refusal.status().as_u16(), "refused");
            refuse(refusal)
        })
    }
}
