//! PROXY protocol version 2: a proxy says in front of each connection whose it is.

mod support;

use std::io::{ErrorKind, Read as _};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use support::cell::{Cell, ok};
use support::client::User;
use support::router::Router;
use support::single::one_cell;

const ON: (&str, &str) = ("CELLS_PROXY_PROTOCOL", "v2");
const TRUSTED: (&str, &str) = ("CELLS_TRUSTED_PROXIES", "127.0.0.0/8");
const SIGNATURE: &[u8] = b"\r\n\r\n\0\r\nQUIT\n";

/// A header: version and command, family and protocol, and the rest.
fn header(command: u8, family: u8, rest: &[u8]) -> Vec<u8> {
    let length = u16::try_from(rest.len()).unwrap().to_be_bytes();
    [SIGNATURE, &[command, family], &length, rest].concat()
}

/// The addresses of a user of 203.0.113.7, and the router's.
const ADDRESSES: [u8; 12] = [203, 0, 113, 7, 10, 0, 0, 1, 0xc0, 0x01, 0, 80];

fn echo() -> Cell {
    Cell::responding(|request| {
        let field = |name| request.header(name).unwrap_or("none").to_owned();
        ok(&format!("{} {}", field("x-forwarded-for"), field("x-forwarded-proto")))
    })
}

fn router(cell: &Cell, more: &[(&str, &str)]) -> Router {
    // The test finds out that the router is ready by connecting, without a header.
    Router::start_with(&one_cell("buffering", cell.address), &[&[ON, TRUSTED], more].concat())
}

/// What a user gets who sends this first.
fn after(address: SocketAddr, first: &[u8]) -> String {
    let mut user = User::connect(address);
    user.send(first);
    user.get("/x").text().to_owned()
}

#[test]
fn cells_get_the_address_that_the_header_names() {
    let cell = echo();
    let router = router(&cell, &[]);
    let ipv6 = [&[0x20, 1, 0xd, 0xb8][..], &[0; 11], &[9], &[0; 16], &[1, 2, 0, 80]].concat();
    let over_tls = [&ADDRESSES[..], &[0x20, 0, 5, 1, 0, 0, 0, 0]].concat();
    let without_tls = [&ADDRESSES[..], &[4, 0, 1, 0], &[0x20, 0, 5, 0, 0, 0, 0, 0]].concat();
    for (first, said) in [
        (header(0x21, 0x11, &ADDRESSES), "203.0.113.7 http"),
        (header(0x21, 0x21, &ipv6), "2001:db8::9 http"),
        (header(0x21, 0x11, &over_tls), "203.0.113.7 https"),
        (header(0x21, 0x11, &without_tls), "203.0.113.7 http"),
        // The proxy's own connections, which look whether the router is there.
        (header(0x20, 0x00, &[]), "127.0.0.1 http"),
        (header(0x20, 0x11, &ADDRESSES), "127.0.0.1 http"),
        (header(0x21, 0x00, &[]), "127.0.0.1 http"),
    ] {
        assert_eq!(after(router.address, &first), said, "{first:?}");
    }
    // Byte for byte, and the request in the same piece as the end.
    let mut user = router.user();
    let whole = header(0x21, 0x11, &ADDRESSES);
    for byte in &whole[..whole.len() - 1] {
        user.send([*byte]);
    }
    user.send([&whole[whole.len() - 1..], b"GET /x HTTP/1.1\r\nHost: h\r\n\r\n"].concat());
    assert_eq!(user.response().text(), "203.0.113.7 http");
    // What the user says of the way here counts no more than without a proxy.
    let mut user = router.user();
    user.send(&whole);
    let response = user.ask("GET", "/x", &["X-Forwarded-For: 6.6.6.6"], b"");
    assert_eq!(response.text(), "203.0.113.7 http");
}

/// Whether the router closes the connection behind these bytes, without a word.
fn is_closed(router: &Router, first: &[u8]) -> bool {
    let mut user = router.user();
    user.send(first);
    let mut got = Vec::new();
    let ended = user.reader.read_to_end(&mut got);
    // A reset, where bytes were left unread, is an end as well; a wait in vain is none.
    ended.map_or_else(|error| error.kind() == ErrorKind::ConnectionReset, |_| true)
        && got.is_empty()
}

#[test]
fn what_is_no_such_header_ends_the_connection() {
    let cell = echo();
    let router = router(&cell, &[("CELLS_HEAD_TIMEOUT_MS", "300")]);
    for first in [
        b"GET /x HTTP/1.1\r\nHost: h\r\n\r\n".to_vec(),
        b"PROXY TCP4 203.0.113.7 10.0.0.1 49153 80\r\nGET /x HTTP/1.1\r\nHost: h\r\n\r\n".to_vec(),
        header(0x11, 0x11, &ADDRESSES),
        header(0x22, 0x11, &ADDRESSES),
        header(0x21, 0x41, &ADDRESSES),
        header(0x21, 0x12, &ADDRESSES),
        header(0x21, 0x11, &ADDRESSES[..11]),
        header(0x21, 0x11, &[0; 5000]),
        header(0x21, 0x11, &[&ADDRESSES[..], &[0x20, 0, 9, 1]].concat()),
        SIGNATURE[..7].to_vec(),
    ] {
        let began = Instant::now();
        assert!(is_closed(&router, &first), "{first:?}");
        assert!(began.elapsed() < Duration::from_secs(10));
    }
    // Truncated, and ended.
    let mut user = router.user();
    user.send(&header(0x21, 0x11, &ADDRESSES)[..20]);
    user.stream.shutdown(std::net::Shutdown::Write).unwrap();
    assert_eq!(user.reader.read(&mut [0]).unwrap(), 0);
    assert_eq!(cell.received().len(), 0);
    assert!(router.log().contains("PROXY"));
}

#[test]
fn peers_that_are_not_trusted_are_refused() {
    let cell = echo();
    let trusted = ("CELLS_TRUSTED_PROXIES", "10.0.0.0/8");
    let router = router(&cell, &[trusted]);
    assert!(is_closed(&router, &header(0x21, 0x11, &ADDRESSES)));
    assert_eq!(cell.received().len(), 0);
}

#[test]
fn the_limit_of_each_address_is_that_of_users_behind_the_proxy() {
    let cell = echo();
    let router = router(&cell, &[("CELLS_MAX_CONNECTIONS_PER_ADDRESS", "1")]);
    let of = |last: u8| {
        let mut addresses = ADDRESSES;
        addresses[3] = last;
        let mut user = router.user();
        user.send(header(0x21, 0x11, &addresses));
        user.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n");
        user
    };
    // All from one proxy, and each of another user.
    let mut users: Vec<_> = (1..9).map(of).collect();
    for user in &mut users {
        assert!(user.response().text().ends_with(" http"));
    }
}

#[test]
fn settings_that_contradict_each_other_are_named() {
    let topology = one_cell("buffering", support::router::free_address()).to_string();
    for (variables, problem) in [
        (&[ON][..], "needs CELLS_TRUSTED_PROXIES"),
        (&[("CELLS_PROXY_PROTOCOL", "v1"), TRUSTED], "`v1` is neither `off` nor `v2`"),
    ] {
        let output = support::router::run_to_end(&topology, variables);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("CELLS_PROXY_PROTOCOL") && message.contains(problem), "{message}");
    }
}
