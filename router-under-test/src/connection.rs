//! One user's connection.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http::HeaderValue;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;

use crate::cache::View;
use crate::config::Topology;
use crate::route::Router;
use crate::shutdown::{Connections, Counted};

/// How long a user may take for the head of a request, and how long a connection may be idle.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);

/// Serves the connections of one thread.
#[derive(Debug)]
pub(crate) struct Acceptor {
    router: Rc<Router>,
    connections: Connections,
}

impl Acceptor {
    /// No connections yet.
    pub(crate) fn new(topology: Arc<Topology>, view: View) -> Self {
        Self { router: Rc::new(Router::new(topology, view)), connections: Connections::default() }
    }

    /// Serves a connection on this thread.
    pub(crate) fn serve(&self, stream: TcpStream, peer: SocketAddr) {
        let (router, counted) = (Rc::clone(&self.router), self.connections.count());
        tokio::task::spawn_local(async move {
            if let Err(error) = serve(router, stream, peer, counted).await {
                tracing::debug!(%error, "connection of a user ended");
            }
        });
    }

    /// Tells all connections to end after the request that is under way, and gives the means to wait.
    pub(crate) fn end(self) -> Connections {
        self.connections.end();
        self.connections
    }
}

async fn serve(router: Rc<Router>, stream: TcpStream, peer: SocketAddr, counted: Counted) -> hyper::Result<()> {
    // Only a connection that is gone has no such option; reading from it says so.
    let _ = stream.set_nodelay(true);
    // An address is always a valid value.
    let peer = HeaderValue::try_from(peer.ip().to_string()).ok();
    let service = service_fn(|request| {
        let (router, peer) = (Rc::clone(&router), peer.clone());
        async move { Ok::<_, Infallible>(router.answer(request, peer).await) }
    });
    let connection =
        http1::Builder::new().timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);

    if let Some(outcome) = unless_ending(connection.as_mut(), &counted).await {
        return outcome;
    }
    // A request that has arrived but was not read yet is under way for the user. The first turn lets the
    // event queue say so, the second lets the connection read it.
    for _ in 0..2 {
        tokio::select! {
            biased;
            outcome = connection.as_mut() => return outcome,
            () = tokio::task::yield_now() => {}
        }
    }
    connection.as_mut().graceful_shutdown();
    connection.await
}

/// The outcome of `future`, or none where the connection is to end.
///
/// The signal to end is asked for once and not each time that `future` makes progress: the task, and so
/// the waker that the signal holds, stays the same.
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
