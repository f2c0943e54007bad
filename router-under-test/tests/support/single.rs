//! A router in front of one cell, and cells that handle their connections themselves.

use std::net::{SocketAddr, TcpListener, TcpStream};

use serde_json::{Value, json};

use super::cell::Cell;
use super::router::{Router, topology};

/// A topology with one cell, which is in the router's region and the latest.
pub(crate) fn one_cell(protocol: &str, address: SocketAddr) -> Value {
    let mut topology = topology(protocol, address, address, address);
    topology["cells"].as_array_mut().expect("an array").drain(1..);
    topology["cells"][0]["region"] = json!("eu");
    topology
}

/// A router that buffers, in front of one cell.
pub(crate) fn in_front_of(cell: &Cell) -> Router {
    Router::start(&one_cell("buffering", cell.address))
}

/// Listens, and hands each connection to `serve` on a thread of its own.
pub(crate) fn raw_cell(serve: impl Fn(TcpStream) + Send + Sync + Clone + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = serve.clone();
            std::thread::spawn(move || serve(stream));
        }
    });
    address
}

/// Closes with a reset.
pub(crate) fn reset(stream: &TcpStream) {
    socket2::SockRef::from(stream)
        .set_linger(Some(std::time::Duration::ZERO))
        .expect("a socket option");
    // The peer sees it once the last handle is dropped.
}
