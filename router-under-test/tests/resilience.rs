//! Cells that let requests wait, and a router that stops.

mod support;

use std::io::Read as _;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;
use support::cell::{Cell, Then, ok, wait_for};
use support::client::User;
use support::router::{Router, free_address, topology};
use support::single::one_cell;

#[test]
fn a_cell_that_lets_requests_wait_is_left_out_of_cold_picks() {
    let silent = Cell::silent();
    let good = Cell::responding(|_| ok("served"));
    let mut topology = topology("buffering", good.address, silent.address, good.address);
    topology["cells"].as_array_mut().unwrap().remove(0);
    topology["latest_cell"] = json!("cell_eu1");
    // Long enough for the cell that does respond, also on a loaded machine.
    topology["limits"]["response_timeout_ms"] = json!(1500);
    let router = Router::start(&topology);
    let mut user = router.user();
    let mut refused = 0;
    for number in 0..60 {
        refused += usize::from(user.get(&format!("/{number}")).status() == 504);
    }
    // About half of 60 would be, without the three that tell.
    assert_eq!(refused, 3);
}

#[test]
fn a_router_that_stops_says_so_and_serves_who_has_just_come() {
    // It listens for 100 ms after it says so: a loaded machine may be late once.
    let served = (0..5).any(|_| {
        let cell = Cell::responding(|_| ok("served"));
        let metrics = free_address();
        let router = Router::start_with(
            &one_cell("buffering", cell.address),
            &[("CELLS_METRICS", &metrics.to_string())],
        );
        assert_eq!(User::connect(metrics).get("/ready").status(), 200);
        let mut users: Vec<_> = (0..4).map(|_| router.user()).collect();
        router.terminate();
        wait_for(|| User::connect(metrics).get("/ready").status() == 503);
        let late = User::try_connect(router.address).ok();
        let came = late.is_some();
        users.extend(late);
        for user in &mut users {
            let response = user.get("/x");
            assert_eq!((response.text(), response.header("connection")), ("served", Some("close")));
        }
        drop(users);
        assert!(router.ended().success());
        came
    });
    assert!(served, "none of five routers accepted a user after it said that it stops");
}

#[test]
fn a_tunnel_that_nobody_uses_ends() {
    let cell = Cell::scripted(|mut exchange| {
        exchange.read_body();
        exchange.response(
            "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
        );
        let mut stream: &TcpStream = exchange.stream;
        let mut byte = [0];
        while stream.read(&mut byte).is_ok_and(|read| read > 0) {
            if std::io::Write::write_all(&mut stream, &byte).is_err() {
                break;
            }
        }
        Then::Close
    });
    let router = Router::start_with(
        &one_cell("buffering", cell.address),
        &[("CELLS_TUNNEL_IDLE_MS", "400")],
    );
    let mut user = router.user();
    user.send(
        "GET /x HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Key: x\r\n\r\n",
    );
    assert!(user.reader.read(&mut [0; 1000]).unwrap() > 0);
    let begun = std::time::Instant::now();
    for _ in 0..8 {
        user.send("x");
        assert_eq!(user.reader.read(&mut [0]).unwrap(), 1);
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(matches!(user.reader.read(&mut [0]), Ok(0) | Err(_)));
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn only_trusted_proxies_speak_for_users() {
    let cell = Cell::responding(|request| {
        let told = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"];
        ok(&told.map(|name| request.header(name).unwrap_or("-").to_owned()).join("|"))
    });
    for (trusted, seen) in [
        ("127.0.0.0/8", "6.6.6.6, 127.0.0.1|public|https"),
        ("10.0.0.0/8", "127.0.0.1|gitlab.example|http"),
    ] {
        let router = Router::start_with(
            &one_cell("buffering", cell.address),
            &[("CELLS_TRUSTED_PROXIES", trusted)],
        );
        let fields =
            ["X-Forwarded-For: 6.6.6.6", "X-Forwarded-Host: public", "X-Forwarded-Proto: https"];
        assert_eq!(router.user().ask("GET", "/x", &fields, b"").text(), seen);
    }
}
