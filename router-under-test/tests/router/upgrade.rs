//! WebSocket: the owner's 101, then bytes both ways.

use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::sync::mpsc;

use wiremock::MockServer;

use crate::support::*;

const ASK: &str = "GET /-/cable HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, Upgrade\r\n\
     Upgrade: websocket\r\nSec-WebSocket-Key: abc\r\n\r\n";
const AGREE: &str = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n\
     Upgrade: websocket\r\nSec-WebSocket-Accept: xyz\r\n\r\n";

/// A router in front of a cell that agrees and echoes, found by way of another; and what tells that
/// the cell's connection has ended.
fn echo(protocol: &str) -> (Router, MockServer, mpsc::Receiver<()>) {
    let (ended, has_ended) = mpsc::channel();
    let owner = raw_cell(move |mut cell| {
        if cell.head().and_then(|head| Some(head.field("upgrade")? == "websocket")) == Some(true) {
            cell.send(AGREE);
            let _ = std::io::copy(&mut cell.reader, &mut cell.stream);
        }
        ended.send(()).unwrap();
    });
    let other = cell(|request| match is_preflight(request) {
        true => learned("/-", "cell_us0"),
        false => redirect("Cell US0"),
    });
    let cells = [("eu0", *other.address()), ("us0", owner)];
    let router = Router::start(&topology(protocol, &cells), &[]);
    (router, other, has_ended)
}

fn assert_echoed(user: &mut Peer, bytes: &[u8]) {
    let mut got = vec![0; bytes.len()];
    user.reader.read_exact(&mut got).unwrap();
    assert!(got == bytes);
}

#[test]
fn bytes_pass_both_ways_until_one_side_ends() {
    for protocol in ["buffering", "learning"] {
        let (router, _other, has_ended) = echo(protocol);
        let mut user = router.user();
        // What comes along with the head is not lost.
        user.send([ASK, "\0early\r\n\r\n"].concat());
        let head = user.head().unwrap();
        assert_eq!((head.status(), head.field("sec-websocket-accept")), (101, Some("xyz")));
        assert_eq!(
            (head.field("upgrade"), head.field("content-length")),
            (Some("websocket"), None)
        );
        assert_echoed(&mut user, b"\0early\r\n\r\n");
        let (mut writer, large) = (user.stream.try_clone().unwrap(), vec![b'x'; 5_000_000]);
        let bytes = large.clone();
        std::thread::spawn(move || writer.write_all(&bytes).unwrap());
        assert_echoed(&mut user, &large);
        user.stream.shutdown(Shutdown::Write).unwrap();
        assert!(user.has_ended());
        has_ended.recv().unwrap();
    }
}

#[test]
fn a_router_that_stops_ends_tunnels() {
    let (router, _other, has_ended) = echo("buffering");
    let mut user = router.user();
    assert_eq!(user.ask(ASK).status(), 101);
    router.terminate();
    assert!(user.has_ended());
    has_ended.recv().unwrap();
    assert_eq!(router.ended(), Some(0));
}
