//! Long bodies, bodies in two parts, and bodies that are not read.

use cell_fleet::fault::ResponseFault::{BodyUnread, ManyBytes, TwoEvents};
use cell_fleet::{BodySeen, Event, Fleet};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::*;

fn responded(fleet: &Fleet) -> BodySeen {
    let entries = fleet.journal().entries();
    let body = entries.iter().find_map(|entry| {
        if let Event::Response(response) = &entry.event {
            Some(response.body.clone())
        } else {
            None
        }
    });
    body.unwrap()
}

#[tokio::test]
async fn a_large_body_is_the_one_that_the_journal_records() {
    let length = 1_000_003;
    let fleet =
        wrong_responses(ManyBytes { length, chunked: false, second_half_waits: false }, None).await;
    let mut peer = Peer::asking(&fleet).await;
    let head = peer.head().await;
    assert!(
        head.contains(&format!("Content-Length: {length}\r\n"))
            && head.contains("Content-Type: application/octet-stream\r\n")
    );
    let mut body = vec![0; length as usize];
    bounded(peer.0.read_exact(&mut body)).await.unwrap();
    assert_eq!(BodySeen::of(&body.into()), responded(&fleet));
    assert_eq!(
        journal(&fleet, 4).await[2..],
        ["response 200".to_owned(), format!("ended {length} true")]
    );
    assert_eq!(fleet.flow().sent, length);
    stop(fleet).await;
}

#[tokio::test]
async fn a_client_that_does_not_read_stalls_a_large_body() {
    let length = 1 << 40;
    for chunked in [false, true] {
        let fleet =
            wrong_responses(ManyBytes { length, chunked, second_half_waits: false }, None).await;
        let mut peer = Peer::asking(&fleet).await;
        assert_eq!(peer.head().await.contains("Transfer-Encoding: chunked"), chunked);
        assert!(!responded(&fleet).is_known() && responded(&fleet).length == length);
        fleet.settle().await;
        let stood = fleet.flow().sent;
        assert!(stood > 0 && stood < 16 << 20, "{stood} bytes left");
        let mut some = vec![0; 4 << 20];
        bounded(peer.0.read_exact(&mut some)).await.unwrap();
        drop(peer);
        let last = journal(&fleet, 4).await.pop().unwrap();
        assert!(last.starts_with("ended ") && last.ends_with(" false"), "{last}");
        stop(fleet).await;
    }
}

#[tokio::test]
async fn the_second_half_of_a_body_waits_for_the_release() {
    let fleet =
        wrong_responses(ManyBytes { length: 1000, chunked: true, second_half_waits: true }, None)
            .await;
    let mut peer = Peer::asking(&fleet).await;
    peer.head().await;
    assert_eq!(peer.up_to("\r\n").await, "1F4\r\n");
    let mut half = [0; 502];
    bounded(peer.0.read_exact(&mut half)).await.unwrap();
    assert_eq!(journal(&fleet, 3).await.len(), 3);
    fleet.release_held();
    peer.up_to("\r\n0\r\n\r\n").await;
    assert_eq!(journal(&fleet, 5).await[2..], ["response 200", "rest", "ended 1000 true"]);
    stop(fleet).await;
}

#[tokio::test]
async fn the_second_event_waits_for_the_release() {
    let fleet = wrong_responses(TwoEvents, None).await;
    let mut peer = Peer::asking(&fleet).await;
    assert!(peer.head().await.contains("Content-Type: text/event-stream\r\n"));
    peer.up_to("data: one\n\n").await;
    fleet.release_held();
    peer.up_to("0\r\n\r\n").await;
    assert_eq!(journal(&fleet, 5).await[3..], ["rest", "ended 22 true"]);
    assert_eq!(responded(&fleet).text(), "data: one\n\ndata: two\n\n");
    stop(fleet).await;
}

#[tokio::test]
async fn a_stop_does_not_wait_for_readers() {
    let fleet = wrong_responses(
        ManyBytes { length: 1 << 40, chunked: false, second_half_waits: true },
        None,
    )
    .await;
    let mut peer = Peer::asking(&fleet).await;
    peer.head().await;
    stop(fleet).await;
}

#[tokio::test]
async fn a_body_is_not_read_before_the_release() {
    let fleet = wrong_responses(BodyUnread, None).await;
    let mut peer = Peer::connect(&fleet).await;
    let length = 64 << 20;
    peer.send(&format!("POST {PAGE} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n"))
        .await;
    let (mut reads, mut sends) = peer.0.into_split();
    let sending = tokio::spawn(async move {
        let block = vec![7; 1 << 16];
        for _ in 0..length >> 16 {
            sends.write_all(&block).await.unwrap();
        }
        sends
    });
    journal(&fleet, 1).await;
    fleet.settle().await;
    assert!(
        fleet.flow().read < 1 << 20 && !sending.is_finished(),
        "{} bytes were read",
        fleet.flow().read
    );
    fleet.release_held();
    let _sends = bounded(sending).await.unwrap();
    assert!(bounded(reads.read(&mut [0; 100])).await.unwrap() > 0);
    assert_eq!(fleet.flow().read, length);
    stop(fleet).await;
}
