//! Start and stop of servers: no request is lost, and no connection stays open.

use std::io::Write;
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::{any, get};

use super::{Cells, bounded};
use crate::CellId;
use crate::server::{CellError, bind};

fn fine() -> Router {
    Router::new().fallback(any(|| async { "fine" }))
}

async fn faulty() -> &'static str {
    panic!("the {} is broken", "page")
}

#[tokio::test]
async fn a_panic_is_reported_and_the_cell_keeps_serving() {
    let cells = Cells::start(Router::new().route("/bad", get(faulty)).merge(fine()));
    let mut peer = cells.connect().await;
    peer.send("GET /bad?x HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert!(peer.read_to("panicked\n").await.starts_with("HTTP/1.1 500 "));
    peer.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
    peer.read_to("fine").await;
    let expected = CellError::Panicked {
        cell: CellId::eu(0),
        request: "GET /bad?x".to_owned(),
        message: "the page is broken".to_owned(),
    };
    assert_eq!(cells.servers.errors(), std::slice::from_ref(&expected));
    assert_eq!(cells.stop().await, [expected]);
}

#[tokio::test]
async fn a_stop_closes_idle_connections_at_once_and_frees_the_address() {
    // A busy machine can delay each stop, but hardly all; what waits takes as long in all.
    let mut shortest = Duration::MAX;
    for _ in 0..5 {
        let cells = Cells::start(fine());
        let mut used = cells.connect().await;
        used.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
        used.read_to("fine").await;
        let mut unused = cells.connect().await;
        let (address, begun) = (cells.address, Instant::now());
        assert!(cells.stop().await.is_empty());
        shortest = shortest.min(begun.elapsed());
        let rests = (used.read_rest().await, unused.read_rest().await);
        assert_eq!(rests, (String::new(), String::new()));
        assert!(bind(address).is_ok());
    }
    assert!(shortest < super::super::listener::STOP_GRACE);
}

#[tokio::test]
async fn requests_sent_before_a_stop_are_still_read() {
    let cells = Cells::start(fine());
    // Blocking sends on the runtime's thread: the cell has not run yet when the stop begins.
    for _ in 0..5 {
        let mut peer = std::net::TcpStream::connect(cells.address).unwrap();
        peer.write_all(b"POST /late HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx").unwrap();
    }
    let journal = cells.journal.clone();
    assert!(cells.stop().await.is_empty());
    let read = journal
        .entries()
        .iter()
        .filter(|entry| matches!(entry.event, crate::Event::RequestRead { .. }))
        .count();
    assert_eq!(read, 5);
}

#[tokio::test]
async fn dropped_servers_close_their_connections() {
    let cells = Cells::start(fine());
    let mut peer = cells.connect().await;
    peer.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
    peer.read_to("fine").await;
    drop(cells);
    assert_eq!(bounded(peer.read_rest()).await, "");
}
