//! Connections to cells stay in use, whatever one target does.

mod support;

use std::io::{BufReader, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use support::cell::{Cell, Then, ok};
use support::message::Message;
use support::router::Router;
use support::single::{in_front_of, one_cell, raw_cell};

/// A cell that closes instead of a response where a target begins with `/bad`, and how many
/// connections it has got.
fn closes_on_bad_targets() -> (SocketAddr, Arc<AtomicUsize>) {
    let opened = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&opened);
    let address = raw_cell(move |mut stream| {
        counted.fetch_add(1, Ordering::SeqCst);
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        while let Ok(Some(mut request)) = Message::read_head(&mut reader) {
            request.read_body(&mut reader).unwrap();
            if request.target().starts_with("/bad") {
                return;
            }
            stream.write_all(ok("served").to_string().as_bytes()).unwrap();
        }
    });
    (address, opened)
}

#[test]
fn one_bad_target_does_not_end_the_reuse_of_connections() {
    let (address, opened) = closes_on_bad_targets();
    let router = Router::start(&one_cell("buffering", address));
    let mut user = router.user();
    let mut last = 0;
    for number in 0..100 {
        assert_eq!(user.get(&format!("/good/{number}")).status(), 200);
        last = opened.load(Ordering::SeqCst);
        assert_eq!(user.get("/bad").status(), 502);
    }
    // One for each bad one, but for the first; and a few for the others.
    assert!((100..=104).contains(&last), "{last}");
}

#[test]
fn many_bad_targets_do_not_end_the_reuse_of_connections() {
    let (address, opened) = closes_on_bad_targets();
    let router = Router::start(&one_cell("buffering", address));
    let mut user = router.user();
    for number in 0..96 {
        assert_eq!(user.get(&format!("/good/{number}")).status(), 200);
        assert_eq!(user.get(&format!("/bad/{}", number % 32)).status(), 502);
    }
    let before = opened.load(Ordering::SeqCst);
    for number in 0..50 {
        assert_eq!(user.get(&format!("/good/{number}")).status(), 200);
    }
    let opened = opened.load(Ordering::SeqCst) - before;
    assert!(opened <= 1, "{opened} of 50 requests had a connection of their own");
}

#[test]
fn a_length_without_its_body_ends_the_reuse_of_the_connection() {
    let cell = Cell::scripted(|mut exchange| {
        exchange.read_body();
        let number = exchange.earlier;
        let target = exchange.request.target().to_owned();
        // The body of a response to HEAD or of a 304 may come yet, and would be the next response.
        exchange.response(match target.as_str() {
            "/304" => "HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\n".to_owned(),
            "/head" => "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n".to_owned(),
            _ => ok(&number.to_string()).to_string(),
        });
        Then::Keep
    });
    let router = in_front_of(&cell);
    let mut user = router.user();
    for (method, target) in [("HEAD", "/head"), ("GET", "/304")] {
        user.send(format!("{method} {target} HTTP/1.1\r\nHost: h\r\n\r\n"));
        assert!(Message::read_head(&mut user.reader).unwrap().is_some());
        assert_eq!(user.get("/x").text(), "0", "{target}");
    }
}

#[test]
fn connections_are_reused_and_replaced() {
    let cell = Cell::scripted(|mut exchange| {
        exchange.response(ok(&exchange.earlier.to_string()));
        if exchange.request.target() != "/close" {
            return Then::Keep;
        }
        // Returns once the router has closed its side.
        exchange.stream.shutdown(Shutdown::Write).expect("it is open");
        let _ = exchange.reader.read(&mut [0; 1]);
        Then::Close
    });
    let router = in_front_of(&cell);
    let mut user = router.user();
    for (target, earlier) in [("/a", "0"), ("/b", "1"), ("/close", "2")] {
        assert_eq!(user.get(target).text(), earlier);
    }
    cell.wait_until_closed(1);
    assert_eq!(user.get("/again").text(), "0");
}
