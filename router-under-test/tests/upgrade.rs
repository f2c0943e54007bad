//! WebSocket connections: first the bounce, then the owner's 101, then bytes in both directions.

mod support;

use std::io::{BufRead as _, Read as _, Write as _};
use std::net::Shutdown;

use support::cell::{Cell, Exchange, Then, ok, redirect, response};
use support::client::User;
use support::message::Message;
use support::router::{Fleet, Router};
use support::single::{in_front_of, one_cell};

const ASK: &str = "GET /-/cable HTTP/1.1\r\nHost: gitlab.example\r\n\
     Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: abc\r\n\
     Sec-WebSocket-Protocol: actioncable-v1-json\r\n\r\n";

const AGREE: &str = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\
     Connection: Upgrade\r\nSec-WebSocket-Accept: xyz\r\n\
     Sec-WebSocket-Protocol: actioncable-v1-json\r\n\r\n";

/// Accepts the upgrade, and echoes each byte.
fn echo(exchange: Exchange<'_>) -> Then {
    if exchange.request.header("upgrade") != Some("websocket") {
        exchange.stream.write_all(ok("no socket").to_string().as_bytes()).unwrap();
        return Then::Keep;
    }
    exchange.stream.write_all(AGREE.as_bytes()).unwrap();
    loop {
        let bytes = exchange.reader.fill_buf().unwrap_or_default();
        let length = bytes.len();
        if length == 0 || exchange.stream.write_all(bytes).is_err() {
            return Then::Close;
        }
        exchange.reader.consume(length);
    }
}

fn open(router: &Router) -> User {
    let mut user = router.user();
    user.send(ASK);
    assert_agreed(&mut user);
    user
}

fn assert_agreed(user: &mut User) {
    let head = Message::read_head(&mut user.reader).unwrap().unwrap();
    assert_eq!(head.status(), 101);
    assert_eq!(head.header("upgrade"), Some("websocket"));
    assert_eq!(head.header("connection").map(str::to_lowercase).as_deref(), Some("upgrade"));
    assert_eq!(head.header("sec-websocket-accept"), Some("xyz"));
    assert_eq!(head.header("sec-websocket-protocol"), Some("actioncable-v1-json"));
    assert_eq!((head.header("content-length"), head.header("transfer-encoding")), (None, None));
}

fn assert_echoed(user: &mut User, bytes: &[u8]) {
    user.send(bytes);
    let mut got = vec![0; bytes.len()];
    user.reader.read_exact(&mut got).unwrap();
    assert_eq!(got, bytes);
}

#[test]
fn an_upgrade_follows_the_bounce() {
    let fleet = Fleet {
        us0: Cell::responding(|_| ok("")),
        eu0: Cell::scripted(echo),
        eu1: Cell::responding(|_| redirect("Cell EU0")),
    };
    let router = Router::start(&fleet.with_one_pick("buffering"));
    let mut user = open(&router);
    for _ in 0..3 {
        // Nothing of this is HTTP.
        assert_echoed(&mut user, b"\x81\x05hello\r\n\r\n\0GET / HTTP/1.1\n");
    }
    for cell in [&fleet.eu0, &fleet.eu1] {
        let request = cell.received().remove(0);
        assert_eq!(request.header("upgrade"), Some("websocket"));
        assert_eq!(request.header("connection").map(str::to_lowercase).as_deref(), Some("upgrade"));
        assert_eq!(request.header("sec-websocket-key"), Some("abc"));
    }
    // A close by the user reaches the cell, and a close by the cell reaches the user.
    user.stream.shutdown(Shutdown::Write).unwrap();
    assert_eq!(user.reader.read(&mut [0]).unwrap(), 0);
    fleet.eu0.wait_until_closed(1);
}

