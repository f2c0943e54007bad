//! Cells that fail, send invalid responses or close: the user gets a refusal or a broken
//! connection, and never a truncated response as a complete one.

mod support;

use std::collections::BTreeMap;
use std::io::{BufReader, Read as _, Write as _};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use serde_json::json;
use support::cell::{Cell, Then, ok, response, wait_for};
use support::message::Message;
use support::router::{Router, free_address};
use support::single::{in_front_of, one_cell, raw_cell, reset};

/// A cell that responds with these bytes and closes; pre-flights with 404.
fn saying(bytes: Vec<u8>) -> Cell {
    Cell::scripted(move |mut exchange| {
        exchange.read_body();
        if exchange.request.target().starts_with("/api/v4/internal") {
            exchange.response(response("404 Not Found", &[], ""));
            return Then::Keep;
        }
        let _ = exchange.stream.write_all(&bytes);
        Then::Close
    })
}

#[test]
fn an_invalid_response_is_a_refusal() {
    let long = |length: usize| {
        format!("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: {}\r\n\r\n", "y".repeat(length))
    };
    let many = format!("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n{}\r\n", "X: y\r\n".repeat(101));
    for bytes in [
        "",
        "nonsense\r\n\r\n",
        "\0\0\0",
        "HTTP/1.1 2000 X\r\n\r\n",
        "HTTP/1.1 20 X\r\n\r\n",
        "HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Le",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: y\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nX: y\r\n folded\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nX: y\0\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\n: y\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n\
         0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nabc",
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
        &long(70_000),
        &long(1_000_000),
        &many,
    ] {
        for protocol in ["buffering", "learning"] {
            let cell = saying(bytes.into());
            let router = Router::start(&one_cell(protocol, cell.address));
            let response = router.user().get("/x");
            let shown = &bytes[..bytes.len().min(100)];
            assert_eq!((response.status(), response.whole), (502, true), "{protocol}: {shown:?}");
            assert_eq!(
                cell.lines().iter().filter(|line| line.starts_with("GET /x ")).count(),
                1,
                "{protocol}: {shown:?}"
            );
        }
    }
}

#[test]
fn a_head_within_the_limit_is_forwarded_unchanged() {
    let value = "y".repeat(60_000);
    let cell = saying(
        format!(
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\nX: {value}\r\n\r\nab"
        )
        .into(),
    );
    let response = in_front_of(&cell).user().get("/x");
    assert_eq!(
        (response.status(), response.text(), response.header("x")),
        (200, "ab", Some(value.as_str()))
    );
    assert_eq!(response.all("content-length"), ["2"]);
}

#[test]
fn a_truncated_response_never_looks_complete() {
    for bytes in [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nnonsense\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcdef\r\n0\r\n\r\n",
    ] {
        for version in ["1.1", "1.0"] {
            let cell = saying(bytes.into());
            let router = in_front_of(&cell);
            let mut user = router.user();
            user.send(format!("GET /x HTTP/{version}\r\nHost: h\r\nConnection: close\r\n\r\n"));
            let mut got = Vec::new();
            let read = user.reader.read_to_end(&mut got);
            let mut bytes_got = got.as_slice();
            let head = Message::read_head(&mut bytes_got).unwrap();
            let whole = head.is_some_and(|mut head| {
                // Without length and chunks, a complete response ends with the connection,
                // and no reset.
                let told = head.header("content-length").is_some()
                    || head.header("transfer-encoding").is_some();
                head.read_body(&mut bytes_got).unwrap();
                head.status() == 200 && head.whole && (told || read.is_ok())
            });
            assert!(!whole, "{version}: {bytes:?}: {:?}", String::from_utf8_lossy(&got));
        }
    }
}

#[test]
fn a_reset_is_a_refusal_or_truncates_the_response() {
    for (before, after) in [
        ("", ""),
        ("HTTP/1.1 200 OK\r\nContent-", ""),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "more"),
    ] {
        let cell = Cell::scripted(move |mut exchange| {
            exchange.read_body();
            exchange.response(before);
            if !after.is_empty() {
                // The user has the first part, and the rest never arrives.
                std::thread::sleep(Duration::from_millis(50));
            }
            reset(exchange.stream);
            Then::Close
        });
        let router = in_front_of(&cell);
        let response = router.user().get("/x");
        if after.is_empty() {
            assert_eq!((response.status(), response.whole), (502, true), "{before:?}");
        } else {
            assert!(!response.whole, "{before:?}");
        }
        assert_eq!(cell.lines(), ["GET /x HTTP/1.1"], "sent again after {before:?}");
    }
}

