//! The path of a request through the router, from top to bottom.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::{Either, Full};
use hyper::body::Incoming;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::body::{UNIT, Upload};
use crate::cache::Cache;
use crate::cells::{CellBody, Cells};
use crate::config::{Config, Settings};
use crate::cookie::{Cookies, Known};
use crate::metrics;
use crate::refusal::Refusal;
use crate::request::Arrival;
use crate::response;
use crate::stream::Link;
use crate::topology::{CellIndex, Protocol, Topology};
use crate::tunnel;

/// What all threads share.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    pub(crate) topology: Arc<Topology>,
    pub(crate) settings: Arc<Settings>,
    cache: Arc<Cache>,
    cookies: Option<Arc<Cookies>>,
    /// Places for requests under way.
    places: Arc<Semaphore>,
    /// Places at each cell.
    shares: Arc<[Arc<Semaphore>]>,
    /// Room for kept bodies.
    room: Arc<Semaphore>,
    /// The address that users reach, for those who send no `Host`.
    own_host: HeaderValue,
}

impl Shared {
    pub(crate) fn new(config: Config) -> Self {
        let Config { topology, settings } = config;
        let places = |most: usize| Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)));
        Self {
            cache: Arc::new(Cache::new(topology.max_entries)),
            cookies: Cookies::new(&topology, &settings).map(Arc::new),
            places: places(settings.max_requests),
            shares: topology.all().map(|_| places(settings.max_cell_requests)).collect(),
            room: places(settings.max_buffered_bytes.div_ceil(UNIT)),
            own_host: HeaderValue::try_from(topology.listen.to_string())
                .unwrap_or(HeaderValue::from_static("localhost")),
            topology: Arc::new(topology),
            settings: Arc::new(settings),
        }
    }
}

/// The router, as one thread has it.
#[derive(Debug)]
pub(crate) struct Router {
    shared: Shared,
    pub(crate) cells: Cells,
}

/// A user's connection.
#[derive(Clone, Debug)]
pub(crate) struct User {
    pub(crate) address: HeaderValue,
    pub(crate) link: Arc<Link>,
}

/// A cell's response for the user.
#[derive(Debug)]
pub(crate) struct CellResponse {
    pub(crate) cell: CellIndex,
    pub(crate) response: Response<CellBody>,
}

impl Router {
    /// A router without connections.
    pub(crate) fn new(shared: Shared) -> Self {
        let topology = Arc::clone(&shared.topology);
        let cells = Cells::new(topology, &shared.settings, Arc::clone(&shared.shares));
        Self { shared, cells }
    }

    /// Serves one request of a user, and says in the log what became of it.
    pub(crate) async fn respond(
        &self,
        request: Request<Incoming>,
        user: User,
    ) -> Response<Either<CellBody, Full<Bytes>>> {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let (began, link) = (Instant::now(), Arc::clone(&user.link));
        match self.serve(request, user).await {
            Ok(response) => {
                metrics::request(began, response.status(), "served");
                tracing::debug!(%method, path, status = response.status().as_u16(), "served");
                response.map(Either::Left)
            }
            Err(refusal) => {
                metrics::request(began, refusal.status(), "refused");
                let status = refusal.status().as_u16();
                tracing::debug!(%method, path, status, why = ?refusal, "refused");
                refusal.response(link.has_unread()).map(Either::Right)
            }
        }
    }

    async fn serve(
        &self,
        mut request: Request<Incoming>,
        user: User,
    ) -> Result<Response<CellBody>, Refusal> {
        let upgrade = hyper::upgrade::on(&mut request);
        let (head, incoming) = request.into_parts();
        let upload = Upload::new(incoming, Arc::clone(&user.link), self.settings().silence);

        // A request that cannot be forwarded is refused here, before any cell is asked. From here
        // on the fields are those that a cell may see.
        let mut arrival = Arrival::parse(head, &upload, user.address, &self.shared.own_host)?;

        // What the user's cookie says is a hint for a router that knows nothing itself (CA-15).
        let cookies = self.shared.cookies.as_deref();
        let cookie = cookies.map(|cookies| cookies.take(&mut arrival.headers));
        let hint = cookies
            .zip(cookie.as_ref())
            .and_then(|(cookies, cookie)| cookies.owner(cookie, arrival.path(), self.topology()));

        // Which cell, and what to do with its response, is the protocol's.
        let CellResponse { cell, mut response } = match &self.topology().protocol {
            Protocol::Buffering => self.buffer_and_send(&arrival, upload, hint).await,
            Protocol::Learning { learn_path } => {
                self.learn_and_send(&arrival, upload, learn_path, hint).await
            }
        }?;

        if let Some((cookies, cookie)) = cookies.zip(cookie) {
            let known = self.cache().entry(arrival.path()).map(|entry| Known {
                path: entry.rule.path,
                exact: entry.rule.exact,
                cell: entry.cell,
                expires: entry.expires,
            });
            cookies.give(cookie, arrival.path(), known, cell, self.topology(), &mut response);
        }
        // The response is meant for the user now; its internal fields have been read and go.
        response::fields(&mut response, self.topology());
        response::delay(response.status(), self.topology().not_found_delay).await;
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            tunnel::open(upgrade, &mut response);
        }
        response.body_mut().goes_to(user.link);
        Ok(response)
    }

    pub(crate) fn topology(&self) -> &Topology {
        &self.shared.topology
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.shared.settings
    }

    pub(crate) fn cache(&self) -> &Cache {
        &self.shared.cache
    }

    pub(crate) fn room(&self) -> &Arc<Semaphore> {
        &self.shared.room
    }

    /// A place among the requests under way; a refusal where there are too many.
    pub(crate) fn admit(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        Arc::clone(&self.shared.places).try_acquire_owned().map_err(|_| Refusal::Overloaded)
    }
}
