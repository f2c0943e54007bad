//! Cells that fail, or whose bytes are wrong: users get a refusal or a broken connection, and never
//! a truncated response as a complete one.

use std::io::Write as _;

use serde_json::json;
use socket2::SockRef;

use crate::support::*;

/// What a user gets from a cell that reads the request, writes these bytes and closes: the status,
/// and whether the body is whole.
fn seen(bytes: String) -> (u16, bool) {
    let address = raw_cell(move |mut cell| {
        cell.message();
        // The router may have gone before the last one.
        let _ = cell.stream.write_all(bytes.as_bytes());
    });
    let router = Router::start(&topology("buffering", &[("eu0", address)]), &[]);
    let response = router.user().get("/x");
    assert!(response.status() == 502 || response.body.starts_with(b"abc"));
    (response.status(), response.is_whole)
}

#[test]
fn users_see_what_is_wrong_with_a_response() {
    let long = format!("X: {}\r\nContent-Length: 0\r\n\r\n", "y".repeat(100_000));
    for (rest, outcome) in [
        ("Content-", (502, true)),
        (&long, (502, true)),
        ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", (502, true)),
        ("Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", (502, true)),
        ("Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", (502, true)),
        ("Content-Length: 5\r\n\r\nabc", (200, false)),
        ("Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", (200, false)),
        ("Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n", (200, false)),
        ("Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: u\r\n\r\n", (200, true)),
        ("Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", (200, true)),
        ("Content-Length: 3\r\n\r\nabcHTTP/1.1 200 OK", (200, true)),
        ("\r\nabc", (200, true)),
    ] {
        assert_eq!(seen(format!("HTTP/1.1 200 OK\r\n{rest}")), outcome, "{rest}");
    }
    for bytes in ["", "nonsense\r\n\r\n", "HTTP/1.1 101 Go\r\nConnection: upgrade\r\n\r\n"] {
        assert_eq!(seen(bytes.to_owned()), (502, true), "{bytes}");
    }
}

#[test]
fn a_cell_that_cannot_be_reached_or_takes_nothing_is_a_refusal() {
    for protocol in ["buffering", "learning"] {
        // Until the router has gone; the system tells that without a byte being read.
        let reads_nothing = raw_cell(|cell| {
            let is_there = || SockRef::from(&cell.stream).take_error().is_ok_and(|e| e.is_none());
            wait_for(|| !is_there());
        });
        for (address, status) in [(free_address(), 503), (reads_nothing, 504)] {
            let mut topology = topology(protocol, &[("eu0", address)]);
            topology["limits"]["response_timeout_ms"] = json!(300);
            let router = Router::start(&topology, &[]);
            let mut user = router.user();
            // The connection stays usable.
            for _ in 0..2 {
                assert_eq!(user.get("/x").status(), status, "{protocol}");
            }
        }
    }
}

#[test]
fn a_cell_that_fails_on_a_pre_flight_is_passed_over() {
    let named = r#"{"path":"/","cell":"cell_eu1"}"#;
    let length = named.len();
    let long = format!(r#"{{"path":"/","cell":"cell_eu1","more":"{}"}}"#, "x".repeat(100_000));
    for bytes in [
        String::new(),
        "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n".to_owned(),
        format!("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{named}"),
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{length:x}\r\n{named}\r\n"),
        format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{long}", long.len()),
    ] {
        let what: String = bytes.chars().take(60).collect();
        let (told, asked) = std::sync::mpsc::channel();
        let fails = raw_cell(move |mut cell| {
            if let Some(request) = cell.message() {
                told.send(request.target().to_owned()).unwrap();
                let _ = cell.stream.write_all(bytes.as_bytes());
            }
        });
        let owner = cell(|request| match is_preflight(request) {
            true => learned(&request.url.query_pairs().nth(1).unwrap().1, "cell_eu0"),
            false => ok(request.url.path()),
        });
        let cells = [("eu0", *owner.address()), ("eu1", fails)];
        let router = Router::start(&topology("learning", &cells), &[]);
        let mut user = router.user();
        // Fair picks never meet the failing cell once in 10^12 runs.
        let met = (1..=40).find_map(|number| {
            let target = format!("/{number}");
            assert_eq!(user.post(&target, "x").text(), target, "{what}");
            asked.try_recv().ok().map(|asked| (number, asked))
        });
        let (sent, asked) = met.expect(&what);
        assert!(asked.starts_with("/api/"), "{what}");
        // Each is sent once.
        let posts = requests(&owner).iter().filter(|request| !is_preflight(request)).count();
        assert_eq!(posts, sent, "{what}");
    }
}

#[test]
fn what_a_cell_says_cannot_forge_lines_of_the_log() {
    let cell = cell(|_| learned("/x", "x\nERROR forged\u{1b}[2J\u{9b}1m"));
    let router = Router::start(&topology("learning", &[("eu0", *cell.address())]), &[]);
    assert_eq!(router.user().get("/x").status(), 502);
    let log = router.log();
    assert!(log.contains("ERROR forged"), "{log}");
    assert!(!log.lines().any(|line| line.starts_with("ERROR forged")), "{log}");
    assert!(!log.contains("\u{1b}[2J") && !log.contains('\u{9b}'), "{log:?}");
}
