//! Large bodies pass in little memory, and a peer that does not read is sent only a little.

mod support;

use std::io::{BufRead, Read as _, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use support::cell::{Cell, Then, learnt, ok, response};
use support::client::User;
use support::message::Message;
use support::router::{Fleet, Router};
use support::single::in_front_of;

const PIECE: usize = 64 * 1024;
const LARGE: u64 = 64 * 1024 * 1024;
/// The memory that a router may need for two such bodies at once.
const LITTLE: u64 = 40 * 1024;

/// Reads a body piece by piece, and returns its length.
fn count(reader: &mut impl BufRead, length: u64) -> u64 {
    std::io::copy(&mut reader.take(length), &mut std::io::sink()).unwrap_or(0)
}

fn fleet(owner: impl Fn(support::cell::Exchange<'_>) -> Then + Send + Sync + 'static) -> Fleet {
    Fleet {
        us0: Cell::responding(|_| ok("")),
        eu0: Cell::scripted(owner),
        eu1: Cell::responding(|_| {
            learnt(r#"{"path":"/big","cell":"cell_eu0","source":"routable"}"#)
        }),
    }
}

#[test]
fn large_bodies_need_little_memory() {
    let fleet = fleet(|mut exchange| {
        if exchange.request.start.starts_with("PUT") {
            let got = match exchange.request.header("content-length") {
                Some(length) => count(exchange.reader, length.parse().unwrap()),
                None => {
                    exchange.read_body();
                    exchange.request.body.len() as u64
                }
            };
            exchange.response(ok(&got.to_string()));
        } else {
            exchange.response(format!("HTTP/1.1 200 OK\r\nContent-Length: {LARGE}\r\n\r\n"));
            let piece = vec![b'x'; PIECE];
            for _ in 0..LARGE / PIECE as u64 {
                exchange.stream.write_all(&piece).unwrap();
            }
        }
        Then::Keep
    });
    let router = Router::start(&fleet.with_one_pick("learning"));
    let before = router.memory_kib();

    let mut user = router.user();
    user.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n");
    let head = Message::read_head(&mut user.reader).unwrap().unwrap();
    assert_eq!(head.status(), 200);
    // A user who pauses.
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(count(&mut user.reader, LARGE), LARGE);

    user.send(format!("PUT /big HTTP/1.1\r\nHost: h\r\nContent-Length: {LARGE}\r\n\r\n"));
    let piece = vec![b'x'; PIECE];
    for _ in 0..LARGE / PIECE as u64 {
        user.send(&piece);
    }
    assert_eq!(user.response().text(), LARGE.to_string());

    user.send("PUT /big HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
    for _ in 0..64 {
        user.send(format!("{PIECE:x}\r\n"));
        user.send(&piece);
        user.send("\r\n");
    }
    user.send("0\r\n\r\n");
    assert_eq!(user.response().text(), (64 * PIECE).to_string());

    let after = router.memory_kib();
    assert!(after < before + LITTLE, "{before} KiB before, {after} KiB after");
}

/// Writes pieces until the peer accepts none for a while; returns the bytes written.
fn write_until_it_stands_still(stream: &mut std::net::TcpStream, total: &AtomicU64) {
    stream.set_write_timeout(Some(Duration::from_millis(400))).unwrap();
    let piece = vec![b'x'; PIECE];
    while let Ok(written) = stream.write(&piece) {
        total.fetch_add(written as u64, Ordering::SeqCst);
        assert!(total.load(Ordering::SeqCst) < 1 << 30, "nothing holds it back");
    }
}

#[test]
fn a_cell_that_reads_nothing_stalls_the_user() {
    let (go_on, told) = mpsc::channel::<()>();
    let told = Mutex::new(told);
    let fleet = fleet(move |mut exchange| {
        let _ = told.lock().unwrap().recv();
        let got = count(
            exchange.reader,
            exchange.request.header("content-length").unwrap().parse().unwrap(),
        );
        exchange.response(ok(&got.to_string()));
        Then::Keep
    });
    let router = Router::start(&fleet.with_one_pick("learning"));
    let before = router.memory_kib();
    let mut user: User = router.user();
    user.send(format!("PUT /big HTTP/1.1\r\nHost: h\r\nContent-Length: {LARGE}\r\n\r\n"));
    let taken = AtomicU64::new(0);
    write_until_it_stands_still(&mut user.stream, &taken);
    let taken = taken.into_inner();
    let after = router.memory_kib();
    assert!(taken < LARGE, "{taken}");
    assert!(after < before + 8 * 1024, "{before} KiB before, {after} KiB after");
    go_on.send(()).unwrap();
    user.stream.set_write_timeout(None).unwrap();
    let piece = vec![b'x'; PIECE];
    let mut left = LARGE - taken;
    while left > 0 {
        let length = left.min(PIECE as u64);
        user.send(&piece[..length as usize]);
        left -= length;
    }
    assert_eq!(user.response().text(), LARGE.to_string());
}

#[test]
fn a_cell_may_begin_to_respond_and_then_read_the_body() {
    // More than the system keeps for both connections, so that the router holds some of it.
    let body = Arc::new((0..=250).collect::<Vec<u8>>().repeat(260_000));
    let expected = Arc::clone(&body);
    let cell = Cell::scripted(move |mut exchange| {
        if exchange.request.target().starts_with("/api/") {
            exchange.response(learnt(r#"{"path":"/up","cell":"cell_us0","source":"routable"}"#));
            return Then::Keep;
        }
        // By then the router waits with what it has read from the user.
        std::thread::sleep(Duration::from_millis(500));
        exchange.response("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        exchange.read_body();
        let said = if exchange.request.body == *expected { "right" } else { "wrong" };
        exchange.response(format!("5\r\n{said}\r\n0\r\n\r\n"));
        Then::Keep
    });
    let router = Router::start(&support::single::one_cell("learning", cell.address));
    let mut user = router.user();
    for chunked in [false, true] {
        let mut writer = user.reader.get_ref().try_clone().unwrap();
        let body = Arc::clone(&body);
        let sending = std::thread::spawn(move || {
            let head = "PUT /up/x HTTP/1.1\r\nHost: h\r\n";
            if !chunked {
                write!(writer, "{head}Content-Length: {}\r\n\r\n", body.len()).unwrap();
                return writer.write_all(&body);
            }
            let mut all = format!("{head}Transfer-Encoding: chunked\r\n\r\n").into_bytes();
            // Several arrive at once.
            for chunk in body.chunks(5000) {
                write!(all, "{:x}\r\n", chunk.len()).unwrap();
                all.extend([chunk, b"\r\n"].concat());
            }
            all.extend(b"0\r\n\r\n");
            writer.write_all(&all)
        });
        // The connection goes on behind it.
        assert_eq!(user.response().text(), "right", "{chunked}");
        sending.join().unwrap().unwrap();
    }
}

#[test]
fn a_response_before_the_body_was_read_does_not_affect_the_next_request() {
    let fleet = fleet(|mut exchange| {
        if exchange.request.start.starts_with("PUT") {
            exchange.response(response("403 Forbidden", &[], "no"));
        }
        exchange.read_body();
        if exchange.request.start.starts_with("GET") {
            exchange.response(ok("next"));
        }
        Then::Keep
    });
    let router = Router::start(&fleet.with_one_pick("learning"));
    for _ in 0..10 {
        let mut user = router.user();
        let response = user.ask("PUT", "/big", &[], &[b'x'; 100_000]);
        assert_eq!((response.status(), response.text()), (403, "no"));
        // On the same connection if it is kept alive, else on another.
        if response.header("connection") != Some("close") {
            user.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n");
            if let Ok(Some(mut next)) = Message::read_head(&mut user.reader) {
                next.read_body(&mut user.reader).unwrap();
                assert_eq!(next.text(), "next");
            }
        }
        assert_eq!(router.user().get("/big").text(), "next");
    }
}

#[test]
fn connections_to_cells_are_reused_after_every_kind_of_response() {
    let cell = Cell::scripted(|mut exchange| {
        exchange.read_body();
        let number = exchange.earlier;
        let bytes = match exchange.request.target() {
            "/chunks" => format!(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Number: {number}\r\n\r\n\
                 3\r\nabc\r\n0\r\n\r\n"
            ),
            "/204" => format!("HTTP/1.1 204 No Content\r\nX-Number: {number}\r\n\r\n"),
            "/end" => format!(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\
                 X-Number: {number}\r\n\r\n"
            ),
            _ => response("200 OK", &[&format!("X-Number: {number}")], "abc").to_string(),
        };
        exchange.response(bytes);
        if exchange.request.target() == "/end" { Then::Close } else { Then::Keep }
    });
    let router = in_front_of(&cell);
    let mut user = router.user();
    let mut used_again = 0;
    // After an announced close the router still reuses later connections.
    for _ in 0..4 {
        for target in ["/length", "/chunks", "/204", "/chunks", "/length", "/end"] {
            // The router keeps a connection once it has seen the end of the response, a moment
            // after the user has.
            std::thread::sleep(Duration::from_millis(5));
            user.send(format!("GET {target} HTTP/1.1\r\nHost: h\r\n\r\n"));
            let mut response = Message::read_head(&mut user.reader).unwrap().unwrap();
            response.read_body(&mut user.reader).unwrap();
            used_again += usize::from(response.header("x-number") != Some("0"));
        }
    }
    // Twenty of 24, less those that were sent before that moment.
    assert!(used_again >= 10, "{used_again}");
}

#[test]
fn a_response_before_the_end_of_the_body_reaches_the_user() {
    let fleet = Fleet {
        us0: Cell::responding(|_| ok("")),
        eu0: Cell::scripted(|mut exchange| {
            exchange.response(response("403 Forbidden", &["Connection: close"], "no"));
            let _ = exchange.stream.flush();
            // The user keeps sending until it has read the response.
            let _ = std::io::copy(exchange.reader, &mut std::io::sink());
            Then::Close
        }),
        eu1: Cell::responding(|_| {
            support::cell::learnt(r#"{"path":"/x","cell":"cell_eu0","source":"routable"}"#)
        }),
    };
    let router = Router::start(&fleet.with_one_pick("learning"));
    let mut user = router.user();
    user.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nfirst");
    assert_eq!(user.response().status(), 403);
}
