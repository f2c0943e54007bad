//! Responses that never come or break off.

use std::time::{Duration, Instant};

use cell_fleet::fault::Ending;
use cell_fleet::fault::ResponseFault::{BreaksOffInBody, BreaksOffInHead, HangsUp, NeverResponds};

use crate::support::*;

#[tokio::test]
async fn a_cell_never_responds_and_a_stop_does_not_wait_for_it() {
    let stopped = quickest(async || {
        let fleet = wrong_responses(NeverResponds, None).await;
        let mut peer = Peer::asking(&fleet).await;
        assert_eq!(journal(&fleet, 2).await, [&format!("request {PAGE}"), "read"]);
        let begun = Instant::now();
        stop(fleet).await;
        let took = begun.elapsed();
        assert_eq!(peer.rest().await, (String::new(), End::Closed));
        took
    });
    assert!(stopped.await < Duration::from_millis(200), "the stop waited for it");
}

#[tokio::test]
async fn the_connection_ends_once_instead_of_a_response() {
    for (ending, end) in [(Ending::Close, End::Closed), (Ending::Reset, End::Reset)] {
        let fleet = wrong_responses(HangsUp { ending }, Some(1)).await;
        let mut peer = Peer::connect(&fleet).await;
        peer.send(&format!("POST {PAGE} HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab")).await;
        fleet.settle().await;
        peer.send("cd").await;
        assert_eq!(peer.rest().await, (String::new(), end));
        assert_eq!(journal(&fleet, 3).await, [&format!("request {PAGE}"), "begun", "read"]);
        assert!(Peer::asking(&fleet).await.response().await.0.starts_with("HTTP/1.1 200 "));
        stop(fleet).await;
    }
}

#[tokio::test]
async fn a_response_breaks_off_within_its_head() {
    for (ending, end) in [(Ending::Close, End::Closed), (Ending::Reset, End::Reset)] {
        let fleet = wrong_responses(BreaksOffInHead { ending }, Some(1)).await;
        let (read, ended) = Peer::asking(&fleet).await.rest().await;
        assert!(read.starts_with("HTTP/1.1 200 OK\r\n") && !read.contains("\r\n\r\n"), "{read}");
        assert_eq!(ended, end);
        assert_eq!(journal(&fleet, 4).await[2..], ["response 200", "ended 0 false"]);
        Peer::asking(&fleet).await.response().await;
        stop(fleet).await;
    }
}

#[tokio::test]
async fn a_response_breaks_off_within_its_body() {
    for (ending, end) in [(Ending::Close, End::Closed), (Ending::Reset, End::Reset)] {
        let fleet = wrong_responses(BreaksOffInBody { chunked: false, ending }, Some(1)).await;
        let mut peer = Peer::asking(&fleet).await;
        let head = peer.head().await;
        let (read, ended) = peer.rest().await;
        let meant = meant(&fleet);
        assert!(head.contains(&format!("Content-Length: {meant}\r\n")));
        assert_eq!((read.len() as u64, ended), (meant / 2, end));
        assert_eq!(
            journal(&fleet, 4).await[2..],
            ["response 200".to_owned(), format!("ended {} false", meant / 2)]
        );
        assert_eq!(fleet.flow().sent, meant / 2);
        stop(fleet).await;
    }
}

#[tokio::test]
async fn a_chunked_response_breaks_off_after_a_chunk() {
    let fleet =
        wrong_responses(BreaksOffInBody { chunked: true, ending: Ending::Close }, None).await;
    let mut peer = Peer::asking(&fleet).await;
    let head = peer.head().await;
    assert!(
        head.contains("Transfer-Encoding: chunked\r\n") && !head.contains("Content-Length"),
        "{head}"
    );
    let (read, ended) = peer.rest().await;
    let half = meant(&fleet) / 2;
    assert!(
        read.starts_with(&format!("{half:X}\r\n"))
            && read.ends_with("\r\n")
            && !read.ends_with("0\r\n\r\n"),
        "{read}"
    );
    assert_eq!(ended, End::Closed);
    assert_eq!(journal(&fleet, 4).await[3], format!("ended {half} false"));
    stop(fleet).await;
}

#[tokio::test]
async fn a_response_without_a_body_does_not_break_off() {
    let fleet =
        wrong_responses(BreaksOffInBody { chunked: false, ending: Ending::Reset }, Some(1)).await;
    let mut peer = Peer::connect(&fleet).await;
    peer.send(&format!("HEAD {PAGE} HTTP/1.1\r\nHost: x\r\n\r\n")).await;
    peer.head().await;
    peer.send(&get(PAGE)).await;
    assert_eq!(peer.rest().await.1, End::Reset, "the response to HEAD used it up");
    stop(fleet).await;
}
