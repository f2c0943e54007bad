//! Request bodies in the journal, and bodies that the application does not read.

use axum::Router;
use axum::body::Body;
use axum::routing::{any, post};

use super::Cells;

fn echo() -> Router {
    Router::new().fallback(any(|body: String| async move { body }))
}

/// Responds without reading the body.
fn hasty() -> Router {
    Router::new().route("/", post(|_: Body| async { "no\n" }))
}

#[tokio::test]
async fn a_body_that_is_cut_off_is_recorded_as_cut() {
    let cells = Cells::start(echo());
    let mut short = cells.connect().await;
    short.send("POST /short HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc").await;
    short.finish().await;
    assert_eq!(
        cells.entries(3).await[..3],
        ["1 request POST /short HTTP/1.1", "1 begun", "1 cut \"abc\""]
    );
    let before = cells.journal.entries().len();

    let mut broken = cells.connect().await;
    broken
        .send("POST /broken HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n")
        .await;
    broken.finish().await;
    let entries = cells.entries(before + 3).await;
    assert_eq!(
        entries[before..before + 3],
        ["2 request POST /broken HTTP/1.1", "2 begun", "2 cut \"abc\""]
    );
    assert!(cells.stop().await.is_empty());
}

#[tokio::test]
async fn a_cell_that_responds_early_still_reads_the_rest() {
    let cells = Cells::start(hasty());
    let mut peer = cells.connect().await;
    let body = vec![b'x'; 3_000_000];
    peer.send(format!("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\nx", body.len()))
        .await;
    peer.read_to("no\n").await;
    assert_eq!(cells.entries(3).await[2], "1 response 200 \"no\\n\"");
    peer.send(&body[1..]).await;
    peer.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n").await;
    peer.read_to("no\n").await;
    let entries = cells.entries(7).await;
    assert!(entries[3].starts_with("1 read \"xxx"), "{entries:?}");
    assert_eq!(
        entries[4..],
        ["2 request POST / HTTP/1.1", "2 read \"\"", "2 response 200 \"no\\n\""]
    );
}

#[tokio::test]
async fn continue_is_sent_only_when_the_application_reads_the_body() {
    const HEAD: &str =
        "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
    let wanted = Cells::start(echo());
    let mut peer = wanted.connect().await;
    peer.send(HEAD).await;
    assert_eq!(peer.read_to("\r\n\r\n").await, "HTTP/1.1 100 Continue\r\n\r\n");
    peer.send("hi").await;
    peer.read_to("hi").await;

    let unwanted = Cells::start(hasty());
    let mut peer = unwanted.connect().await;
    peer.send(HEAD).await;
    let response = peer.read_rest().await;
    assert!(
        response.starts_with("HTTP/1.1 200 OK\r\n")
            && response.contains("\r\nConnection: close\r\n"),
        "{response}"
    );
    assert_eq!(
        unwanted.entries(3).await,
        ["1 request POST / HTTP/1.1", "1 response 200 \"no\\n\"", "1 cut \"\""]
    );
}
