//! What the journal has of bytes that are not a request.

use axum::Router;
use axum::routing::any;

use super::Cells;

fn echo() -> Router {
    Router::new().fallback(any(|body: String| async move { body }))
}

#[tokio::test]
async fn a_probe_is_not_recorded_and_bytes_that_are_not_a_request_are() {
    let cells = Cells::start(echo());
    drop(cells.connect().await);
    assert_eq!(cells.connect().await.finish().await, "");
    let mut breaks = cells.connect().await;
    breaks.send("\r\n\r\n").await;
    breaks.finish().await;
    assert!(cells.journal.entries().is_empty());

    let mut garbage = cells.connect().await;
    garbage.send("\x16\x03\x01 hello\r\n\r\n and more").await;
    let response = garbage.finish().await;
    assert!(response.starts_with("HTTP/1.1 400 "), "{response}");
    assert_eq!(cells.entries(1).await, [r"not http 400 \x16\x03\x01 hello\r\n\r\n and more"]);

    let mut partial = cells.connect().await;
    partial.send("GET / HTTP/1.1\r\nHost").await;
    partial.finish().await;
    assert_eq!(cells.entries(2).await[1], r"not http GET / HTTP/1.1\r\nHost");

    let mut refused = cells.connect().await;
    refused.send("GET no/target HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert!(refused.finish().await.starts_with("HTTP/1.1 400 "));
    assert_eq!(
        cells.entries(3).await[2],
        r"not http 400 GET no/target HTTP/1.1\r\nHost: x\r\n\r\n"
    );

    let mut long = cells.connect().await;
    let fields = "X-Field: value\r\n".repeat(200);
    long.send(&format!("GET /a HTTP/1.1\r\n{fields}\r\n")).await;
    assert!(long.finish().await.starts_with("HTTP/1.1 431 "));
    assert!(cells.entries(4).await[3].starts_with(r"not http 431 GET /a HTTP/1.1\r\nX-Field"));
    assert!(cells.stop().await.is_empty());
}
