//! Responses that are unusual, malformed or late.

use std::time::{Duration, Instant};

use cell_fleet::fault::ResponseFault::{
    AheadOfBody, BodyInPieces, EarlyHints, HangsUp, HeadInPieces, Late, LongField, Padded,
    RawBytes, RedirectsToItself, RedirectsToReceivedHost,
};
use cell_fleet::fault::{At, Ending, Fault};
use cell_fleet::{CellId, wire};

use crate::support::*;

const APART: Duration = Duration::from_millis(15);

#[tokio::test]
async fn a_head_or_a_body_comes_in_pieces_and_the_connection_stays_open() {
    for fleet in [
        wrong_responses(HeadInPieces { apart: APART }, Some(1)).await,
        wrong_responses(BodyInPieces { apart: APART }, Some(1)).await,
    ] {
        let begun = Instant::now();
        let mut peer = Peer::asking(&fleet).await;
        let slowly = peer.response().await;
        assert!(begun.elapsed() >= APART * 3);
        peer.send(&get(PAGE)).await;
        assert_eq!(peer.response().await.1, slowly.1);
        assert_eq!(journal(&fleet, 7).await[3], format!("ended {} true", meant(&fleet)));
        stop(fleet).await;
    }
}

#[tokio::test]
async fn the_first_piece_of_a_head_ends_within_a_line() {
    let fleet = wrong_responses(HeadInPieces { apart: APART }, None).await;
    let piece = Peer::asking(&fleet).await.piece().await;
    assert!(piece.starts_with("HTTP/1.1") && !piece.ends_with('\n'), "{piece:?}");
    stop(fleet).await;
}

#[tokio::test]
async fn raw_bytes_are_sent_unchanged() {
    let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nab";
    for (bytes, entered) in [(&whole[..], 3), (b"HTTP/1.1 two hundred\r\n\r\n\0", 2)] {
        let fleet = wrong_responses(RawBytes { bytes: bytes.to_vec() }, None).await;
        let (read, end) = Peer::asking(&fleet).await.rest().await;
        assert_eq!((read.as_bytes(), end), (bytes, End::Closed));
        fleet.settle().await;
        assert_eq!(journal(&fleet, entered).await.len(), entered);
        stop(fleet).await;
    }
}

#[tokio::test]
async fn a_response_has_a_long_header() {
    let fleet = wrong_responses(LongField { length: 70_000 }, None).await;
    let (head, _) = Peer::asking(&fleet).await.response().await;
    assert!(head.contains(&format!("X-Long: {}\r\n", "a".repeat(70_000))));
    stop(fleet).await;
}

#[tokio::test]
async fn early_hints_precede_a_late_response() {
    let at = || At::Path(PAGE.to_owned());
    let late = Duration::from_millis(40);
    let fleet = start(vec![
        Fault::of_responses(None, at(), None, Late { by: late }),
        Fault::of_responses(None, at(), Some(1), EarlyHints),
    ])
    .await;
    let begun = Instant::now();
    let mut peer = Peer::asking(&fleet).await;
    assert!(peer.head().await.starts_with("HTTP/1.1 103 Early Hints\r\nLink: "));
    assert!(begun.elapsed() >= late);
    assert!(peer.response().await.0.starts_with("HTTP/1.1 200 "));
    // A peer with HTTP/1.0 gets no interim response.
    peer.send(&format!("GET {PAGE} HTTP/1.0\r\nHost: x\r\n\r\n")).await;
    assert!(peer.response().await.0.contains(" 200 "));
    stop(fleet).await;
}

#[tokio::test]
async fn a_response_ahead_of_the_body_leaves_the_connection_in_use() {
    let fleet = wrong_responses(AheadOfBody, Some(1)).await;
    let mut peer = Peer::connect(&fleet).await;
    peer.send(&format!("POST {PAGE} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf")).await;
    assert!(peer.response().await.0.starts_with("HTTP/1.1 "));
    peer.send(" more").await;
    peer.send(&get(PAGE)).await;
    assert!(peer.response().await.0.starts_with("HTTP/1.1 200 "));
    stop(fleet).await;
}

#[tokio::test]
async fn redirects_name_the_cell_or_the_received_host() {
    let fleet = wrong_responses(RedirectsToItself, None).await;
    let address = fleet.cell(&CellId::us(0)).unwrap().address;
    let (head, _) = Peer::asking(&fleet).await.response().await;
    assert!(
        head.starts_with("HTTP/1.1 302 ")
            && head.contains(&format!("Location: http://{address}{PAGE}/there\r\n")),
        "{head}"
    );
    stop(fleet).await;

    let fleet = wrong_responses(RedirectsToReceivedHost, None).await;
    let forwarded = "X-Forwarded-Proto: https\r\nX-Forwarded-Host: public.example\r\n";
    for (fields, location) in [
        ("", format!("http://gitlab.example{PAGE}/there")),
        (forwarded, format!("https://public.example{PAGE}/there")),
    ] {
        let mut peer = Peer::connect(&fleet).await;
        peer.send(&format!("GET {PAGE}?q HTTP/1.1\r\nHost: gitlab.example\r\n{fields}\r\n")).await;
        let (head, _) = peer.response().await;
        assert!(head.contains(&format!("Location: {location}\r\n")), "{head}");
    }
    stop(fleet).await;
}

#[tokio::test]
async fn a_response_to_a_pre_flight_is_padded_or_missing() {
    let about = || At::PreFlight(PAGE.to_owned());
    let fleet = start(vec![
        Fault::of_responses(None, about(), Some(1), HangsUp { ending: Ending::Close }),
        Fault::of_responses(Some(CellId::us(0)), about(), None, Padded { length: 9000 }),
    ])
    .await;
    let target =
        format!("{}?{}", wire::LEARN_PATH, wire::learn_query("GET", &PAGE.replace('/', "%2F")));
    let mut peer = Peer::connect(&fleet).await;
    peer.send(&get(&target)).await;
    assert_eq!(peer.rest().await, (String::new(), End::Closed));
    let mut peer = Peer::connect(&fleet).await;
    peer.send(&get(&target)).await;
    let (_, body) = peer.response().await;
    assert_eq!(body.len(), 9000);
    assert!(body.contains("\"source\"") && body.contains("\"padding\""));
    // The fault does not apply to the page itself.
    assert!(Peer::asking(&fleet).await.response().await.0.starts_with("HTTP/1.1 200 "));
    stop(fleet).await;
}

#[tokio::test]
async fn a_fault_of_a_role_applies_to_the_node_that_plays_it_until_the_faults_end() {
    let fleet = start(vec![Fault::of_responses(
        Some(CellId::us(1)),
        At::Path(PAGE.to_owned()),
        None,
        HangsUp { ending: Ending::Close },
    )])
    .await;
    Peer::asking(&fleet).await.response().await;
    let address = fleet.cell(&CellId::us(1)).unwrap().address;
    for works in [false, true] {
        let mut other = Peer(tokio::net::TcpStream::connect(address).await.unwrap());
        other.send(&get(PAGE)).await;
        if works {
            other.response().await;
        } else {
            assert_eq!(other.rest().await, (String::new(), End::Closed));
        }
        fleet.end_faults();
    }
    stop(fleet).await;
}
