//! Streamed bodies.

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use axum::routing::any;
use bytes::Bytes;
use futures_util::stream;
use tokio::io::AsyncReadExt;

use super::Cells;
use crate::server::CellError;
use crate::streamed::Streamed;

async fn in_two(fails: bool) -> Response {
    let second = if fails { Err("broken") } else { Ok(Bytes::from_static(b" two\n")) };
    let mut response =
        Response::new(Body::from_stream(stream::iter([Ok(Bytes::from_static(b"one")), second])));
    response.extensions_mut().insert(Streamed::default());
    response
}

#[tokio::test]
async fn the_body_of_a_streamed_response_is_recorded_at_its_end() {
    let cells = Cells::start(Router::new().fallback(any(|| in_two(false))));
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
    let cells = Cells::start(Router::new().fallback(any(|| in_two(true))));
    let mut peer = cells.connect().await;
    peer.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
    let _ = peer.0.read_to_end(&mut Vec::new()).await;
    assert!(cells.entries(4).await[3].ends_with("false \"\""));
    let errors = cells.stop().await;
    assert!(matches!(&errors[..], [CellError::BodyFailed { message, .. }] if message == "broken"));
}
