//! Who is at the other side of a new connection.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use http::HeaderValue;
use tokio::net::TcpStream;

use super::proxy_protocol::{self, NoHeader, Source};
use crate::config::Settings;
use crate::headers::Peer;
use crate::user::{Connections, Counted};

/// How long a router that stops waits for the first request of a connection.
pub(super) const FIRST_REQUEST: Duration = Duration::from_secs(1);

/// Whether this address may have one more connection.
pub(super) fn admits(connections: &Connections, address: IpAddr, settings: &Settings) -> bool {
    let admits = connections.admits(address, settings.max_address_connections);
    if !admits {
        tracing::warn!(%address, "too many connections of one address");
    }
    admits
}

/// Finds out who is at the other side; none where the connection is of no use.
pub(super) async fn arrive(
    settings: &Settings,
    mut stream: TcpStream,
    peer: SocketAddr,
    counted: Counted,
    connections: &Connections,
) -> Option<(TcpStream, Peer, Counted)> {
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
        header = proxy_protocol::read(&mut stream) => header,
        () = tokio::time::sleep(settings.user_timeouts.head) => {
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
