//! One user's connection.

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http::header::CONNECTION;
use http::{HeaderValue, Request, Response, StatusCode, Version};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;

use crate::access::Access;
use crate::cache::View;
use crate::config::{Settings, Topology};
use crate::connections::{Connections, Counted};
use crate::forwarded::Peer;
use crate::guard::{GuardState, Guarded};
use crate::metrics;
use crate::proxied::{self, NoHeader, Source};
use crate::respond::{Refusal, UserBody, note, refuse};
use crate::route::Router;
use crate::spread::Accepted;

/// How long a connection may be idle. For a head that has begun there is less time.
const IDLE_TIMEOUT: Duration = Duration::from_secs(75);

/// How long a router that stops waits for the first request of a connection.
const FIRST_REQUEST: Duration = Duration::from_secs(1);

/// After this long without a byte, TCP keep-alive probes the other side.
pub(crate) const SILENCE: Duration = Duration::from_secs(30);

/// The router of one thread. A later topology makes another one; requests that have begun keep
/// theirs.
#[derive(Debug)]
pub(crate) struct Current(RefCell<Rc<Router>>);

impl Current {
    fn router(&self) -> Rc<Router> {
        Rc::clone(&self.0.borrow())
    }

    /// Requests that begin from here on are served according to this topology.
    pub(crate) fn renew(&self, topology: Arc<Topology>) {
        let renewed = Rc::new(self.router().renewed(topology));
        self.0.replace(renewed);
    }
}

/// Serves the connections of one thread.
#[derive(Debug)]
pub(crate) struct Acceptor {
    current: Rc<Current>,
    connections: Connections,
}

impl Acceptor {
    /// No connections yet.
    pub(crate) fn new(topology: Arc<Topology>, view: View) -> Self {
        let router = RefCell::new(Rc::new(Router::new(topology, view)));
        Self { current: Rc::new(Current(router)), connections: Connections::default() }
    }

    /// The router that requests from here on get, as the topologies come.
    pub(crate) fn current(&self) -> Rc<Current> {
        Rc::clone(&self.current)
    }

    /// Serves a connection on this thread.
    pub(crate) fn serve(&self, (stream, peer, open): Accepted) {
        let (current, connections) = (self.current(), self.connections.clone());
        let router = current.router();
        let settings = router.settings();
        if settings.proxy_protocol && !settings.trusted_proxies.contains(peer.ip()) {
            tracing::warn!(address = %peer.ip(), "refused: not in CELLS_TRUSTED_PROXIES");
            return;
        }
        // Users behind a proxy are counted once it has said who they are.
        if !settings.proxy_protocol && !admits(&connections, peer.ip(), settings) {
            return;
        }
        let counted = connections.count(Some(peer.ip()));
        tokio::task::spawn_local(async move {
            // The thread has the connection until this ends.
            let _open = open;
            let arrived = arrive(&router, stream, peer, counted, &connections).await;
            drop(router);
            let Some((stream, peer, counted)) = arrived else { return };
            if let Err(error) = serve(current, stream, peer, counted, connections).await {
                if error.is_parse() {
                    // The parser has refused it by itself, and is asked for nothing more.
                    let refusal = Refusal::Malformed;
                    tracing::info!(%error, status = refusal.status().as_u16(), "refused");
                    metrics::refused(refusal.label());
                    metrics::request_took(Duration::ZERO);
                }
                tracing::debug!(%error, "connection of a user ended");
            }
        });
    }

    /// The open connections.
    pub(crate) fn connections(&self) -> &Connections {
        &self.connections
    }

    /// Tells all connections to end after the request that is under way, and gives the means to
    /// wait.
    pub(crate) fn end(self) -> Connections {
        self.connections.end();
        self.connections
    }
}

/// Whether this address may have one more connection.
fn admits(connections: &Connections, address: IpAddr, settings: &Settings) -> bool {
    let admits = connections.admits(address, settings.max_address_connections);
    if !admits {
        tracing::warn!(%address, "too many connections of one address");
    }
    admits
}

/// Finds out who is at the other side; none where the connection is of no use.
async fn arrive(
    router: &Router,
    mut stream: TcpStream,
    peer: SocketAddr,
    counted: Counted,
    connections: &Connections,
) -> Option<(TcpStream, Peer, Counted)> {
    let settings = router.settings();
    // An address is always a valid value.
    let text = |address: IpAddr| HeaderValue::try_from(address.to_string()).ok();
    if !settings.proxy_protocol {
        let is_trusted = settings.trusted_proxies.contains(peer.ip());
        let peer = Peer { address: text(peer.ip()), is_trusted, is_secure: false };
        return Some((stream, peer, counted));
    }
    let ended = async {
        counted.ending().await;
        // Where the router stops, who has just connected may have one response.
        if !counted.is_closing() {
            tokio::time::sleep(FIRST_REQUEST).await;
        }
    };
    let header = tokio::select! {
        biased;
        header = proxied::read(&mut stream) => header,
        () = tokio::time::sleep(settings.patience.head) => {
            Err(NoHeader::Ended(io::ErrorKind::TimedOut.into()))
        }
        () = ended => return None,
    };
    match header {
        // The proxy looks whether the router is there, or does not know for whom it speaks. What
        // the fields say could be anybody's.
        Ok(None) => {
            let peer = Peer { address: text(peer.ip()), is_trusted: false, is_secure: false };
            Some((stream, peer, counted))
        }
        Ok(Some(Source { address, is_secure })) => {
            let is_trusted = settings.trusted_proxies.contains(address);
            let peer = Peer { address: text(address), is_trusted, is_secure };
            admits(connections, address, settings)
                .then(|| (stream, peer, connections.count(Some(address))))
        }
        Err(error) => {
            tracing::warn!(proxy = %peer.ip(), %error, "refused: no PROXY header");
            None
        }
    }
}

