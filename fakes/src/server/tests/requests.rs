//! Request heads and responses in the journal.

use axum::Router;
use axum::routing::{any, get};

use super::Cells;
use crate::CellId;
use crate::journal::Event;

fn echo() -> Router {
    Router::new().fallback(any(|body: String| async move { body }))
}

#[tokio::test]
async fn a_request_is_recorded_byte_for_byte() {
    let cells = Cells::start(&[CellId::eu(1)], echo());
    let mut peer = cells.connect().await;
    peer.send(concat!(
        "BREW /pot%2f1?a=%20&&=;+ HTTP/1.1\r\nHOST: x\r\n",
        "x-Two:  b \r\nX-ONE: 1\r\nX-Two:a\r\nX-Empty:\r\n\r\n",
    ))
    .await;
    peer.read_to("\r\n\r\n").await;
    let Event::Request(seen) = &cells.journal.entries()[0].event else {
        panic!("{:?}", cells.journal.entries())
    };
    assert_eq!(seen.cell, CellId::eu(1));
    assert_eq!(seen.request_line, "BREW /pot%2f1?a=%20&&=;+ HTTP/1.1");
    assert_eq!(
        (seen.method.to_string(), seen.target.to_string()),
        ("BREW".to_owned(), "/pot%2f1?a=%20&&=;+".to_owned())
    );
    let fields: Vec<_> =
        seen.fields.iter().map(|field| format!("{}={}", field.name, field.value)).collect();
    assert_eq!(fields, ["HOST=x", "x-Two=b", "X-ONE=1", "X-Two=a", "X-Empty="]);
    assert!(cells.stop().await.is_empty());
}

#[tokio::test]
async fn a_response_is_recorded_as_it_is_sent() {
    let application = Router::new()
        .route("/", get(|| async { ([("x-gitlab-cell-cache", "{path_prefix:/a/}")], "hello") }));
    let cells = Cells::start(&[CellId::eu(0)], application);
    let peer = {
        let mut peer = cells.connect().await;
        peer.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
        peer
    };
    let response = peer.finish().await;
    assert!(
        response.contains("\r\nX-Gitlab-Cell-Cache: {path_prefix:/a/}\r\n")
            && response.ends_with("\r\n\r\nhello"),
        "{response}"
    );
    let entries = cells.journal.entries();
    let Event::Response(seen) = &entries.last().unwrap().event else { panic!("{entries:?}") };
    assert_eq!((seen.status, seen.body.text().as_str()), (200, "hello"));
    for field in &seen.fields {
        assert!(
            response.contains(&format!("\r\n{}: {}\r\n", field.name, field.value)),
            "{field:?} in {response}"
        );
    }
    assert!(seen.fields.iter().any(|field| field.name == "Content-Length" && field.value == "5"));
}

#[tokio::test]
async fn a_response_to_head_has_a_length_and_no_body() {
    let cells = Cells::start(&[CellId::eu(0)], Router::new().route("/", get(|| async { "hello" })));
    let mut peer = cells.connect().await;
    peer.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n").await;
    let response = peer.finish().await;
    assert!(
        response.to_ascii_lowercase().contains("content-length: 5\r\n")
            && response.ends_with("\r\n\r\n"),
        "{response}"
    );
    assert_eq!(cells.entries(3).await[2], "1 response 200 \"\"");
}

#[tokio::test]
async fn pipelined_requests_keep_their_order_and_their_connection() {
    let cells = Cells::start(&[CellId::eu(0)], echo());
    let mut peer = cells.connect().await;
    peer.send(concat!(
        "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi\r\n",
        "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n!",
    ))
    .await;
    peer.finish().await;
    let expected = [
        "1 request POST /a HTTP/1.1",
        "1 begun",
        "1 read \"hi\"",
        "1 response 200 \"hi\"",
        "2 request POST /b HTTP/1.1",
        "2 begun",
        "2 read \"!\"",
        "2 response 200 \"!\"",
    ];
    assert_eq!(cells.entries(8).await, expected);
    let mut seen = cells.journal.entries().into_iter().filter_map(|entry| match entry.event {
        Event::Request(seen) => Some(seen.connection),
        _ => None,
    });
    assert_eq!(seen.next(), seen.next());
}

#[tokio::test]
async fn a_probe_is_not_recorded_and_bytes_that_are_not_a_request_are() {
    let cells = Cells::start(&[CellId::eu(0)], echo());
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

#[tokio::test]
async fn two_cells_share_one_sequence() {
    let mut cells = Cells::start(&[CellId::eu(0), CellId::us(0)], echo());
    for _ in 0..2 {
        let mut peer = cells.connect().await;
        peer.send("GET /x HTTP/1.1\r\nHost: x\r\n\r\n").await;
        peer.finish().await;
        cells.addresses.reverse();
    }
    let entries = cells.journal.entries();
    let asked: Vec<_> = entries
        .iter()
        .filter_map(|entry| {
            if let Event::Request(seen) = &entry.event { Some(seen.cell.id()) } else { None }
        })
        .collect();
    assert_eq!(asked, ["cell_eu0", "cell_us0"]);
    assert!(entries.is_sorted_by(|one, next| one.stamp < next.stamp));
}