#[test]
fn a_timed_out_request_is_refused_and_not_resent() {
    let cell = Cell::scripted(|mut exchange| {
        exchange.read_body();
        // Until the router times out.
        let _ = exchange.reader.read(&mut [0]);
        Then::Close
    });
    let mut topology = one_cell("buffering", cell.address);
    topology["limits"]["response_timeout_ms"] = json!(150);
    let router = Router::start(&topology);
    let begun = Instant::now();
    assert_eq!(router.user().ask("POST", "/x", &[], b"body").status(), 504);
    assert!(begun.elapsed() >= Duration::from_millis(150));
    // The cell may read it later than the router gives it up.
    cell.wait_until_closed(1);
    assert_eq!(cell.lines(), ["POST /x HTTP/1.1"]);
}

#[test]
fn refused_connections_are_a_refusal() {
    let router = Router::start(&one_cell("buffering", free_address()));
    let mut user = router.user();
    assert_eq!(user.get("/x").status(), 503);
    // The user's connection stays usable.
    assert_eq!(user.get("/x").status(), 503);
}

/// Waits until the system lists no established connection to this address.
fn wait_until_none_is_open(to: SocketAddr) {
    let remote = format!(":{:04X} 01 ", to.port());
    wait_for(|| !std::fs::read_to_string("/proc/net/tcp").expect("Linux tells").contains(&remote));
}

#[test]
fn a_connection_that_the_cell_closed_is_not_reused() {
    // The router keeps the connection after the first response. Later it knows such a cell, and
    // keeps none.
    for _ in 0..10 {
        let cell = Cell::scripted(|mut exchange| {
            exchange.read_body();
            let target = exchange.request.target().to_owned();
            exchange.response(ok(&target));
            // The close is not announced.
            Then::Close
        });
        let router = in_front_of(&cell);
        let mut user = router.user();
        for number in 0..5 {
            let target = format!("/{number}");
            assert_eq!(user.ask("POST", &target, &[], b"x").text(), target);
            cell.wait_until_closed(number + 1);
            wait_until_none_is_open(cell.address);
        }
        assert_eq!(cell.lines().len(), 5);
    }
}

#[test]
fn a_connection_with_unsolicited_bytes_is_not_reused() {
    let cell = Cell::scripted(|mut exchange| {
        exchange.read_body();
        let target = exchange.request.target().to_owned();
        exchange.response(format!("{}{}", ok(&target), ok("a response to nothing")));
        Then::Keep
    });
    let router = in_front_of(&cell);
    let mut user = router.user();
    for number in 0..50 {
        let target = format!("/{number}");
        assert_eq!(user.get(&target).text(), target);
    }
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
fn a_reset_of_a_new_connection_is_not_retried() {
    // New connections that are reset at once: either no byte was written, or the user gets a
    // refusal.
    let accepted = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&accepted);
    let address = raw_cell(move |stream| {
        count.fetch_add(1, Ordering::SeqCst);
        reset(&stream);
    });
    let router = Router::start(&one_cell("buffering", address));
    assert!(matches!(router.user().get("/x").status(), 502 | 503));
    assert!(accepted.load(Ordering::SeqCst) <= 1);
}

#[test]
fn a_response_in_slow_pieces_is_read_whole() {
    let cell = Cell::scripted(|mut exchange| {
        exchange.read_body();
        let bytes = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\n\
             Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
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
fn no_address_of_a_cell_reaches_the_user() {
    let (tell, told) = mpsc::channel();
    let told = Mutex::new(told);
    let cell = Cell::responding(move |_| told.lock().unwrap().recv().unwrap());
    let router = in_front_of(&cell);
    let mut user = router.user();
    let address = cell.address;
    for (location, given) in [
        (format!("http://{address}/there?q=1#f"), "/there?q=1#f"),
        (format!("http://{address}"), "/"),
        (format!("http://{address}//evil.example/"), "/.//evil.example/"),
        ("http://gitlab.example/there".to_owned(), "http://gitlab.example/there"),
        ("/there".to_owned(), "/there"),
    ] {
        tell.send(response("302 Found", &[&format!("Location: {location}")], "")).unwrap();
        assert_eq!(user.get("/x").header("location"), Some(given), "{location}");
    }
    // The fields from which cells build addresses.
    let request = cell.received().remove(0);
    assert_eq!(request.header("x-forwarded-host"), Some("gitlab.example"));
    assert_eq!(request.header("x-forwarded-proto"), Some("http"));
    assert_eq!(request.header("x-forwarded-for"), Some("127.0.0.1"));
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