#[test]
fn an_upgrade_follows_the_pre_flight() {
    let fleet = Fleet {
        us0: Cell::responding(|_| ok("")),
        eu0: Cell::scripted(echo),
        eu1: Cell::responding(|_| {
            support::cell::learnt(r#"{"path":"/-","cell":"cell_eu0","source":"routable"}"#)
        }),
    };
    let router = Router::start(&fleet.with_one_pick("learning"));
    assert_echoed(&mut open(&router), b"hello");
    assert_eq!(fleet.eu0.lines(), ["GET /-/cable HTTP/1.1"]);
}

#[test]
fn bytes_sent_along_with_the_head_are_not_lost() {
    let cell = Cell::scripted(echo);
    let router = in_front_of(&cell);
    let mut user = router.user();
    user.send(ASK.to_owned() + "early\r\n\r\n");
    assert_agreed(&mut user);
    let mut got = [0; 9];
    user.reader.read_exact(&mut got).unwrap();
    assert_eq!(&got, b"early\r\n\r\n");
    assert_echoed(&mut user, b"late");
}

#[test]
fn an_earlier_request_does_not_affect_the_upgrade() {
    let cell = Cell::scripted(echo);
    let router = in_front_of(&cell);
    let mut user = router.user();
    user.send("GET /before HTTP/1.1\r\nHost: h\r\n\r\n".to_owned() + ASK + "\0early\n");
    assert_eq!(user.response().text(), "no socket");
    assert_agreed(&mut user);
    let mut got = [0; 7];
    user.reader.read_exact(&mut got).unwrap();
    assert_eq!(&got, b"\0early\n");
}

#[test]
fn large_transfers_pass_in_both_directions() {
    let cell = Cell::scripted(echo);
    let router = in_front_of(&cell);
    let user = open(&router);
    let sent: Vec<u8> = (0..5_000_000_u32).map(|number| (number % 251) as u8).collect();
    let (mut stream, bytes) = (user.stream.try_clone().unwrap(), sent.clone());
    let sender = std::thread::spawn(move || stream.write_all(&bytes).unwrap());
    let mut reader = user.reader;
    let mut got = vec![0; sent.len()];
    reader.read_exact(&mut got).unwrap();
    assert!(got == sent);
    sender.join().unwrap();
}

#[test]
fn a_connection_closed_by_the_cell_is_closed_for_the_user() {
    let cell = Cell::scripted(|exchange| {
        exchange.stream.write_all((AGREE.to_owned() + "first words").as_bytes()).unwrap();
        Then::Close
    });
    let router = in_front_of(&cell);
    let mut user = open(&router);
    let mut got = String::new();
    user.reader.read_to_string(&mut got).unwrap();
    assert_eq!(got, "first words");
}

#[test]
fn a_shutdown_ends_upgraded_connections() {
    let cell = Cell::scripted(echo);
    let router = in_front_of(&cell);
    let mut user = open(&router);
    assert_echoed(&mut user, b"hello");
    router.terminate();
    assert_eq!(user.reader.read(&mut [0]).unwrap_or(0), 0);
    cell.wait_until_closed(1);
    assert!(router.ended().success());
}

#[test]
fn a_cell_can_decline_an_upgrade() {
    for declined in [
        ok("no"),
        response("426 Upgrade Required", &["Upgrade: websocket", "Connection: Upgrade"], "no"),
        response("404 Not Found", &[], "no"),
    ] {
        let status = declined.to_string().split(' ').nth(1).unwrap().parse::<u16>().unwrap();
        let cell = Cell::responding(move |_| declined.clone());
        let router = in_front_of(&cell);
        let mut user = router.user();
        // Later bytes are then a request, whether they arrive before or after the response.
        user.send(ASK.to_owned() + "GET /next HTTP/1.1\r\nHost: h\r\n\r\n");
        for _ in 0..2 {
            assert_eq!(
                (user.response().status(), user.reader.buffer().len() < 1000),
                (status, true)
            );
        }
        assert_eq!(user.get("/last").status(), status);
        assert_eq!(cell.lines().len(), 3);
    }
}

#[test]
fn only_websocket_upgrades_are_forwarded() {
    let cell = Cell::responding(|_| ok("plain"));
    let router = in_front_of(&cell);
    let mut user = router.user();
    for (method, fields) in [
        (
            "GET",
            &["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAA"][..],
        ),
        ("GET", &["Upgrade: websocket"]),
        ("GET", &["Connection: upgrade", "Upgrade: websocket, h2c"]),
        ("POST", &["Connection: upgrade", "Upgrade: websocket"]),
    ] {
        assert_eq!(user.ask(method, "/x", fields, b"").text(), "plain");
    }
    assert_eq!(
        user.ask("GET", "/x", &["Connection: upgrade", "Upgrade: websocket"], b"body").text(),
        "plain"
    );
    for request in cell.received() {
        assert_eq!((request.header("upgrade"), request.header("http2-settings")), (None, None));
        assert!(
            request
                .header("connection")
                .is_none_or(|value| !value.to_lowercase().contains("upgrade"))
        );
    }
}

#[test]
fn an_http_1_0_user_cannot_upgrade() {
    let cell = Cell::scripted(echo);
    let router = Router::start(&one_cell("buffering", cell.address));
    let mut user = router.user();
    user.send(ASK.replace("HTTP/1.1", "HTTP/1.0"));
    assert_eq!(user.response().text(), "no socket");
}
