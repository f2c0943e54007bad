//! Upgraded connections, and streamed bodies.

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use axum::routing::any;
use bytes::Bytes;
use futures_util::stream;
use http::StatusCode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::Cells;
use crate::CellId;
use crate::server::CellError;
use crate::streamed::{Streamed, Upgraded};

/// Echoes every byte.
async fn echo() -> Response {
    let (upgraded, mut stream) = Upgraded::new();
    tokio::spawn(async move {
        let mut bytes = [0; 64];
        while let Ok(count @ 1..) = stream.read(&mut bytes).await {
            if stream.write_all(&bytes[..count]).await.is_err() {
                break;
            }
        }
    });
    let response = Response::builder()
        .status(StatusCode::SWITCHING_PROTOCOLS)
        .header("Connection", "upgrade")
        .header("Upgrade", "echo")
        .extension(upgraded);
    response.body(Body::empty()).unwrap()
}

async fn in_two(fails: bool) -> Response {
    let second = if fails { Err("broken") } else { Ok(Bytes::from_static(b" two\n")) };
    let mut response =
        Response::new(Body::from_stream(stream::iter([Ok(Bytes::from_static(b"one")), second])));
    response.extensions_mut().insert(Streamed::default());
    response
}

const UPGRADE: &str = "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n";

#[tokio::test]
async fn the_bytes_of_an_upgraded_connection_are_not_recorded() {
    let cells = Cells::start(&[CellId::eu(0)], Router::new().fallback(any(echo)));
    let mut peer = cells.connect().await;
    peer.send(UPGRADE).await;
    let head = peer.read_to("\r\n\r\n").await;
    assert!(
        head.starts_with("HTTP/1.1 101 ") && !head.to_ascii_lowercase().contains("content-length"),
        "{head}"
    );
    peer.send("not HTTP\n").await;
    assert_eq!(peer.read_to("\n").await, "not HTTP\n");
    let journal = cells.journal.clone();
    // The stop ends the connection, which neither side has closed.
    assert!(cells.stop().await.is_empty());
    assert_eq!(peer.read_rest().await, "");
    let shown: Vec<_> = journal.entries().iter().map(|entry| super::show(&entry.event)).collect();
    assert_eq!(shown, ["1 request GET / HTTP/1.1", "1 read \"\"", "1 response 101 \"\""]);
}

#[tokio::test]
async fn a_cell_that_is_taken_down_resets_upgraded_connections() {
    let cells = Cells::start(&[CellId::eu(0)], Router::new().fallback(any(echo)));
    let mut peer = cells.connect().await;
    peer.send(UPGRADE).await;
    peer.read_to("\r\n\r\n").await;
    cells.servers.take_down(&CellId::eu(0)).await.unwrap();
    let error = super::bounded(peer.0.read(&mut [0])).await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
}

#[tokio::test]
async fn the_body_of_a_streamed_response_is_recorded_at_its_end() {
    let cells = Cells::start(&[CellId::eu(0)], Router::new().fallback(any(|| in_two(false))));
    let mut peer = cells.connect().await;
    peer.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
    peer.read_to("0\r\n\r\n").await;
    assert_eq!(
        cells.entries(4).await[2..],
        ["1 response 200 \"\"", "1 ended 8 true \"one two\\n\""]
    );
    assert!(cells.stop().await.is_empty());
}

#[tokio::test]
async fn a_streamed_response_that_fails_is_incomplete_and_an_error_of_the_cell() {
    let cells = Cells::start(&[CellId::eu(0)], Router::new().fallback(any(|| in_two(true))));
    let mut peer = cells.connect().await;
    peer.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
    let _ = peer.0.read_to_end(&mut Vec::new()).await;
    assert!(cells.entries(4).await[3].ends_with("false \"\""));
    let errors = cells.stop().await;
    assert!(matches!(&errors[..], [CellError::BodyFailed { message, .. }] if message == "broken"));
}
