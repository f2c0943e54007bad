//! Faults of connections, and outages of running cells.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::time::{Duration, Instant};

use cell_fleet::fault::ConnectionFault::{
    ClosesAfterOneResponse, ClosesBeforeReading, ClosesWhenUsedAgain, ReadsNothing, Refuses,
};
use cell_fleet::fault::{Fault, ResponseFault};
use cell_fleet::{CellId, Fleet, FleetPlan, Listen, OutageError, Protocol, Region};
use tokio::net::TcpStream;

use crate::support::*;

async fn is_refused(fleet: &Fleet) -> bool {
    let connected = TcpStream::connect(fleet.cell(&CellId::us(0)).unwrap().address).await;
    connected.is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
}

#[tokio::test]
async fn a_cell_that_refuses_can_be_brought_back() {
    let fleet = wrong_connections(Refuses).await;
    assert!(is_refused(&fleet).await);
    fleet.end_faults();
    assert!(is_refused(&fleet).await, "the cell came back by itself");
    fleet.bring_back(&CellId::us(0)).await.unwrap();
    assert!(Peer::asking(&fleet).await.response().await.0.starts_with("HTTP/1.1 200 "));
    stop(fleet).await;
}

#[tokio::test]
async fn a_cell_that_is_taken_down_resets_its_connections_and_keeps_its_address() {
    let fleet = start(Vec::new()).await;
    let mut used = Peer::asking(&fleet).await;
    used.response().await;
    for _ in 0..3 {
        fleet.take_down(&CellId::us(0)).await.unwrap();
        fleet.take_down(&CellId::us(0)).await.unwrap();
        assert!(is_refused(&fleet).await);
        fleet.bring_back(&CellId::us(0)).await.unwrap();
        fleet.bring_back(&CellId::us(0)).await.unwrap();
        Peer::asking(&fleet).await.response().await;
    }
    assert_eq!(used.rest().await, (String::new(), End::Reset));
    let unknown = fleet.take_down(&CellId::eu(7)).await;
    assert!(matches!(unknown, Err(OutageError::NoSuchCell(cell)) if cell == CellId::eu(7)));
    stop(fleet).await;
}

#[tokio::test]
async fn a_restart_resets_requests_in_flight_too() {
    let fleet = wrong_responses(ResponseFault::NeverResponds, Some(1)).await;
    let mut peer = Peer::asking(&fleet).await;
    journal(&fleet, 2).await;
    fleet.restart(&CellId::us(0)).await.unwrap();
    assert_eq!(peer.rest().await, (String::new(), End::Reset));
    Peer::asking(&fleet).await.response().await;
    assert_eq!(
        journal(&fleet, 5).await,
        [&format!("request {PAGE}"), "read", &format!("request {PAGE}"), "read", "response 200"]
    );
    stop(fleet).await;
}

#[tokio::test]
async fn a_cell_that_reads_nothing_starts_to_read_when_the_faults_end() {
    let fleet = wrong_connections(ReadsNothing).await;
    let mut peer = Peer::asking(&fleet).await;
    fleet.settle().await;
    assert!(fleet.journal().entries().is_empty());
    fleet.end_faults();
    assert!(peer.response().await.0.starts_with("HTTP/1.1 200 "));
    stop(fleet).await;

    let stopped = quickest(async || {
        let fleet = wrong_connections(ReadsNothing).await;
        let mut peer = Peer::asking(&fleet).await;
        fleet.settle().await;
        let begun = Instant::now();
        stop(fleet).await;
        let took = begun.elapsed();
        assert_eq!(peer.rest().await.0, "");
        took
    });
    assert!(stopped.await < Duration::from_millis(200), "the stop waited for it");
}

#[tokio::test]
async fn a_connection_is_closed_after_one_response_without_connection_close() {
    let fleet = wrong_connections(ClosesAfterOneResponse).await;
    let mut peer = Peer::asking(&fleet).await;
    let (head, _) = peer.response().await;
    assert!(!head.to_ascii_lowercase().contains("connection"), "{head}");
    assert_eq!(peer.rest().await, (String::new(), End::Closed));
    stop(fleet).await;
}

#[tokio::test]
async fn a_kept_alive_connection_is_reset_when_it_is_used_again() {
    let fleet = wrong_connections(ClosesWhenUsedAgain).await;
    let mut peer = Peer::asking(&fleet).await;
    peer.response().await;
    fleet.settle().await;
    peer.send(&get("/again")).await;
    assert_eq!(peer.rest().await, (String::new(), End::Reset));
    assert_eq!(journal(&fleet, 3).await, [&format!("request {PAGE}"), "read", "response 200"]);
    fleet.end_faults();
    let mut peer = Peer::asking(&fleet).await;
    peer.response().await;
    peer.send(&get(PAGE)).await;
    peer.response().await;
    stop(fleet).await;
}

#[tokio::test]
async fn the_first_connections_are_closed_before_any_byte_is_read() {
    let fleet = wrong_connections(ClosesBeforeReading { connections: 2 }).await;
    for _ in 0..2 {
        assert_eq!(Peer::connect(&fleet).await.rest().await, (String::new(), End::Closed));
    }
    assert!(Peer::asking(&fleet).await.response().await.0.starts_with("HTTP/1.1 200 "));
    stop(fleet).await;
}

#[tokio::test]
async fn the_latency_of_a_region_delays_concurrent_responses_concurrently() {
    // Long compared with what a loaded machine adds.
    let late = Duration::from_millis(400);
    let plan = FleetPlan {
        latency: BTreeMap::from([(Region::us(), late)]),
        ..FleetPlan::documents(Protocol::Learning)
    };
    let fleet = Fleet::start(plan, Listen::Ephemeral).await.unwrap();
    let ask = async |requests: usize| {
        let begun = Instant::now();
        let mut peers = Vec::new();
        for _ in 0..requests {
            peers.push(Peer::asking(&fleet).await);
        }
        for mut peer in peers {
            peer.response().await;
        }
        begun.elapsed()
    };
    let took = quickest(async || ask(20).await).await;
    // One after the other they would take 20 times as long.
    assert!(took >= late && took < late * 15, "{took:?}");
    fleet.end_faults();
    assert!(quickest(async || ask(1).await).await < late);
    stop(fleet).await;
}

#[tokio::test]
async fn faults_of_unknown_cells_and_regions_are_refused() {
    let documents = || FleetPlan::documents(Protocol::Learning);
    let unknown_cell = FleetPlan {
        faults: vec![Fault::of_connections(Some(CellId::eu(7)), Refuses)],
        ..documents()
    };
    let unknown_region = FleetPlan {
        latency: BTreeMap::from([("ap".parse().unwrap(), Duration::ZERO)]),
        ..documents()
    };
    for (plan, message) in [(unknown_cell, "cell_eu7"), (unknown_region, "region ap")] {
        let error = Fleet::start(plan, Listen::Ephemeral).await.unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}