async fn serve(
    current: Rc<Current>,
    stream: TcpStream,
    peer: Peer,
    counted: Counted,
    connections: Connections,
) -> hyper::Result<()> {
    // Only a connection that is gone has no such options; reading from it says so.
    let _ = stream.set_nodelay(true);
    let _ = SockRef::from(&stream).set_tcp_keepalive(&TcpKeepalive::new().with_time(SILENCE));
    let router = current.router();
    let settings = router.settings();
    let (guarded, guard_state) = Guarded::new(stream, counted.waits(), settings.patience);
    drop(router);
    let conversation = Rc::new(ConnectionState {
        current,
        peer,
        guard_state,
        connections,
        requests: Cell::new(0),
    });
    let service = service_fn(|request| {
        let conversation = Rc::clone(&conversation);
        async move { Ok::<_, Infallible>(conversation.response(request).await) }
    });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE_TIMEOUT)
        // A user who has closed the sending half may still wait for the response.
        .half_close(true)
        .serve_connection(TokioIo::new(guarded), service)
        .with_upgrades();

    let is_new = || conversation.requests.get() == 0;
    to_the_end(Pin::new(&mut connection), &counted, is_new).await
}

/// Serves until the connection ends, by itself or because the router stops.
async fn to_the_end<C: Connection>(
    mut connection: Pin<&mut C>,
    counted: &Counted,
    is_new: impl Fn() -> bool,
) -> hyper::Result<()> {
    if let Some(outcome) = unless_ending(connection.as_mut(), counted).await {
        return outcome;
    }
    if counted.is_closing() {
        return Ok(());
    }
    // A request that has arrived but was not read yet is under way for the user. The first turn
    // lets the event queue say so, the second lets the connection read it.
    for _ in 0..2 {
        tokio::select! {
            biased;
            outcome = connection.as_mut() => return outcome,
            () = tokio::task::yield_now() => {}
        }
    }
    // Who has just connected has a request to send, and may have one response.
    let mut first = pin!(tokio::time::sleep(FIRST_REQUEST));
    let outcome = poll_fn(|cx| {
        let outcome = connection.as_mut().poll(cx).map(Some);
        if outcome.is_ready() || (is_new() && first.as_mut().poll(cx).is_pending()) {
            return outcome;
        }
        Poll::Ready(None)
    });
    if let Some(outcome) = outcome.await {
        return outcome;
    }
    connection.as_mut().graceful_shutdown();
    connection.await
}

/// What the requests of one connection share.
struct ConnectionState {
    current: Rc<Current>,
    peer: Peer,
    guard_state: GuardState,
    connections: Connections,
    /// How many came so far.
    requests: Cell<u64>,
}

impl ConnectionState {
    async fn response(&self, mut request: Request<Incoming>) -> UserResponse {
        let number = self.requests.get() + 1;
        self.requests.set(number);
        if let Some(fault) = self.guard_state.on(number) {
            let refusal = fault.refusal();
            metrics::request_took(Duration::ZERO);
            tracing::info!(%fault, status = refusal.status().as_u16(), "refused");
            let response = last(refusal);
            if let Some(mut access) = Access::begin(self.peer.address.clone()) {
                note(&mut access, refusal, &response);
            }
            return response;
        }
        self.guard_state.ends_unmarked(request.version() == Version::HTTP_10);
        let user = request.extensions_mut().remove::<OnUpgrade>();
        let router = self.current.router();
        let mut response = router.response(request, &self.peer).await;

        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            let Some((user, cell)) = user.zip(response.extensions_mut().remove::<OnUpgrade>())
            else {
                // Cells that change the protocol unsolicited have been refused before.
                return last(Refusal::BrokenResponse);
            };
            self.guard_state.decide(number, true);
            let idle = router.settings().patience.tunnel;
            crate::upgrade::join(user, cell, self.connections.count(None), idle);
            return response;
        }
        self.guard_state.decide(number, false);
        // The rest of an unread body is not read, so the next request could not be found.
        if response.extensions().get::<Refusal>().is_some() && self.guard_state.is_in_body() {
            end_with(&mut response);
        }
        response
    }
}

/// The response to the user.
type UserResponse = Response<UserBody>;

/// A refusal after which the connection closes.
fn last(refusal: Refusal) -> UserResponse {
    let mut response = refuse(refusal);
    end_with(&mut response);
    response
}

/// Makes a response the last of its connection.
fn end_with(response: &mut UserResponse) {
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
}

/// A connection that ends gracefully when asked.
trait Connection: Future<Output = hyper::Result<()>> {
    fn graceful_shutdown(self: Pin<&mut Self>);
}

impl<S> Connection for http1::UpgradeableConnection<TokioIo<Guarded<TcpStream>>, S>
where
    S: hyper::service::HttpService<Incoming, ResBody = UserBody>,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    fn graceful_shutdown(self: Pin<&mut Self>) {
        Self::graceful_shutdown(self);
    }
}

/// The outcome of `future`, or none where the connection is to end.
///
/// The signal to end is asked for once and not each time that `future` makes progress: the task,
/// and so the waker that the signal holds, stays the same.
async fn unless_ending<F: Future>(mut future: Pin<&mut F>, counted: &Counted) -> Option<F::Output> {
    let mut ending = pin!(counted.ending());
    let mut asked = false;
    poll_fn(|cx| {
        if let Poll::Ready(outcome) = future.as_mut().poll(cx) {
            return Poll::Ready(Some(outcome));
        }
        if asked && !counted.is_ending() {
            return Poll::Pending;
        }
        asked = true;
        ending.as_mut().poll(cx).map(|()| None)
    })
    .await
}
