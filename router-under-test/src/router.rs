//! The path of a request through the router, from top to bottom.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::Either;
use hyper::body::Incoming;
use hyper::upgrade::OnUpgrade;
use tokio::sync::OwnedSemaphorePermit;

use crate::body::Upload;
use crate::cells::{CellBody, Cells};
use crate::cookie::{Cookies, RouteCookie};
use crate::internal::is_internal;
use crate::metrics;
use crate::parts::{Ask, Parts, Step};
use crate::refusal::Refusal;
use crate::request::Arrival;
use crate::response::UserBody;
use crate::shared::Shared;
use crate::stream::Link;
use crate::topology::Protocol;
use crate::tunnel;

/// The router, as one thread has it.
pub(crate) struct Router<P> {
    pub(crate) parts: P,
    pub(crate) shared: Arc<Shared>,
    pub(crate) cells: Cells<P>,
}

/// A user's connection.
#[derive(Clone, Debug)]
pub struct User {
    /// The user's address and port.
    pub address: SocketAddr,
    /// The address, for fields.
    pub(crate) field: HeaderValue,
    pub(crate) link: Arc<Link>,
}

/// A cell's response for the user.
#[derive(Debug)]
pub(crate) struct CellResponse {
    step: Step,
    response: Response<CellBody>,
}

impl CellResponse {
    /// The request has its place until the response is over.
    pub(crate) fn new(
        step: Step,
        mut response: Response<CellBody>,
        place: OwnedSemaphorePermit,
    ) -> Self {
        response.body_mut().hold(place);
        Self { step, response }
    }
}

impl<P: Parts> Router<P> {
    /// A router without connections.
    pub(crate) fn new(parts: P, shared: Arc<Shared>) -> Self {
        let cells = Cells::new(parts.clone(), Arc::clone(&shared));
        Self { parts, shared, cells }
    }

    /// Responds to a request of a user.
    pub(crate) async fn respond(
        &self,
        mut request: Request<Incoming>,
        user: User,
    ) -> Response<UserBody> {
        let began = Instant::now();
        let upgrade = hyper::upgrade::on(&mut request);
        let (head, incoming) = request.into_parts();
        let upload = Upload::new(incoming, Arc::clone(&user.link), self.shared.settings.silence);
        let note = self.parts.note(&head, &user);

        // What must not be forwarded is refused before any cell is asked. From here on the fields
        // are those that a cell may see.
        let (mut arrival, problem) = Arrival::parse(head, &upload, user.field.clone());
        // What the user's cookie says is a hint for a router that knows nothing itself (CA-15).
        let cookies = self.shared.cookies.as_ref();
        let cookie = cookies.map(|cookies| cookies.take(&mut arrival.headers));
        let (topology, cache) = (&self.shared.topology, &self.shared.cache);
        let ask = Ask { arrival: &arrival, note: &note, topology, cache };
        let problem = problem.or_else(|| self.is_internal(&ask).then_some(Refusal::Internal));

        let refused = self.parts.refusal(&ask, problem, user.link.has_unread());
        let response = match refused {
            Some(refused) => refused,
            None => match self.serve(&ask, upload, cookies.zip(cookie)).await {
                Ok((step, response)) => self.parts.response_to_user(&ask, step, response).await,
                Err(refusal) => {
                    tracing::debug!(?refusal, "refused");
                    let is_last = user.link.has_unread();
                    let refused = self.parts.refusal(&ask, Some(refusal), is_last);
                    refused.unwrap_or_else(|| refusal.response(is_last))
                }
            },
        };
        let (method, status) = (&arrival.method, response.status());
        tracing::debug!(%method, path = arrival.path(), status = status.as_u16(), "responded");
        metrics::request(began, status);
        self.give(response, upgrade, user)
    }

    /// A pre-flight tells where private groups live: users do not get it through the router (Z-10).
    fn is_internal(&self, ask: &Ask<'_, P::Note>) -> bool {
        match &ask.topology.protocol {
            Protocol::Buffering => false,
            Protocol::Learning { learn_path } => is_internal(ask.path(), learn_path),
        }
    }

    /// Which cell, and what to do with its response, is the protocol's.
    async fn serve(
        &self,
        ask: &Ask<'_, P::Note>,
        upload: Upload,
        cookie: Option<(&Cookies, RouteCookie)>,
    ) -> Result<(Step, Response<UserBody>), Refusal> {
        let hint = cookie.as_ref().and_then(|(_, cookie)| cookie.owner(ask.path(), ask.topology));
        let CellResponse { step, mut response } = match &ask.topology.protocol {
            Protocol::Buffering => self.buffer_and_send(ask, upload, hint).await,
            Protocol::Learning { learn_path } => {
                self.learn_and_send(ask, upload, learn_path, hint).await
            }
        }?;
        if let Some((cookies, cookie)) = cookie {
            let known = ask.cache.entry(ask.path());
            cookies.give(cookie, ask.path(), known, step.cell, ask.topology, &mut response);
        }
        Ok((step, response.map(Either::Left)))
    }

    /// Gives the response to the user, who may speak another protocol from then on.
    fn give(
        &self,
        mut response: Response<UserBody>,
        upgrade: OnUpgrade,
        user: User,
    ) -> Response<UserBody> {
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            user.link.switches();
            tunnel::open(upgrade, &mut response);
        }
        if let Either::Left(body) = response.body_mut() {
            body.goes_to(user.link);
        }
        response
    }
}
