//! Start, bad configuration and stop.

use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::*;

#[test]
fn a_bad_configuration_exits_with_2_and_is_named() {
    let good = topology("learning", &[("eu0", free_address())]);
    let mut bad = good.clone();
    bad["limits"]["max_hops"] = json!("four");
    assert_complaint(&bad, ("CELLS_LOG", "off"), 2, "t.json: limits.max_hops: invalid type");
    for (name, value, named) in [
        ("CELLS_TOPOLOGY", "/dev/null", "topology file /dev/null cannot be read"),
        ("CELLS_LISTEN", "127.0.0.1:1", "t.json: listen: is"),
        ("CELLS_LOG", "loud", "variable CELLS_LOG: `loud` is not"),
    ] {
        assert_complaint(&good, (name, value), 2, named);
    }
}

#[test]
fn an_address_of_another_program_exits_with_1() {
    let topology = topology("buffering", &[("eu0", free_address())]);
    let taken = topology["listen"].as_str().unwrap();
    let _other = TcpListener::bind(taken).unwrap();
    assert_complaint(&topology, ("CELLS_LOG", "off"), 1, taken);
}

fn assert_complaint(topology: &Value, variable: (&str, &str), status: i32, named: &str) {
    let directory = tempfile::TempDir::new().unwrap();
    let output = command(&directory, topology, &[variable]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{message}");
    assert!(message.starts_with("reference-router: ") && message.contains(named), "{message}");
}

#[test]
fn a_new_process_may_listen_beside_the_old_one() {
    let cell = cell(|_| ok("served"));
    let topology = topology("buffering", &[("eu0", *cell.address())]);
    let metrics = free_address().to_string();
    let start = || Router::start(&topology, &[("CELLS_METRICS", &metrics)]);
    let mut router = start();
    for _ in 0..3 {
        let next = start();
        router.terminate();
        assert_eq!(router.ended(), Some(0));
        router = next;
        assert_eq!(router.user().get("/x").text(), "served");
        let counted = Peer::new(TcpStream::connect(&metrics).unwrap()).get("/metrics");
        assert!(counted.text().contains("cells_router_requests_total{status=\"200\"} 1"));
    }
}

#[test]
fn a_connection_that_waits_for_a_place_is_served_before_the_router_ends() {
    let (router, mut user, go_on) = half_served(&[("CELLS_MAX_CONNECTIONS", "1")]);
    let mut waiting = router.user();
    waiting.send(get("/x"));
    router.terminate();
    // The first one still has the only place.
    wait_for(|| waiting.has_something());
    for _ in 0..2 {
        go_on.send(()).unwrap();
    }
    assert!([&mut user, &mut waiting].into_iter().all(|one| one.message().unwrap().is_whole));
    assert_eq!(router.ended(), Some(0));
}

#[test]
fn a_request_that_was_sent_before_the_signal_gets_its_response() {
    let cell = cell(|_| ok("served"));
    let topology = topology("buffering", &[("eu0", *cell.address())]);
    for _ in 0..5 {
        let router = Router::start(&topology, &[]);
        let mut users: Vec<_> = (0..16).map(|_| router.user()).collect();
        users.iter_mut().for_each(|user| user.send(get("/x")));
        router.terminate();
        assert!(users.iter_mut().all(|user| user.message().unwrap().text() == "served"));
        assert_eq!(router.ended(), Some(0));
    }
}

/// A router, a user who has got the beginning of a response, and what lets the rest follow.
fn half_served(set: &[(&str, &str)]) -> (Router, Peer, mpsc::Sender<()>) {
    let (go_on, told) = mpsc::channel();
    let told = Arc::new(Mutex::new(told));
    let address = raw_cell(move |mut cell| {
        while cell.message().is_some() {
            cell.send("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nfirst");
            if told.lock().unwrap().recv().is_ok() {
                cell.send("second");
            }
        }
    });
    let router = Router::start(&topology("buffering", &[("eu0", address)]), set);
    let mut user = router.user();
    user.send(get("/x"));
    wait_for(|| user.has_something());
    (router, user, go_on)
}

#[test]
fn a_signal_ends_what_is_idle_and_waits_for_what_is_not() {
    let (router, mut user, go_on) = half_served(&[]);
    let (mut idle, mut used) = (router.user(), router.user());
    assert_eq!(used.ask("GET / HTTP/1.1\r\nHost: a b\r\n\r\n").status(), 400);
    let begun = Instant::now();
    router.terminate();
    assert!(idle.has_ended() && used.has_ended());
    wait_for(|| std::net::TcpStream::connect(router.address).is_err());
    go_on.send(()).unwrap();
    let response = user.message().unwrap();
    assert_eq!((response.text(), response.is_whole), ("firstsecond", true));
    assert_eq!(router.ended(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
}

#[test]
fn a_second_signal_ends_the_router_at_once() {
    let (router, mut user, _go_on) = half_served(&[]);
    let mut idle = router.user();
    let begun = Instant::now();
    router.terminate();
    assert!(idle.has_ended());
    router.terminate();
    assert_eq!(router.ended(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
    assert!(!user.message().unwrap().is_whole);
}

#[test]
fn a_response_that_outlasts_the_drain_does_not_look_complete() {
    let address = raw_cell(|mut cell| {
        cell.message();
        cell.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
        // Until the router has ended.
        cell.has_ended();
    });
    let router = Router::start(&topology("buffering", &[("eu0", address)]), &[]);
    let mut users = ["1.0", "1.1"].map(|version| {
        let mut user = router.user();
        user.send(format!("GET /x HTTP/{version}\r\nHost: h\r\n\r\n"));
        wait_for(|| user.has_something());
        user
    });
    router.terminate();
    assert_eq!(router.ended(), Some(0));
    assert!(users.iter_mut().all(|user| !user.message().unwrap().is_whole));
}
