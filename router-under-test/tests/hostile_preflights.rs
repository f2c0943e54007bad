//! A cell that fails on pre-flights is skipped: another one of the region gets the pre-flight, and
//! the user's request is sent once.

mod support;

use std::io::{Read as _, Write as _};
use std::time::Duration;

use serde_json::json;
use support::cell::{Cell, Exchange, Then, learnt, ok, response};
use support::router::{Fleet, Router};
use support::single::{one_cell, raw_cell, reset};

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
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n\
             {owner}\r\n0\r\n\r\n",
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
