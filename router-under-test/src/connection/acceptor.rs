//! The connections of one thread, from accepting to their end.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;

use tokio::net::TcpStream;

use super::arrive::{admits, arrive};
use super::serve;
use crate::cache::Cache;
use crate::config::Topology;
use crate::route::Router;
use crate::user::Connections;

/// The router of one thread. A later topology makes another one; requests that have begun keep
/// theirs.
#[derive(Debug)]
pub(crate) struct Current(RefCell<Rc<Router>>);

impl Current {
    pub(super) fn router(&self) -> Rc<Router> {
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
    pub(crate) fn new(topology: Arc<Topology>, cache: Arc<Cache>) -> Self {
        let router = RefCell::new(Rc::new(Router::new(topology, cache)));
        Self { current: Rc::new(Current(router)), connections: Connections::default() }
    }

    /// The router that requests from here on get, as the topologies come.
    pub(crate) fn current(&self) -> Rc<Current> {
        Rc::clone(&self.current)
    }

    /// Serves a connection on this thread, which drops what comes with it when it ends.
    pub(crate) fn serve<T: 'static>(&self, (stream, peer, open): (TcpStream, SocketAddr, T)) {
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
            let arrived = arrive(router.settings(), stream, peer, counted, &connections).await;
            drop(router);
            let Some((stream, peer, counted)) = arrived else { return };
            serve(&current, stream, &peer, counted, &connections).await;
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
