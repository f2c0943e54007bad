//! Cells that fail, send invalid responses or close: the user gets a refusal or a broken
//! connection, and never a truncated response as a complete one. Where a cell fails on a pre-flight,
//! another one of the region gets it, and the user's request is sent once.

mod support;

use std::collections::BTreeMap;
use std::io::{BufReader, Read as _, Write as _};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use support::cell::{Cell, Exchange, Then, learnt, ok, response};
use support::message::Message;
use support::router::{Fleet, Router, free_address};
use support::single::{in_front_of, one_cell, raw_cell, reset};

#[test]
fn a_head_within_the_limit_is_forwarded_unchanged() {
    let value = "y".repeat(60_000);
    let fields = format!("Content-Length: 2\r\nContent-Length: 2\r\nX: {value}");
    let cell = Cell::writing(move |_| format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\nab"));
    let response = in_front_of(&cell).user().get("/x");
    assert_eq!(
        (response.status(), response.text(), response.header("x")),
        (200, "ab", Some(value.as_str()))
    );
    assert_eq!(response.all("content-length"), ["2"]);
}

#[test]
fn refused_connections_are_a_refusal() {
    let router = Router::start(&one_cell("buffering", free_address()));
    let mut user = router.user();
    assert_eq!(user.get("/x").status(), 503);
    // The user's connection stays usable.
    assert_eq!(user.get("/x").status(), 503);
}

#[test]
fn a_request_written_to_a_closing_connection_is_not_resent() {
    let read = Arc::new(Mutex::new(BTreeMap::<String, usize>::new()));
    let journal = Arc::clone(&read);
    let address = raw_cell(move |stream| {
        let mut writer = stream.try_clone().unwrap();
        let mut reader = BufReader::new(stream);
        let Ok(Some(mut request)) = Message::read_head(&mut reader) else { return };
        request.read_body(&mut reader).unwrap();
        *journal.lock().unwrap().entry(request.target().to_owned()).or_default() += 1;
        writer.write_all(ok("served").to_string().as_bytes()).unwrap();
        // The next request arrives and is not read, so the close resets the connection.
        let _ = writer.peek(&mut [0]);
    });
    let router = Router::start(&one_cell("buffering", address));
    let mut user = router.user();
    let mut served = 0;
    for number in 0..20 {
        let response = user.ask("POST", &format!("/{number}"), &[], b"once");
        assert!(matches!(response.status(), 200 | 502), "{}", response.status());
        served += usize::from(response.status() == 200);
    }
    let read = read.lock().unwrap();
    assert!(read.values().all(|times| *times == 1), "{read:?}");
    assert_eq!(read.len(), served);
    // Each thread recognises such a cell after two refusals.
    assert!(served >= 18, "{served}");
}

#[test]
fn a_response_in_slow_pieces_is_read_whole() {
    let cell = Cell::scripted(|mut exchange| {
        exchange.read_body();
        let bytes = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n\
             HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
        for byte in bytes.as_bytes() {
            exchange.stream.write_all(&[*byte]).unwrap();
            std::thread::yield_now();
        }
        Then::Keep
    });
    let router = in_front_of(&cell);
    let mut user = router.user();
    for _ in 0..3 {
        let response = user.get("/x");
        assert_eq!((response.status(), response.text(), response.whole), (200, "abc", true));
    }
}

#[test]
fn trailers_are_not_forwarded() {
    let cell = Cell::scripted(|mut exchange| {
        exchange.read_body();
        exchange.response(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n\
             3\r\nabc\r\n0\r\nT: u\r\n\r\n",
        );
        Then::Keep
    });
    let router = in_front_of(&cell);
    let mut user = router.user();
    for _ in 0..3 {
        let response = user.ask("GET", "/x", &["TE: trailers", "Connection: TE"], b"");
        assert_eq!(
            (response.text(), response.whole, response.header("trailer")),
            ("abc", true, None)
        );
    }
    assert_eq!(cell.received()[0].header("te"), None);
}

#[test]
fn a_response_truncated_by_the_shutdown_does_not_look_complete() {
    let cell = Cell::scripted(|mut exchange| {
        exchange.read_body();
        exchange.response("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
        // Until the router has exited.
        let _ = exchange.reader.read(&mut [0]);
        Then::Close
    });
    let router = in_front_of(&cell);
    let mut users = ["1.0", "1.1"].map(|version| {
        let mut user = router.user();
        user.send(format!("GET /x HTTP/{version}\r\nHost: h\r\n\r\n"));
        user
    });
    let mut heads =
        users.each_mut().map(|user| Message::read_head(&mut user.reader).unwrap().unwrap());
    router.terminate();
    let old = users[0].reader.read_to_end(&mut Vec::new());
    assert_eq!(old.unwrap_err().kind(), std::io::ErrorKind::ConnectionReset);
    heads[1].read_body(&mut users[1].reader).unwrap();
    assert!(!heads[1].whole);
}

const LEARN: &str = "/api/v4/internal/cells/learn";

/// Names EU0 as the owner of every path, and serves it.
fn owner() -> Cell {
    Cell::responding(|request| match request.target().strip_prefix(LEARN) {
        Some(query) => {
            let path = query
                .split(['?', '&'])
                .find_map(|pair| pair.strip_prefix("path_info="))
                .expect("a path");
            let path = percent_encoding::percent_decode_str(path).decode_utf8_lossy().into_owned();
            learnt(&json!({ "path": path, "cell": "cell_eu0", "source": "routable" }).to_string())
        }
        None => ok(request.target()),
    })
}

/// Sends many cold requests beside a cell that treats pre-flights like this; all are served, each
/// once.
fn passed_over(what: &str, fail: impl Fn(Exchange<'_>) -> Then + Send + Sync + 'static) {
    passed_over_within(Duration::from_secs(10), 3, what, fail);
}

/// The same with this limit of the router's for a response, until the cell has failed so often.
fn passed_over_within(
    limit: Duration,
    times: usize,
    what: &str,
    fail: impl Fn(Exchange<'_>) -> Then + Send + Sync + 'static,
) {
    let fleet =
        Fleet { us0: Cell::responding(|_| ok("latest")), eu0: owner(), eu1: Cell::scripted(fail) };
    let mut topology = fleet.topology("learning");
    topology["limits"]["response_timeout_ms"] = json!(limit.as_millis());
    let router = Router::start(&topology);
    let mut user = router.user();
    let mut failed = 0;
    // A fair draw never meets the failing cell once in 10^9 runs.
    for number in 0..30 {
        let target = format!("/{number}");
        assert_eq!(user.ask("POST", &target, &[], b"x").text(), target, "{what}");
        failed = fleet.eu1.lines().len();
        if failed >= times {
            break;
        }
    }
    assert!(failed > 0, "{what}: the cell was never asked");
    let posts =
        fleet.eu0.lines().into_iter().filter(|line| line.starts_with("POST")).collect::<Vec<_>>();
    let mut once = posts.clone();
    once.dedup();
    assert_eq!(posts, once, "{what}");
    assert!(fleet.eu1.lines().iter().all(|line| line.starts_with("GET /api/")), "{what}");
    assert_eq!(fleet.us0.lines(), [""; 0], "{what}");
}

#[test]
fn a_cell_that_fails_on_a_pre_flight_is_skipped() {
    passed_over("closes", |_| Then::Close);
    passed_over("resets", |exchange| {
        reset(exchange.stream);
        Then::Close
    });
    // Long enough for the cells that do respond, also on a loaded machine.
    passed_over_within(Duration::from_secs(2), 1, "never responds", |exchange| {
        // Until the router times out.
        let _ = exchange.reader.read(&mut [0]);
        Then::Close
    });
    passed_over("responds with 500 and goes on", |mut exchange| {
        exchange.response(response("500 Internal Server Error", &[], "no"));
        Then::Keep
    });
}

#[test]
fn a_cell_with_an_invalid_learn_response_is_skipped() {
    let owner = r#"{"path":"/","cell":"cell_us0","source":"routable"}"#;
    let long = learnt(&format!(
        r#"{{"path":"/0","cell":"cell_us0","source":"routable","padding":"{}"}}"#,
        "x".repeat(100_000)
    ));
    for bytes in [
        "nonsense\r\n\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\nContent-".to_owned(),
        format!("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{owner}"),
        format!(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{owner}\r\n",
            owner.len()
        ),
        format!(
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n\
             {:x}\r\n{owner}\r\n0\r\n\r\n",
            owner.len()
        ),
        format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {0}\r\nContent-Length: 1{0}\r\n\r\n{owner}",
            owner.len()
        ),
        format!(
            "HTTP/1.1 200 OK\r\nX: {}\r\nContent-Length: {}\r\n\r\n{owner}",
            "x".repeat(100_000),
            owner.len()
        ),
        long.to_string(),
        learnt("{").to_string(),
    ] {
        let what: String = bytes.chars().take(80).collect();
        passed_over(&what, move |exchange| {
            let _ = exchange.stream.write_all(bytes.as_bytes());
            Then::Close
        });
    }
}

#[test]
fn a_learn_response_in_pieces_is_read_whole() {
    let cell = Cell::scripted(|mut exchange| {
        exchange.read_body();
        let bytes = if exchange.request.target().starts_with(LEARN) {
            learnt(r#"{"path":"/x","cell":"cell_us0","source":"routable"}"#)
        } else {
            ok("served")
        };
        for byte in bytes.to_string().as_bytes() {
            exchange.stream.write_all(&[*byte]).unwrap();
            std::thread::sleep(Duration::from_micros(100));
        }
        Then::Keep
    });
    let router = Router::start(&one_cell("learning", cell.address));
    assert_eq!(router.user().get("/x").text(), "served");
    assert_eq!(router.user().get("/x/y").text(), "served");
    assert_eq!(cell.lines().len(), 3);
}

#[test]
fn a_cell_that_reads_nothing_is_given_up_after_the_timeout() {
    for protocol in ["buffering", "learning"] {
        let address = raw_cell(|stream| {
            // Until the router times out; the system reports that without a byte being read.
            while socket2::SockRef::from(&stream).take_error().is_ok_and(|error| error.is_none()) {
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        let mut topology = one_cell(protocol, address);
        topology["limits"]["response_timeout_ms"] = json!(200);
        let router = Router::start(&topology);
        assert_eq!(router.user().ask("POST", "/x", &[], b"body").status(), 504, "{protocol}");
    }
}
